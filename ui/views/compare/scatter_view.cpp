// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/scatter_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QSvgGenerator>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/models/charts/metric_title.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/charts/qcustomplot.hpp"
#include "ui/views/file_dialog.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/name_box.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

// Ids of values that need no curve; unlike names of metrics, they start with a space.
constexpr const char* kScoreId = " score";
constexpr const char* kBestId = " best";
constexpr const char* kSpeedId = " speed";

constexpr int kMaxInLegend = 12;

double nan() { return std::numeric_limits<double>::quiet_NaN(); }

// Mean of the last tenth of the finite points, which reduces noise.
double endOf(const MetricCurve& curve) {
    std::vector<double> values;
    for (const double value : curve.values)
        if (std::isfinite(value)) values.push_back(value);
    if (values.empty()) return nan();
    const std::size_t count = std::max<std::size_t>(1, values.size() / 10);
    double sum = 0;
    for (std::size_t i = values.size() - count; i < values.size(); ++i) sum += values[i];
    return sum / static_cast<double>(count);
}

}  // namespace

QString subjectOf(const CompareData& data) {
    QStringList environments, ids;
    for (const ComparedRun& run : data.runs) {
        const QString env = envOf(run.record);
        if (!environments.contains(env)) environments << env;
        ids << QString::number(run.record.id);
    }
    if (ids.isEmpty()) return {};
    // If there are many runs, only the first and the last ones are named.
    constexpr qsizetype kMax = 6;
    const QString which = ids.size() <= kMax ? ids.join(QStringLiteral(", "))
                                             : QStringLiteral("%1 … %2").arg(ids.first(), ids.last());
    return environments.join(QStringLiteral(", ")) + QStringLiteral(" · ") +
           (ids.size() == 1 ? ScatterView::tr("run %1").arg(which) : ScatterView::tr("runs %1").arg(which));
}

ScatterView::ScatterView(RunStore& store, const Theme& theme, QWidget* parent)
    : QWidget(parent), store_(store), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(makeControls());
    stack_ = new QStackedWidget(this);
    plot_ = new QCustomPlot(stack_);
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setAccessibleName(tr("Scatter plot"));
    stack_->addWidget(plot_);
    table_ = new QTableWidget(0, 4, stack_);
    table_->setHorizontalHeaderLabels({tr("Run"), tr("Group"), tr("Setting"), tr("Value")});
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTabKeyNavigation(false);
    table_->setAccessibleName(tr("Scatter plot as a table"));
    table_->verticalHeader()->hide();
    stack_->addWidget(table_);
    column->addWidget(stack_, 1);
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    note_->setTextFormat(Qt::PlainText);
    note_->setObjectName(QStringLiteral("scatter-note"));
    column->addWidget(note_);
    // The legend is to the right of the plot; an empty element fills the rest of its column.
    auto* beside = new QCPLayoutGrid();
    plot_->plotLayout()->addElement(0, 1, beside);
    plot_->plotLayout()->setColumnStretchFactor(1, 0.001);
    beside->addElement(0, 0, plot_->legend);
    beside->addElement(1, 0, new QCPLayoutElement(plot_));
    beside->setRowStretchFactor(0, 0.001);
    connectParts();
    restyle();
}

QLayout* ScatterView::makeControls() {
    auto* row = new FlowLayout;
    field_ = new NameBox(22, this);
    metric_ = new NameBox(22, this);
    const auto add = [&](const QString& text, QComboBox* box) {
        box->setAccessibleName(QString(text).remove(QLatin1Char('&')));
        row->addWidget(labelled(text, box, this));
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            if (filling_) return;
            chosen_ = true;
            readValues();
        });
    };
    add(tr("&Setting"), field_);
    add(tr("&Against"), metric_);
    log_x_ = new QCheckBox(tr("Log x"), this);
    as_table_ = new QCheckBox(tr("Show as table"), this);
    save_ = new QPushButton(tr("Save picture…"), this);
    save_->setObjectName(QStringLiteral("scatter-save"));
    connect(save_, &QPushButton::clicked, this, &ScatterView::askForFile);
    row->addWidget(log_x_);
    row->addWidget(as_table_);
    row->addWidget(save_);
    return row;
}

void ScatterView::connectParts() {
    connect(table_, &QTableWidget::activated, this, [this](const QModelIndex& at) {
        if (at.row() < static_cast<int>(points_.size()))
            Q_EMIT runRequested(points_[static_cast<std::size_t>(at.row())].run);
    });
    connect(as_table_, &QCheckBox::toggled, this,
            [this](bool table) { stack_->setCurrentWidget(table ? static_cast<QWidget*>(table_) : plot_); });
    connect(log_x_, &QCheckBox::toggled, this, &ScatterView::restyle);
    connect(&theme_, &Theme::changed, this, &ScatterView::restyle);
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        if (const ScatterPoint* nearest = pointAt(event->pos())) Q_EMIT runRequested(nearest->run);
    });
    connect(plot_, &QCustomPlot::mouseMove, this,
            [this](QMouseEvent* event) { plot_->setToolTip(textAt(event->pos())); });
}

void ScatterView::setData(std::shared_ptr<const CompareData> compared, const std::map<QString, int>& styles) {
    data_ = std::move(compared);
    styles_ = styles;
    QStringList fields;
    QList<std::pair<QString, QString>> metrics;
    if (data_) {
        // Settings that differ between the runs come first.
        fields = differenceTable(data_->groups, false).fields;
        for (const QString& name : configFields(data_->runs))
            if (!fields.contains(name)) fields << name;
        metrics = {{tr("Score"), QLatin1String(kScoreId)},
                   {tr("Best return"), QLatin1String(kBestId)},
                   {tr("Steps per second"), QLatin1String(kSpeedId)}};
        for (const QString& name : data_->metrics)
            metrics.append({tr("%1, mean over the last tenth").arg(metricTitle(name)), name});
    }
    // Unchanged combo boxes are not refilled, since the user may have one of them open.
    const auto same = [](const QComboBox& box, const auto& items, const auto& text) {
        if (box.count() != items.size()) return false;
        for (int i = 0; i < box.count(); ++i)
            if (box.itemText(i) != text(items[i])) return false;
        return true;
    };
    filling_ = true;
    if (!same(*field_, fields, [](const QString& one) { return one; })) {
        const QString chosen = field_->currentText();
        field_->clear();
        field_->addItems(fields);
        if (const int known = field_->findText(chosen); known >= 0 && chosen_) field_->setCurrentIndex(known);
    }
    if (!same(*metric_, metrics, [](const auto& one) { return one.first; })) {
        const QString chosen = metric_->currentData().toString();
        metric_->clear();
        for (const auto& [text, name] : metrics) metric_->addItem(text, name);
        if (const int known = metric_->findData(chosen); known >= 0) metric_->setCurrentIndex(known);
    }
    filling_ = false;
    // Curves are read only while the view is visible.
    stale_ = !isVisible();
    if (!stale_) readValues();
}

void ScatterView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (std::exchange(stale_, false)) readValues();
}

void ScatterView::choose(const QString& field, const QString& metric) {
    filling_ = true;
    chosen_ = true;
    field_->setCurrentIndex(field_->findText(field));
    metric_->setCurrentIndex(std::max(0, metric_->findData(metric)));
    filling_ = false;
    readValues();
}

void ScatterView::readValues() {
    if (!data_) return fill({});
    const QString metric = metric_->currentData().toString();
    std::map<RunId, double> values;
    if (metric.startsWith(QLatin1Char(' ')) || metric.isEmpty()) {
        for (const ComparedRun& run : data_->runs)
            values[run.record.id] = metric == QLatin1String(kBestId) ? run.record.best_return.value_or(nan())
                                    : metric == QLatin1String(kSpeedId) ? meanSpeed(run.record)
                                    : run.score                         ? run.score->score
                                                                        : nan();
        return fill(values);
    }
    std::vector<RunId> runs;
    for (const ComparedRun& run : data_->runs) runs.push_back(run.record.id);
    store_.read(
        this, QStringLiteral("scatter"),
        [runs, name = metric.toStdString()](StoreReader& reader) -> Result<std::map<RunId, double>> {
            std::map<RunId, double> ends;
            for (const RunId run : runs) {
                const auto curve = reader.metric(run, name);
                ends[run] = curve ? endOf(*curve) : nan();  // a run without this metric has no point
            }
            return ends;
        },
        [this](const Result<std::map<RunId, double>>& ends) {
            fill(ends.value_or(std::map<RunId, double>()));
        });
}

void ScatterView::fill(const std::map<RunId, double>& values) {
    points_.clear();
    left_out_ = 0;
    if (data_) {
        QStringList categories;
        const QString field = field_->currentText();
        // Numbers are placed on a linear scale; if any value is a word, all values are treated as categories.
        const bool words = std::any_of(data_->runs.begin(), data_->runs.end(), [&](const ComparedRun& run) {
            return !configText(run.config, field).isEmpty() && !configNumber(run.config, field);
        });
        for (const ComparedRun& run : data_->runs) {
            const auto value = values.find(run.record.id);
            const QString text = configText(run.config, field);
            // Runs without the setting or the value are omitted.
            if (value == values.end() || !std::isfinite(value->second) || text.isEmpty()) {
                ++left_out_;
                continue;
            }
            ScatterPoint point{run.record.id, 0, text, 0, value->second};
            for (std::size_t g = 0; g < data_->groups.size(); ++g)
                if (std::find(data_->groups[g].runs.begin(), data_->groups[g].runs.end(), run.record.id) !=
                    data_->groups[g].runs.end())
                    point.group = g;
            if (words) {
                if (!categories.contains(text)) categories << text;
                point.x = static_cast<double>(categories.indexOf(text));
            } else {
                point.x = *configNumber(run.config, field);
            }
            points_.push_back(point);
        }
        if (words) {
            QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText());
            for (int i = 0; i < categories.size(); ++i) ticker->addTick(i, categories[i].left(24));
            plot_->xAxis->setTicker(ticker);
        } else {
            plot_->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker()));
        }
    }
    fillTable();
    restyle();
}

// The point near the mouse, or null.
const ScatterPoint* ScatterView::pointAt(QPointF at) const {
    const ScatterPoint* nearest = nullptr;
    double best = 10;
    for (const ScatterPoint& point : points_) {
        const double off = std::hypot(plot_->xAxis->coordToPixel(point.x) - at.x(),
                                      plot_->yAxis->coordToPixel(point.y) - at.y());
        if (off < best) {
            best = off;
            nearest = &point;
        }
    }
    return nearest;
}

QString ScatterView::nameOf(RunId id) const {
    const RunRecord* run = store_.find(id);
    return run == nullptr ? tr("run %1").arg(id) : runTitle(*run);
}

// Full names of the point or the legend entry at this position.
QString ScatterView::textAt(QPointF at) const {
    if (const ScatterPoint* point = pointAt(at))
        return nameOf(point->run) + QLatin1Char('\n') + data_->groups[point->group].label +
               QLatin1Char('\n') +
               QStringLiteral("%1: %2, %3: %4")
                   .arg(field_->currentText(), point->x_text, metric_->currentText(), shortNumber(point->y));
    for (int i = 0; i < plot_->legend->itemCount(); ++i) {
        auto* line = qobject_cast<QCPPlottableLegendItem*>(plot_->legend->item(i));
        if (line == nullptr || !line->rect().contains(at.toPoint())) continue;
        for (int g = 0; g < plot_->graphCount(); ++g)
            if (plot_->graph(g) == line->plottable()) return data_->groups[static_cast<std::size_t>(g)].label;
    }
    return {};
}

void ScatterView::askForFile() {
    if (points_.empty()) return;
    const auto prepare = [this](QFileDialog& dialog) {
        dialog.setAcceptMode(QFileDialog::AcceptSave);
        dialog.setNameFilters({QStringLiteral("*.png"), QStringLiteral("*.svg"), QStringLiteral("*.pdf")});
        dialog.setDefaultSuffix(QStringLiteral("png"));
        dialog.selectFile(
            fileNameOf(QStringLiteral("%1 %2 %3")
                           .arg(subjectOf(*data_), metric_->currentText(), field_->currentText())) +
            QStringLiteral(".png"));
    };
    ui::askForFile(this, tr("Save picture"), prepare,
                   [this](const QString& file) { Q_EMIT saved(file, savePicture(file)); });
}

bool ScatterView::savePicture(const QString& file) {
    constexpr QSize kSize{1000, 640};
    QCPLayoutGrid& whole = *plot_->plotLayout();
    auto* title = new QCPTextElement(plot_, data_ ? subjectOf(*data_) : QString(),
                                     textFont(TextSize::body, QFont::DemiBold));
    title->setTextColor(palette().color(QPalette::Text));
    whole.insertRow(0);
    whole.addElement(0, 0, title);
    const bool done = [&] {
        if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive))
            return plot_->savePdf(file, kSize.width(), kSize.height(), QCP::epNoCosmetic, QString(),
                                  title->text());
        if (!file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive))
            return plot_->savePng(file, kSize.width(), kSize.height(), 2);
        QSvgGenerator generator;
        generator.setFileName(file);
        generator.setSize(kSize);
        generator.setViewBox(QRect(QPoint(), kSize));
        generator.setTitle(title->text());
        QCPPainter painter;
        if (!painter.begin(&generator)) return false;
        plot_->toPainter(&painter, kSize.width(), kSize.height());
        return painter.end();
    }();
    whole.remove(title);
    whole.simplify();
    plot_->replot(QCustomPlot::rpQueuedReplot);
    return done;
}

void ScatterView::fillTable() {
    table_->setRowCount(static_cast<int>(points_.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const ScatterPoint& point = points_[static_cast<std::size_t>(row)];
        const QStringList texts{QString::number(point.run), data_->groups[point.group].label, point.x_text,
                                shortNumber(point.y)};
        for (int c = 0; c < 4; ++c) {
            if (table_->item(row, c) == nullptr) table_->setItem(row, c, new QTableWidgetItem());
            table_->item(row, c)->setText(texts[c]);
        }
    }
}

// Lists the groups with points, as many as fit.
void ScatterView::fillLegend() {
    plot_->legend->clearItems();
    int more = 0;
    for (int g = 0; g < plot_->graphCount(); ++g) {
        if (plot_->graph(g)->dataCount() == 0) continue;
        if (plot_->legend->itemCount() < kMaxInLegend) plot_->graph(g)->addToLegend();
        else ++more;
    }
    plot_->legend->setVisible(plot_->legend->itemCount() > 0);
    plot_->legend->setFont(font());
    plot_->legend->setTextColor(QApplication::palette().color(QPalette::Text));
    plot_->legend->setBrush(Qt::NoBrush);
    plot_->legend->setBorderPen(Qt::NoPen);
    QStringList notes;
    if (more > 0)
        notes << tr("%n more group(s) do not fit into the legend; the table lists them.", nullptr, more);
    if (left_out_ > 0)
        notes << tr("%n run(s) omitted: no such setting, or no value yet.", nullptr, left_out_);
    note_->setText(notes.join(QLatin1Char(' ')));
    note_->setVisible(!notes.isEmpty());
}

void ScatterView::styleAxes() {
    const QPalette palette = QApplication::palette();
    plot_->setBackground(palette.color(QPalette::Base));
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setBasePen(theme_.line());
        axis->setTickPen(theme_.line());
        axis->setSubTickPen(theme_.line());
        axis->setTickLabelColor(theme_.quiet());
        axis->setLabelColor(theme_.quiet());
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        QColor grid = theme_.line();
        grid.setAlpha(90);
        axis->grid()->setPen(grid);
        axis->grid()->setZeroLinePen(theme_.line());
    }
}

void ScatterView::fitAxes() {
    plot_->xAxis->setLabel(field_->currentText());
    plot_->yAxis->setLabel(metric_->currentText());
    double low_x = std::numeric_limits<double>::infinity(), high_x = -low_x, low_y = low_x, high_y = -low_x;
    for (const ScatterPoint& point : points_) {
        low_x = std::min(low_x, point.x);
        high_x = std::max(high_x, point.x);
        low_y = std::min(low_y, point.y);
        high_y = std::max(high_y, point.y);
    }
    const bool logarithmic = log_x_->isChecked() && low_x > 0;
    plot_->xAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (qSharedPointerDynamicCast<QCPAxisTickerText>(plot_->xAxis->ticker()).isNull())
        plot_->xAxis->setTicker(logarithmic ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog())
                                            : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker()));
    if (!points_.empty()) {
        if (logarithmic) plot_->xAxis->setRange(low_x / 1.3, high_x * 1.3);
        else
            plot_->xAxis->setRange(
                low_x - std::max(0.08 * (high_x - low_x),
                                 high_x == low_x ? 0.5 * std::max(1e-9, std::abs(low_x)) : 0.0),
                high_x + std::max(0.08 * (high_x - low_x),
                                  high_x == low_x ? 0.5 * std::max(1e-9, std::abs(high_x)) : 0.0));
        const double pad = high_y > low_y ? 0.08 * (high_y - low_y) : std::max(0.5, 0.1 * std::abs(low_y));
        plot_->yAxis->setRange(low_y - pad, high_y + pad);
    }
}

void ScatterView::restyle() {
    styleAxes();
    fitAxes();
    plot_->clearGraphs();
    static constexpr std::array kShapes{QCPScatterStyle::ssDisc,     QCPScatterStyle::ssSquare,
                                        QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond,
                                        QCPScatterStyle::ssCross,    QCPScatterStyle::ssPlus};
    const std::size_t groups = data_ ? data_->groups.size() : 0;
    for (std::size_t g = 0; g < groups; ++g) {
        const auto at = styles_.find(data_->groups[g].key);
        const int style = at == styles_.end() ? static_cast<int>(g) : at->second;
        QCPGraph* graph = plot_->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setName(fontMetrics().elidedText(data_->groups[g].label, Qt::ElideMiddle, 220));
        // When colours repeat, shapes are shifted, so that up to 36 groups can be distinguished.
        graph->setScatterStyle(
            QCPScatterStyle(kShapes[static_cast<std::size_t>(style + style / 6) % kShapes.size()],
                            QPen(theme_.seriesColour(style), 1.5), theme_.seriesColour(style), 8));
        for (const ScatterPoint& point : points_)
            if (point.group == g) graph->addData(point.x, point.y);
    }
    fillLegend();
    plot_->replot(QCustomPlot::rpQueuedReplot);
    plot_->setAccessibleDescription(tr("%n run(s): %1 against %2", nullptr, static_cast<int>(points_.size()))
                                        .arg(field_->currentText(), metric_->currentText()));
}

}  // namespace seedbed::ui
