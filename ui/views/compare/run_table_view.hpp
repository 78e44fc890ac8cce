// SPDX-License-Identifier: GPL-3.0-or-later
// The table of all runs: filter, shelf (active runs, archive, trash), columns, selection, and edits to the
// selected runs.
#pragma once

#include <functional>
#include <vector>

#include <QWidget>

#include "ui/models/background.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/views/services.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QTableView;
class QToolButton;

namespace seedbed::ui {

class RunTableView : public QWidget {
    Q_OBJECT

public:
    // The maximum number of compared runs; the table shows a note when more are selected.
    static constexpr int kMaxCompared = 200;

    // `workers` must outlive the view.
    RunTableView(const Services& services, Background& workers, QWidget* parent = nullptr);

    // The visible selected runs, sorted.
    std::vector<RunId> selected() const;
    // The selected runs including those that the filter hides, sorted; at most kMaxCompared.
    std::vector<RunId> toCompare() const;
    // Selects these runs now, or as soon as they are loaded; clears the filter.
    void select(const std::vector<RunId>& runs);
    // The filter and shelf to restore together with a selection.
    struct Restored {
        QString filter;
        int shelf = 0;
    };
    void restore(const std::vector<RunId>& runs, const Restored& view);
    QString filterText() const;
    int shelfIndex() const;
    void focusFilter(bool select_text);

    QTableView& table() { return *table_; }
    // The menu for the selected runs; the page adds its actions.
    QMenu& editMenu() { return *edit_menu_; }
    // Adds a button at the end of the toolbar.
    void addButton(QWidget* button);
    // The menu for saving tables.
    QMenu& saveMenu() { return *save_menu_; }
    // Shows a file dialog and writes a table to the file on a worker thread. After the file is selected,
    // prepare_table() returns a function that formats the table, or null if no run can be compared.
    void saveTable(const QString& name, const std::function<std::function<QString()>()>& prepare_table);

    // Edits to the selected runs.
    void toggleStar();
    void rename();
    void archive();
    void moveToTrash();
    void askForTag();

Q_SIGNALS:
    // Emitted if toCompare() may have changed.
    void selectionChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeToolbar();
    void makeTable();
    void connectTable();
    void fillColumnsMenu();
    int widthOf(int column) const;
    std::vector<int> shownColumns() const;
    void saveColumns();
    void restoreColumns();
    void fitName();
    void restoreSelection();
    void forgetHidden();
    void updateSelection();
    void loadRuns();
    void describe();
    void editRun(RunId run, int column, const QVariant& value);

    Services services_;
    Background& workers_;
    RunTableModel* model_;
    ChangedSettings* changed_ = nullptr;  // null without a launcher
    QWidget* toolbar_ = nullptr;
    QLineEdit* filter_ = nullptr;
    QComboBox* shelf_ = nullptr;
    QToolButton* columns_ = nullptr;
    QMenu *edit_menu_ = nullptr, *save_menu_ = nullptr;
    QTableView* table_ = nullptr;
    QLabel* count_ = nullptr;
    bool name_width_is_users_ = false;    // the user resized the column of names
    bool fitting_ = false;                // columns are resized by the view
    std::vector<RunId> wanted_;           // runs to select when loaded
    Restored restored_;                   // applied with `wanted_`
    std::vector<RunId> hidden_;           // selected runs hidden by the filter
    std::vector<RunId> shelved_;          // selected runs that moved to another shelf
    std::vector<RunId> selected_before_;  // selection before a layout change
};

}  // namespace seedbed::ui
