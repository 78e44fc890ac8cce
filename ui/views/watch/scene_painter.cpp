// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/scene_painter.hpp"

#include <algorithm>
#include <cmath>

#include <QImage>
#include <QPainter>
#include <QPainterPath>

namespace seedbed::ui {
namespace {

QColor toQt(Colour c) { return {c.r, c.g, c.b, c.a}; }

// Minimum line width in pixels, so that lines stay visible in small cells.
constexpr double kMinLineWidth = 0.8;

void paintFrame(QPainter& painter, const Scene& scene, const QRectF& place) {
    const QImage image(scene.frame.data(), scene.frame_width, scene.frame_height, scene.frame_width * 3,
                       QImage::Format_RGB888);
    // Enlarged frames have sharp pixels; reduced frames are smoothed to keep details.
    const bool smaller = place.width() < scene.frame_width;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, smaller);
    painter.drawImage(place, image);
}

void paintText(QPainter& painter, const Shape& shape, double scale) {
    QFont font = painter.font();
    // The cap height is about 0.7 of the font size.
    font.setPixelSize(100);
    painter.setFont(font);
    painter.save();
    painter.translate(static_cast<double>(shape.x), static_cast<double>(shape.y));
    painter.rotate(static_cast<double>(shape.angle) * 180 / M_PI);
    const double size = static_cast<double>(shape.h) / 70;
    painter.scale(size, -size);  // flips the text, since y points up
    painter.setPen(toQt(shape.fill));
    const QString text = QString::fromStdString(shape.text);
    if (scale * static_cast<double>(shape.h) >= 3)
        painter.drawText(QRectF(-5000, -200, 10000, 400), Qt::AlignCenter, text);
    painter.restore();
}

void paintShape(QPainter& painter, const Shape& shape, double scale) {
    const double thinnest = kMinLineWidth / scale;
    const auto width = std::max(static_cast<double>(shape.stroke_width), thinnest);
    const bool stroked = shape.stroke.a > 0 && (shape.stroke_width > 0 || shape.kind == Shape::Kind::line);
    painter.setPen(stroked ? QPen(toQt(shape.stroke), width, Qt::SolidLine,
                                  shape.kind == Shape::Kind::line ? Qt::RoundCap : Qt::FlatCap, Qt::MiterJoin)
                           : QPen(Qt::NoPen));
    painter.setBrush(shape.fill.a > 0 ? QBrush(toQt(shape.fill)) : QBrush(Qt::NoBrush));
    const QPointF at(static_cast<double>(shape.x), static_cast<double>(shape.y));
    switch (shape.kind) {
        case Shape::Kind::rectangle: {
            painter.save();
            painter.translate(at);
            painter.rotate(static_cast<double>(shape.angle) * 180 / M_PI);
            const auto w = static_cast<double>(shape.w), h = static_cast<double>(shape.h);
            painter.drawRect(QRectF(-w / 2, -h / 2, w, h));
            painter.restore();
            break;
        }
        case Shape::Kind::circle:
            painter.drawEllipse(at, static_cast<double>(shape.radius), static_cast<double>(shape.radius));
            break;
        case Shape::Kind::line:
            painter.drawLine(at, at + QPointF(static_cast<double>(shape.w), static_cast<double>(shape.h)));
            break;
        case Shape::Kind::polygon: {
            QPolygonF polygon;
            for (std::size_t i = 0; i + 1 < shape.points.size(); i += 2)
                polygon << QPointF(static_cast<double>(shape.points[i]),
                                   static_cast<double>(shape.points[i + 1]));
            painter.drawPolygon(polygon);
            break;
        }
        case Shape::Kind::text: paintText(painter, shape, scale); break;
    }
}

}  // namespace

QRectF scenePlace(const Scene& scene, const QRectF& area) {
    double width = static_cast<double>(scene.right - scene.left),
           height = static_cast<double>(scene.top - scene.bottom);
    if (scene.frame_width > 0 && scene.frame_height > 0) {
        width = scene.frame_width;
        height = scene.frame_height;
    }
    if (!(width > 0 && height > 0)) return area;
    const double scale = std::min(area.width() / width, area.height() / height);
    QRectF place(0, 0, width * scale, height * scale);
    place.moveCenter(area.center());
    return place;
}

bool isOnPaper(const Scene& scene) {
    return scene.frame_width == 0 && scene.background == Colour{255, 255, 255, 255};
}

// Hue and saturation stay; the lightness of white becomes that of the stage, and the lightness of black kInk.
Scene onStage(Scene scene, const QColor& stage) {
    constexpr float kInk = 0.93F;
    const float paper = stage.lightnessF();
    const auto turn = [&](Colour& colour) {
        float hue = 0, saturation = 0, lightness = 0;
        QColor(colour.r, colour.g, colour.b).getHslF(&hue, &saturation, &lightness);
        const QColor made =
            QColor::fromHslF(std::max(0.0F, hue), saturation, kInk + lightness * (paper - kInk));
        colour = {static_cast<std::uint8_t>(made.red()), static_cast<std::uint8_t>(made.green()),
                  static_cast<std::uint8_t>(made.blue()), colour.a};
    };
    for (Shape& shape : scene.shapes) {
        turn(shape.fill);
        turn(shape.stroke);
    }
    scene.background = {static_cast<std::uint8_t>(stage.red()), static_cast<std::uint8_t>(stage.green()),
                        static_cast<std::uint8_t>(stage.blue()), 255};
    return scene;
}

void paintScene(QPainter& painter, const Scene& scene, const QRectF& area) {
    const QRectF place = scenePlace(scene, area);
    painter.save();
    painter.setClipRect(place);
    painter.fillRect(place, toQt(scene.background));
    if (scene.frame_width > 0 && scene.frame_height > 0) paintFrame(painter, scene, place);
    painter.setRenderHint(QPainter::Antialiasing);
    // In world coordinates, x points to the right and y up.
    const double world_width = static_cast<double>(scene.right - scene.left),
                 world_height = static_cast<double>(scene.top - scene.bottom);
    if (world_width > 0 && world_height > 0) {
        const double scale = place.width() / world_width;
        painter.translate(place.bottomLeft());
        painter.scale(scale, -place.height() / world_height);
        painter.translate(-static_cast<double>(scene.left), -static_cast<double>(scene.bottom));
        for (const Shape& shape : scene.shapes) paintShape(painter, shape, scale);
    }
    painter.restore();
}

}  // namespace seedbed::ui
