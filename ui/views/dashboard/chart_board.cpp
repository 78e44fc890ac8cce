// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/chart_board.hpp"

#include <algorithm>

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/models/charts/metric_title.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/settings.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr const char* kSettingsKey = "dashboard/charts";
constexpr int kMinWidth = 400, kChartHeight = 255;

std::vector<BoardChart> defaultCharts() {
    std::vector<BoardChart> charts{
        {ChartBoard::tr("Return"), {QStringLiteral("episode/return"), QStringLiteral("eval/return")}},
        {metricTitle(QStringLiteral("episode/length")), {QStringLiteral("episode/length")}},
        {ChartBoard::tr("Losses"), {QStringLiteral("loss/policy"), QStringLiteral("loss/value")}}};
    for (const char* metric :
         {"policy/entropy", "policy/kl", "value/explained_variance", "value/q", "policy/epsilon",
          "loss/novelty", "policy/lag", "optimiser/learning_rate", "speed/env_steps_per_s"})
        charts.push_back({metricTitle(QLatin1String(metric)), {QLatin1String(metric)}});
    return charts;
}

// One text per chart, in the form "Title|metric|metric".
QStringList toTexts(const std::vector<BoardChart>& charts) {
    QStringList texts;
    for (const BoardChart& chart : charts)
        texts << (QStringList{QString(chart.title).replace(QLatin1Char('|'), QLatin1Char('/'))} +
                  chart.metrics)
                     .join(QLatin1Char('|'));
    return texts;
}

std::vector<BoardChart> fromTexts(const QStringList& texts) {
    std::vector<BoardChart> charts;
    for (const QString& text : texts) {
        QStringList parts = text.split(QLatin1Char('|'), Qt::SkipEmptyParts);
        if (parts.size() < 2) continue;
        QString title = parts.takeFirst();
        // Default titles are translated to the current language.
        if (parts.size() == 1) title = metricTitle(parts.front());
        for (const BoardChart& usual : defaultCharts())
            if (usual.metrics == parts) title = usual.title;
        charts.push_back({title, parts});
    }
    return charts;
}

// An undoable change to the set of charts.
class ChartsCommand : public QUndoCommand {
public:
    ChartsCommand(ChartBoard& board, const QString& text, std::vector<BoardChart> after)
        : QUndoCommand(text), board_(&board), before_(board.charts()), after_(std::move(after)) {}
    void undo() override {
        if (board_) board_->setCharts(before_);
    }
    void redo() override {
        if (board_) board_->setCharts(after_);
    }

private:
    QPointer<ChartBoard> board_;
    std::vector<BoardChart> before_, after_;
};

}  // namespace

ChartBoard::ChartBoard(const Services& services, Background& workers, QWidget* parent)
    : QScrollArea(parent), services_(services), workers_(workers), undo_(new OwnUndo(services, this)) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Charts"));
    inner_ = new QWidget(this);
    auto* column = new QVBoxLayout(inner_);
    column->setContentsMargins(0, kGrid, 4, 0);
    column->setSpacing(kBlockGap);
    lead_box_ = new QWidget(inner_);
    lead_box_->installEventFilter(this);
    lead_ = new QGridLayout(lead_box_);
    lead_->setContentsMargins(0, 0, 0, 0);
    lead_->setSpacing(kBlockGap);
    column->addWidget(lead_box_);
    grid_ = new QGridLayout();
    grid_->setSpacing(kBlockGap);
    column->addLayout(grid_);
    column->addStretch(1);
    setWidget(inner_);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &ChartBoard::updateLive);
    note_ = new QLabel(inner_);
    note_->setAlignment(Qt::AlignCenter);
    note_->setWordWrap(true);
    if (services_.settings != nullptr)
        charts_ = fromTexts(services_.settings->value(QLatin1String(kSettingsKey)).toStringList());
    if (charts_.empty()) charts_ = defaultCharts();
}

bool ChartBoard::hasMetric(const QString& name) const {
    return std::binary_search(metrics_.begin(), metrics_.end(), name.toStdString());
}

void ChartBoard::setReport(const RunReport* report) {
    const RunId run = report == nullptr ? 0 : report->details.run.id;
    const bool same_metrics = report != nullptr && report->metrics == metrics_;
    const bool same_run = run == run_;
    run_ = run;
    if (report != nullptr) {
        metrics_ = report->metrics;
        details_ = report->details;
    } else {
        details_ = {};
    }
    note_->setText(report == nullptr ? tr("Loading the run…")
                                     : tr("No values yet: they appear after the first update."));
    // Updates the subject, which is used in the titles of saved pictures.
    subject_.clear();
    if (report != nullptr) {
        const RunRecord& record = report->details.run;
        subject_ = QStringLiteral("%1 · %2").arg(runEntry(record), tr("seed %1").arg(record.seed));
    }
    // While the next run is loading, charts are empty but keep their zoom and options.
    if (report == nullptr)
        for (Slot& slot : slots_) fill(slot);
    else if (!same_run || !same_metrics) rebuild();
    for (Slot& slot : slots_) {
        slot.widget->setSubject(subject_);
        slot.old_marks = true;
    }
    updateLive();
}

void ChartBoard::showNote(const QString& text) {
    note_->setText(text);
    if (run_ != 0) return;
    metrics_.clear();
    rebuild();
}

void ChartBoard::setOptions(const ChartOptions& options) {
    options_ = options;
    for (const Slot& slot : slots_) slot.widget->model().setOptions(optionsOf(slot));
    for (Slot& slot : slots_) fillMarks(slot);
}

ChartOptions ChartBoard::optionsOf(const Slot& slot) const {
    ChartOptions options = options_;
    options.log_y = options.log_y || slot.log_y;
    return options;
}

// Keeps the widgets of charts that are still shown.
ChartWidget* ChartBoard::makeWidget(const BoardChart& chart) {
    auto* widget = new ChartWidget(services_, workers_, chart.title, inner_);
    widget->setMinimumHeight(kChartHeight);
    widget->setLegendInTitle(chart.metrics.size() == 1);
    widget->model().setOptions(options_);
    // The position of a step on another axis is known once the curves are read.
    connect(&widget->model(), &ChartModel::prepared, this, [this, widget] {
        if (widget->model().length() > 0)
            Q_EMIT lengthKnown(widget->model().preparedAxis(), widget->model().length());
        for (Slot& known_slot : slots_)
            if (known_slot.widget == widget && options_.x != XAxis::steps) fillMarks(known_slot);
    });
    QMenu* menu = widget->menu();
    QAction* first = menu->actions().value(0);
    const auto add = [&](const QString& text, std::function<void(int)> what) {
        auto* action = new QAction(text, menu);
        connect(action, &QAction::triggered, this,
                [this, widget, what = std::move(what)] { what(indexOf(widget)); });
        menu->insertAction(first, action);
    };
    add(tr("Move &earlier"), [this](int index) { moveChart(index, -1); });
    add(tr("Move &later"), [this](int index) { moveChart(index, 1); });
    add(tr("&Remove chart"), [this](int index) { removeChart(index); });
    auto* log_y = new QAction(tr("&Logarithmic values"), menu);
    log_y->setCheckable(true);
    connect(log_y, &QAction::toggled, this, [this, widget](bool on) {
        for (Slot& known_slot : slots_)
            if (known_slot.widget == widget) {
                known_slot.log_y = on;
                widget->model().setOptions(optionsOf(known_slot));
            }
    });
    menu->insertAction(first, log_y);
    menu->insertSeparator(first);
    return widget;
}

void ChartBoard::rebuild() {
    std::vector<Slot> before = std::move(slots_);
    slots_.clear();
    for (const BoardChart& chart : charts_) {
        if (std::none_of(chart.metrics.begin(), chart.metrics.end(),
                         [this](const QString& metric) { return hasMetric(metric); }))
            continue;
        const auto known = std::find_if(before.begin(), before.end(), [&](const Slot& slot) {
            return slot.widget != nullptr && slot.chart == chart;
        });
        Slot slot{.widget = nullptr, .chart = chart, .log_y = false, .hidden = {}};
        if (known != before.end()) {
            slot = std::move(*known);
            known->widget = nullptr;
        } else {
            slot.widget = makeWidget(chart);
        }
        fill(slot);
        slots_.push_back(std::move(slot));
    }
    for (const Slot& slot : before)
        if (slot.widget != nullptr) {
            slot.widget->deleteLater();
            slot.widget->hide();
        }
    columns_ = 0;
    arrange();
}

void ChartBoard::setLead(QWidget* stage, QWidget* notes) {
    stage_ = stage;
    notes_ = notes;
    for (QWidget* each : {stage, notes}) each->setParent(lead_box_);
    shows_stage_ = true;
    columns_ = 0;
    arrange();
}

void ChartBoard::showStage(bool shown) {
    if (stage_ == nullptr || std::exchange(shows_stage_, shown) == shown) return;
    columns_ = 0;
    arrange();
}

void ChartBoard::setGoal(std::vector<ChartLevel> levels, std::optional<std::int64_t> solved) {
    if (levels == levels_ && solved == solved_) return;
    levels_ = std::move(levels);
    solved_ = solved;
    for (Slot& slot : slots_) slot.old_marks = true;
    updateLive();
}

void ChartBoard::arrange() {
    const int columns = std::clamp(viewport()->width() / kMinWidth, 1, 4);
    if (columns == columns_) return;
    columns_ = columns;
    for (QGridLayout* each : {lead_, grid_}) {
        while (each->count() > 0) delete each->takeAt(0);
        for (int c = 0; c < 4; ++c) each->setColumnStretch(c, c < columns ? 1 : 0);
    }
    std::vector<QWidget*> charts;
    for (const Slot& slot : slots_) charts.push_back(slot.widget);
    if (charts.empty()) charts.push_back(note_);
    else note_->hide();
    if (stage_ != nullptr) {
        // The stage takes the first column, the first chart and the notes the second one.
        const bool wide = columns > 1;
        for (int c = 2; c < 4; ++c) lead_->setColumnStretch(c, 0);
        if (!shows_stage_) lead_->addWidget(notes_, 0, 0, 1, columns);
        if (shows_stage_) {
            lead_->addWidget(stage_, 0, 0, wide ? 2 : 1, 1);
            lead_->addWidget(charts.front(), wide ? 0 : 1, wide ? 1 : 0);
            lead_->setRowStretch(0, wide ? 1 : 0);
            charts.front()->show();
            setTabOrder(stage_, charts.front());
            lead_->addWidget(notes_, wide ? 1 : 2, wide ? 1 : 0);
        }
        stage_->setVisible(shows_stage_);
        notes_->show();
    }
    QWidget* last = notes_;
    const std::size_t first = shows_stage_ ? 1 : 0;
    for (std::size_t i = first; i < charts.size(); ++i) {
        const int place = static_cast<int>(i - first);
        grid_->addWidget(charts[i], place / columns, place % columns);
        charts[i]->show();
        if (last != nullptr) setTabOrder(last, charts[i]);
        last = charts[i];
    }
    fitLead();
    QTimer::singleShot(0, this, &ChartBoard::updateLive);
}

// Side by side, the stage and the first chart fill the page.
void ChartBoard::fitLead() {
    constexpr int kMostLead = 640;
    const bool fills = stage_ != nullptr && shows_stage_ && columns_ > 1;
    const int wide = std::max(lead_box_->width(), 1);
    const int least =
        lead_->hasHeightForWidth() ? lead_->minimumHeightForWidth(wide) : lead_->minimumSize().height();
    lead_box_->setMinimumHeight(
        fills ? std::clamp(viewport()->height() - 2, least, std::max(least, kMostLead)) : 0);
    lead_box_->setMaximumHeight(fills ? lead_box_->minimumHeight() : QWIDGETSIZE_MAX);
    lead_box_->setVisible(stage_ != nullptr);
    fitHeight(*this);
}

// Charts that are scrolled out of view do not follow the run.
void ChartBoard::updateLive() {
    for (Slot& slot : slots_) {
        const bool seen = !slot.widget->visibleRegion().isEmpty();
        slot.widget->model().setLive(seen);
        if (seen && slot.old_marks) fillMarks(slot);
    }
}

void ChartBoard::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    arrange();
    fitLead();
    updateLive();
}

// The notes have become longer or shorter.
bool ChartBoard::eventFilter(QObject* watched, QEvent* event) {
    if (watched == lead_box_ && event->type() == QEvent::LayoutRequest) {
        fitLead();
        QTimer::singleShot(0, this, &ChartBoard::updateLive);
    }
    return QScrollArea::eventFilter(watched, event);
}

void ChartBoard::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    // The charts are placed after this event.
    QTimer::singleShot(0, this, &ChartBoard::updateLive);
}

void ChartBoard::fill(Slot& slot) {
    for (const SeriesSpec& shown : slot.widget->model().specs())
        if (shown.visible) slot.hidden.erase(shown.key);
        else slot.hidden.insert(shown.key);
    std::vector<SeriesSpec> specs;
    int style = 0;
    for (const QString& metric : slot.chart.metrics) {
        SeriesSpec spec;
        spec.key = metric;
        spec.metric = metric.toStdString();
        spec.style = style++;
        spec.label = metric == QLatin1String("episode/return") ? tr("training episodes")
                     : metric == QLatin1String("eval/return")  ? tr("evaluations")
                     : slot.chart.metrics.size() == 1          ? slot.chart.title
                                                               : metricTitle(metric);
        spec.points = metric.startsWith(QLatin1String("eval/"));
        spec.visible = !slot.hidden.contains(metric);
        if (run_ != 0 && hasMetric(metric)) {
            spec.runs = {run_};
            specs.push_back(spec);
        }
    }
    slot.widget->model().setSeries(std::move(specs));
}

// Marks resumes, checkpoints and evaluations on the current x axis.
void ChartBoard::fillMarks(Slot& slot) {
    slot.old_marks = false;
    std::vector<ChartMark> marks;
    const LoadedCurve* curve = nullptr;
    for (const PreparedSeries& series : *slot.widget->model().series())
        if (!series.runs.empty() && series.runs[0].steps &&
            (curve == nullptr || series.runs[0].steps->size() > curve->steps->size()))
            curve = &series.runs[0];
    const auto x = [&](std::int64_t step) {
        const auto at = static_cast<double>(step);
        return options_.x == XAxis::steps || curve == nullptr ? at : xOfStep(*curve, at);
    };
    // Evaluations that a curve already shows as dots are not marked.
    const bool drawn =
        std::any_of(slot.chart.metrics.begin(), slot.chart.metrics.end(),
                    [](const QString& metric) { return metric.startsWith(QLatin1String("eval/")); });
    for (const EvaluationRecord& e : drawn ? std::vector<EvaluationRecord>() : details_.evaluations)
        marks.push_back(
            {ChartMark::Kind::evaluation, x(e.step), tr("evaluated: %1").arg(shortNumber(e.mean))});
    for (const CheckpointRecord& c : details_.checkpoints)
        if (!c.removed)
            marks.push_back(
                {ChartMark::Kind::checkpoint, x(c.step), tr("checkpoint at step %1").arg(countText(c.step))});
    for (const SegmentRecord& s : details_.segments)
        if (s.number > 1)
            marks.push_back(
                {ChartMark::Kind::resume, x(s.begin_step), tr("resumed %1").arg(timeText(s.started))});
    const bool of_returns =
        std::any_of(slot.chart.metrics.begin(), slot.chart.metrics.end(), [](const QString& metric) {
            return metric == QLatin1String("episode/return") || metric == QLatin1String("eval/return");
        });
    if (of_returns && solved_)
        marks.push_back({ChartMark::Kind::solved, x(*solved_),
                         tr("solved at %1").arg(compactCount(static_cast<double>(*solved_)))});
    slot.widget->plot().setLevels(of_returns ? levels_ : std::vector<ChartLevel>());
    slot.widget->plot().setMarks(std::move(marks));
}

QStringList ChartBoard::metricsToAdd() const {
    QStringList missing;
    for (const std::string& name : metrics_) {
        const QString metric = QString::fromStdString(name);
        if (std::none_of(charts_.begin(), charts_.end(),
                         [&](const BoardChart& chart) { return chart.metrics.contains(metric); }))
            missing << metric;
    }
    return missing;
}

void ChartBoard::addChart(const QString& metric) {
    std::vector<BoardChart> charts = charts_;
    charts.push_back({metricTitle(metric), {metric}});
    change(tr("Add chart"), std::move(charts));
    // Scrolls to the new chart, which is the last one.
    QTimer::singleShot(0, this, [this] {
        if (slots_.empty()) return;
        inner_->layout()->activate();
        ensureWidgetVisible(slots_.back().widget);
    });
}

void ChartBoard::removeChart(int index) {
    if (index < 0 || index >= static_cast<int>(charts_.size())) return;
    std::vector<BoardChart> charts = charts_;
    charts.erase(charts.begin() + index);
    change(tr("Remove chart"), std::move(charts));
}

bool ChartBoard::moveChart(int index, int by) {
    // Skips charts that are hidden for this run.
    const auto shown = [this](int i) {
        return std::any_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
            return slot.chart == charts_[static_cast<std::size_t>(i)];
        });
    };
    const int count = static_cast<int>(charts_.size());
    int to = index + by;
    while (to >= 0 && to < count && !shown(to)) to += by;
    if (index < 0 || index >= count || to < 0 || to >= count) return false;
    std::vector<BoardChart> charts = charts_;
    BoardChart chart = charts[static_cast<std::size_t>(index)];
    charts.erase(charts.begin() + index);
    charts.insert(charts.begin() + to, std::move(chart));
    change(tr("Move chart"), std::move(charts));
    return true;
}

void ChartBoard::resetCharts() { change(tr("Restore the default charts"), defaultCharts()); }

void ChartBoard::change(const QString& text, std::vector<BoardChart> charts) {
    if (charts != charts_) undo_->push(new ChartsCommand(*this, text, std::move(charts)));
}

void ChartBoard::setCharts(std::vector<BoardChart> charts) {
    charts_ = std::move(charts);
    if (services_.settings != nullptr)
        services_.settings->setValue(QLatin1String(kSettingsKey), toTexts(charts_));
    rebuild();
}

int ChartBoard::indexOf(const ChartWidget* widget) const {
    for (const Slot& slot : slots_)
        if (slot.widget == widget)
            return static_cast<int>(std::find(charts_.begin(), charts_.end(), slot.chart) - charts_.begin());
    return -1;
}

std::vector<ChartWidget*> ChartBoard::shownCharts() const {
    std::vector<ChartWidget*> widgets;
    for (const Slot& slot : slots_) widgets.push_back(slot.widget);
    return widgets;
}

}  // namespace seedbed::ui
