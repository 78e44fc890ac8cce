// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes that the style and own widgets draw. Thread: GUI.
#pragma once

#include <QColor>
#include <QPainter>
#include <QPixmap>
#include <QRectF>

namespace seedbed::ui {

// Saves the painter, sets antialiasing, and restores it.
class PainterState {
public:
    explicit PainterState(QPainter& painter) : painter_(painter) {
        painter_.save();
        painter_.setRenderHint(QPainter::Antialiasing);
    }
    ~PainterState() { painter_.restore(); }
    PainterState(const PainterState&) = delete;
    PainterState& operator=(const PainterState&) = delete;

private:
    QPainter& painter_;
};

// A rounded rectangle with an outline of `width` inside `area`. Transparent colours are not drawn.
void drawRounded(QPainter& painter, const QRectF& area, qreal radius, const QColor& fill,
                 const QColor& outline = Qt::transparent, qreal width = 1);
// A card with its shadow, which takes the last 2 pixels of `area`.
void drawCard(QPainter& painter, const QRectF& area, const QColor& fill, const QColor& outline);
// The arrowhead of combo boxes and menus, pointing down, left, up or right (0 to 3 quarter turns).
void drawChevron(QPainter& painter, const QRectF& area, const QColor& colour, int quarter_turns = 0);
void drawCheckMark(QPainter& painter, const QRectF& area, const QColor& colour);
// A picture of one colour with the opacity of `picture`.
QPixmap coloured(QPixmap picture, const QColor& colour);
QColor mixed(const QColor& a, const QColor& b, double part_of_b);

}  // namespace seedbed::ui
