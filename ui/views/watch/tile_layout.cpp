// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/tile_layout.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed::ui {

QRectF TileLayout::tile(int place) const {
    const double width = area.width() / columns, height = area.height() / rows;
    return {area.left() + (place % columns) * width, area.top() + (place / columns) * height, width, height};
}

int TileLayout::at(const QPointF& point) const {
    if (!area.contains(point)) return -1;
    const int column =
                  std::min(columns - 1, static_cast<int>((point.x() - area.left()) / area.width() * columns)),
              row = std::min(rows - 1, static_cast<int>((point.y() - area.top()) / area.height() * rows));
    const int place = row * columns + column;
    return place < count ? place : -1;
}

TileLayout layOutTiles(int count, const QRectF& area, double aspect, double extra) {
    TileLayout best{area, count, 1, std::max(1, count)};
    double widest = 0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double width = std::min(area.width() / columns, (area.height() / rows - extra) * aspect);
        if (width <= widest) continue;
        widest = width;
        best.columns = columns;
        best.rows = rows;
    }
    return best;
}

QPointF CanvasView::map(const QPointF& point, const QRectF& area) const {
    return area.topLeft() + offset + (point - area.topLeft()) * zoom;
}

QRectF CanvasView::map(const QRectF& part, const QRectF& area) const {
    return {map(part.topLeft(), area), part.size() * zoom};
}

QPointF CanvasView::unmap(const QPointF& point, const QRectF& area) const {
    return area.topLeft() + (point - area.topLeft() - offset) / zoom;
}

void CanvasView::zoomBy(double factor, const QPointF& fixed, const QRectF& area) {
    const QPointF before = unmap(fixed, area);
    zoom *= factor;
    limit(area);
    panBy(fixed - map(before, area), area);
}

void CanvasView::panBy(const QPointF& distance, const QRectF& area) {
    offset += distance;
    limit(area);
}

void CanvasView::limit(const QRectF& area) {
    zoom = std::clamp(zoom, 1.0, kMaxZoom);
    offset = {std::clamp(offset.x(), std::min(0.0, (1 - zoom) * area.width()), 0.0),
              std::clamp(offset.y(), std::min(0.0, (1 - zoom) * area.height()), 0.0)};
}

bool CanvasView::approach(const CanvasView& goal, double seconds) {
    constexpr double kTimeConstant = 0.05;  // seconds
    const double share = 1 - std::exp(-seconds / kTimeConstant);
    // Zoom and offset are linear in the same share, so that the fixed point of a zoom does not move.
    zoom += (goal.zoom - zoom) * share;
    offset += (goal.offset - offset) * share;
    const QPointF left = goal.offset - offset;
    if (std::abs(goal.zoom - zoom) > 1e-3 * goal.zoom || std::abs(left.x()) + std::abs(left.y()) > 0.5)
        return true;
    *this = goal;
    return false;
}

}  // namespace seedbed::ui
