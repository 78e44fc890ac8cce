// SPDX-License-Identifier: GPL-3.0-or-later
// The queue as a table, and what there is to say when it has come to its end.
#pragma once

#include <optional>
#include <set>

#include <QAbstractTableModel>

#include "ui/models/run_store.hpp"

namespace seedbed::ui {

// Thread: the window's.
class QueueModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { kRun, kEnvironment, kAlgorithm, kSeed, kState, kSteps, kColumns };
    enum Role { kRunRole = Qt::UserRole, kPausedRole, kLiveRole };

    explicit QueueModel(RunStore& store, QObject* parent = nullptr);
    // 0 for no row.
    RunId runAt(int row) const;
    int rowOf(RunId run) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QueueEntry entry;
        RunRecord run;
    };
    void refresh();

    RunStore& store_;
    std::vector<Row> rows_;
};

// What a run is called in one place or another: its name, or "run 3".
QString runTitle(const RunRecord& run);

// Notes which runs a queue had, and sums them up when nothing of it waits or goes any more.
class QueueWatch {
public:
    struct Summary {
        int finished = 0, failed = 0, interrupted = 0;
        RunId last = 0;
    };

    // Once per queue: when all runs seen since the last summary have ended.
    std::optional<Summary> update(const QueueState& queue, const std::vector<RunRecord>& runs);

private:
    std::set<RunId> seen_;
};

}  // namespace seedbed::ui
