// SPDX-License-Identifier: GPL-3.0-or-later
// The page of all runs: a table to find, tag and organize them; below it a comparison of the selected ones.
#include <set>

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/compare_data.hpp"
#include "ui/models/editor.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/metric_title.hpp"
#include "ui/models/number_text.hpp"
#include "ui/models/run_report.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/settings.hpp"
#include "ui/models/write_file.hpp"
#include "ui/views/charts/chart_controls.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/compare/difference_view.hpp"
#include "ui/views/compare/groups_view.hpp"
#include "ui/views/compare/run_selection.hpp"
#include "ui/views/compare/scatter_view.hpp"
#include "ui/views/compare/series_styles.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/export/export_link.hpp"
#include "ui/views/file_dialog.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/page.hpp"
#include "ui/views/search_keys.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {
namespace {

// The maximum number of compared runs; the table shows a note when it is exceeded.
constexpr int kMaxCompared = 200;
constexpr const char* kColumnsKey = "runs/hidden_columns";
constexpr const char* kHeaderKey = "runs/header";

class ComparePage : public Page {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::ComparePage)

public:
    explicit ComparePage(const Services& services)
        : services_(services), workers_(QStringLiteral("ui-cmp"), 2) {
        auto* outer = new QVBoxLayout(this);
        auto* splitter = new QSplitter(Qt::Vertical, this);
        splitter->addWidget(makeTable());
        splitter->addWidget(makeComparison());
        splitter->setStretchFactor(0, 1);
        splitter->setStretchFactor(1, 2);
        splitter->setSizes({330, 560});
        outer->addWidget(splitter);
        makeActions();
        connect(services_.runs, &RunStore::runsChanged, this, [this] { runsChanged(); });
        connect(services_.runs, &RunStore::stateChanged, this, [this] { describe(); });
        refresh_.setSingleShot(true);
        connect(&refresh_, &QTimer::timeout, this, [this] { readChosen(); });
        runsChanged();
    }

    void open(const std::any& link) override {
        const auto* wanted = std::any_cast<CompareLink>(&link);
        if (wanted != nullptr && !wanted->runs.empty()) select(wanted->runs);
        filter_->setFocus();
    }

    QVariantMap saveState() const override {
        QVariantList runs;
        for (const RunId run : compared_) runs << QVariant::fromValue<qlonglong>(run);
        return {{QStringLiteral("runs"), runs},
                {QStringLiteral("filter"), filter_->text()},
                {QStringLiteral("shelf"), shelf_->currentIndex()},
                {QStringLiteral("metric"), chosenMetric()},
                {QStringLiteral("grouping"), grouping_->currentIndex()},
                {QStringLiteral("tab"), tabs_->currentIndex()},
                {QStringLiteral("baseline"), baseline_}};
    }

    void restoreState(const QVariantMap& state) override {
        default_metric_ = state[QStringLiteral("metric")].toString(),
        baseline_ = state[QStringLiteral("baseline")].toString();
        grouping_->setCurrentIndex(state[QStringLiteral("grouping")].toInt());
        tabs_->setCurrentIndex(state[QStringLiteral("tab")].toInt());
        std::vector<RunId> runs;
        for (const QVariant& run : state[QStringLiteral("runs")].toList()) runs.push_back(run.toLongLong());
        const QString filter = state[QStringLiteral("filter")].toString();
        // Set the filter after the selection, which it may hide.
        if (!runs.empty())
            wanted_filter_ = filter, wanted_shelf_ = state[QStringLiteral("shelf")].toInt(), select(runs);
        else shelf_->setCurrentIndex(state[QStringLiteral("shelf")].toInt()), filter_->setText(filter);
    }

private:
    QWidget* makeTable() {
        auto* box = new QWidget(this);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(0, 0, 0, 0);
        auto* row = new QHBoxLayout();
        filter_ = new QLineEdit(box);
        filter_->setObjectName(QStringLiteral("run-filter"));
        filter_->setPlaceholderText(
            tr("Filter: words, env:cartpole, tag:baseline, status:failed, is:star, -word"));
        filter_->setClearButtonEnabled(true);
        filter_->setAccessibleName(tr("Filter runs"));
        row->addWidget(filter_, 1);
        shelf_ = new QComboBox(box);
        shelf_->addItems({tr("Runs"), tr("Archive"), tr("Trash")});
        shelf_->setAccessibleName(tr("Runs to show"));
        row->addWidget(shelf_);
        columns_ = new QToolButton(box);
        columns_->setText(tr("Columns"));
        columns_->setPopupMode(QToolButton::InstantPopup);
        row->addWidget(columns_);
        auto* edit = new QToolButton(box);
        edit->setText(tr("Selected runs"));
        edit->setPopupMode(QToolButton::InstantPopup);
        edit_menu_ = new QMenu(edit);
        edit->setMenu(edit_menu_);
        row->addWidget(edit);
        auto* save = new QToolButton(box);
        save->setText(tr("Save table"));
        save->setPopupMode(QToolButton::InstantPopup);
        auto* save_menu = new QMenu(save);
        save_menu->addAction(tr("Runs as CSV…"), this, [this] { saveTable(QStringLiteral("runs.csv")); });
        save_menu->addAction(tr("Runs as Markdown…"), this, [this] { saveTable(QStringLiteral("runs.md")); });
        save_menu->addAction(tr("Comparison as CSV…"), this,
                             [this] { saveTable(QStringLiteral("comparison.csv")); });
        save_menu->addAction(tr("Comparison as Markdown…"), this,
                             [this] { saveTable(QStringLiteral("comparison.md")); });
        save->setMenu(save_menu);
        row->addWidget(save);
        column->addLayout(row);

        model_ = new RunTableModel(this);
        table_ = new QTableView(box);
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
        table_->setTextElideMode(Qt::ElideMiddle);  // names differ at their ends
        table_->horizontalHeader()->setHighlightSections(false);
        table_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
        table_->setContextMenuPolicy(Qt::CustomContextMenu);
        table_->verticalHeader()->hide();
        table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
        table_->horizontalHeader()->setStretchLastSection(true);
        table_->horizontalHeader()->setSectionsMovable(true);
        for (int c = 0; c < RunTableModel::kColumns; ++c)
            table_->setColumnWidth(c, std::max(widthOf(c), table_->horizontalHeader()->sectionSizeHint(c)));
        table_->sortByColumn(RunTableModel::kId, Qt::DescendingOrder);
        restoreColumns();
        column->addWidget(table_, 1);
        clearByEscape(filter_);
        count_ = new QLabel(box);
        count_->setTextFormat(Qt::PlainText);
        count_->setWordWrap(true);
        column->addWidget(count_);

        connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
            model_->setFilter(text);
            describe();
        });
        connect(shelf_, &QComboBox::currentIndexChanged, this, [this](int index) {
            model_->setShelf(static_cast<RunTableModel::Shelf>(index));
            describe();
        });
        connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
                [this] { selectionChanged(); });
        connect(model_, &QAbstractItemModel::layoutAboutToBeChanged, this,
                [this] { selected_before_ = chosen(); });
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
        connect(model_, &RunTableModel::editRequested, this,
                [this](RunId run, int column_number, const QVariant& value) {
                    if (column_number == RunTableModel::kName)
                        services_.editor->rename(run, value.toString());
                    if (column_number == RunTableModel::kTags)
                        services_.editor->setTags(run, value.toString());
                    if (column_number == RunTableModel::kNotes)
                        services_.editor->setNotes(run, value.toString());
                });
        return box;
    }

    int widthOf(int column) const {
        static constexpr std::array<int, RunTableModel::kColumns> kLetters{3,  5,  26, 11, 18, 9,  6,
                                                                           12, 11, 11, 9,  17, 14, 20};
        return kLetters[static_cast<std::size_t>(column)] * fontMetrics().averageCharWidth() + 12;
    }

    QWidget* makeComparison() {
        auto* box = new QWidget(this);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(0, 0, 0, 0);
        tabs_ = new QTabWidget(box);
        tabs_->setDocumentMode(true);
        tabs_->setAccessibleName(tr("Comparison"));
        auto* overlay = new QWidget(tabs_);
        auto* inner = new QVBoxLayout(overlay);
        inner->setContentsMargins(0, 4, 0, 0);
        auto* row = new QHBoxLayout();
        metric_ = new NameBox(16, overlay);
        metric_->setAccessibleName(tr("Metric"));
        auto* label = new QLabel(tr("Metr&ic"), overlay);
        label->setBuddy(metric_);
        row->addWidget(label), row->addWidget(metric_);
        grouping_ = new QComboBox(overlay);
        grouping_->addItems({tr("Group seeds"), tr("Individual runs")});
        grouping_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        grouping_->setAccessibleName(tr("Grouping"));
        row->addWidget(grouping_);
        controls_ = new ChartControls(services_.settings, QStringLiteral("compare"), true, overlay);
        row->addWidget(controls_, 1);
        inner->addLayout(row);
        chart_ = new ChartWidget(services_, workers_, tr("Overlay"), overlay);
        chart_->model().setOptions(controls_->options());
        inner->addWidget(chart_, 1);
        tabs_->addTab(overlay, tr("Curves"));
        groups_ = new GroupsView(*services_.theme, tabs_);
        tabs_->addTab(groups_, tr("Statistics"));
        difference_ = new DifferenceView(tabs_);
        tabs_->addTab(difference_, tr("Settings"));
        scatter_ = new ScatterView(*services_.runs, *services_.theme, tabs_);
        tabs_->addTab(scatter_, tr("Scatter"));
        column->addWidget(tabs_);

        // The position of a step on another axis is known once the curves are read.
        connect(&chart_->model(), &ChartModel::prepared, this, [this] {
            fillMarks();
            controls_->setLength(chart_->model().preparedAxis(), chart_->model().length());
        });
        connect(metric_, &QComboBox::currentIndexChanged, this, [this] {
            if (!filling_) updateOverlay();
        });
        connect(grouping_, &QComboBox::currentIndexChanged, this, [this] { updateOverlay(); });
        connect(controls_, &ChartControls::changed, this,
                [this](const ChartOptions& options) { chart_->model().setOptions(options); });
        connect(groups_, &GroupsView::baselineRequested, this, [this](const QString& key) {
            baseline_ = key;
            readChosen();
        });
        connect(groups_, &GroupsView::scoresRequested, this, [this](ScoreAt at) {
            score_at_ = at;
            readChosen();
        });
        connect(groups_, &GroupsView::seedsRequested, this,
                [this](const QString& key, int count) { queueSeeds(key, count); });
        connect(scatter_, &ScatterView::runRequested, this,
                [this](RunId run) { services_.navigator->open(DashboardLink{run}); });
        connect(scatter_, &ScatterView::saved, this, [this](const QString& file, bool done) {
            if (done) services_.navigator->showStatus(tr("Saved %1").arg(file));
            else services_.navigator->showProblem(tr("'%1' cannot be written").arg(file));
        });
        return box;
    }

    void makeActions() {
        const auto addAction = [this](const QString& id, const QString& text, const QString& shortcut,
                                      std::function<void()> what, bool in_menu = true) {
            QAction* action = addNamedAction(id, text, shortcut, std::move(what));
            if (in_menu) edit_menu_->addAction(action);
            // Single letters are shortcuts in the table only, since lists and boxes use them for search.
            if (shortcut.size() == 1 || shortcut == QLatin1String("Del")) {
                action->setShortcutContext(Qt::WidgetShortcut);
                table_->addAction(action);
            }
        };
        addAction(QStringLiteral("runs-show"), tr("Show run"), QString(), [this] {
            if (!chosen().empty()) services_.navigator->open(DashboardLink{chosen().front()});
        });
        addAction(QStringLiteral("runs-watch"), tr("Watch run"), QStringLiteral("Ctrl+W"), [this] {
            if (!chosen().empty()) services_.navigator->open(WatchLink{chosen().front()});
        });
        addAction(QStringLiteral("runs-export"), tr("Export policy"), QStringLiteral("Ctrl+E"), [this] {
            if (!chosen().empty()) services_.navigator->open(ExportLink{chosen().front()});
        });
        edit_menu_->addSeparator();
        addAction(QStringLiteral("runs-star"), tr("Add or remove star"), QStringLiteral("S"),
                  [this] { toggleStar(); });
        addAction(QStringLiteral("runs-tag"), tr("Add tag…"), QStringLiteral("T"), [this] { askForTag(); });
        addAction(QStringLiteral("runs-rename"), tr("Rename"), QStringLiteral("F2"), [this] {
            const QModelIndex at = table_->currentIndex();
            if (at.isValid()) table_->edit(model_->index(at.row(), RunTableModel::kName));
        });
        addAction(QStringLiteral("runs-archive"), tr("Archive or restore from the archive"),
                  QStringLiteral("A"), [this] { archive(); });
        addAction(QStringLiteral("runs-bin"), tr("Move to trash or restore"), QStringLiteral("Del"),
                  [this] { moveToBin(); });
        addAction(
            QStringLiteral("runs-filter"), tr("Filter runs"), QStringLiteral("Ctrl+F"),
            [this] { filter_->setFocus(), filter_->selectAll(); }, false);
        addAction(
            QStringLiteral("compare-table"), tr("Show the chart as a table"), QStringLiteral("Ctrl+T"),
            [this] { chart_->showTable(!chart_->showsTable()); }, false);
        addAction(
            QStringLiteral("compare-next"), tr("Next view of the comparison"), QStringLiteral("Ctrl+Tab"),
            [this] { tabs_->setCurrentIndex((tabs_->currentIndex() + 1) % tabs_->count()); }, false);
        auto* columns = new QMenu(columns_);
        for (int c = 0; c < RunTableModel::kColumns; ++c) {
            auto* action =
                columns->addAction(c == RunTableModel::kStar
                                       ? tr("Star")
                                       : model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString());
            action->setCheckable(true);
            action->setChecked(!table_->isColumnHidden(c));
            connect(action, &QAction::toggled, this, [this, c](bool shown) {
                table_->setColumnHidden(c, !shown);
                saveColumns();
            });
        }
        columns_->setMenu(columns);
    }

    QString chosenMetric() const {
        return metric_->count() > 0 ? metric_->currentData().toString() : default_metric_;
    }

    std::vector<int> shownColumns() const {
        std::vector<int> columns;
        for (int place = 0; place < RunTableModel::kColumns; ++place) {
            const int c = table_->horizontalHeader()->logicalIndex(place);
            if (!table_->isColumnHidden(c)) columns.push_back(c);
        }
        return columns;
    }

    void saveColumns() {
        if (services_.settings == nullptr) return;
        QStringList hidden;
        for (int c = 0; c < RunTableModel::kColumns; ++c)
            if (table_->isColumnHidden(c)) hidden << QLatin1String(RunTableModel::key(c));
        services_.settings->setValue(QLatin1String(kColumnsKey), hidden);
    }
    void restoreColumns() {
        if (services_.settings == nullptr) return;
        const QStringList hidden = services_.settings->value(QLatin1String(kColumnsKey)).toStringList();
        for (int c = 0; c < RunTableModel::kColumns; ++c)
            table_->setColumnHidden(c, hidden.contains(QLatin1String(RunTableModel::key(c))));
        const QByteArray state = services_.settings->state(QLatin1String(kHeaderKey)).toByteArray();
        if (!state.isEmpty()) table_->horizontalHeader()->restoreState(state);
        const auto keep = [this] {
            services_.settings->setState(QLatin1String(kHeaderKey), table_->horizontalHeader()->saveState());
        };
        connect(table_->horizontalHeader(), &QHeaderView::sectionMoved, this, keep);
        connect(table_->horizontalHeader(), &QHeaderView::sectionResized, this, keep);
    }

    std::vector<RunId> chosen() const {
        std::vector<RunId> runs;
        for (const QModelIndex& index : table_->selectionModel()->selectedRows())
            runs.push_back(model_->runAt(index.row()).id);
        std::sort(runs.begin(), runs.end());
        return runs;
    }

    // Selected runs that the filter hides stay selected: they are still compared, and selected again when
    // their rows return.
    void restoreSelection() {
        const std::vector<RunId> now = chosen();
        if (now.size() == selected_before_.size() && hidden_.empty() && shelved_.empty()) return;
        std::set<RunId> missing(hidden_.begin(), hidden_.end());
        missing.insert(selected_before_.begin(), selected_before_.end());
        missing.insert(shelved_.begin(), shelved_.end());
        for (const RunId run : now) missing.erase(run);
        QItemSelection back;
        for (int row = 0; row < model_->rowCount() && !missing.empty(); ++row)
            if (missing.erase(model_->runAt(row).id) > 0)
                back.select(model_->index(row, 0), model_->index(row, RunTableModel::kColumns - 1));
        // Runs that moved to another shelf are not hidden by the filter; they are selected again if Undo
        // restores them.
        hidden_.clear(), shelved_.clear();
        for (const RunId run : missing) {
            const RunRecord* record = services_.runs->find(run);
            if (record != nullptr) (shelfOf(*record) == model_->shelf() ? hidden_ : shelved_).push_back(run);
        }
        if (!back.isEmpty()) table_->selectionModel()->select(back, QItemSelectionModel::Select);
        selectionChanged();
    }
    // Called when a new selection replaces the old one. If the visible rows stay selected, the table emits no
    // signal.
    void forgetHidden() {
        shelved_.clear();
        if (hidden_.empty()) return;
        hidden_.clear();
        QMetaObject::invokeMethod(
            this, [this] { selectionChanged(); }, Qt::QueuedConnection);
    }
    static RunTableModel::Shelf shelfOf(const RunRecord& run) {
        return run.in_trash   ? RunTableModel::Shelf::bin
               : run.archived ? RunTableModel::Shelf::archived
                              : RunTableModel::Shelf::active;
    }

    void select(const std::vector<RunId>& runs) {
        filter_->clear();
        shelf_->setCurrentIndex(wanted_shelf_);
        wanted_ = runs;
        QItemSelection selection;
        QModelIndex first;
        for (const RunId run : runs) {
            const int row = model_->rowOf(run);
            if (row < 0) continue;
            selection.select(model_->index(row, 0), model_->index(row, RunTableModel::kColumns - 1));
            if (!first.isValid()) first = model_->index(row, RunTableModel::kName);
        }
        if (selection.isEmpty()) return;  // not loaded yet; selected by runsChanged()
        wanted_.clear();
        table_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        table_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
        table_->scrollTo(first);
        wanted_shelf_ = 0;
        if (const QString filter = std::exchange(wanted_filter_, {}); !filter.isEmpty())
            filter_->setText(filter);
    }

    void runsChanged() {
        model_->setRuns(services_.runs->runs(), services_.runs->searchTexts());
        describe();
        if (!wanted_.empty()) select(std::vector<RunId>(wanted_));
        // Statistics of running runs are updated once a second.
        if (!compared_.empty() && isVisible() && !refresh_.isActive()) refresh_.start(1000);
    }

    void describe() {
        const StoreState& state = services_.runs->state();
        const int hidden = static_cast<int>(hidden_.size());
        const int chosen_count = static_cast<int>(table_->selectionModel()->selectedRows().size()) + hidden;
        QString text = model_->rowCount() == model_->shelved()
                           ? tr("%n run(s)", nullptr, model_->rowCount())
                           : tr("%1 of %n run(s)", nullptr, model_->shelved()).arg(model_->rowCount());
        if (chosen_count > 0) text += tr(", %n selected", nullptr, chosen_count);
        if (hidden > 0) text += tr(" (%n of them hidden by the filter)", nullptr, hidden);
        if (chosen_count > kMaxCompared) text += tr("; the first %1 are compared").arg(kMaxCompared);
        if (model_->rowCount() == 0 && model_->shelved() > 0) text = tr("No run matches the filter. ") + text;
        for (const QString& name : model_->filter().unknownFields())
            text = tr("“%1:” is not a field of runs; the fields are %2.").arg(name, RunFilter::fieldNames()) +
                   QLatin1Char(' ') + text;
        if (state.kind == StoreState::Kind::empty) text = tr("There are no runs yet.");
        if (!state.text.isEmpty()) text = state.text + QLatin1Char(' ') + text;
        count_->setText(text);
    }

    void selectionChanged() {
        describe();
        std::vector<RunId> runs = chosen();
        runs.insert(runs.end(), hidden_.begin(), hidden_.end());
        std::sort(runs.begin(), runs.end());
        if (runs.size() > kMaxCompared) runs.resize(kMaxCompared);
        if (runs == compared_) return;
        compared_ = std::move(runs);
        // Wait while an arrow key is held down.
        refresh_.start(60);
    }

    void readChosen() {
        // Results of older queries are ignored.
        const quint64 query = ++query_;
        if (compared_.empty()) {
            show(nullptr);
            return;
        }
        services_.runs->read(
            this, QStringLiteral("compare"),
            [runs = compared_, at = score_at_](StoreReader& reader) {
                return readCompared(reader, runs, at);
            },
            [this, query](Result<ComparedRuns> runs) {
                if (query != query_) return;
                if (!runs) {
                    count_->setText(QString::fromStdString(runs.error().text()));
                    return;
                }
                workers_.run(
                    this, QStringLiteral("statistics"),
                    [read = std::make_shared<ComparedRuns>(std::move(*runs)),
                     baseline = baseline_](const std::stop_token&) {
                        return std::make_shared<const CompareData>(compareRead(std::move(*read), baseline));
                    },
                    [this, query](const std::shared_ptr<const CompareData>& compared) {
                        if (query == query_) show(compared);
                    });
            });
    }

    void show(std::shared_ptr<const CompareData> compared) {
        data_ = std::move(compared);
        // A group keeps its style while it is compared; new groups get the first free style.
        if (data_) {
            std::vector<QString> keys;
            for (const ComparedGroup& group : data_->groups) keys.push_back(group.key);
            assignStyles(styles_, keys);
        }
        filling_ = true;
        const QString metric = chosenMetric();
        const QStringList metrics = data_ ? data_->metrics : QStringList();
        QStringList known;
        for (int i = 0; i < metric_->count(); ++i) known << metric_->itemData(i).toString();
        if (known != metrics && !metrics.isEmpty()) {
            metric_->clear();
            for (const QString& name : metrics) metric_->addItem(metricTitle(name), name);
            metric_->setCurrentIndex(std::max(0, static_cast<int>(metrics.indexOf(metric))));
        }
        filling_ = false;
        if (data_ && !data_->runs.empty())
            if (const auto steps = configNumber(data_->runs.front().config, QStringLiteral("run.steps")))
                controls_->proposeFor(*steps);
        groups_->setData(data_);
        difference_->setData(data_);
        scatter_->setData(data_, styles_);
        updateOverlay();
    }

    void updateOverlay() {
        std::vector<SeriesSpec> specs;
        // Runs without points stay in the legend.
        const std::string metric = chosenMetric().toStdString();
        const bool grouped = grouping_->currentIndex() == 0;
        std::vector<QString> run_keys;
        if (data_)
            for (const ComparedRun& run : data_->runs)
                run_keys.push_back(QStringLiteral("run-%1").arg(run.record.id));
        assignStyles(run_styles_, run_keys);
        if (data_)
            for (const ComparedGroup& group : data_->groups) {
                if (grouped) {
                    specs.push_back({.key = group.key,
                                     .label = group.label,
                                     .runs = group.drawn,
                                     .metric = metric,
                                     .style = styles_[group.key]});
                    if (group.drawn.size() == 1)
                        specs.back().label += QStringLiteral(" · ") + nameOf(group.drawn.front());
                    continue;
                }
                for (const RunId run : group.runs) {
                    const QString key = QStringLiteral("run-%1").arg(run);
                    specs.push_back({.key = key,
                                     .label = nameOf(run),
                                     .runs = {run},
                                     .metric = metric,
                                     .style = run_styles_[key]});
                }
            }
        // Evaluations are sparse and drawn as dots, as on the run page.
        for (SeriesSpec& spec : specs) spec.points = metric.starts_with("eval/");
        for (SeriesSpec& spec : specs)
            for (const SeriesSpec& before : chart_->model().specs())
                if (before.key == spec.key) spec.visible = before.visible;
        chart_->setTitle(data_ == nullptr ? tr("Overlay") : metricTitle(chosenMetric()));
        chart_->setSubject(data_ ? subjectOf(*data_) : QString());  // the legend names the groups
        chart_->model().setSeries(std::move(specs));
    }

    // Marks where runs were resumed; on the axis of wall time pauses are gaps.
    void fillMarks() {
        std::vector<ChartMark> marks;
        const bool by_steps = chart_->model().options().x == XAxis::steps;
        for (const PreparedSeries& series : *chart_->model().series()) {
            if (!data_ || !series.spec.visible) continue;
            for (const LoadedCurve& curve : series.runs) {
                const auto run =
                    std::find_if(data_->runs.begin(), data_->runs.end(),
                                 [&](const ComparedRun& one) { return one.record.id == curve.run; });
                if (run == data_->runs.end()) continue;
                for (const SegmentRecord& segment : run->segments) {
                    if (segment.number <= 1) continue;
                    const auto step = static_cast<double>(segment.begin_step);
                    marks.push_back({ChartMark::Kind::resume, by_steps ? step : xOfStep(curve, step),
                                     tr("%1 resumed %2").arg(nameOf(curve.run), timeText(segment.started))});
                }
            }
        }
        chart_->plot().setMarks(std::move(marks));
    }

    QString nameOf(RunId run) const {
        const RunRecord* record = services_.runs->find(run);
        return record == nullptr ? tr("run %1").arg(run) : displayName(*record);
    }

    // --- edits
    // --------------------------------------------------------------------------------------------------------------

    void toggleStar() {
        const std::vector<RunId> runs = chosen();
        if (runs.empty()) return;
        const RunRecord* first = services_.runs->find(runs.front());
        services_.editor->setStar(runs, first != nullptr && !first->star);
    }

    void archive() {
        const std::vector<RunId> runs = chosen();
        const bool into = model_->shelf() != RunTableModel::Shelf::archived;
        services_.editor->setArchived(runs, into);
        if (runs.empty() || services_.navigator == nullptr) return;
        const int count = static_cast<int>(runs.size());
        services_.navigator->showStatus(into ? tr("%n run(s) archived. Undo restores them.", nullptr, count)
                                             : tr("%n run(s) restored from the archive.", nullptr, count));
    }

    void moveToBin() {
        const bool out = model_->shelf() == RunTableModel::Shelf::bin;
        std::vector<RunId> runs;
        int live = 0;
        for (const RunId run : chosen()) {
            const RunRecord* record = services_.runs->find(run);
            if (record != nullptr && isLive(record->status)) ++live;
            else runs.push_back(run);
        }
        services_.editor->setTrashed(runs, !out);
        if (services_.navigator == nullptr) return;
        if (live > 0)
            services_.navigator->showStatus(
                tr("%n running run(s) were not moved to trash; stop them first.", nullptr, live));
        else if (!runs.empty() && !out)
            services_.navigator->showStatus(
                tr("%n run(s) moved to trash. Undo restores them.", nullptr, static_cast<int>(runs.size())));
    }

    void askForTag() {
        const std::vector<RunId> runs = chosen();
        if (runs.empty()) return;
        auto* dialog = new QInputDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(tr("Add tag"));
        dialog->setLabelText(tr("Tag for %n run(s)", nullptr, static_cast<int>(runs.size())));
        connect(dialog, &QInputDialog::textValueSelected, this,
                [this, runs](const QString& tag) { services_.editor->addTag(runs, tag); });
        dialog->open();
    }

    void queueSeeds(const QString& key, int count) {
        if (!data_ || services_.launcher == nullptr) return;
        const auto group = std::find_if(data_->groups.begin(), data_->groups.end(),
                                        [&](const ComparedGroup& one) { return one.key == key; });
        if (group == data_->groups.end()) return;
        QStringList arguments{configText(group->whole_config, QStringLiteral("env.id")),
                              QStringLiteral("--preset"), QStringLiteral("none")};
        for (const auto& [name, value] :
             ui::settingsOf(group->whole_config, Json::object(), KeepMachine::yes))
            arguments << QStringLiteral("--%1=%2").arg(name, value);
        arguments << QStringLiteral("--seeds") << nextSeeds(*data_, *group, count).join(QLatin1Char(','));
        services_.launcher->train(arguments, this, [this](const Queued& queued) {
            if (services_.navigator == nullptr) return;
            if (!queued.error.isEmpty()) return services_.navigator->showProblem(queued.error);
            services_.navigator->showStatus(
                tr("%n run(s) were queued.", nullptr, static_cast<int>(queued.runs.size())));
            std::vector<RunId> all = compared_;
            all.insert(all.end(), queued.runs.begin(), queued.runs.end());
            select(all);
            wanted_ = all;
        });
    }

    // Returns a function that creates the table's text on a worker thread; empty without data.
    std::function<QString()> tableOf(const QString& name) const {
        if (name == QLatin1String("runs.csv")) return [shown = model_->shown()] { return shown.csv(); };
        if (name == QLatin1String("runs.md"))
            return [shown = model_->shown(), columns = shownColumns()] { return shown.markdown(columns); };
        if (!data_) return {};
        if (name == QLatin1String("comparison.csv")) return [data = data_] { return compareCsv(*data); };
        return [data = data_] { return compareMarkdown(*data); };
    }

    void saveTable(const QString& name) {
        const auto prepare = [&](QFileDialog& dialog) {
            dialog.setAcceptMode(QFileDialog::AcceptSave);
            dialog.selectFile(name);
        };
        askForFile(this, tr("Save table"), prepare, [this, name](const QString& to) {
            const auto table = tableOf(name);
            if (!table)
                return services_.navigator->showProblem(
                    tr("No runs to compare: select some in the table first."));
            workers_.run(
                this, QString(),
                [to, table](const std::stop_token&) { return writeFile(to, table().toUtf8()); },
                [this, to](const Result<>& written) {
                    if (written) services_.navigator->showStatus(tr("Saved %1").arg(to));
                    else services_.navigator->showProblem(QString::fromStdString(written.error().text()));
                });
        });
    }

    Services services_;
    Background workers_;
    QTimer refresh_;
    std::vector<RunId> compared_, wanted_;
    QString wanted_filter_;  // filter to set with `wanted_`
    int wanted_shelf_ = 0;
    QString default_metric_ = QStringLiteral("episode/return");  // until the user selects one
    std::vector<RunId> hidden_;                                  // selected runs hidden by the filter
    std::vector<RunId> shelved_;                                 // selected runs that moved to another shelf
    std::vector<RunId> selected_before_;                         // selection before a layout change
    quint64 query_ = 0;                                          // number of the newest query
    std::shared_ptr<const CompareData> data_;
    QString baseline_;
    ScoreAt score_at_ = ScoreAt::common_step;
    std::map<QString, int> styles_, run_styles_;
    bool filling_ = false;
    QLineEdit* filter_ = nullptr;
    QComboBox *shelf_ = nullptr, *metric_ = nullptr, *grouping_ = nullptr;
    QToolButton* columns_ = nullptr;
    QMenu* edit_menu_ = nullptr;
    RunTableModel* model_ = nullptr;
    QTableView* table_ = nullptr;
    QLabel* count_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    ChartControls* controls_ = nullptr;
    ChartWidget* chart_ = nullptr;
    GroupsView* groups_ = nullptr;
    DifferenceView* difference_ = nullptr;
    ScatterView* scatter_ = nullptr;
};

SEEDBED_REGISTER_PAGE(compare, {.order = 30,
                                .title = QT_TRANSLATE_NOOP("Page", "Runs and &comparison"),
                                .icon = "compare",
                                .make = [](const Services& s) -> Page* { return new ComparePage(s); }});

}  // namespace
}  // namespace seedbed::ui
