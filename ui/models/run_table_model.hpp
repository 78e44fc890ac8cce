// SPDX-License-Identifier: GPL-3.0-or-later
// The run table: a filtered and sorted view of the newest snapshot. Fast enough to be done anew at every
// keystroke with 10,000 runs.
#pragma once

#include <optional>
#include <vector>

#include <QAbstractTableModel>

#include "ui/models/run_filter.hpp"
#include "ui/models/run_store.hpp"

namespace seedbed::ui {

// The rows of a run table as they were when they were asked for: files are made from them beside the GUI
// thread. Thread: any.
struct ShownRuns {
    RunSnapshot runs;
    std::vector<std::size_t> rows;  // indices into runs

    // All columns, numbers exact: with a header; fields that need it are quoted.
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
        kColumns
    };
    // Which part of the runs is shown.
    enum class Shelf : std::uint8_t { active, archived, bin };
    enum Role : int { kRunIdRole = Qt::UserRole + 1, kStatusRole };

    explicit RunTableModel(QObject* parent = nullptr);

    // Persistent indices (and so the selection) stay on their runs.
    void setRuns(RunSnapshot runs, SearchTexts search_texts);
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
    // Edits are only announced: editRequested().
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    // How many runs are on the shelf, whatever the filter.
    int shelved() const { return shelved_; }
    const RunRecord& runAt(int row) const { return (*runs_)[rows_[static_cast<std::size_t>(row)]]; }
    // -1 when it is not shown.
    int rowOf(RunId run) const;

    ShownRuns shown() const { return {runs_, rows_}; }

    // A column's name, in English, for settings and files.
    static const char* key(int column);

Q_SIGNALS:
    void editRequested(seedbed::RunId run, int column, const QVariant& value);

private:
    void rebuild(RunSnapshot runs, SearchTexts search_texts);
    bool less(const RunRecord& a, const RunRecord& b) const;
    void sortByName(std::vector<std::size_t>& rows) const;
    RunSnapshot runs_;
    SearchTexts search_texts_;
    std::vector<std::size_t> rows_;  // indices into runs_
    RunFilter filter_;
    Shelf shelf_ = Shelf::active;
    int sort_column_ = kId;
    Qt::SortOrder order_ = Qt::DescendingOrder;
    int shelved_ = 0;
};

// The name of a run for people: its own, or environment and number.
QString displayName(const RunRecord& run);
// The state in words of the user's language.
QString statusText(RunStatus status);
// Steps per second over the whole training time so far; not-a-number before the first update.
double meanSpeed(const RunRecord& run);

}  // namespace seedbed::ui
