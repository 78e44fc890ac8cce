// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/run_table_view.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/editor.hpp"
#include "ui/models/run_filter.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/settings.hpp"
#include "ui/models/text/write_file.hpp"
#include "ui/views/compare/run_selection.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/file_dialog.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/search_keys.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr const char* kColumnsKey = "runs/hidden_columns";
constexpr const char* kHeaderKey = "runs/header";
constexpr const char* kNameWidthKey = "runs/own_name_width";
// Columns that are hidden until the user shows them, so that the others fit into a small window.
constexpr std::array kHiddenAtFirst{RunTableModel::kBestReturn, RunTableModel::kSpeed,
                                    RunTableModel::kStarted, RunTableModel::kTags, RunTableModel::kNotes};
constexpr int kMinNameWidth = 100, kMinChangedWidth = 100, kStarWidth = 40;
// Around a title, and around that of the column that the rows are sorted by, which has a mark.
constexpr int kTitleMargin = 24, kSortedTitleMargin = 52;

// The first settings distinguish the run, so long texts end with "…".
class ChangedDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

RunTableModel::Shelf shelfOf(const RunRecord& run) {
    return run.in_trash   ? RunTableModel::Shelf::trash
           : run.archived ? RunTableModel::Shelf::archived
                          : RunTableModel::Shelf::active;
}

QToolButton* menuButton(const QString& text, QMenu* menu, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(menu);
    button->setMinimumHeight(kControlHeight);
    return button;
}

}  // namespace

RunTableView::RunTableView(const Services& services, Background& workers, QWidget* parent)
    : QWidget(parent), services_(services), workers_(workers), model_(new RunTableModel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    toolbar_ = makeToolbar();
    column->addWidget(toolbar_);
    makeTable();
    column->addWidget(table_, 1);
    clearByEscape(filter_);
    count_ = new QLabel(this);
    count_->setTextFormat(Qt::PlainText);
    count_->setWordWrap(true);
    column->addWidget(count_);
    fillColumnsMenu();
    connectTable();
    if (services_.launcher != nullptr) {
        changed_ = new ChangedSettings(*services_.runs, *services_.launcher, this);
        connect(changed_, &ChangedSettings::changed, this,
                [this] { model_->setChangedSettings(changed_->texts()); });
    }
    loadRuns();
}

void RunTableView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (changed_ != nullptr) changed_->refresh();
}

QWidget* RunTableView::makeToolbar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    filter_ = new QLineEdit(bar);
    filter_->setObjectName(QStringLiteral("run-filter"));
    filter_->setPlaceholderText(
        tr("Filter: words, env:cartpole, tag:baseline, status:failed, is:star, -word"));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Filter runs"));
    row->addWidget(filter_, 1);
    shelf_ = new QComboBox(bar);
    shelf_->addItems({tr("Runs"), tr("Archive"), tr("Trash")});
    shelf_->setAccessibleName(tr("Runs to show"));
    row->addWidget(shelf_);
    columns_ = menuButton(tr("Columns"), new QMenu(bar), bar);
    row->addWidget(columns_);
    edit_menu_ = new QMenu(bar);
    row->addWidget(menuButton(tr("Selected runs"), edit_menu_, bar));
    save_menu_ = new QMenu(bar);
    save_menu_->addAction(tr("Runs as CSV…"), this, [this] {
        saveTable(QStringLiteral("runs.csv"),
                  [this] { return [shown = model_->shown()] { return shown.csv(); }; });
    });
    save_menu_->addAction(tr("Runs as Markdown…"), this, [this] {
        saveTable(QStringLiteral("runs.md"), [this] {
            return [shown = model_->shown(), columns = shownColumns()] { return shown.markdown(columns); };
        });
    });
    row->addWidget(menuButton(tr("Save table"), save_menu_, bar));
    return bar;
}

void RunTableView::addButton(QWidget* button) { toolbar_->layout()->addWidget(button); }

void RunTableView::makeTable() {
    table_ = new QTableView(this);
    table_->setModel(model_);
    delete table_->selectionModel();
    table_->setSelectionModel(new RunSelection(model_, [this] { forgetHidden(); }));
    table_->setObjectName(QStringLiteral("run-table"));
    table_->setAccessibleName(tr("Runs"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setSortingEnabled(true);
    table_->setAlternatingRowColors(true);
    table_->setTabKeyNavigation(false);
    table_->setWordWrap(false);
    table_->setTextElideMode(Qt::ElideMiddle);  // names are elided in the middle because they usually differ
                                                // at both ends
    table_->horizontalHeader()->setHighlightSections(false);
    table_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    // Rows are not cut at the upper edge.
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    table_->horizontalHeader()->setSectionsMovable(true);
    table_->setItemDelegateForColumn(RunTableModel::kChanged, new ChangedDelegate(table_));
    table_->sortByColumn(RunTableModel::kId, Qt::DescendingOrder);
    for (int c = 0; c < RunTableModel::kColumns; ++c) table_->setColumnWidth(c, widthOf(c));
    restoreColumns();
    const auto make_room = [this](int sorted) {
        if (sorted >= 0 && table_->columnWidth(sorted) < widthOf(sorted))
            table_->setColumnWidth(sorted, widthOf(sorted));
    };
    connect(table_->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, make_room);
    make_room(table_->horizontalHeader()->sortIndicatorSection());
    table_->viewport()->installEventFilter(this);
}

void RunTableView::connectTable() {
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_->setFilter(text);
        describe();
    });
    connect(shelf_, &QComboBox::currentIndexChanged, this, [this](int index) {
        model_->setShelf(static_cast<RunTableModel::Shelf>(index));
        describe();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { updateSelection(); });
    connect(model_, &QAbstractItemModel::layoutAboutToBeChanged, this,
            [this] { selected_before_ = selected(); });
    connect(model_, &QAbstractItemModel::layoutChanged, this, [this] { restoreSelection(); });
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (index.column() == RunTableModel::kStar) toggleStar();
        else services_.navigator->open(DashboardLink{model_->runAt(index.row()).id});
    });
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == RunTableModel::kStar)
            services_.editor->setStar({model_->runAt(index.row()).id}, !model_->runAt(index.row()).star);
    });
    connect(table_, &QTableView::customContextMenuRequested, this,
            [this](const QPoint& at) { edit_menu_->popup(table_->viewport()->mapToGlobal(at)); });
    connect(model_, &RunTableModel::editRequested, this, &RunTableView::editRun);
    connect(services_.runs, &RunStore::runsChanged, this, &RunTableView::loadRuns);
    connect(services_.runs, &RunStore::stateChanged, this, &RunTableView::describe);
}

void RunTableView::editRun(RunId run, int column, const QVariant& value) {
    if (column == RunTableModel::kName) services_.editor->rename(run, value.toString());
    if (column == RunTableModel::kTags) services_.editor->setTags(run, value.toString());
    if (column == RunTableModel::kNotes) services_.editor->setNotes(run, value.toString());
}

void RunTableView::fillColumnsMenu() {
    for (int c = 0; c < RunTableModel::kColumns; ++c) {
        QAction* action = columns_->menu()->addAction(
            c == RunTableModel::kStar ? tr("Star")
                                      : model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!table_->isColumnHidden(c));
        connect(action, &QAction::toggled, this, [this, c](bool shown) {
            table_->setColumnHidden(c, !shown);
            saveColumns();
        });
    }
}

// Wide enough for usual contents and for the title with the mark of the sort order.
int RunTableView::widthOf(int column) const {
    static constexpr std::array<int, RunTableModel::kColumns> kLetters{2,  4,  16, 11, 14, 9,  5, 10,
                                                                       11, 11, 8,  17, 14, 20, 26};
    if (column == RunTableModel::kStar) return kStarWidth;
    const QString title = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    return std::max(kLetters[static_cast<std::size_t>(column)] * fontMetrics().averageCharWidth() + 12,
                    table_->horizontalHeader()->fontMetrics().horizontalAdvance(title) +
                        (table_->horizontalHeader()->sortIndicatorSection() == column ? kSortedTitleMargin
                                                                                      : kTitleMargin));
}

std::vector<int> RunTableView::shownColumns() const {
    std::vector<int> columns;
    for (int place = 0; place < RunTableModel::kColumns; ++place) {
        const int c = table_->horizontalHeader()->logicalIndex(place);
        if (!table_->isColumnHidden(c)) columns.push_back(c);
    }
    return columns;
}

void RunTableView::saveColumns() {
    if (services_.settings == nullptr) return;
    QStringList hidden;
    for (int c = 0; c < RunTableModel::kColumns; ++c)
        if (table_->isColumnHidden(c)) hidden << QLatin1String(RunTableModel::key(c));
    services_.settings->setValue(QLatin1String(kColumnsKey), hidden);
}

void RunTableView::restoreColumns() {
    for (const RunTableModel::Column column : kHiddenAtFirst) table_->setColumnHidden(column, true);
    QHeaderView& header = *table_->horizontalHeader();
    if (services_.settings != nullptr) {
        // An empty list is stored as an invalid value, so only the fallback shows that nothing was chosen.
        const QVariant chosen = services_.settings->value(QLatin1String(kColumnsKey), false);
        if (chosen.metaType().id() != QMetaType::Bool) {
            const QStringList hidden = chosen.toStringList();
            for (int c = 0; c < RunTableModel::kColumns; ++c)
                table_->setColumnHidden(c, hidden.contains(QLatin1String(RunTableModel::key(c))));
        }
        const QByteArray state = services_.settings->state(QLatin1String(kHeaderKey)).toByteArray();
        if (!state.isEmpty()) header.restoreState(state);
        name_width_is_users_ = services_.settings->state(QLatin1String(kNameWidthKey)).toBool();
    }
    header.setStretchLastSection(name_width_is_users_);
    const auto keep = [this] {
        if (services_.settings != nullptr)
            services_.settings->setState(QLatin1String(kHeaderKey), table_->horizontalHeader()->saveState());
    };
    connect(&header, &QHeaderView::sectionMoved, this, keep);
    connect(&header, &QHeaderView::sectionResized, this, [this, keep](int column) {
        if (fitting_) return;
        // Hiding and showing a column also resizes it, but not by dragging.
        const bool dragged = QGuiApplication::mouseButtons().testFlag(Qt::LeftButton);
        if ((column == RunTableModel::kName || column == RunTableModel::kChanged) && dragged &&
            !name_width_is_users_) {
            name_width_is_users_ = true;
            if (services_.settings != nullptr)
                services_.settings->setState(QLatin1String(kNameWidthKey), true);
        }
        fitName();
        keep();
    });
}

// Names and changed settings share the space that the other columns leave, unless the user has resized one of
// the two.
void RunTableView::fitName() {
    if (name_width_is_users_ || fitting_) return;
    int others = 0;
    for (int c = 0; c < RunTableModel::kColumns; ++c)
        if (c != RunTableModel::kName && c != RunTableModel::kChanged)
            others += table_->columnWidth(c);  // 0 for hidden ones
    const int rest = table_->viewport()->width() - others;
    const bool both = !table_->isColumnHidden(RunTableModel::kChanged);
    const int changed = both ? std::max(kMinChangedWidth, std::min(rest * 3 / 5, rest - kMinNameWidth)) : 0;
    fitting_ = true;
    table_->setColumnWidth(RunTableModel::kName, std::max(kMinNameWidth, rest - changed));
    if (both) table_->setColumnWidth(RunTableModel::kChanged, changed);
    fitting_ = false;
}

// The table was resized, or its vertical scroll bar appeared.
bool RunTableView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_->viewport() && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &RunTableView::fitName, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

std::vector<RunId> RunTableView::selected() const {
    std::vector<RunId> runs;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        runs.push_back(model_->runAt(index.row()).id);
    std::sort(runs.begin(), runs.end());
    return runs;
}

std::vector<RunId> RunTableView::toCompare() const {
    std::vector<RunId> runs = selected();
    runs.insert(runs.end(), hidden_.begin(), hidden_.end());
    std::sort(runs.begin(), runs.end());
    if (runs.size() > kMaxCompared) runs.resize(kMaxCompared);
    return runs;
}

void RunTableView::updateSelection() {
    describe();
    Q_EMIT selectionChanged();
}

// Selected runs that the filter hides stay selected: Compare includes them, and their rows are selected again
// when they reappear.
void RunTableView::restoreSelection() {
    const std::vector<RunId> now = selected();
    if (now.size() == selected_before_.size() && hidden_.empty() && shelved_.empty()) return;
    std::set<RunId> missing(hidden_.begin(), hidden_.end());
    missing.insert(selected_before_.begin(), selected_before_.end());
    missing.insert(shelved_.begin(), shelved_.end());
    for (const RunId run : now) missing.erase(run);
    QItemSelection back;
    for (int row = 0; row < model_->rowCount() && !missing.empty(); ++row)
        if (missing.erase(model_->runAt(row).id) > 0)
            back.select(model_->index(row, 0), model_->index(row, RunTableModel::kColumns - 1));
    // Runs that moved to another shelf do not count as hidden by the filter; they are selected again if Undo
    // restores them.
    hidden_.clear();
    shelved_.clear();
    for (const RunId run : missing) {
        const RunRecord* record = services_.runs->find(run);
        if (record != nullptr) (shelfOf(*record) == model_->shelf() ? hidden_ : shelved_).push_back(run);
    }
    if (!back.isEmpty()) table_->selectionModel()->select(back, QItemSelectionModel::Select);
    updateSelection();
}

// Called when a new selection replaces the old one. If the visible rows stay selected, the table emits no
// signal.
void RunTableView::forgetHidden() {
    shelved_.clear();
    if (hidden_.empty()) return;
    hidden_.clear();
    QMetaObject::invokeMethod(
        this, [this] { updateSelection(); }, Qt::QueuedConnection);
}

void RunTableView::select(const std::vector<RunId>& runs) {
    filter_->clear();
    shelf_->setCurrentIndex(restored_.shelf);
    wanted_ = runs;
    QItemSelection selection;
    QModelIndex first;
    for (const RunId run : runs) {
        const int row = model_->rowOf(run);
        if (row < 0) continue;
        selection.select(model_->index(row, 0), model_->index(row, RunTableModel::kColumns - 1));
        if (!first.isValid()) first = model_->index(row, RunTableModel::kName);
    }
    if (selection.isEmpty()) return;  // the runs are not loaded yet; loadRuns() selects them
    wanted_.clear();
    table_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    table_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    table_->scrollTo(first);
    restored_.shelf = 0;
    if (const QString filter = std::exchange(restored_.filter, {}); !filter.isEmpty())
        filter_->setText(filter);
}

void RunTableView::restore(const std::vector<RunId>& runs, const Restored& view) {
    if (runs.empty()) {
        shelf_->setCurrentIndex(view.shelf);
        filter_->setText(view.filter);
        return;
    }
    // Sets the filter after the selection, because it may hide selected runs.
    restored_ = view;
    select(runs);
}

QString RunTableView::filterText() const { return filter_->text(); }

int RunTableView::shelfIndex() const { return shelf_->currentIndex(); }

void RunTableView::focusFilter(bool select_text) {
    filter_->setFocus();
    if (select_text) filter_->selectAll();
}

void RunTableView::loadRuns() {
    model_->setRuns(services_.runs->runs(), services_.runs->searchTexts());
    if (changed_ != nullptr && isVisible()) changed_->refresh();
    describe();
    if (!wanted_.empty()) select(std::vector<RunId>(wanted_));
}

void RunTableView::describe() {
    const StoreState& state = services_.runs->state();
    const int hidden = static_cast<int>(hidden_.size());
    const int selected_count = static_cast<int>(table_->selectionModel()->selectedRows().size()) + hidden;
    QString text = model_->rowCount() == model_->shelved()
                       ? tr("%n run(s)", nullptr, model_->rowCount())
                       : tr("%1 of %n run(s)", nullptr, model_->shelved()).arg(model_->rowCount());
    if (selected_count > 0) text += tr(", %n selected", nullptr, selected_count);
    if (hidden > 0) text += tr(" (%n of them hidden by the filter)", nullptr, hidden);
    if (selected_count > kMaxCompared) text += tr("; the first %1 can be compared").arg(kMaxCompared);
    if (model_->rowCount() == 0 && model_->shelved() > 0) text = tr("No run matches the filter. ") + text;
    for (const QString& name : model_->filter().unknownFields())
        text = tr("“%1:” is not a field of runs; the fields are %2.").arg(name, RunFilter::fieldNames()) +
               QLatin1Char(' ') + text;
    if (state.kind == StoreState::Kind::empty) text = tr("There are no runs yet.");
    if (!state.text.isEmpty()) text = state.text + QLatin1Char(' ') + text;
    count_->setText(text);
}

void RunTableView::toggleStar() {
    const std::vector<RunId> runs = selected();
    if (runs.empty()) return;
    const RunRecord* first = services_.runs->find(runs.front());
    services_.editor->setStar(runs, first != nullptr && !first->star);
}

void RunTableView::rename() {
    const QModelIndex at = table_->currentIndex();
    if (at.isValid()) table_->edit(model_->index(at.row(), RunTableModel::kName));
}

void RunTableView::archive() {
    const std::vector<RunId> runs = selected();
    const bool into = model_->shelf() != RunTableModel::Shelf::archived;
    services_.editor->setArchived(runs, into);
    if (runs.empty() || services_.navigator == nullptr) return;
    const int count = static_cast<int>(runs.size());
    services_.navigator->showUndo(into ? tr("%n run(s) archived.", nullptr, count)
                                       : tr("%n run(s) restored from the archive.", nullptr, count));
}

void RunTableView::moveToTrash() {
    const bool out = model_->shelf() == RunTableModel::Shelf::trash;
    std::vector<RunId> runs;
    int live = 0;
    for (const RunId run : selected()) {
        const RunRecord* record = services_.runs->find(run);
        if (record != nullptr && isLive(record->status)) ++live;
        else runs.push_back(run);
    }
    services_.editor->setTrashed(runs, !out);
    if (services_.navigator == nullptr) return;
    if (live > 0)
        services_.navigator->showStatus(
            tr("%n run(s) in progress were not moved to trash; stop them first.", nullptr, live));
    else if (!runs.empty() && !out)
        services_.navigator->showUndo(
            tr("%n run(s) moved to trash.", nullptr, static_cast<int>(runs.size())));
}

void RunTableView::askForTag() {
    const std::vector<RunId> runs = selected();
    if (runs.empty()) return;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Add tag"));
    dialog->setLabelText(tr("Tag for %n run(s)", nullptr, static_cast<int>(runs.size())));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, runs](const QString& tag) { services_.editor->addTag(runs, tag); });
    dialog->open();
}

void RunTableView::saveTable(const QString& name,
                             const std::function<std::function<QString()>()>& prepare_table) {
    const auto prepare = [&](QFileDialog& dialog) {
        dialog.setAcceptMode(QFileDialog::AcceptSave);
        dialog.selectFile(name);
    };
    askForFile(this, tr("Save table"), prepare, [this, prepare_table](const QString& to) {
        const std::function<QString()> table = prepare_table();
        if (!table)
            return services_.navigator->showProblem(
                tr("No runs are compared: select some in the table and click Compare."));
        workers_.run(
            this, QString(), [to, table](const std::stop_token&) { return writeFile(to, table().toUtf8()); },
            [this, to](const Result<>& written) {
                if (written) services_.navigator->showStatus(tr("Saved %1").arg(to));
                else services_.navigator->showProblem(QString::fromStdString(written.error().text()));
            });
    });
}

}  // namespace seedbed::ui
