// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/charts/chart_plot.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <QKeyEvent>
#include <QLabel>
#include <QTimer>

#include "ui/models/charts/chart_table_model.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/charts/curve_layer.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kPointReach = 14;  // a click within this many pixels selects a point
constexpr double kRangeMargin = 0.05;
constexpr double kEdgeMargin = 0.012;  // margin at the first and last point, as a share of the range
constexpr double kRounding = 1e-9;  // relative differences up to this are rounding errors of sums of doubles
constexpr double kMinShownShare = 1e-6;  // smallest zoom, as a share of the range
constexpr std::chrono::milliseconds kRedrawInterval{8};

// Short tick labels: 20k, 1.5M; durations on time axes.
QString tickText(double value, XAxis axis) {
    const bool time = axis == XAxis::wall_time || axis == XAxis::train_time;
    if (!time) return compactCount(value);
    if (value < 0) return {};
    if (value < 120) return ChartPlot::tr("%1 s").arg(shortNumber(value));
    if (value < 7200) return ChartPlot::tr("%1 min").arg(shortNumber(std::round(value / 6) / 10));
    return ChartPlot::tr("%1 h").arg(shortNumber(std::round(value / 36) / 100));
}

class LinearTicker : public QCPAxisTicker {
public:
    explicit LinearTicker(XAxis axis) : axis_(axis) {}
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tickText(tick, axis_); }

private:
    XAxis axis_;
};

// Ticks at powers of ten. Within two decades also at 2 and 5 times these, or at even steps if that gives
// fewer than three ticks.
class LogTicker : public QCPAxisTickerLog {
public:
    explicit LogTicker(XAxis axis) : axis_(axis) {}
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tickText(tick, axis_); }

protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override {
        narrow_ = range.lower > 0 && range.upper < 100 * range.lower;
        if (!narrow_) return QCPAxisTickerLog::createTickVector(step, range);
        QVector<double> ticks;
        for (double decade = std::pow(10, std::floor(std::log10(range.lower))); decade <= range.upper;
             decade *= 10)
            for (const double factor : {1, 2, 5})
                if (range.contains(factor * decade)) ticks << factor * decade;
        if (ticks.size() >= kMinTicks) return ticks;
        ticks.clear();
        const double even = cleanMantissa(range.size() / (kMinTicks + 1));
        for (double tick = std::ceil(range.lower / even) * even; tick <= range.upper; tick += even)
            ticks << tick;
        return ticks;
    }
    int getSubTickCount(double step) override {
        return narrow_ ? 0 : QCPAxisTickerLog::getSubTickCount(step);
    }

private:
    static constexpr int kMinTicks = 3;
    bool narrow_ = false;
    XAxis axis_;
};

}  // namespace

ChartPlot::ChartPlot(ChartModel& model, const Theme& theme, QWidget* parent)
    : QCustomPlot(parent), model_(model), theme_(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_NoMousePropagation, false);  // so that the wheel scrolls the page
    setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    setNoAntialiasingOnDrag(true);
    layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
    axisRect()->setupFullAxesBox(false);
    for (QCPAxis* axis : {xAxis2, yAxis2}) axis->setTicks(false);
    curves_ = new CurveLayer(axisRect(), theme_, drawn_);
    marks_ = new AxisMarks(axisRect());
    crosshair_ = new QCPItemStraightLine(this);
    crosshair_->setLayer(QStringLiteral("overlay"));
    crosshair_->setVisible(false);
    readout_ = new QLabel(this);
    readout_->setTextFormat(Qt::PlainText);
    readout_->setAttribute(Qt::WA_TransparentForMouseEvents);
    readout_->setAutoFillBackground(true);
    readout_->setMargin(6);
    readout_->hide();
    connect(&model_, &ChartModel::prepared, this, &ChartPlot::prepared);
    connect(&model_, &ChartModel::drawn, this, &ChartPlot::draw);
    connect(&theme_, &Theme::changed, this, [this] {
        restyle();
        curves_->changed();
        redraw(true);
    });
    restyle();
    setScale();
}

void ChartPlot::setYTitle(const QString& title) { yAxis->setLabel(title); }

void ChartPlot::setMarks(std::vector<ChartMark> marks) {
    marks_->setMarks(std::move(marks));
    redrawOverlay();
}

void ChartPlot::setLevels(std::vector<ChartLevel> levels) {
    if (levels == marks_->levels()) return;
    marks_->setLevels(std::move(levels));
    if (!zoomed_y_) yAxis->setRange(wholeY());
    redraw(true);
}

void ChartPlot::restyle() {
    const QPalette palette = QApplication::palette();
    const QColor text = palette.color(QPalette::Text), line_colour = theme_.line();
    setBackground(palette.color(QPalette::Base));
    for (QCPAxis* axis : {xAxis, yAxis, xAxis2, yAxis2}) {
        axis->setBasePen(QPen(line_colour, 1));
        axis->setTickPen(QPen(line_colour, 1));
        axis->setSubTickPen(QPen(line_colour, 1));
        axis->setTickLabelColor(theme_.quiet());
        axis->setLabelColor(theme_.quiet());
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        QColor grid = line_colour;
        grid.setAlpha(90);
        axis->grid()->setPen(QPen(grid, 1));
        axis->grid()->setSubGridVisible(false);
        axis->grid()->setZeroLinePen(QPen(line_colour, 1));
    }
    QColor mark = theme_.warning();
    marks_->setColours(theme_.quiet(), mark, theme_.good());
    crosshair_->setPen(QPen(text, 1, Qt::DotLine));
    readout_->setPalette(QToolTip::palette());
    readout_->setBackgroundRole(QPalette::ToolTipBase);
    readout_->setForegroundRole(QPalette::ToolTipText);
}

void ChartPlot::setScale() {
    const ChartOptions& options = model_.options();
    if (scale_set_ && log_x_ == options.log_x && log_y_ == options.log_y && axis_ == options.x) return;
    if (log_x_ != options.log_x || axis_ != options.x) zoomed_x_ = false;
    if (log_y_ != options.log_y) zoomed_y_ = false;
    log_x_ = options.log_x;
    log_y_ = options.log_y;
    axis_ = options.x;
    scale_set_ = true;
    xAxis->setScaleType(log_x_ ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    yAxis->setScaleType(log_y_ ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    const auto ticker = [](bool logarithmic, XAxis axis) -> QSharedPointer<QCPAxisTicker> {
        if (logarithmic) return QSharedPointer<QCPAxisTicker>(new LogTicker(axis));
        return QSharedPointer<QCPAxisTicker>(new LinearTicker(axis));
    };
    xAxis->setTicker(ticker(log_x_, axis_));
    yAxis->setTicker(ticker(log_y_, XAxis::steps));
    // Only logarithmic axes need them to show the scale.
    xAxis->setSubTicks(log_x_);
    yAxis->setSubTicks(log_y_);
    xAxis->setLabel(titleOf(axis_));
}

// Lower end of a logarithmic x axis, which cannot show points at or below zero.
double ChartPlot::leastPositive() const {
    double least = std::numeric_limits<double>::infinity();
    for (const PreparedSeries& series : *model_.series()) {
        const std::vector<double>& x = series.raw->curve().x;
        const auto at = std::upper_bound(x.begin(), x.end(), 0.0);
        if (at != x.end()) least = std::min(least, *at);
    }
    return std::isfinite(least) ? least : 1;
}

void ChartPlot::prepared() {
    setScale();
    if (!zoomed_x_) xAxis->setRange(wholeX());
    requestView();
}

QCPRange ChartPlot::wholeX() const {
    const auto extent = model_.extent();
    double low = extent ? extent->first : 0, high = extent ? extent->second : 1;
    if (log_x_) {
        low = low > 0 ? low : leastPositive();
        high = high > low ? high : 10 * low;
        const double margin = std::pow(high / low, kEdgeMargin);
        return {low / margin, high * margin};
    }
    if (high <= low) {
        low -= 0.5;
        high += 0.5;
    }
    const double margin = extent ? kEdgeMargin * (high - low) : 0;
    return {low - margin, high + margin};
}

void ChartPlot::requestView() {
    const QCPRange range = xAxis->range();
    model_.requestView({range.lower, range.upper, std::max(1, axisRect()->width())});
}

void ChartPlot::draw(const DrawnChart& chart) {
    drawn_ = chart;
    curves_->changed();
    if (!zoomed_y_) yAxis->setRange(wholeY());
    // Updates the crosshair's values from the new curves.
    if (crosshair_->visible()) {
        const double x = crosshair_->point1->key();
        if (xAxis->range().contains(x)) moveCrosshair(x);
        else hideCrosshair();
    }
    scheduleRedraw();
}

// A plot of size 0, for example in a closed splitter, cannot be drawn until it is resized.
void ChartPlot::redraw(bool queued) {
    if (size().isEmpty()) return;
    replot(queued ? QCustomPlot::rpQueuedReplot : QCustomPlot::rpRefreshHint);
}

void ChartPlot::redrawOverlay() {
    // A plot of a new size is drawn as a whole.
    if (!size().isEmpty() && !resized_) layer(QStringLiteral("overlay"))->replot();
}

// Charts of an active run get new points at the same time. They are redrawn one after another, so that the
// window stays responsive in between.
void ChartPlot::scheduleRedraw() {
    using Clock = std::chrono::steady_clock;
    static Clock::time_point next;  // used by the GUI thread only
    if (std::exchange(view_requested_, false)) return redraw(true);
    if (std::exchange(redraw_scheduled_, true)) return;
    const Clock::time_point now = Clock::now(), due = std::max(now, next);
    next = due + kRedrawInterval;
    QTimer::singleShot(std::chrono::ceil<std::chrono::milliseconds>(due - now), this, [this] {
        redraw_scheduled_ = false;
        redraw(false);
    });
}

// Range of the drawn values with a margin.
QCPRange ChartPlot::wholeY() const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const QCPRange range = xAxis->range();
    for (const DrawnSeries& drawn : drawn_.drawn)
        for (const Curve* curve : {&drawn.line, &drawn.raw, &drawn.low, &drawn.high})
            for (std::size_t i = 0; i < curve->size(); ++i) {
                const double y = curve->y[i];
                if (!std::isfinite(y) || (log_y_ && y < 1e-300) || curve->x[i] < range.lower ||
                    curve->x[i] > range.upper)
                    continue;
                low = std::min(low, y);
                high = std::max(high, y);
            }
    if (low <= high)
        for (const ChartLevel& level : marks_->levels())
            if (std::isfinite(level.y) && (!log_y_ || level.y > 0)) {
                low = std::min(low, level.y);
                high = std::max(high, level.y);
            }
    if (!(low <= high)) {
        low = log_y_ ? 0.1 : 0;
        high = 1;
    }
    // Rounding errors of a constant must not look like a curve.
    if (high - low <= kRounding * std::max(std::abs(low), std::abs(high))) low = high = (low + high) / 2;
    if (log_y_) {
        const double pad = std::pow(high / low, kRangeMargin) * (high == low ? 2 : 1.05);
        return {low / pad, high * pad};
    }
    const double constant = low == 0 ? 0.5 : 0.1 * std::abs(low);
    const double pad = high > low ? kRangeMargin * (high - low) : constant;
    return {low - pad, high + pad};
}

void ChartPlot::showAll() {
    zoomed_x_ = zoomed_y_ = false;
    prepared();
}

// --- zooming and panning

// Clips the range to the data. If the range covers all data, the view follows new points again.
void ChartPlot::showX(const QCPRange& range) {
    const QCPRange whole = wholeX(),
                   shown(std::max(range.lower, whole.lower), std::min(range.upper, whole.upper));
    if (!(shown.size() > kMinShownShare * whole.size())) return;
    zoomed_x_ = shown.lower > whole.lower || shown.upper < whole.upper;
    xAxis->setRange(shown);
    requestView();
    curves_->awaitView();
    view_requested_ = true;
    redraw(true);
}

void ChartPlot::zoomX(double factor, double centre) {
    QCPRange range = xAxis->range();
    if (log_x_)
        range = {centre * std::pow(range.lower / centre, factor),
                 centre * std::pow(range.upper / centre, factor)};
    else range = {centre + (range.lower - centre) * factor, centre + (range.upper - centre) * factor};
    showX(range);
}

void ChartPlot::panX(double share) {
    // Computes on the scale of the axis. The range keeps its width at both ends of the data.
    const auto onAxis = [this](double x) { return log_x_ ? std::log(x) : x; };
    const auto fromAxis = [this](double place) { return log_x_ ? std::exp(place) : place; };
    const QCPRange whole = wholeX();
    const double low = onAxis(xAxis->range().lower), high = onAxis(xAxis->range().upper);
    const double left = std::min(0.0, onAxis(whole.lower) - low),
                 right = std::max(0.0, onAxis(whole.upper) - high);
    const double by = std::clamp(share * (high - low), left, right);
    if (by != 0) showX({fromAxis(low + by), fromAxis(high + by)});
}

void ChartPlot::scaleY(double factor, double centre) {
    yAxis->scaleRange(factor, centre);
    const QCPRange whole = wholeY(), now = yAxis->range();
    zoomed_y_ = now.lower > whole.lower || now.upper < whole.upper;
    if (!zoomed_y_) yAxis->setRange(whole);
    redraw(true);
}

void ChartPlot::wheelEvent(QWheelEvent* event) {
    const bool held = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    const double notches = event->angleDelta().y() / 120.0;
    // Scrolling the page must not zoom charts.
    if ((!held && !hasFocus()) || notches == 0) return event->ignore();
    const double factor = std::pow(0.85, notches);
    if (event->modifiers().testFlags(Qt::ControlModifier | Qt::ShiftModifier)) {
        scaleY(factor, yAxis->pixelToCoord(event->position().y()));
    } else if (event->modifiers() & Qt::ShiftModifier) {
        panX(-0.1 * notches);
    } else {
        zoomX(factor, xAxis->pixelToCoord(event->position().x()));
    }
    event->accept();
}

void ChartPlot::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->pos();
    moved_ = false;
    setFocus(Qt::MouseFocusReason);
}

void ChartPlot::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        const QPoint by = event->pos() - pressed_;
        if (!moved_ && by.manhattanLength() < QApplication::startDragDistance()) return;
        moved_ = true;
        hideCrosshair();
        panX(-static_cast<double>(by.x()) / std::max(1, axisRect()->width()));
        if (zoomed_y_ && !log_y_)
            yAxis->moveRange(by.y() * yAxis->range().size() / std::max(1, axisRect()->height()));
        pressed_ = event->pos();
        return;
    }
    // Excludes the margins, which contain no values.
    const auto extent = model_.extent();
    double x = xAxis->pixelToCoord(event->pos().x());
    if (extent) x = std::clamp(x, extent->first, extent->second);
    if (axisRect()->rect().contains(event->pos()) && xAxis->range().contains(x)) moveCrosshair(x);
    else hideCrosshair();
}

void ChartPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (moved_ || event->button() != Qt::LeftButton) return;
    if (const auto point = pointAt(event->pos()))
        Q_EMIT pointClicked(*point, event->globalPosition().toPoint());
}

void ChartPlot::mouseDoubleClickEvent(QMouseEvent*) {
    moved_ = true;  // so that the following release is ignored
    showAll();
}

void ChartPlot::leaveEvent(QEvent* event) {
    hideCrosshair();
    QCustomPlot::leaveEvent(event);
}

void ChartPlot::resizeEvent(QResizeEvent* event) {
    if (event->size().isEmpty()) return;
    setViewport(rect());
    resized_ = true;
    update();
}

// Draws a plot of a new size only when it is seen: pages resize their charts several times before that, and
// most charts of a page are below its visible part.
void ChartPlot::paintEvent(QPaintEvent* event) {
    if (std::exchange(resized_, false)) {
        const int before = shown_width_;
        redraw(false);
        shown_width_ = axisRect()->width();
        if (shown_width_ != before) requestView();
    }
    QCustomPlot::paintEvent(event);
}

void ChartPlot::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    update();
}
void ChartPlot::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    hideCrosshair();
}

void ChartPlot::keyPressEvent(QKeyEvent* event) {
    const QCPRange range = xAxis->range();
    const double centre = crosshair_->visible() ? crosshair_->point1->key()
                          : log_x_              ? std::sqrt(range.lower * range.upper)
                                                : range.center();
    const bool step = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal: zoomX(0.7, centre); return;
        case Qt::Key_Minus: zoomX(1 / 0.7, centre); return;
        case Qt::Key_0:
        case Qt::Key_Home: showAll(); return;
        case Qt::Key_Up:
        case Qt::Key_Down:
            scaleY(event->key() == Qt::Key_Up ? 0.8 : 1.25,
                   log_y_ ? std::sqrt(yAxis->range().lower * yAxis->range().upper) : yAxis->range().center());
            return;
        case Qt::Key_Left:
        case Qt::Key_Right: {
            const double direction = event->key() == Qt::Key_Left ? -1 : 1;
            if (!step) {
                panX(0.1 * direction);
                return;
            }
            // The crosshair moves by hundredths of the width.
            const double pixel =
                xAxis->coordToPixel(crosshair_->visible() ? crosshair_->point1->key() : centre) +
                direction * std::max(1.0, axisRect()->width() / 100.0);
            moveCrosshair(std::clamp(xAxis->pixelToCoord(pixel), range.lower, range.upper));
            Q_EMIT crosshairMoved(readout_->text());
            return;
        }
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (crosshair_->visible()) {
                // The point of the first visible series at the crosshair.
                for (const DrawnSeries& drawn : drawn_.drawn) {
                    const PreparedSeries& series = (*drawn_.series)[drawn.index];
                    const std::size_t i = series.line->nearest(crosshair_->point1->key());
                    if (i == series.line->curve().size()) continue;
                    const QPointF pixel(xAxis->coordToPixel(series.line->curve().x[i]),
                                        yAxis->coordToPixel(series.line->curve().y[i]));
                    if (const auto point = pointAt(pixel))
                        Q_EMIT pointClicked(*point, mapToGlobal(pixel.toPoint()));
                    return;
                }
            }
            return;
        case Qt::Key_Escape:
            if (readout_->isVisible()) {
                hideCrosshair();
                return;
            }
            break;
        default: break;
    }
    QCustomPlot::keyPressEvent(event);
}

// --- reading values

QString ChartPlot::valuesAt(double x) const {
    constexpr int kMax = 24;
    QString text = QStringLiteral("%1: %2").arg(titleOf(axis_),
                                                axis_ == XAxis::wall_time || axis_ == XAxis::train_time
                                                    ? durationText(x)
                                                    : countText(static_cast<std::int64_t>(std::llround(x))));
    int count = 0, more = 0;
    if (!drawn_.series) return text;
    for (const DrawnSeries& drawn : drawn_.drawn) {
        const PreparedSeries& series = (*drawn_.series)[drawn.index];
        const std::size_t i = series.raw->nearest(x);
        const CurveStatistics& s = series.raw->statistics();
        // Beyond its ends, a series has no values.
        if (i >= series.raw->curve().size() || x < s.first_x - 0.02 * xAxis->range().size() ||
            x > s.last_x + 0.02 * xAxis->range().size())
            continue;
        if (++count > kMax) {
            ++more;
            continue;
        }
        QString label = legendText(series);
        if (label.size() > 40) label = label.left(39) + QStringLiteral("…");
        text += QStringLiteral("\n%1: %2").arg(label, shortNumber(series.raw->curve().y[i]));
        if (series.line != series.raw)
            text += tr(" (smoothed %1)").arg(shortNumber(series.line->curve().y[i]));
        if (series.low)
            text += QLatin1Char(' ') + intervalText(series.low->curve().y[i], series.high->curve().y[i]);
    }
    if (more > 0) text += QLatin1Char('\n') + tr("and %n more", nullptr, more);
    return text;
}

void ChartPlot::moveCrosshair(double x) {
    crosshair_->point1->setCoords(x, 0);
    crosshair_->point2->setCoords(x, 1);
    if (log_y_) {
        crosshair_->point1->setCoords(x, 1);
        crosshair_->point2->setCoords(x, 2);
    }
    crosshair_->setVisible(true);
    const QString mark = marks_->textAt(xAxis->coordToPixel(x));
    readout_->setText(valuesAt(x) + (mark.isEmpty() ? QString() : QLatin1Char('\n') + mark));
    readout_->adjustSize();
    const QRect area = axisRect()->rect();
    const int at = static_cast<int>(xAxis->coordToPixel(x));
    const bool right = at + 12 + readout_->width() <= width();
    readout_->move(right ? at + 12 : std::max(0, at - 12 - readout_->width()),
                   std::max(0, std::min(area.top() + 6, height() - readout_->height())));
    readout_->show();
    redrawOverlay();
}

void ChartPlot::hideCrosshair() {
    if (!crosshair_->visible()) return;
    crosshair_->setVisible(false);
    readout_->hide();
    redrawOverlay();
}

std::optional<NearPoint> ChartPlot::pointAt(const QPointF& pixel) const {
    if (!drawn_.series || !axisRect()->rect().adjusted(-4, -4, 4, 4).contains(pixel.toPoint()))
        return std::nullopt;
    std::optional<NearPoint> nearest;
    double best = kPointReach;
    for (const DrawnSeries& drawn : drawn_.drawn) {
        for (const Curve* curve : {&drawn.line, &drawn.raw})
            for (std::size_t i = 0; i < curve->size(); ++i) {
                if (!std::isfinite(curve->y[i])) continue;
                const double dx = xAxis->coordToPixel(curve->x[i]) - pixel.x(),
                             dy = yAxis->coordToPixel(curve->y[i]) - pixel.y();
                const double distance = std::hypot(dx, dy);
                if (distance >= best) continue;
                best = distance;
                nearest = NearPoint{drawn_.series, drawn.index, 0, curve->x[i], curve->y[i], curve->x[i]};
            }
    }
    if (!nearest) return std::nullopt;
    // Finds the run and its step.
    const PreparedSeries& series = (*drawn_.series)[nearest->series];
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < series.runs.size(); ++r) {
        const LoadedCurve& run = series.runs[r];
        const std::size_t i = run.curve ? run.curve->nearest(nearest->x) : 0;
        if (!run.curve || i >= run.curve->curve().size()) continue;
        const double off = std::abs(run.curve->curve().y[i] - nearest->y);
        if (off < least) {
            least = off;
            nearest->run = r;
            nearest->step = (*run.steps)[i];
        }
    }
    return nearest;
}

void ChartPlot::drawInto(QCPPainter& painter, const QSize& size) {
    hideCrosshair();
    toPainter(&painter, size.width(), size.height());
}

}  // namespace seedbed::ui
