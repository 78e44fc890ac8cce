// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/paint_canvas.hpp"

#include <utility>

#include <QPainter>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/watch/scene_painter.hpp"

namespace seedbed::ui {
namespace {

void paintMark(QPainter& painter, const CanvasMark& mark) {
    painter.setBrush(mark.kind == CanvasMark::Kind::fill ? QBrush(mark.colour) : QBrush(Qt::NoBrush));
    painter.setPen(mark.kind == CanvasMark::Kind::fill ? QPen(Qt::NoPen) : QPen(mark.colour, mark.width));
    switch (mark.kind) {
        case CanvasMark::Kind::fill:
            if (mark.radius == 0) return painter.fillRect(mark.area, mark.colour);
            return painter.drawRoundedRect(mark.area, mark.radius, mark.radius);
        case CanvasMark::Kind::outline: {
            const QRectF sharp = mark.area.adjusted(0.5, 0.5, -0.5, -0.5);  // along the centres of pixels
            return painter.drawRoundedRect(sharp, mark.radius, mark.radius);
        }
        case CanvasMark::Kind::line:
            return painter.drawPolyline(mark.points.data(), static_cast<int>(mark.points.size()));
        case CanvasMark::Kind::text:
            return painter.drawText(mark.area, static_cast<int>(mark.alignment | Qt::AlignVCenter),
                                    mark.text);
    }
}

QRect pixelsOf(const CanvasMark& mark) {
    const QRectF area = mark.kind == CanvasMark::Kind::line
                            ? QPolygonF(QList<QPointF>(mark.points.begin(), mark.points.end())).boundingRect()
                            : mark.area;
    const double edge = mark.width + 1;  // of the pen, and of antialiasing
    return area.adjusted(-edge, -edge, edge, edge).toAlignedRect();
}

// Where the pictures differ: filling a large canvas would take most of the time of a frame.
QRegion changesOf(const CanvasPicture& before, const CanvasPicture& now, const QRect& all) {
    if (before.background != now.background || before.font != now.font ||
        before.tiles.size() != now.tiles.size() || before.marks.size() != now.marks.size())
        return all;
    QRegion changes;
    for (std::size_t i = 0; i < now.tiles.size(); ++i)
        for (const CanvasTile* tile : {&before.tiles[i], &now.tiles[i]})
            changes += tile->place.toAlignedRect();
    for (std::size_t i = 0; i < now.marks.size(); ++i)
        if (before.marks[i] != now.marks[i])
            for (const CanvasMark* mark : {&before.marks[i], &now.marks[i]}) changes += pixelsOf(*mark);
    return changes;
}

}  // namespace

PaintCanvas::PaintCanvas(QWidget* parent, qreal radius) : QWidget(parent), radius_(radius) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);  // so that the card and the page are not painted below it
}

void PaintCanvas::show(std::shared_ptr<const CanvasPicture> picture) {
    const auto before = std::exchange(picture_, std::move(picture));
    update(before && picture_ ? changesOf(*before, *picture_, rect()) : QRegion(rect()));
}

void PaintCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor background = picture_ ? picture_->background : palette().color(QPalette::Window);
    painter.fillRect(rect(), radius_ > 0 ? tokens().background : background);
    if (radius_ > 0)
        drawRounded(painter, QRectF(rect()).adjusted(-1, -1, 1, radius_), radius_, background, tokens().line);
    if (!picture_) return;
    for (const CanvasTile& tile : picture_->tiles) paintScene(painter, *tile.scene, tile.place);
    painter.setFont(picture_->font);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const CanvasMark& mark : picture_->marks) paintMark(painter, mark);
    ++drawn_;
}

}  // namespace seedbed::ui
