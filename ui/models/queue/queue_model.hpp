// SPDX-License-Identifier: GPL-3.0-or-later
// The queue as a table, and a summary when the queue is finished.
#pragma once

#include <map>
#include <optional>
#include <set>

#include <QAbstractTableModel>

#include "ui/models/run_store.hpp"

namespace seedbed::ui {

// Rows can be dragged. Thread: GUI.
class QueueModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { kRun, kEnvironment, kAlgorithm, kSeed, kState, kSteps, kColumns };
    enum Role { kRunRole = Qt::UserRole, kPausedRole, kLiveRole };

    explicit QueueModel(RunStore& store, QObject* parent = nullptr);
    // 0 if there is no such row.
    RunId runAt(int row) const;
    int rowOf(RunId run) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
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

private:
    struct Row {
        QueueEntry entry;
        RunRecord run;
    };
    void refresh();
    void readTotals();

    RunStore& store_;
    std::map<RunId, std::int64_t> totals_;  // planned steps; 0 for no limit
    std::vector<Row> rows_;
};

// Tracks the runs of a queue and reports a summary when none of them is still queued or running.
class QueueWatch {
public:
    struct Summary {
        int finished = 0, failed = 0, interrupted = 0;
        RunId last = 0;
    };

    // Returns a summary once, when all runs seen since the last summary have ended.
    std::optional<Summary> update(const QueueState& queue, const std::vector<RunRecord>& runs);

private:
    std::set<RunId> seen_;
};

}  // namespace seedbed::ui
