// SPDX-License-Identifier: GPL-3.0-or-later
// The page with all runs: a table to find, tag and organize them, and below it a comparison of the selected
// runs.

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/models/charts/metric_title.hpp"
#include "ui/models/compare_data.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_report.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/charts/chart_controls.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/compare/difference_view.hpp"
#include "ui/views/compare/groups_view.hpp"
#include "ui/views/compare/run_table_view.hpp"
#include "ui/views/compare/scatter_view.hpp"
#include "ui/views/compare/series_styles.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/export/export_link.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/page.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {
namespace {

class ComparePage : public Page {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::ComparePage)

public:
    explicit ComparePage(const Services& services)
        : services_(services), workers_(QStringLiteral("ui-cmp"), 2) {
        auto* outer = new QVBoxLayout(this);
        auto* splitter = new QSplitter(Qt::Vertical, this);
        table_ = new RunTableView(services_, workers_, splitter);
        addSaveEntries();
        splitter->addWidget(table_);
        splitter->addWidget(makeComparison());
        splitter->setStretchFactor(0, 1);
        splitter->setStretchFactor(1, 2);
        splitter->setSizes({330, 560});
        outer->addWidget(splitter);
        makeActions();
        connect(table_, &RunTableView::selectionChanged, this, [this] { selectionChanged(); });
        // Statistics of active runs are updated once a second.
        connect(table_, &RunTableView::runsChanged, this, [this] {
            if (!compared_.empty() && isVisible() && !refresh_.isActive()) refresh_.start(1000);
        });
        refresh_.setSingleShot(true);
        connect(&refresh_, &QTimer::timeout, this, [this] { readChosen(); });
    }

    void open(const std::any& link) override {
        const auto* wanted = std::any_cast<CompareLink>(&link);
        if (wanted != nullptr && !wanted->runs.empty()) table_->select(wanted->runs);
        table_->focusFilter(false);
    }

    QVariantMap saveState() const override {
        QVariantList runs;
        for (const RunId run : compared_) runs << QVariant::fromValue<qlonglong>(run);
        return {{QStringLiteral("runs"), runs},
                {QStringLiteral("filter"), table_->filterText()},
                {QStringLiteral("shelf"), table_->shelfIndex()},
                {QStringLiteral("metric"), chosenMetric()},
                {QStringLiteral("grouping"), grouping_->currentIndex()},
                {QStringLiteral("tab"), tabs_->currentIndex()},
                {QStringLiteral("baseline"), baseline_}};
    }

    void restoreState(const QVariantMap& state) override {
        default_metric_ = state[QStringLiteral("metric")].toString();
        baseline_ = state[QStringLiteral("baseline")].toString();
        grouping_->setCurrentIndex(state[QStringLiteral("grouping")].toInt());
        tabs_->setCurrentIndex(state[QStringLiteral("tab")].toInt());
        std::vector<RunId> runs;
        for (const QVariant& run : state[QStringLiteral("runs")].toList()) runs.push_back(run.toLongLong());
        table_->restore(runs, {.filter = state[QStringLiteral("filter")].toString(),
                               .shelf = state[QStringLiteral("shelf")].toInt()});
    }

private:
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
        auto* choice = new QWidget(overlay);
        auto* row = new QHBoxLayout(choice);
        row->setContentsMargins(0, 0, 0, 0);
        metric_ = new NameBox(16, choice);
        metric_->setAccessibleName(tr("Metric"));
        auto* label = new QLabel(tr("Metr&ic"), choice);
        label->setBuddy(metric_);
        row->addWidget(label);
        row->addWidget(metric_);
        grouping_ = new QComboBox(choice);
        grouping_->addItems({tr("Group seeds"), tr("Individual runs")});
        grouping_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        grouping_->setAccessibleName(tr("Grouping"));
        row->addWidget(grouping_);
        controls_ = new ChartControls(services_.settings, QStringLiteral("compare"), true, overlay);
        controls_->addFirst(choice);
        inner->addWidget(controls_);
        chart_ = new ChartWidget(services_, workers_, tr("Curves of the selected runs"), overlay);
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

        // The position of a step on a different axis is known only after the curves have been read.
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
            if (in_menu) table_->editMenu().addAction(action);
            // Single letters are shortcuts in the table only, since lists and combo boxes search by letter.
            if (shortcut.size() == 1 || shortcut == QLatin1String("Del")) {
                action->setShortcutContext(Qt::WidgetShortcut);
                table_->table().addAction(action);
            }
        };
        const auto withFirst = [this](auto open) {
            return [this, open] {
                if (const std::vector<RunId> runs = table_->selected(); !runs.empty()) open(runs.front());
            };
        };
        addAction(QStringLiteral("runs-show"), tr("Show run"), QString(),
                  withFirst([this](RunId run) { services_.navigator->open(DashboardLink{run}); }));
        addAction(QStringLiteral("runs-watch"), tr("Watch run"), QStringLiteral("Ctrl+W"),
                  withFirst([this](RunId run) { services_.navigator->open(WatchLink{.run = run}); }));
        addAction(QStringLiteral("runs-export"), tr("Export policy"), QStringLiteral("Ctrl+E"),
                  withFirst([this](RunId run) { services_.navigator->open(ExportLink{.run = run}); }));
        table_->editMenu().addSeparator();
        addAction(QStringLiteral("runs-star"), tr("Add or remove star"), QStringLiteral("S"),
                  [this] { table_->toggleStar(); });
        addAction(QStringLiteral("runs-tag"), tr("Add tag…"), QStringLiteral("T"),
                  [this] { table_->askForTag(); });
        addAction(QStringLiteral("runs-rename"), tr("Rename"), QStringLiteral("F2"),
                  [this] { table_->rename(); });
        addAction(QStringLiteral("runs-archive"), tr("Archive or restore from the archive"),
                  QStringLiteral("A"), [this] { table_->archive(); });
        addAction(QStringLiteral("runs-bin"), tr("Move to trash or restore"), QStringLiteral("Del"),
                  [this] { table_->moveToTrash(); });
        addAction(
            QStringLiteral("runs-filter"), tr("Filter runs"), QStringLiteral("Ctrl+F"),
            [this] { table_->focusFilter(true); }, false);
        addAction(
            QStringLiteral("compare-table"), tr("Show the chart as a table"), QStringLiteral("Ctrl+T"),
            [this] { chart_->showTable(!chart_->showsTable()); }, false);
        addAction(
            QStringLiteral("compare-next"), tr("Next view of the comparison"), QStringLiteral("Ctrl+Tab"),
            [this] { tabs_->setCurrentIndex((tabs_->currentIndex() + 1) % tabs_->count()); }, false);
    }

    void addSaveEntries() {
        const auto add = [this](const QString& text, const QString& name,
                                QString (*make)(const CompareData&)) {
            table_->saveMenu().addAction(text, this, [this, name, make] {
                table_->saveTable(name, [this, make]() -> std::function<QString()> {
                    if (!data_) return {};
                    return [data = data_, make] { return make(*data); };
                });
            });
        };
        add(tr("Comparison as CSV…"), QStringLiteral("comparison.csv"), compareCsv);
        add(tr("Comparison as Markdown…"), QStringLiteral("comparison.md"), compareMarkdown);
    }

    QString chosenMetric() const {
        return metric_->count() > 0 ? metric_->currentData().toString() : default_metric_;
    }

    void selectionChanged() {
        std::vector<RunId> runs = table_->compared();
        if (runs == compared_) return;
        compared_ = std::move(runs);
        // Delays the update while an arrow key is held down.
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
                    table_->showError(QString::fromStdString(runs.error().text()));
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
        // Runs without points remain in the legend.
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
        chart_->setTitle(data_ == nullptr ? tr("Curves of the selected runs") : metricTitle(chosenMetric()));
        chart_->setSubject(data_ ? subjectOf(*data_) : QString());  // the legend names the groups
        chart_->model().setSeries(std::move(specs));
    }

    // Marks where runs were resumed; pauses are gaps on the wall-time axis.
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
        return record == nullptr ? tr("run %1").arg(run) : runTitle(*record);
    }

    // --- edits ---

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
            table_->selectWithNew(all);
        });
    }

    Services services_;
    Background workers_;
    QTimer refresh_;
    std::vector<RunId> compared_;
    QString default_metric_ = QStringLiteral("episode/return");  // the metric shown until the user selects
                                                                 // one
    quint64 query_ = 0;                                          // number of the latest query
    std::shared_ptr<const CompareData> data_;
    QString baseline_;
    ScoreAt score_at_ = ScoreAt::common_step;
    std::map<QString, int> styles_, run_styles_;
    bool filling_ = false;
    QComboBox *metric_ = nullptr, *grouping_ = nullptr;
    RunTableView* table_ = nullptr;
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
