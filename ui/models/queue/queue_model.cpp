// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/queue_model.hpp"

#include <algorithm>

#include <QLocale>
#include <QMimeData>

#include "ui/models/run_table_model.hpp"
#include "ui/models/text/event_text.hpp"

namespace seedbed::ui {
namespace {

// MIME type of dragged rows: run ids separated by spaces.
constexpr const char* kRunsType = "application/x-seedbed-queued-runs";

const RunRecord* findRun(const std::vector<RunRecord>& runs, RunId id) {
    const auto found = std::lower_bound(runs.begin(), runs.end(), id,
                                        [](const RunRecord& run, RunId wanted) { return run.id < wanted; });
    return found != runs.end() && found->id == id ? &*found : nullptr;
}

}  // namespace

QueueModel::QueueModel(RunStore& store, QObject* parent) : QAbstractTableModel(parent), store_(store) {
    connect(&store, &RunStore::queueChanged, this, &QueueModel::refresh);
    connect(&store, &RunStore::runsChanged, this, &QueueModel::refresh);
    refresh();
}

void QueueModel::refresh() {
    std::vector<Row> rows;
    for (const QueueEntry& entry : store_.queue().entries)
        if (const RunRecord* run = findRun(*store_.runs(), entry.run)) rows.push_back({entry, *run});
    readTotals();
    const auto same = [](const Row& a, const Row& b) { return a.run.id == b.run.id; };
    if (std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(), same)) {
        rows_ = std::move(rows);
        if (!rows_.empty())
            Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(rows_.size()) - 1, kColumns - 1));
        return;
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

// Reads the planned number of steps from the settings of runs; they do not change while the runs are queued.
void QueueModel::readTotals() {
    std::vector<RunId> unknown;
    for (const QueueEntry& entry : store_.queue().entries)
        if (!totals_.contains(entry.run)) unknown.push_back(entry.run);
    if (unknown.empty()) return;
    for (const RunId run : unknown) totals_[run] = 0;
    store_.read(
        this, QString(),
        [unknown](StoreReader& reader) -> Result<std::map<RunId, std::int64_t>> {
            std::map<RunId, std::int64_t> totals;
            for (const RunId run : unknown) {
                const auto details = reader.details(run);
                const Json::json_pointer at("/run/steps");
                if (details && details->config.contains(at) && details->config.at(at).is_number())
                    totals[run] = details->config.at(at).get<std::int64_t>();
            }
            return totals;
        },
        [this](const Result<std::map<RunId, std::int64_t>>& totals) {
            if (!totals) return;
            for (const auto& [run, steps] : *totals) totals_[run] = steps;
            if (!rows_.empty())
                Q_EMIT dataChanged(index(0, kSteps), index(static_cast<int>(rows_.size()) - 1, kSteps));
        });
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    // Drops are allowed between rows, not onto them.
    return index.isValid() ? flags | Qt::ItemIsDragEnabled : flags | Qt::ItemIsDropEnabled;
}

QStringList QueueModel::mimeTypes() const { return {QLatin1String(kRunsType)}; }

QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const {
    QStringList runs;
    for (const QModelIndex& at : indexes)
        if (const QString run = QString::number(runAt(at.row())); !runs.contains(run)) runs << run;
    auto* data = new QMimeData();
    data->setData(QLatin1String(kRunsType), runs.join(QLatin1Char(' ')).toLatin1());
    return data;
}

bool QueueModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int, int, const QModelIndex&) const {
    return data != nullptr && data->hasFormat(QLatin1String(kRunsType));
}

bool QueueModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                              const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent)) return false;
    std::vector<RunId> runs;
    for (const QByteArray& run : data->data(QLatin1String(kRunsType)).split(' '))
        if (const RunId id = run.toLongLong(); rowOf(id) >= 0) runs.push_back(id);
    // A drop below all rows moves the runs to the end.
    if (!runs.empty()) Q_EMIT dropped(runs, row >= 0 ? row : parent.isValid() ? parent.row() : rowCount());
    return false;
}

RunId QueueModel::runAt(int row) const {
    return row >= 0 && row < static_cast<int>(rows_.size()) ? rows_[static_cast<std::size_t>(row)].run.id : 0;
}

int QueueModel::rowOf(RunId run) const {
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (rows_[row].run.id == run) return static_cast<int>(row);
    return -1;
}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int QueueModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto& [entry, run] = rows_[static_cast<std::size_t>(index.row())];
    const bool live = isLive(run.status);
    if (role == kRunRole) return QVariant::fromValue<qint64>(run.id);
    if (role == kPausedRole) return entry.paused;
    if (role == kLiveRole) return live;
    if (role == Qt::TextAlignmentRole && (index.column() == kSeed || index.column() == kSteps))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && !run.status_text.empty()) return statusDetail(run.status_text);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case kRun: return runTitle(run);
        case kEnvironment: return envOf(run);
        case kAlgorithm: return QString::fromStdString(run.algo);
        case kSeed: return QString::number(run.seed);
        case kState:
            if (entry.paused && !live) return tr("queued, paused");
            if (live && !run.status_text.empty())
                return tr("%1: %2").arg(statusText(run.status), statusDetail(run.status_text));
            return !live && run.progress.steps > 0 ? tr("queued to resume")
                   : live                          ? statusText(run.status)
                                                   : tr("queued");
        case kSteps: {
            const QString done = QLocale().toString(static_cast<qlonglong>(run.progress.steps));
            const auto total = totals_.find(run.id);
            return total == totals_.end() || total->second <= 0
                       ? done
                       : tr("%1 of %2").arg(done, QLocale().toString(static_cast<qlonglong>(total->second)));
        }
        default: return {};
    }
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole) return {};
    if (orientation == Qt::Vertical) return section + 1;
    switch (section) {
        case kRun: return tr("Run");
        case kEnvironment: return tr("Environment");
        case kAlgorithm: return tr("Algorithm");
        case kSeed: return tr("Seed");
        case kState: return tr("State");
        case kSteps: return tr("Steps");
        default: return {};
    }
}

std::optional<QueueWatch::Summary> QueueWatch::update(const QueueState& queue,
                                                      const std::vector<RunRecord>& runs) {
    bool open = false;
    for (const QueueEntry& entry : queue.entries) {
        const RunRecord* run = findRun(runs, entry.run);
        if (run == nullptr) continue;
        seen_.insert(entry.run);
        open = true;
    }
    Summary summary;
    for (const RunId id : seen_) {
        const RunRecord* run = findRun(runs, id);
        if (run == nullptr || run->in_trash) continue;  // deleted or moved to the trash by the user
        open |= isLive(run->status);
        summary.finished += run->status == RunStatus::finished;
        summary.failed += run->status == RunStatus::failed;
        summary.interrupted += run->status == RunStatus::interrupted;
        summary.last = id;
    }
    if (open || seen_.empty()) return std::nullopt;
    seen_.clear();
    if (summary.finished + summary.failed + summary.interrupted == 0) return std::nullopt;
    return summary;
}

}  // namespace seedbed::ui
