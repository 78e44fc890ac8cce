// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/comparison_view.hpp"

#include <algorithm>
#include <utility>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "ui/models/background.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/charts/metric_title.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_seeds.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/charts/axis_marks.hpp"
#include "ui/views/charts/chart_controls.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/charts/view_button.hpp"
#include "ui/views/compare/difference_view.hpp"
#include "ui/views/compare/explain_popup.hpp"
#include "ui/views/compare/group_row.hpp"
#include "ui/views/compare/group_rows.hpp"
#include "ui/views/compare/groups_view.hpp"
#include "ui/views/compare/over_tasks_view.hpp"
#include "ui/views/compare/parallel_view.hpp"
#include "ui/views/compare/scatter_view.hpp"
#include "ui/views/compare/series_styles.hpp"
#include "ui/views/compare/verdict_strip.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/elided_name.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/page_stack.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

QString runKey(RunId run) { return QStringLiteral("run-%1").arg(run); }

}  // namespace

ComparisonView::ComparisonView(const Services& services, Background& workers, QAction* choose,
                               QWidget* parent)
    : QWidget(parent), services_(services), workers_(workers) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    stack_ = new PageStack(this);
    const EmptyState empty =
        emptyState(QStringLiteral("compare"), choose, *services_.theme, "compare", "curves", stack_);
    empty.text->setText(
        tr("Nothing is compared yet. Select runs in the table and click Compare: runs with the same settings "
           "and different seeds form a group."));
    stack_->addWidget(empty.widget);
    stack_->addWidget(makeComparison(choose));
    outer->addWidget(stack_);
    connectParts();
    refresh_.setSingleShot(true);
    connect(&refresh_, &QTimer::timeout, this, [this] { readChosen(); });
    // Statistics of active runs are updated once a second.
    connect(services_.runs, &RunStore::runsChanged, this, [this] {
        stale_ = true;
        if (!compared_.empty() && isVisible() && !refresh_.isActive()) refresh_.start(data_ ? 1000 : 0);
    });
    // The database can be read again.
    connect(services_.runs, &RunStore::stateChanged, this, [this] {
        if (std::exchange(failed_, false)) refresh_.start(0);
    });
}

QWidget* ComparisonView::makeComparison(QAction* choose) {
    auto* box = new QWidget(stack_);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid + 2);
    tabs_ = new PageTabs(box);
    tabs_->setObjectName(QStringLiteral("comparison"));
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Comparison"));
    tabs_->addTab(makeChart(tabs_), tr("Curves"));
    rows_ = new GroupRows(chart_->model(), *services_.theme, box);
    column->addWidget(rows_);
    verdict_ = new VerdictStrip(*services_.theme, box);
    column->addWidget(verdict_);
    groups_ = new GroupsView(*services_.theme, tabs_);
    tabs_->addTab(groups_, tr("Statistics"));
    difference_ = new DifferenceView(tabs_);
    tabs_->addTab(difference_, tr("Settings"));
    scatter_ = new ScatterView(*services_.runs, *services_.theme, tabs_);
    tabs_->addTab(scatter_, tr("Scatter"));
    parallel_ = new ParallelView(*services_.theme, tabs_);
    tabs_->addTab(parallel_, tr("Parallel"));
    over_tasks_ = new OverTasksView(services_, workers_, choose, tabs_);
    tabs_->addTab(over_tasks_, tr("Over tasks"));
    column->addWidget(tabs_, 1);
    return box;
}

// The chart with its controls: metric and grouping are always visible, the others in a panel.
QWidget* ComparisonView::makeChart(QWidget* parent) {
    chart_ = new ChartWidget(services_, workers_, tr("Curves of the compared runs"), parent);
    auto* head = new QWidget(chart_);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    metric_ = new NameBox(16, head);
    metric_->setAccessibleName(tr("Metric"));
    auto* label = new QLabel(tr("Metr&ic"), head);
    label->setBuddy(metric_);
    row->addWidget(label);
    row->addWidget(metric_);
    grouping_ = new QComboBox(head);
    grouping_->addItems({tr("Group seeds"), tr("Individual runs")});
    grouping_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    grouping_->setAccessibleName(tr("Grouping"));
    row->addWidget(grouping_);
    caption_ = new ElidedLabel(head);
    caption_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    caption_->setObjectName(QStringLiteral("compare-caption"));
    setTextColour(caption_, *services_.theme, TextColour::quiet);
    row->addWidget(caption_, 1);
    controls_ = new ChartControls(services_.settings, QStringLiteral("compare"), true, chart_);
    auto* view = new ViewButton(tr("View"), controls_, head);
    view->setMinimumHeight(kControlHeight);
    view->setToolTip(tr("Axes, bands, smoothing and range of the chart"));
    row->addWidget(view);
    chart_->setHead(head);
    chart_->model().setOptions(controls_->options());
    return chart_;
}

void ComparisonView::connectParts() {
    // The position of a step on a different axis is known only after the curves have been read.
    connect(&chart_->model(), &ChartModel::prepared, this, [this] {
        fillMarks();
        controls_->setLength(chart_->model().preparedAxis(), chart_->model().length());
    });
    connect(metric_, &QComboBox::currentIndexChanged, this, [this] {
        if (!filling_) updateOverlay();
    });
    connect(grouping_, &QComboBox::currentIndexChanged, this, [this] { updateOverlay(); });
    connect(controls_, &ChartControls::changed, this, [this](const ChartOptions& options) {
        chart_->model().setOptions(options);
        showCaption();
    });
    connect(groups_, &GroupsView::baselineRequested, this, &ComparisonView::setBaseline);
    connect(groups_, &GroupsView::scoresRequested, this, [this](ScoreAt at) {
        score_at_ = at;
        readChosen();
    });
    const auto queueOne = [this](const QString& key, int count) { queueSeeds({{key, count}}); };
    connect(groups_, &GroupsView::seedsRequested, this, queueOne);
    connect(rows_, &GroupRows::baselineRequested, this, &ComparisonView::setBaseline);
    connect(rows_, &GroupRows::seedsRequested, this, queueOne);
    connect(rows_, &GroupRows::removeRequested, this, &ComparisonView::removeGroup);
    connect(verdict_, &VerdictStrip::seedsRequested, this,
            [this](const std::vector<SeedRequest>& seeds) { queueSeeds(seeds); });
    connect(verdict_, &VerdictStrip::explainRequested, this, &ComparisonView::explainVerdict);
    connect(verdict_, &VerdictStrip::duelRequested, this, &ComparisonView::duelRequested);
    connect(scatter_, &ScatterView::runRequested, this,
            [this](RunId run) { services_.navigator->open(DashboardLink{run}); });
    connect(parallel_, &ParallelView::runRequested, this,
            [this](RunId run) { services_.navigator->open(DashboardLink{run}); });
    connect(scatter_, &ScatterView::saved, this, [this](const QString& file, bool done) {
        if (done) services_.navigator->showStatus(tr("Saved %1").arg(file));
        else services_.navigator->showProblem(tr("'%1' cannot be written").arg(file));
    });
}

void ComparisonView::compare(std::vector<RunId> runs) {
    std::sort(runs.begin(), runs.end());
    runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
    if (runs == compared_ && data_) return;
    compared_ = std::move(runs);
    stack_->setCurrentIndex(compared_.empty() ? 0 : 1);
    Q_EMIT changed();
    readChosen();
}

void ComparisonView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (std::exchange(stale_, false) && !compared_.empty()) refresh_.start(0);
}

std::vector<RunId> ComparisonView::toDuel() const {
    if (!data_ || data_->groups.size() != 2) return {};
    std::vector<RunId> best;
    std::vector<std::string> envs;
    for (const ComparedGroup& group : data_->groups) {
        const RunRecord* found = nullptr;
        for (const ComparedRun& run : data_->runs) {
            if (std::find(group.runs.begin(), group.runs.end(), run.record.id) == group.runs.end()) continue;
            if (found == nullptr || run.record.best_return > found->best_return) found = &run.record;
        }
        if (found == nullptr) return {};
        best.push_back(found->id);
        envs.push_back(found->env);
    }
    return envs[0] == envs[1] ? best : std::vector<RunId>();
}

void ComparisonView::explain() {
    if (!isVisible() || !data_ || (groups_->isVisible() && groups_->explainCurrent()) ||
        (over_tasks_->isVisible() && over_tasks_->explainCurrent()))
        return;
    explainVerdict();
}

void ComparisonView::explainVerdict() {
    const ExplainPopup::Link statistics{tr("Show statistics"), [this] { tabs_->setCurrentWidget(groups_); }};
    if (!data_) return;
    const ComparisonVerdict verdict = verdictOf(*data_);
    for (const ComparedGroup& group : data_->groups) {
        if (group.key != verdict.group) continue;
        const bool alone = verdict.kind == ComparisonVerdict::Kind::single;
        Explanation explanation = seedbed::ui::explain(alone ? Statistic::score : Statistic::verdict, *data_,
                                                       group, verdict_->sentence());
        explanation.parts.insert(explanation.parts.begin(), {tr("Numbers"), verdict_->details()});
        const QPushButton* button = verdict_->buttons().back();
        return ExplainPopup::showFor(explanation, *verdict_, button->geometry(), *services_.theme,
                                     statistics);
    }
    statistics.open();
}

void ComparisonView::switchTable() {
    ChartWidget& chart = over_tasks_->isVisible() ? over_tasks_->chart() : *chart_;
    chart.showTable(!chart.showsTable());
}

void ComparisonView::showNextTab() { tabs_->setCurrentIndex((tabs_->currentIndex() + 1) % tabs_->count()); }

QVariantMap ComparisonView::saveState() const {
    QVariantList runs;
    for (const RunId run : compared_) runs << QVariant::fromValue<qlonglong>(run);
    return {{QStringLiteral("runs"), runs},
            {QStringLiteral("metric"), chosenMetric()},
            {QStringLiteral("grouping"), grouping_->currentIndex()},
            {QStringLiteral("tab"), tabs_->currentIndex()},
            {QStringLiteral("baseline"), baseline_}};
}

void ComparisonView::restoreState(const QVariantMap& state) {
    default_metric_ = state[QStringLiteral("metric")].toString();
    baseline_ = state[QStringLiteral("baseline")].toString();
    grouping_->setCurrentIndex(state[QStringLiteral("grouping")].toInt());
    tabs_->setCurrentIndex(state[QStringLiteral("tab")].toInt());
    std::vector<RunId> runs;
    for (const QVariant& run : state[QStringLiteral("runs")].toList()) runs.push_back(run.toLongLong());
    compare(std::move(runs));
}

QString ComparisonView::chosenMetric() const {
    return metric_->count() > 0 ? metric_->currentData().toString() : default_metric_;
}

void ComparisonView::readChosen() {
    // Results of older queries are ignored.
    const quint64 query = ++query_;
    if (compared_.empty()) {
        show(nullptr);
        return;
    }
    const auto failed = [this](const QString& text) {
        failed_ = true;
        verdict_->showError(text);
    };
    services_.runs->read(
        this, QStringLiteral("compare"),
        [runs = compared_, at = score_at_, goals = goalsOfRuns()](StoreReader& reader) {
            return readCompared(reader, runs, at, goals);
        },
        [this, query, failed](Result<ComparedRuns> runs) {
            if (query != query_) return;
            if (!runs) return failed(QString::fromStdString(runs.error().text()));
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

std::map<std::string, double> ComparisonView::goalsOfRuns() const {
    std::map<std::string, double> goals;
    if (services_.catalogue == nullptr) return goals;
    for (const RunId id : compared_)
        if (const RunRecord* run = services_.runs->find(id); run != nullptr && !goals.contains(run->env))
            if (const auto goal = services_.catalogue->goalOf(QString::fromStdString(run->env)))
                goals[run->env] = *goal;
    return goals;
}

void ComparisonView::show(std::shared_ptr<const CompareData> compared) {
    data_ = std::move(compared);
    // A group keeps its style while it is compared; new groups get the first free style.
    if (data_) {
        std::vector<QString> keys;
        for (const ComparedGroup& group : data_->groups) keys.push_back(group.key);
        assignStyles(styles_, keys);
    }
    fillMetrics();
    if (data_ && !data_->runs.empty())
        if (const auto steps = configNumber(data_->runs.front().config, QStringLiteral("run.steps")))
            controls_->proposeFor(*steps);
    groups_->setData(data_);
    difference_->setData(data_);
    scatter_->setData(data_, styles_);
    parallel_->setData(data_);
    over_tasks_->setData(data_, score_at_);
    rows_->setData(data_);
    orderFocus();
    verdict_->setVerdict(data_ ? verdictOf(*data_) : ComparisonVerdict());
    verdict_->setDuel(!toDuel().empty());
    updateOverlay();
    Q_EMIT changed();
}

// The order of the keyboard is that of the places on the page; rows are made later than the tabs below them.
void ComparisonView::orderFocus() {
    QWidget* before = nullptr;
    const auto next = [&](QWidget* widget) {
        if (before != nullptr) setTabOrder(before, widget);
        before = widget;
    };
    for (GroupRow* row : rows_->rows())
        for (QWidget* part : row->controls()) next(part);
    for (QPushButton* button : verdict_->buttons()) next(button);
    next(tabs_->tabBar());
}

void ComparisonView::fillMetrics() {
    filling_ = true;
    const QString metric = chosenMetric();
    const QStringList metrics = data_ ? data_->metrics : QStringList();
    QStringList known;
    for (int i = 0; i < metric_->count(); ++i) known << metric_->itemData(i).toString();
    if (known != metrics && !metrics.isEmpty()) {
        metric_->clear();
        for (const QString& name : metrics) metric_->addItem(metricTitle(name), name);
        // The returns of evaluations, which the rows show, if all runs have them.
        const bool evaluated = !data_->some_training && data_->unscored == 0;
        qsizetype at = metrics.indexOf(metric);
        if (at < 0 && evaluated) at = metrics.indexOf(QStringLiteral("eval/return"));
        if (at < 0) at = metrics.indexOf(QStringLiteral("episode/return"));
        metric_->setCurrentIndex(static_cast<int>(std::max<qsizetype>(0, at)));
    }
    filling_ = false;
}

void ComparisonView::updateOverlay() {
    std::vector<SeriesSpec> specs;
    // Runs without points keep their series, so that the rows and the legend name them.
    const std::string metric = chosenMetric().toStdString();
    const bool grouped = grouping_->currentIndex() == 0;
    std::vector<QString> run_keys;
    if (data_)
        for (const ComparedRun& run : data_->runs) run_keys.push_back(runKey(run.record.id));
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
            for (const RunId run : group.runs)
                specs.push_back({.key = runKey(run),
                                 .label = nameOf(run),
                                 .runs = {run},
                                 .metric = metric,
                                 .style = run_styles_[runKey(run)]});
        }
    // Evaluations are sparse and drawn as dots, as on the run page.
    for (SeriesSpec& spec : specs) spec.points = metric.starts_with("eval/");
    for (SeriesSpec& spec : specs)
        for (const SeriesSpec& before : chart_->model().specs())
            if (before.key == spec.key) spec.visible = before.visible;
    chart_->setTitle(data_ == nullptr ? tr("Curves of the compared runs") : metricTitle(chosenMetric()));
    chart_->setSubject(data_ ? subjectOf(*data_) : QString());  // the legend of files names the groups
    // The rows name the curves of groups.
    chart_->setLegendShown(!grouped);
    showLevels(metric);
    chart_->model().setSeries(std::move(specs));
    showCaption();
}

// What lines and bands are.
void ComparisonView::showCaption() {
    const bool several = grouping_->currentIndex() == 0 && data_ &&
                         std::any_of(data_->groups.begin(), data_->groups.end(),
                                     [](const ComparedGroup& group) { return group.drawn.size() > 1; });
    caption_->setText(!several                     ? QString()
                      : controls_->options().bands ? tr("Interquartile mean of the seeds with 95 % band")
                                                   : tr("Interquartile mean of the seeds"));
}

// Goal and random play, if all runs are of one environment.
void ComparisonView::showLevels(const std::string& metric) {
    std::vector<ChartLevel> levels;
    const bool of_returns = metric == "episode/return" || metric == "eval/return";
    const Catalogue* catalogue = of_returns && data_ && !data_->runs.empty() ? services_.catalogue : nullptr;
    const std::string env = catalogue == nullptr ? std::string() : data_->runs.front().record.env;
    if (catalogue != nullptr && std::all_of(data_->runs.begin(), data_->runs.end(),
                                            [&](const ComparedRun& run) { return run.record.env == env; }))
        levels =
            levelsOf(*catalogue, QString::fromStdString(env), catalogue->goalOf(QString::fromStdString(env)));
    chart_->plot().setLevels(std::move(levels));
}

// Marks where runs were resumed; pauses are gaps on the wall-time axis.
void ComparisonView::fillMarks() {
    std::vector<ChartMark> marks;
    const bool by_steps = chart_->model().options().x == XAxis::steps;
    for (const PreparedSeries& series : *chart_->model().series()) {
        if (!data_ || !series.spec.visible) continue;
        for (const LoadedCurve& curve : series.runs) {
            const auto run = std::find_if(data_->runs.begin(), data_->runs.end(),
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

QString ComparisonView::nameOf(RunId run) const {
    const RunRecord* record = services_.runs->find(run);
    return record == nullptr ? tr("run %1").arg(run) : runTitle(*record);
}

void ComparisonView::setBaseline(const QString& key) {
    baseline_ = key;
    readChosen();
}

void ComparisonView::removeGroup(const QString& key) {
    if (!data_) return;
    std::vector<RunId> rest = compared_;
    for (const ComparedGroup& group : data_->groups)
        if (group.key == key)
            for (const RunId run : group.runs) std::erase(rest, run);
    compare(std::move(rest));
}

// Queues the seeds of one group after the other and compares the new runs, too. queued: number of runs queued
// for earlier groups.
void ComparisonView::queueSeeds(std::vector<SeedRequest> seeds, int queued) {
    if (!data_ || seeds.empty() || services_.launcher == nullptr) return;
    const SeedRequest next = seeds.front();
    seeds.erase(seeds.begin());
    const auto group = std::find_if(data_->groups.begin(), data_->groups.end(),
                                    [&](const ComparedGroup& one) { return one.key == next.group; });
    if (group == data_->groups.end()) {
        if (queued > 0) services_.navigator->showStatus(tr("%n run(s) were queued.", nullptr, queued));
        return;
    }
    QStringList arguments =
        againArguments(group->whole_config, group->preset, group->name, services_.catalogue);
    arguments << QStringLiteral("--seeds") << nextSeeds(*data_, *group, next.count).join(QLatin1Char(','));
    services_.launcher->train(arguments, this, [this, seeds, queued](const Queued& result) {
        if (services_.navigator == nullptr) return;
        std::vector<RunId> all = compared_;
        all.insert(all.end(), result.runs.begin(), result.runs.end());
        const int count = queued + static_cast<int>(result.runs.size());
        if (!result.error.isEmpty()) services_.navigator->showProblem(result.error);
        else if (seeds.empty()) services_.navigator->showStatus(tr("%n run(s) were queued.", nullptr, count));
        else queueSeeds(seeds, count);
        compare(std::move(all));
    });
}

}  // namespace seedbed::ui
