// SPDX-License-Identifier: GPL-3.0-or-later
// Where the tiles of a canvas are, and which part of them is visible. Lengths are logical pixels.
#pragma once

#include <QPointF>
#include <QRectF>

namespace seedbed::ui {

// A grid of equal tiles, row by row. Each contains a picture and below it a caption.
struct TileLayout {
    QRectF area{};
    int count = 0, columns = 1, rows = 1;

    QRectF tile(int place) const;
    // The tile at this point, -1 if there is none.
    int at(const QPointF& point) const;
};

// The number of columns maximises the width of the pictures. `aspect`: their width divided by their height.
// `extra`: height of a tile that is not available to the picture.
TileLayout layOutTiles(int count, const QRectF& area, double aspect, double extra);

// The visible part of an area: enlarged and moved, so that it always covers the area.
struct CanvasView {
    static constexpr double kMaxZoom = 16;

    double zoom = 1;   // 1 to kMaxZoom
    QPointF offset{};  // of the enlarged area's top left corner; not positive

    QPointF map(const QPointF& point, const QRectF& area) const;
    QRectF map(const QRectF& part, const QRectF& area) const;
    QPointF unmap(const QPointF& point, const QRectF& area) const;
    // `fixed`: the point that stays where it is, unless a limit moves it.
    void zoomBy(double factor, const QPointF& fixed, const QRectF& area);
    void panBy(const QPointF& distance, const QRectF& area);
    // Keeps the limits after the area has changed.
    void limit(const QRectF& area);
    // Moves towards `goal` for `seconds`; false once it is reached.
    bool approach(const CanvasView& goal, double seconds);
    bool operator==(const CanvasView&) const = default;
};

}  // namespace seedbed::ui
