// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/charts/axis_marks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/models/catalogue.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {

std::vector<ChartLevel> levelsOf(const Catalogue& catalogue, const QString& env, std::optional<double> goal) {
    std::vector<ChartLevel> levels;
    if (goal) levels.push_back({*goal, AxisMarks::tr("goal %1").arg(shortNumber(*goal)), true});
    const EnvInfo* known = catalogue.environment(env);
    if (known != nullptr && known->random_return)
        levels.push_back(
            {*known->random_return, AxisMarks::tr("random play %1").arg(shortNumber(*known->random_return))});
    return levels;
}

AxisMarks::AxisMarks(QCPAxisRect* rect)
    : QCPLayerable(rect->parentPlot(), QStringLiteral("overlay")), rect_(rect) {}

void AxisMarks::applyDefaultAntialiasingHint(QCPPainter* painter) const { painter->setAntialiasing(true); }

// Labels end at the right edge: that of the goal below its line, since curves end above it; others above.
void AxisMarks::drawLevels(QCPPainter& painter) const {
    const QRect area = rect_->rect();
    const int tall = painter.fontMetrics().height();
    for (const ChartLevel& level : levels_) {
        const double y = rect_->axis(QCPAxis::atLeft)->coordToPixel(level.y);
        if (!(y >= area.top() && y <= area.bottom())) continue;
        const QColor colour = level.goal ? goal_ : quiet_;
        painter.setPen(QPen(colour, level.goal ? 1.5 : 1, level.goal ? Qt::DashLine : Qt::DotLine));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(colour);
        const bool below = level.goal ? y + tall + 1 < area.bottom() : y - tall - 1 < area.top();
        painter.drawText(QRectF(area.left(), below ? y + 1 : y - tall - 1, area.width() - 4, tall),
                         Qt::AlignRight | Qt::AlignVCenter, level.text);
    }
}

// The label is at half height, right of the line if it fits there.
void AxisMarks::drawSolved(QCPPainter& painter, const ChartMark& mark, double x) const {
    const QRect area = rect_->rect();
    QColor faint = goal_;
    faint.setAlphaF(0.6F);
    painter.setPen(QPen(faint, 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const double wide = painter.fontMetrics().horizontalAdvance(mark.text) + 4;
    const bool right = x + wide + 4 < area.right();
    painter.setPen(goal_);
    painter.drawText(
        QRectF(right ? x + 4 : x - 4 - wide, area.center().y(), wide, painter.fontMetrics().height()),
        (right ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, mark.text);
}

void AxisMarks::draw(QCPPainter* painter) {
    const QRect area = rect_->rect();
    const QCPAxis* axis = rect_->axis(QCPAxis::atBottom);
    double last_tick = -1e9, last_triangle = -1e9;
    const QString word = tr("resumed");
    std::vector<double> word_positions;  // x of the labels drawn so far
    painter->setFont(parentPlot()->font());
    drawLevels(*painter);
    for (const ChartMark& mark : marks_) {
        const double x = axis->coordToPixel(mark.x);
        if (!(x >= area.left() && x <= area.right())) continue;
        const double foot = area.bottom();
        if (mark.kind == ChartMark::Kind::solved) {
            drawSolved(*painter, mark, x);
            continue;
        }
        if (mark.kind == ChartMark::Kind::evaluation) {
            // Skips ticks that are too close, since hundreds of them would merge into a bar.
            if (x - last_tick < 3) continue;
            last_tick = x;
            painter->setPen(QPen(quiet_, 1));
            painter->drawLine(QPointF(x, foot), QPointF(x, foot - 5));
            continue;
        }
        const bool resume = mark.kind == ChartMark::Kind::resume;
        if (resume) {
            painter->setPen(QPen(strong_, 1, Qt::DashLine));
            painter->drawLine(QPointF(x, area.top()), QPointF(x, foot));
            // Labels the line if there is room; the crosshair shows the time and the run.
            const double wide = painter->fontMetrics().horizontalAdvance(word) + 8;
            const bool free = std::all_of(word_positions.begin(), word_positions.end(),
                                          [&](double other) { return std::abs(x - other) > wide; });
            if (free && x + wide < area.right()) {
                painter->drawText(QPointF(x + 4, area.top() + painter->fontMetrics().ascent() + 2), word);
                word_positions.push_back(x);
            }
        } else if (x - last_triangle < 6) {
            continue;
        }
        last_triangle = x;
        const double size = resume ? 6 : 4;
        painter->setPen(Qt::NoPen);
        painter->setBrush(resume ? strong_ : quiet_);
        painter->drawPolygon(
            QPolygonF({QPointF(x, foot - 1.5 * size), QPointF(x - size, foot), QPointF(x + size, foot)}));
    }
}

QString AxisMarks::textAt(double pixel_x) const {
    constexpr double kReach = 5;
    const QCPAxis* axis = rect_->axis(QCPAxis::atBottom);
    std::array<const ChartMark*, 4> nearest{};
    std::array<double, 4> distance{kReach, kReach, kReach, kReach};
    for (const ChartMark& mark : marks_) {
        const auto kind = static_cast<std::size_t>(mark.kind);
        const double off = std::abs(axis->coordToPixel(mark.x) - pixel_x);
        if (off <= distance[kind]) {
            distance[kind] = off;
            nearest[kind] = &mark;
        }
    }
    QStringList lines;
    for (const ChartMark* mark : nearest)
        if (mark != nullptr && !lines.contains(mark->text)) lines << mark->text;
    return lines.join(QLatin1Char('\n'));
}

}  // namespace seedbed::ui
