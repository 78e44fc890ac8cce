// SPDX-License-Identifier: GPL-3.0-or-later
// The run table: a filtered and sorted view of the latest snapshot. Fast enough to be rebuilt at every
// keystroke with 10,000 runs.
#pragma once

#include <optional>
#include <vector>

#include <QAbstractTableModel>

#include "ui/models/compare/changed_settings.hpp"
#include "ui/models/run_filter.hpp"
#include "ui/models/run_store.hpp"

namespace seedbed::ui {

// A snapshot of the rows of a run table, for writing files on a worker thread. Thread: any.
struct ShownRuns {
    RunSnapshot runs;
    std::vector<std::size_t> rows;  // indices into runs
    ChangedTexts changed;           // null if not known

    // All columns with a header and exact numbers; fields are quoted where necessary.
    QString csv() const;
    QString markdown(const std::vector<int>& columns) const;
};

class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int {
        kStar,
        kId,
        kName,
        kStatus,
        kEnv,
        kAlgo,
        kSeed,
        kSteps,
        kLastReturn,
        kBestReturn,
        kSpeed,
        kStarted,
        kTags,
        kNotes,
        kChanged,  // the last one, because widths and places of the others are stored by number
        kColumns
    };
    // The set of runs that is shown.
    enum class Shelf : std::uint8_t { active, archived, trash };
    enum Role : int { kRunIdRole = Qt::UserRole + 1, kStatusRole };

    explicit RunTableModel(QObject* parent = nullptr);

    // Persistent indices, and therefore the selection, stay with their runs.
    void setRuns(RunSnapshot runs, SearchTexts search_texts);
    void setChangedSettings(ChangedTexts changed);
    void setFilter(const QString& text);
    const RunFilter& filter() const { return filter_; }
    void setShelf(Shelf shelf);
    Shelf shelf() const { return shelf_; }
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    // Emits editRequested(); the model changes when the database does.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    // Number of runs on the shelf, ignoring the filter.
    int shelved() const { return shelved_; }
    const RunRecord& runAt(int row) const { return (*runs_)[rows_[static_cast<std::size_t>(row)]]; }
    // -1 if the run is not shown.
    int rowOf(RunId run) const;

    ShownRuns shown() const { return {runs_, rows_, changed_}; }

    // The English name of a column, for settings and files.
    static const char* key(int column);

Q_SIGNALS:
    void editRequested(seedbed::RunId run, int column, const QVariant& value);

private:
    void rebuild(RunSnapshot runs, SearchTexts search_texts);
    bool less(const RunRecord& a, const RunRecord& b) const;
    void sortByName(std::vector<std::size_t>& rows) const;
    RunSnapshot runs_;
    SearchTexts search_texts_;
    ChangedTexts changed_;
    std::vector<std::size_t> rows_;  // indices into runs_
    RunFilter filter_;
    Shelf shelf_ = Shelf::active;
    int sort_column_ = kId;
    Qt::SortOrder order_ = Qt::DescendingOrder;
    int shelved_ = 0;
};

// The id of its environment without the folder of its file.
QString envOf(const RunRecord& run);
// The translated status.
QString statusText(RunStatus status);
// Steps per second over the whole training time; NaN before the first update.
double meanSpeed(const RunRecord& run);

}  // namespace seedbed::ui
