// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_table_model.hpp"
#include "ui/models/text/csv_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <QCollator>
#include <QCoreApplication>

#include "ui/models/packs/env_choice.hpp"
#include "ui/models/text/event_text.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

QString fromUtf8(const std::string& text) { return QString::fromStdString(text); }

QString joinedTags(const RunRecord& run) {
    QString text;
    for (const std::string& tag : run.tags)
        text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + fromUtf8(tag);
    return text;
}

double orNan(const std::optional<double>& value) {
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

// NaN sorts below all numbers.
int compare(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(b) - std::isnan(a) > 0 ? 1 : std::isnan(a) && std::isnan(b) ? 0 : -1;
    return a < b ? -1 : a > b ? 1 : 0;
}

template <class T>
int compare(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
}

QString markdownField(QString text) {
    return text.replace(QLatin1Char('|'), QLatin1String("\\|")).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

// Longest text in a cell; the tooltip shows the whole text.
constexpr int kMaxTextLength = 120;

}  // namespace

QString envOf(const RunRecord& run) { return shortId(fromUtf8(run.env)); }

QString statusText(RunStatus status) {
    switch (status) {
        case RunStatus::queued: return RunTableModel::tr("queued");
        case RunStatus::starting: return RunTableModel::tr("starting");
        case RunStatus::running: return RunTableModel::tr("running");
        case RunStatus::paused: return RunTableModel::tr("paused");
        case RunStatus::stopping: return RunTableModel::tr("stopping");
        case RunStatus::finished: return RunTableModel::tr("finished");
        case RunStatus::failed: return RunTableModel::tr("failed");
        case RunStatus::interrupted: return RunTableModel::tr("interrupted");
    }
    return {};
}

double meanSpeed(const RunRecord& run) {
    const auto& p = run.progress;
    return p.train_seconds > 0 ? static_cast<double>(p.steps) / p.train_seconds
                               : std::numeric_limits<double>::quiet_NaN();
}

RunTableModel::RunTableModel(QObject* parent)
    : QAbstractTableModel(parent),
      runs_(std::make_shared<const std::vector<RunRecord>>()),
      search_texts_(std::make_shared<const std::vector<QString>>()) {}

void RunTableModel::setRuns(RunSnapshot runs, SearchTexts search_texts) {
    rebuild(std::move(runs), std::move(search_texts));
}

void RunTableModel::setChangedSettings(ChangedTexts changed) {
    changed_ = std::move(changed);
    if (sort_column_ == kChanged) rebuild(runs_, search_texts_);
    if (!rows_.empty()) Q_EMIT dataChanged(index(0, kChanged), index(rowCount() - 1, kChanged));
}

void RunTableModel::setFilter(const QString& text) {
    filter_ = RunFilter(text);
    rebuild(runs_, search_texts_);
}

void RunTableModel::setShelf(Shelf shelf) {
    shelf_ = shelf;
    rebuild(runs_, search_texts_);
}

void RunTableModel::sort(int column, Qt::SortOrder order) {
    sort_column_ = column;
    order_ = order;
    rebuild(runs_, search_texts_);
}

void RunTableModel::rebuild(RunSnapshot runs, SearchTexts search_texts) {
    // Remembers which run each row showed, in order to emit only the necessary signals.
    std::vector<RunId> before(rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) before[row] = (*runs_)[rows_[row]].id;

    const RunSnapshot runs_before = std::move(runs_);
    const SearchTexts texts_before = std::move(search_texts_);
    const std::vector<std::size_t> rows_before = std::move(rows_);
    runs_ = std::move(runs);
    search_texts_ = std::move(search_texts);
    std::vector<std::size_t> rows;
    rows.reserve(runs_->size());
    int shelved = 0;
    for (std::size_t i = 0; i < runs_->size(); ++i) {
        const RunRecord& run = (*runs_)[i];
        const Shelf shelf = run.in_trash ? Shelf::trash : run.archived ? Shelf::archived : Shelf::active;
        if (shelf != shelf_) continue;
        ++shelved;
        if (filter_.empty() || filter_.accepts(run, (*search_texts_)[i])) rows.push_back(i);
    }
    if (sort_column_ == kName) sortByName(rows);
    else if (sort_column_ >= 0 && sort_column_ < kColumns)
        std::stable_sort(rows.begin(), rows.end(),
                         [this](std::size_t a, std::size_t b) { return less((*runs_)[a], (*runs_)[b]); });
    shelved_ = shelved;

    const bool same_order = before.size() == rows.size() &&
                            std::equal(before.begin(), before.end(), rows.begin(),
                                       [this](RunId id, std::size_t i) { return id == (*runs_)[i].id; });
    if (same_order) {
        rows_ = std::move(rows);
        if (!rows_.empty() && runs_ != runs_before)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
        return;
    }
    // Views must see the old rows until layoutAboutToBeChanged() has been emitted.
    const RunSnapshot runs_after = std::move(runs_);
    const SearchTexts texts_after = std::move(search_texts_);
    runs_ = runs_before;
    search_texts_ = texts_before;
    rows_ = rows_before;
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList persistent = persistentIndexList();
    runs_ = runs_after;
    search_texts_ = texts_after;
    rows_ = std::move(rows);
    if (!persistent.isEmpty()) {
        std::unordered_map<RunId, int> row_of;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            row_of.emplace((*runs_)[rows_[row]].id, static_cast<int>(row));
        QModelIndexList moved;
        for (const QModelIndex& old : persistent) {
            const auto at = row_of.find(before[static_cast<std::size_t>(old.row())]);
            moved.push_back(at == row_of.end() ? QModelIndex() : index(at->second, old.column()));
        }
        changePersistentIndexList(persistent, moved);
    }
    Q_EMIT layoutChanged();
}

// Natural order in the user's language: "run-2" before "run-10". Sort keys are computed once per name, since
// collated comparisons are slow.
void RunTableModel::sortByName(std::vector<std::size_t>& rows) const {
    QCollator collator;
    collator.setNumericMode(true);
    collator.setCaseSensitivity(Qt::CaseInsensitive);
    std::vector<std::pair<QCollatorSortKey, std::size_t>> keyed;
    keyed.reserve(rows.size());
    for (const std::size_t row : rows)
        keyed.emplace_back(collator.sortKey(fromUtf8((*runs_)[row].name)), row);
    std::sort(keyed.begin(), keyed.end(), [this](const auto& a, const auto& b) {
        const int c = a.first.compare(b.first);
        return c != 0 ? (order_ == Qt::AscendingOrder ? c < 0 : c > 0) : a.second > b.second;
    });
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = keyed[i].second;
}

bool RunTableModel::less(const RunRecord& a, const RunRecord& b) const {
    const int c = [&] {
        switch (sort_column_) {
            case kStar: return compare(a.star, b.star);
            case kId: return compare(a.id, b.id);
            case kStatus: return compare(a.status, b.status);
            case kEnv: return compare(a.env, b.env);
            case kAlgo: return compare(a.algo, b.algo);
            case kSeed: return compare(a.seed, b.seed);
            case kSteps: return compare(a.progress.steps, b.progress.steps);
            case kLastReturn: return compare(orNan(a.last_return), orNan(b.last_return));
            case kBestReturn: return compare(orNan(a.best_return), orNan(b.best_return));
            case kSpeed: return compare(meanSpeed(a), meanSpeed(b));
            case kStarted: return compare(orNan(a.started), orNan(b.started));
            case kTags: return compare(a.tags, b.tags);
            case kNotes: return compare(a.notes, b.notes);
            case kChanged: return compare(changedOf(changed_, a.id), changedOf(changed_, b.id));
            default: return 0;
        }
    }();
    if (c != 0) return order_ == Qt::AscendingOrder ? c < 0 : c > 0;
    return a.id > b.id;  // among equal runs, the newest first
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int RunTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

int RunTableModel::rowOf(RunId run) const {
    const auto at =
        std::find_if(rows_.begin(), rows_.end(), [&](std::size_t i) { return (*runs_)[i].id == run; });
    return at == rows_.end() ? -1 : static_cast<int>(at - rows_.begin());
}

namespace {

// Marks means over training episodes, since they are not comparable with evaluations of other runs.
QString returnText(const RunRecord& run, const std::optional<double>& value) {
    const QString text = shortNumber(orNan(value));
    return value && run.return_source == "training" ? QStringLiteral("~") + text : text;
}

QString text(const RunRecord& run, const ChangedTexts& changed, int column) {
    switch (column) {
        case RunTableModel::kStar: return run.star ? QStringLiteral("★") : QString();
        case RunTableModel::kId: return QString::number(run.id);
        case RunTableModel::kName: return fromUtf8(run.name);
        case RunTableModel::kStatus: return statusText(run.status);
        case RunTableModel::kEnv: return envOf(run);
        case RunTableModel::kAlgo: return fromUtf8(run.algo);
        case RunTableModel::kSeed: return QString::number(run.seed);
        case RunTableModel::kSteps: return countText(run.progress.steps);
        case RunTableModel::kLastReturn: return returnText(run, run.last_return);
        case RunTableModel::kBestReturn: return returnText(run, run.best_return);
        case RunTableModel::kSpeed: return compactCount(meanSpeed(run));
        case RunTableModel::kStarted: return briefTimeText(run.started.value_or(0));
        case RunTableModel::kTags: return joinedTags(run);
        case RunTableModel::kNotes: return fromUtf8(run.notes);
        case RunTableModel::kChanged: return changedOf(changed, run.id).join(QStringLiteral(", "));
        default: return {};
    }
}

QString exactText(const RunRecord& run, const ChangedTexts& changed, int column) {
    switch (column) {
        case RunTableModel::kStar: return QString::number(run.star ? 1 : 0);
        case RunTableModel::kStatus: return QLatin1String(nameOf(run.status));
        case RunTableModel::kEnv: return fromUtf8(run.env);
        case RunTableModel::kSteps: return QString::number(run.progress.steps);
        case RunTableModel::kLastReturn: return exactNumber(orNan(run.last_return));
        case RunTableModel::kBestReturn: return exactNumber(orNan(run.best_return));
        case RunTableModel::kSpeed: return exactNumber(meanSpeed(run));
        case RunTableModel::kStarted: return exactNumber(orNan(run.started));
        default: return text(run, changed, column);
    }
}

// An explanation of the column's title; "" if it needs none.
QString helpOf(int column) {
    switch (column) {
        case RunTableModel::kStar: return RunTableModel::tr("Star: click to add or remove");
        case RunTableModel::kSteps: return RunTableModel::tr("Steps trained so far");
        case RunTableModel::kLastReturn:
            return RunTableModel::tr(
                "Mean return of the newest evaluation; with “~”: of the newest training episodes, for runs "
                "that "
                "were never evaluated");
        case RunTableModel::kBestReturn:
            return RunTableModel::tr(
                "Highest mean return of all evaluations; with “~”: of training episodes, for runs that were "
                "never evaluated");
        case RunTableModel::kSpeed:
            return RunTableModel::tr("Steps per second of training time, over the whole run");
        case RunTableModel::kStarted: return RunTableModel::tr("When training started");
        case RunTableModel::kChanged:
            return RunTableModel::tr(
                "Settings that differ from the preset; first those that distinguish the run from others of "
                "the same environment, algorithm and preset");
        default: return {};
    }
}

QString titleOf(int column) {
    switch (column) {
        case RunTableModel::kStar: return QStringLiteral("★");
        case RunTableModel::kId: return RunTableModel::tr("Run");
        case RunTableModel::kName: return RunTableModel::tr("Name");
        case RunTableModel::kStatus: return RunTableModel::tr("Status");
        case RunTableModel::kEnv: return RunTableModel::tr("Environment");
        case RunTableModel::kAlgo: return RunTableModel::tr("Algorithm");
        case RunTableModel::kSeed: return RunTableModel::tr("Seed");
        case RunTableModel::kSteps: return RunTableModel::tr("Steps");
        case RunTableModel::kLastReturn: return RunTableModel::tr("Last return");
        case RunTableModel::kBestReturn: return RunTableModel::tr("Best return");
        case RunTableModel::kSpeed: return RunTableModel::tr("Steps/s");
        case RunTableModel::kStarted: return RunTableModel::tr("Started");
        case RunTableModel::kTags: return RunTableModel::tr("Tags");
        case RunTableModel::kNotes: return RunTableModel::tr("Notes");
        case RunTableModel::kChanged: return RunTableModel::tr("Changed");
        default: return {};
    }
}

}  // namespace

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const RunRecord& run = runAt(index.row());
    switch (role) {
        case Qt::DisplayRole: {
            if (index.column() == kChanged) return briefChanges(changedOf(changed_, run.id));
            const QString whole = text(run, changed_, index.column());
            const QString line = whole.size() > kMaxTextLength || whole.contains(QLatin1Char('\n'))
                                     ? whole.simplified().left(kMaxTextLength)
                                     : whole;
            return line.size() < whole.simplified().size() ? QVariant(line + QStringLiteral("…"))
                                                           : QVariant(line);
        }
        case Qt::EditRole:
            if (index.column() == kName) return fromUtf8(run.name);
            return text(run, changed_, index.column());
        case Qt::ToolTipRole:
            if (index.column() == kChanged) return changedOf(changed_, run.id).join(QLatin1Char('\n'));
            if (index.column() == kStatus && !run.status_text.empty()) return statusDetail(run.status_text);
            if (index.column() == kLastReturn || index.column() == kBestReturn)
                return run.return_source == "evaluation" ? tr("mean of an evaluation")
                       : run.return_source.empty()
                           ? QString()
                           : tr("mean over training episodes; this run was never evaluated");
            if (index.column() == kSpeed) return helpOf(kSpeed);
            if (index.column() == kStarted)
                return run.started ? tr("training started %1; created %2")
                                         .arg(timeText(*run.started), timeText(run.created))
                                   : tr("training has not started; created %1").arg(timeText(run.created));
            return index.column() == kEnv ? fromUtf8(run.env) : text(run, changed_, index.column());
        case Qt::TextAlignmentRole: {
            const int column = index.column();
            const bool number = column == kId || column == kSeed || (column >= kSteps && column <= kSpeed);
            return QVariant(Qt::Alignment((number            ? Qt::AlignRight
                                           : column == kStar ? Qt::AlignHCenter
                                                             : Qt::AlignLeft) |
                                          Qt::AlignVCenter));
        }
        case Qt::AccessibleTextRole:
            if (index.column() == kStar) return run.star ? tr("starred") : tr("not starred");
            return headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString() +
                   QStringLiteral(": ") + text(run, changed_, index.column());
        case kRunIdRole: return QVariant::fromValue<qlonglong>(run.id);
        case kStatusRole: return static_cast<int>(run.status);
        default: return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section >= 0) {
        const bool number = section == kId || section == kSeed || (section >= kSteps && section <= kSpeed);
        return QVariant(Qt::Alignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    if (role == Qt::AccessibleTextRole && section == kStar) return tr("Star");
    if (role == Qt::ToolTipRole) return helpOf(section);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
    return titleOf(section);
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == kName || index.column() == kTags || index.column() == kNotes)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid()) return false;
    const RunRecord& run = runAt(index.row());
    if (index.column() != kStar && value.toString() == data(index, Qt::EditRole).toString()) return false;
    Q_EMIT editRequested(run.id, index.column(), value);
    return true;
}

const char* RunTableModel::key(int column) {
    static constexpr std::array<const char*, kColumns> kKeys{
        "star",        "id",          "name",        "status",  "env",  "algo",  "seed",   "steps",
        "last_return", "best_return", "steps_per_s", "started", "tags", "notes", "changed"};
    return kKeys[static_cast<std::size_t>(column)];
}

QString ShownRuns::csv() const {
    QString out;
    for (int column = 0; column < RunTableModel::kColumns; ++column)
        out += (column == 0 ? QString() : QStringLiteral(",")) + QLatin1String(RunTableModel::key(column));
    out += QLatin1Char('\n');
    for (const std::size_t i : rows) {
        for (int column = 0; column < RunTableModel::kColumns; ++column)
            out += (column == 0 ? QString() : QStringLiteral(",")) +
                   csvField(exactText((*runs)[i], changed, column));
        out += QLatin1Char('\n');
    }
    return out;
}

QString ShownRuns::markdown(const std::vector<int>& columns) const {
    QString head = QStringLiteral("|"), rule = QStringLiteral("|"), out;
    for (const int column : columns) {
        head += QLatin1Char(' ') + titleOf(column) + QStringLiteral(" |");
        rule += QStringLiteral(" --- |");
    }
    for (const std::size_t i : rows) {
        out += QLatin1Char('|');
        for (const int column : columns)
            out += QLatin1Char(' ') + markdownField(text((*runs)[i], changed, column)) + QStringLiteral(" |");
        out += QLatin1Char('\n');
    }
    return head + QLatin1Char('\n') + rule + QLatin1Char('\n') + out;
}

}  // namespace seedbed::ui
