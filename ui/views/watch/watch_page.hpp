// SPDX-License-Identifier: GPL-3.0-or-later
// The watch page: the agents of a run play before one's eyes, and what the one in focus thinks stands beside
// it.
#pragma once

#include <optional>
#include <vector>

#include "core/store/records.hpp"
#include "ui/models/player_client.hpp"
#include "ui/models/trace_model.hpp"
#include "ui/views/page.hpp"

class QComboBox;
class QFrame;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace seedbed::ui {

class SceneGrid;
class TimeLine;

// A player plays while the page is visible.
class WatchPage : public Page {
    Q_OBJECT

public:
    explicit WatchPage(const Services& services);
    void open(const PageRequest& request) override;
    QVariantMap handOver() const override;
    void takeOver(const QVariantMap& state) override;

    // Shows a game that was recorded into a file.
    void openFile(const QString& file);

    // For tests.
    PlayerClient& client() { return client_; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Kept {
        CheckpointRecord record;
        bool replays = false;
    };

    QWidget* makeSourceBar();
    QWidget* makeProblemBar();
    QWidget* makeControls();
    void addActions();
    void listRuns();
    void readCheckpoints();
    void listCheckpoints(std::vector<Kept> kept);
    void selectStep(std::int64_t step);
    void start();
    void showState();
    void askForWhatWasChosen();
    void showFrame();
    void step(int count);
    void changeSpeed(int by);
    void focusNext();
    void askForFile();
    void forgetFile();
    void togglePause();
    PlayerSource chosenSource() const;
    void sayStatus();

    Services services_;
    PlayerClient client_;
    TraceModel trace_;
    RunId run_ = 0;
    std::optional<std::int64_t> wanted_step_;  // of a checkpoint, until the list is there
    std::vector<Kept> kept_;                   // newest first
    bool filling_ = false;                     // the boxes change by program
    quint64 seed_ = 1;                         // of new games
    bool sample_ = false;                      // as the user chose it; the box shows what the player does
    bool was_playing_ = false;
    QString said_;  // by the player

    QComboBox *runs_ = nullptr, *weights_ = nullptr, *episode_ = nullptr, *agents_ = nullptr,
              *selection_ = nullptr, *speed_ = nullptr, *seat_ = nullptr;
    QFrame* problem_bar_ = nullptr;
    QLabel *problem_ = nullptr, *status_ = nullptr;
    QToolButton *back_ = nullptr, *pause_ = nullptr, *forward_ = nullptr, *alone_ = nullptr,
                *as_table_ = nullptr, *open_ = nullptr;
    SceneGrid* grid_ = nullptr;
    TimeLine* line_ = nullptr;
    QTableView* table_ = nullptr;
    QStackedWidget* thoughts_ = nullptr;
};

}  // namespace seedbed::ui
