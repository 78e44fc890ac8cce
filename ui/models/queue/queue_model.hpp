// SPDX-License-Identifier: GPL-3.0-or-later
// The queue as a list with estimates, and a summary when the queue is finished.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <QAbstractListModel>
#include <QTimer>

#include "ui/models/queue/queue_forecast.hpp"
#include "ui/models/run_store.hpp"

namespace seedbed::ui {

class Catalogue;
class Launcher;
class RunLink;
struct LiveStatus;

// The contents of a row. Each text is one line of printable characters, or "".
struct QueueCard {
    enum class State : std::uint8_t { waiting, training, held };

    QString place, name;
    QString facts;   // environment, algorithm, seed
    QString change;  // the settings that distinguish it from its preset and its neighbours
    State state = State::waiting;
    QString state_text, steps, estimate;
    std::optional<double> done{};  // 0 to 1; nullopt without a limit on steps, or if it has not begun
};

// Rows can be dragged. Thread: GUI.
class QueueModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { kRunRole = Qt::UserRole, kPausedRole, kLiveRole };

    // `launcher` and `catalogue` may be null: then there are no changed settings and no estimates from
    // measurements of presets.
    QueueModel(RunStore& store, Launcher* launcher, const Catalogue* catalogue, QObject* parent = nullptr);
    ~QueueModel() override;
    // The rows are those of the queue, and live runs report their speed, only while they are shown.
    void setShown(bool shown);
    // Whether no further run starts now; then estimates have no start.
    void setStopped(bool stopped);

    // 0 if there is no such row.
    RunId runAt(int row) const;
    int rowOf(RunId run) const;
    QueueCard cardAt(int row) const;
    const EstimateScore& score() const { return score_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    // The name, and for screen readers all that the row shows.
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    // Emits dropped(); the rows move once the database has changed.
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

Q_SIGNALS:
    // The user dropped these runs before `row`; rowCount() means after the last row.
    void dropped(const std::vector<seedbed::RunId>& runs, int row);
    void scoreChanged();

private:
    struct Row {
        QueueEntry entry;
        const RunRecord* run;  // in runs_
        QueueTimes times{};
        std::optional<Span> left{};  // seconds of training
    };
    // The settings of a run that determine its time.
    struct Plan {
        TrainingLength length;
        bool has_target = false;
        std::size_t settings = 0;  // as in TrainedRun
        QString preset;
    };
    void refresh();
    std::vector<const RunRecord*> trainedRuns() const;
    void readPlans(bool of_rows);  // also of new rows; always of runs that have trained
    void readChanges();
    void followLiveRuns();
    void estimate();
    std::optional<Span> secondsLeft(const Row& row, const std::vector<TrainedRun>& trained) const;
    const LiveStatus* liveStatus(const Row& row) const;  // null if it has not reported
    std::int64_t stepsOf(const Row& row) const;
    QString stateText(const Row& row) const;
    QString stepsText(const Row& row) const;
    QString estimateText(const Row& row) const;

    RunStore& store_;
    Launcher* launcher_;
    const Catalogue* catalogue_;
    bool shown_ = false, was_hidden_ = false, stopped_ = false;
    std::unordered_map<RunId, Plan> plans_;       // of queued runs and of those that estimates are based on
    std::unordered_map<RunId, QString> changes_;  // of queued runs
    std::map<RunId, std::unique_ptr<RunLink>> links_;
    QTimer ask_, report_;  // delays of readChanges() and, after news of live runs, of estimate()
    EstimateScore score_;
    RunSnapshot runs_;  // keeps the runs of the rows
    std::vector<Row> rows_;
    std::unordered_map<RunId, int> places_;  // of the rows
};

// Tracks the runs of a queue and reports a summary when none of them is still queued or running.
class QueueWatch {
public:
    struct Summary {
        int finished = 0, failed = 0, stopped = 0, interrupted = 0;  // `stopped`: on request
        RunId last = 0;
    };

    // Returns a summary once, when all runs seen since the last summary have ended.
    std::optional<Summary> update(const QueueState& queue, const std::vector<RunRecord>& runs);

private:
    std::vector<RunId> queued_;  // the queue of the last call
    std::unordered_set<RunId> seen_;
};

}  // namespace seedbed::ui
