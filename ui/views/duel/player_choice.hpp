// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of one player of a duel, and of the weights of a run. Thread: GUI.
#pragma once

#include <vector>

#include <QWidget>

#include "ui/models/play/duel_candidates.hpp"
#include "ui/views/services.hpp"

class QComboBox;

namespace seedbed::ui {

class NameBox;

// A square in the colour of a player.
class PlayerMark : public QWidget {
    Q_OBJECT
public:
    PlayerMark(const Theme& theme, int side, QWidget* parent);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& theme_;
    int side_;
};

class PlayerChoice : public QWidget {
    Q_OBJECT

public:
    // side: 0 or 1.
    PlayerChoice(const Services& services, int side, QWidget* parent);

    // Changes the list; the choice stays, even if it is not listed any more.
    void setCandidates(const std::vector<DuelCandidate>& candidates);
    // Reads the weights again if the run may have more: its first ones, or the last ones of a finished run.
    void refresh();
    // Reads the newest weights of a run in progress again, since older ones are removed; weightsRead()
    // follows. False: others are chosen, which stay as they are.
    bool renew();
    // A player as on the command line; "" for none.
    void choose(const QString& player);

    // As on the command line; "" if none is chosen. The newest weights of a run in progress have their step.
    QString player() const;
    // The same without that step.
    QString chosen() const;
    // Empty: it plays in any environment, or is unknown.
    QString env() const { return chosen_.env; }
    RunId run() const { return chosen_.run; }
    bool isPerson() const { return chosen_.player == QLatin1String(kPersonPlayer); }
    // Whether it has the weights of a certain step of a run.
    bool hasStep() const { return step().has_value(); }
    // In sentences: "CartPole · run 3", "CartPole · run 3 at step 4,096", "random".
    QString name() const;
    // Steps of the stored checkpoints of the run, newest first, and which is the best; known after
    // weightsRead().
    const std::vector<CheckpointRecord>& checkpoints() const { return checkpoints_; }
    bool knowsWeights() const { return knows_weights_; }

Q_SIGNALS:
    // The user chose another player or other weights.
    void playerChanged();
    void weightsChanged();
    void weightsRead();

private:
    bool changes() const;
    QString runName() const;
    std::optional<qint64> step() const;
    void show(const DuelCandidate& candidate, const QString& version);
    void selectChosen();
    void readWeights();
    void listWeights();

    Services services_;
    int side_;
    std::vector<DuelCandidate> candidates_;
    DuelCandidate chosen_;
    QString wanted_version_;  // until the checkpoints are read
    std::vector<CheckpointRecord> checkpoints_;
    bool knows_weights_ = false;
    bool starts_untrained_ = true;  // without the weights of another run
    bool was_live_ = false;         // the run, when they were read
    bool filling_ = false;          // the program, not the user, changes the boxes
    NameBox* players_;
    NameBox* weights_;
};

}  // namespace seedbed::ui
