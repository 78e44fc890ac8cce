// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/style/paint.hpp"

#include <algorithm>
#include <cmath>

#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {

void drawRounded(QPainter& painter, const QRectF& area, qreal radius, const QColor& fill,
                 const QColor& outline, qreal width) {
    const PainterState state(painter);
    const bool has_line = outline.alpha() > 0;
    painter.setPen(has_line ? QPen(outline, width) : QPen(Qt::NoPen));
    painter.setBrush(fill.alpha() > 0 ? QBrush(fill) : QBrush(Qt::NoBrush));
    const qreal inset = has_line ? width / 2 : 0;
    const QRectF inner = area.adjusted(inset, inset, -inset, -inset);
    const qreal corner = std::min({radius, inner.width() / 2, inner.height() / 2});
    painter.drawRoundedRect(inner, corner, corner);
}

void drawCard(QPainter& painter, const QRectF& area, const QColor& fill, const QColor& outline) {
    const QRectF body = area.adjusted(0, 0, 0, -2);
    if (const QColor shadow = tokens().shadow; shadow.alpha() > 0)
        for (const int depth : {2, 1})
            drawRounded(painter, body.translated(0, depth), kCardRadius, shadow.lighter(100 + 30 * depth));
    drawRounded(painter, body, kCardRadius, fill, outline);
}

void drawChevron(QPainter& painter, const QRectF& area, const QColor& colour, int quarter_turns) {
    const PainterState state(painter);
    painter.translate(area.center());
    painter.rotate(90 * quarter_turns);
    painter.setPen(QPen(colour, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF points[]{{-4, -2}, {0, 2}, {4, -2}};
    painter.drawPolyline(points, 3);
}

void drawCheckMark(QPainter& painter, const QRectF& area, const QColor& colour) {
    const PainterState state(painter);
    painter.setPen(QPen(colour, area.width() / 8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const auto at = [&](double x, double y) {
        return area.topLeft() + QPointF(x * area.width(), y * area.height());
    };
    const QPointF points[]{at(0.25, 0.53), at(0.43, 0.7), at(0.76, 0.32)};
    painter.drawPolyline(points, 3);
}

QPixmap coloured(QPixmap picture, const QColor& colour) {
    QPainter painter(&picture);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(picture.rect(), colour);
    return picture;
}

QColor mixed(const QColor& a, const QColor& b, double part_of_b) {
    const auto mix = [&](int x, int y) { return x + static_cast<int>(std::lround((y - x) * part_of_b)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()),
            mix(a.alpha(), b.alpha())};
}

}  // namespace seedbed::ui
