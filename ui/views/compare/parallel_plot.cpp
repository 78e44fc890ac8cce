// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/parallel_plot.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr double kAxisGap = 88, kLabelSpace = 64, kTopMargin = 48;
constexpr double kAxisReach = 12, kLineReach = 7, kLabelGap = 7;
constexpr double kPlotHeight = 70;  // of the axes, at least
constexpr std::size_t kMaxLabels = 12;

double distanceTo(QPointF at, QPointF a, QPointF b) {
    const QPointF along = b - a, off = at - a;
    const double length = QPointF::dotProduct(along, along);
    const double part = length > 0 ? std::clamp(QPointF::dotProduct(off, along) / length, 0.0, 1.0) : 0;
    const QPointF rest = off - part * along;
    return std::hypot(rest.x(), rest.y());
}

}  // namespace

ParallelPlot::ParallelPlot(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Parallel coordinates"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme_, &Theme::changed, this, [this] { update(); });
}

void ParallelPlot::setData(ParallelData data) {
    const auto fields = [](const ParallelData& some) {
        QStringList names;
        for (const ParallelAxis& axis : some.axes) names << axis.field;
        return names;
    };
    std::optional<std::size_t> selected;
    for (std::size_t i = 0; i < data.lines.size(); ++i)
        if (selected_ && data.lines[i].run == data_.lines[*selected_].run) selected = i;
    if (fields(data) != fields(data_)) {
        ranges_.assign(data.axes.size(), std::nullopt);
        axis_ = data.axes.empty() ? 0 : data.axes.size() - 1;
    }
    dragged_.reset();
    hovered_.reset();
    selected_ = selected;
    data_ = std::move(data);
    updateGeometry();
    refresh();
}

// Also updates the description for screen readers.
void ParallelPlot::refresh() {
    update();
    const auto inside =
        static_cast<int>(std::count_if(data_.lines.begin(), data_.lines.end(), [&](const ParallelLine& line) {
            return isInside(static_cast<std::size_t>(&line - &data_.lines[0]));
        }));
    QString text = tr("%n run(s) inside the ranges.", nullptr, inside);
    if (axis_ < data_.axes.size()) text += QLatin1Char(' ') + tr("Axis: %1.").arg(data_.axes[axis_].title);
    if (const QString of_run = textOf(shown()); !of_run.isEmpty()) text += QLatin1Char(' ') + of_run;
    if (text != accessibleDescription()) setAccessibleDescription(text);
    Q_EMIT changed();
}

void ParallelPlot::setRange(std::size_t axis, std::optional<std::pair<double, double>> range) {
    ranges_[axis] = range;
    refresh();
}

bool ParallelPlot::hasRanges() const {
    return std::any_of(ranges_.begin(), ranges_.end(), [](const auto& range) { return range.has_value(); });
}

void ParallelPlot::clearRanges() {
    ranges_.assign(ranges_.size(), std::nullopt);
    refresh();
}

bool ParallelPlot::isInside(std::size_t line) const {
    constexpr double kTolerance = 1e-9;
    for (std::size_t a = 0; a < ranges_.size(); ++a)
        if (ranges_[a]) {
            const double place = data_.lines[line].places[a];
            // NaN is outside.
            if (!(place >= ranges_[a]->first - kTolerance && place <= ranges_[a]->second + kTolerance))
                return false;
        }
    return true;
}

int ParallelPlot::insideCount() const {
    int count = 0;
    for (std::size_t i = 0; i < data_.lines.size(); ++i) count += isInside(i) ? 1 : 0;
    return count;
}

void ParallelPlot::select(std::optional<std::size_t> line) {
    selected_ = line;
    refresh();
}

QString ParallelPlot::textOf(std::optional<std::size_t> line) const {
    if (!line || data_.axes.empty()) return {};
    QStringList values;
    for (std::size_t a = 0; a < data_.axes.size(); ++a)
        values << data_.axes[a].title + QStringLiteral(" ") +
                      data_.lines[*line].texts[static_cast<qsizetype>(a)];
    return data_.lines[*line].name + QStringLiteral(": ") + values.join(QStringLiteral(", "));
}

QSize ParallelPlot::minimumSizeHint() const {
    const double gaps = data_.axes.empty() ? 0 : static_cast<double>(data_.axes.size() - 1);
    return {static_cast<int>(2 * kLabelSpace + gaps * kAxisGap),
            static_cast<int>(kTopMargin + kPlotHeight) + 2 * fontMetrics().height()};
}

double ParallelPlot::xOf(std::size_t axis) const {
    if (data_.axes.size() < 2) return width() / 2.0;
    return kLabelSpace + (width() - 2 * kLabelSpace) * static_cast<double>(axis) /
                             static_cast<double>(data_.axes.size() - 1);
}

// Runs without a value are below the axis.
double ParallelPlot::yOf(double place) const {
    const double bottom = height() - 2.2 * fontMetrics().height();
    return std::isnan(place) ? height() - 0.7 * fontMetrics().height()
                             : bottom - place * (bottom - kTopMargin);
}

double ParallelPlot::placeAt(double y) const {
    return std::clamp((yOf(0) - y) / (yOf(0) - yOf(1)), 0.0, 1.0);
}

QPointF ParallelPlot::pointOf(std::size_t line, std::size_t axis) const {
    return {xOf(axis), yOf(data_.lines[line].places[axis])};
}

// Blue for the lowest scores, orange for the highest, which people with colour blindness can distinguish.
QColor ParallelPlot::colourOf(std::size_t line) const {
    const double score = data_.lines[line].score();
    return std::isnan(score) ? theme_.quiet() : mixed(theme_.seriesColour(0), theme_.seriesColour(1), score);
}

std::optional<std::size_t> ParallelPlot::axisAt(QPointF at) const {
    for (std::size_t a = 0; a < data_.axes.size(); ++a)
        if (std::abs(at.x() - xOf(a)) <= kAxisReach) return a;
    return std::nullopt;
}

std::optional<std::size_t> ParallelPlot::lineAt(QPointF at) const {
    std::optional<std::size_t> nearest;
    double best = kLineReach;
    for (std::size_t i = 0; i < data_.lines.size(); ++i) {
        if (!isInside(i)) continue;
        for (std::size_t a = 0; a + 1 < data_.axes.size(); ++a) {
            if (at.x() < xOf(a) - kLineReach || at.x() > xOf(a + 1) + kLineReach) continue;
            const double off = distanceTo(at, pointOf(i, a), pointOf(i, a + 1));
            if (off < best) {
                best = off;
                nearest = i;
            }
        }
    }
    return nearest;
}

void ParallelPlot::drawLine(QPainter& painter, std::size_t line, double width, const QColor& colour) const {
    QPainterPath path(pointOf(line, 0));
    for (std::size_t a = 1; a < data_.axes.size(); ++a) path.lineTo(pointOf(line, a));
    painter.setPen(QPen(colour, width));
    painter.drawPath(path);
}

void ParallelPlot::drawAxis(QPainter& painter, std::size_t a) const {
    const ParallelAxis& axis = data_.axes[a];
    const double x = xOf(a);
    const bool focused = hasFocus() && a == axis_;
    painter.setPen(QPen(focused ? tokens().accent : tokens().faint, focused ? 2.5 : 1.25));
    painter.drawLine(QPointF(x, yOf(0)), QPointF(x, yOf(1)));
    if (const auto& range = ranges_[a]) {
        QColor fill = tokens().accent;
        fill.setAlphaF(0.22F);
        const QRectF area(QPointF(x - kAxisReach / 2, yOf(range->second) - 2),
                          QPointF(x + kAxisReach / 2, yOf(range->first) + 2));
        drawRounded(painter, area, 3, fill, tokens().accent, 1.5);
    }
    const QFontMetricsF metrics(font());
    const double column = kAxisGap - 4;
    painter.setPen(focused ? tokens().accent : tokens().text);
    painter.drawText(QRectF(x - column / 2, 2, column, metrics.height()), Qt::AlignCenter,
                     metrics.elidedText(axis.title, Qt::ElideMiddle, column));
    if (axis.scale == ParallelAxis::Scale::logarithmic) {
        painter.setPen(theme_.quiet());
        painter.drawText(QRectF(x - column / 2, 2 + metrics.height(), column, metrics.height()),
                         Qt::AlignCenter, tr("log"));
    }
    // Labels are to the right of their axis on a background, since lines cross them; those of the score,
    // which is at the edge, too.
    const double label_width = kLabelSpace - kLabelGap - 4;
    const auto label = [&](double y, const QString& text) {
        const QString shown = metrics.elidedText(text, Qt::ElideMiddle, label_width);
        const QRectF area(x + kLabelGap, y - metrics.height() / 2, metrics.horizontalAdvance(shown) + 4,
                          metrics.height());
        QColor behind = tokens().surface;
        behind.setAlphaF(0.8F);
        painter.fillRect(area, behind);
        painter.setPen(theme_.quiet());
        painter.drawText(area, Qt::AlignCenter, shown);
    };
    if (axis.scale == ParallelAxis::Scale::categories) {
        const auto count = static_cast<std::size_t>(axis.categories.size());
        const std::size_t step = (count + kMaxLabels - 1) / kMaxLabels;
        for (std::size_t i = 0; i < count; i += step)
            label(yOf(axis.placeOf(static_cast<double>(i))), axis.categories[static_cast<qsizetype>(i)]);
    } else if (axis.high > axis.low) {
        for (const double place : {0.0, 1.0}) label(yOf(place), axis.textAt(place));
        if (const QString middle = axis.textAt(0.5); metrics.horizontalAdvance(middle) <= label_width)
            label(yOf(0.5), middle);
    } else {
        label(yOf(0.5), axis.textAt(0.5));
    }
    if (std::any_of(data_.lines.begin(), data_.lines.end(),
                    [&](const ParallelLine& line) { return std::isnan(line.places[a]); }))
        label(yOf(std::nan("")), tr("none"));
}

void ParallelPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), tokens().surface);
    if (data_.axes.empty()) return;
    // Lines outside the ranges first, then by increasing score, so that the best ones are on top.
    std::vector<std::size_t> order(data_.lines.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::size_t i) {
        const double score = data_.lines[i].score();
        return std::pair(isInside(i), std::isnan(score) ? -1 : score);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    const bool many = order.size() > 60;
    for (const std::size_t line : order) {
        QColor colour = colourOf(line);
        const bool inside = isInside(line);
        colour.setAlphaF(!inside ? 0.10F : shown() ? 0.35F : many ? 0.55F : 0.85F);
        drawLine(painter, line, inside && !many ? 1.75 : 1.25, colour);
    }
    if (const auto line = shown()) {
        drawLine(painter, *line, 6, tokens().surface);
        drawLine(painter, *line, 3, colourOf(*line));
        painter.setBrush(colourOf(*line));
        painter.setPen(QPen(tokens().surface, 1.5));
        for (std::size_t a = 0; a < data_.axes.size(); ++a) painter.drawEllipse(pointOf(*line, a), 4.5, 4.5);
    }
    for (std::size_t a = 0; a < data_.axes.size(); ++a) drawAxis(painter, a);
}

void ParallelPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto axis = axisAt(event->position())) {
        dragged_ = axis;
        axis_ = *axis;
        pressed_at_ = placeAt(event->position().y());
        moved_ = false;
    } else {
        selected_ = lineAt(event->position());
    }
    refresh();
}

void ParallelPlot::mouseMoveEvent(QMouseEvent* event) {
    if (dragged_) {
        const double place = placeAt(event->position().y());
        moved_ = moved_ || std::abs(yOf(place) - yOf(pressed_at_)) >= 3;
        if (moved_) setRange(*dragged_, std::minmax(pressed_at_, place));
        return;
    }
    setCursor(axisAt(event->position()) ? Qt::SizeVerCursor : Qt::ArrowCursor);
    if (const auto over = lineAt(event->position()); over != hovered_) {
        hovered_ = over;
        refresh();
    }
}

// A click on an axis without dragging clears its range.
void ParallelPlot::mouseReleaseEvent(QMouseEvent*) {
    if (dragged_ && !moved_) setRange(*dragged_, std::nullopt);
    dragged_.reset();
}

void ParallelPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto line = lineAt(event->position())) Q_EMIT runRequested(data_.lines[*line].run);
}

void ParallelPlot::leaveEvent(QEvent*) {
    if (!hovered_) return;
    hovered_.reset();
    refresh();
}

// The next run inside the ranges by score, skipping none of equal scores.
void ParallelPlot::selectNext(int by) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < data_.lines.size(); ++i)
        if (isInside(i)) order.push_back(i);
    if (order.empty()) return select(std::nullopt);
    const auto score = [&](std::size_t i) {
        return std::isnan(data_.lines[i].score()) ? -1 : data_.lines[i].score();
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return score(a) < score(b); });
    const auto at = selected_ ? std::find(order.begin(), order.end(), *selected_) : order.end();
    if (at == order.end()) return select(order.back());
    const auto next = (at - order.begin()) + by;
    select(order[static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(next, 0, static_cast<std::ptrdiff_t>(order.size()) - 1))]);
}

// Makes the value of the selected run one end of the range on the current axis.
void ParallelPlot::limit(bool upper) {
    if (!selected_ || std::isnan(data_.lines[*selected_].places[axis_])) return;
    const double place = data_.lines[*selected_].places[axis_];
    auto [low, high] = ranges_[axis_].value_or(std::pair(0.0, 1.0));
    if (upper) {
        high = place;
        if (low > high) low = 0;
    } else {
        low = place;
        if (high < low) high = 1;
    }
    setRange(axis_, std::pair(low, high));
}

void ParallelPlot::keyPressEvent(QKeyEvent* event) {
    if (data_.axes.empty()) return QWidget::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (event->key() == Qt::Key_Left && axis_ > 0) --axis_;
            if (event->key() == Qt::Key_Right && axis_ + 1 < data_.axes.size()) ++axis_;
            Q_EMIT axisFocused(static_cast<int>(xOf(axis_)));
            refresh();
            break;
        case Qt::Key_Up: selectNext(1); break;
        case Qt::Key_Down: selectNext(-1); break;
        case Qt::Key_PageUp: limit(true); break;
        case Qt::Key_PageDown: limit(false); break;
        case Qt::Key_Delete:
        case Qt::Key_Backspace: setRange(axis_, std::nullopt); break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (selected_) Q_EMIT runRequested(data_.lines[*selected_].run);
            break;
        case Qt::Key_Escape:
            if (!hasRanges() && !selected_) return QWidget::keyPressEvent(event);
            selected_.reset();
            clearRanges();
            break;
        default: return QWidget::keyPressEvent(event);
    }
}

bool ParallelPlot::event(QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto axis = axisAt(help->pos());
    const QString text = axis && help->pos().y() < kTopMargin ? data_.axes[*axis].field
                         : axis ? tr("Drag to select a range; click to clear it.")
                                : textOf(lineAt(help->pos()));
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace seedbed::ui
