// SPDX-License-Identifier: GPL-3.0-or-later
// The agent of a run, playing: its game on a stage, below it what it would do and its estimate of the return.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "core/store/records.hpp"
#include "ui/models/charts/inspector_model.hpp"
#include "ui/models/play/player_client.hpp"
#include "ui/views/services.hpp"
#include "ui/views/style/card.hpp"

class QLabel;
class QToolButton;

namespace seedbed::ui {

class SceneGrid;
class ThoughtStrip;

// Runs a player while it is visible. Thread: GUI.
class AgentStage : public Card {
    Q_OBJECT

public:
    explicit AgentStage(const Services& services, QWidget* parent = nullptr);
    // Shows the newest weights of a run; nullptr: of none. Called again whenever the run changes.
    void follow(const RunRecord* run);

    // For tests.
    PlayerClient& client() { return client_; }

Q_SIGNALS:
    void watchRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    bool canPlay() const;
    void start();
    void showState();
    void showFrame();
    void describe();
    void showVerb(const QString& verb);
    void togglePause();

    Services services_;
    PlayerClient client_;
    TraceModel trace_;
    InspectorModel inspector_{trace_};
    RunId run_ = 0;
    bool live_ = false, queued_ = false;
    QTimer retry_;           // a run that begins has no weights yet
    int retries_ = 0;        // without a frame
    QElapsedTimer thought_;  // since the thoughts were drawn
    SceneGrid* grid_;
    ThoughtStrip* thoughts_;
    QToolButton* pause_;
    QLabel* status_;
};

}  // namespace seedbed::ui
