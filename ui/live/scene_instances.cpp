// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/scene_instances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace seedbed::ui::live {
namespace {

constexpr float kMinLineWidth = 0.8F;  // pixels, as in PaintCanvas

using Point = std::array<float, 2>;

// Twice the area of a triangle, positive if its corners are counter-clockwise (y up).
float cross(const Point& a, const Point& b, const Point& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

class Writer {
public:
    Writer(const Scene& scene, const QRectF& place, std::vector<ShapeInstance>& out)
        : scene_(scene), out_(out) {
        left_ = static_cast<float>(place.left());
        bottom_ = static_cast<float>(place.bottom());
        across_ = static_cast<float>(place.width()) / (scene.right - scene.left);
        up_ = static_cast<float>(place.height()) / (scene.top - scene.bottom);
    }

    void rectangle(const QRectF& place, Colour fill) {
        out_.push_back({.a = centre(place), .b = half(place), .c = {1, 0}, .fill = colour(fill)});
    }
    void picture(const QRectF& place, int layer) {
        const float pixels = static_cast<float>(scene_.frame_width / std::max(1.0, place.width()));
        out_.push_back({.a = centre(place), .b = half(place), .c = {static_cast<float>(layer), pixels}});
    }
    void add(const Shape& shape) {
        const bool is_line = shape.kind == Shape::Kind::line;
        const bool stroked = shape.stroke.a > 0 && (shape.stroke_width > 0 || is_line);
        ShapeInstance next{.a = map(shape.x, shape.y), .c = {1, 0}};
        if (stroked) {
            next.half_stroke = std::max(shape.stroke_width * across_, kMinLineWidth) / 2;
            next.stroke = colour(shape.stroke);
        }
        if (shape.fill.a > 0) next.fill = colour(shape.fill);
        switch (shape.kind) {
            case Shape::Kind::rectangle:
                next.b = {shape.w * across_ / 2, shape.h * up_ / 2};
                next.c = {std::cos(shape.angle), -std::sin(shape.angle)};
                break;
            case Shape::Kind::circle: next.radius = shape.radius * across_; break;
            case Shape::Kind::line:
                if (stroked) line(next, next.a, map(shape.x + shape.w, shape.y + shape.h));
                return;
            case Shape::Kind::polygon: return polygon(shape, next);
            case Shape::Kind::text: return;  // drawn with the captions
        }
        out_.push_back(next);
    }

private:
    static Point centre(const QRectF& place) {
        return {static_cast<float>(place.center().x()), static_cast<float>(place.center().y())};
    }
    static Point half(const QRectF& place) {
        return {static_cast<float>(place.width() / 2), static_cast<float>(place.height() / 2)};
    }
    Point map(float x, float y) const {
        return {left_ + (x - scene_.left) * across_, bottom_ - (y - scene_.bottom) * up_};
    }
    static std::array<std::uint8_t, 4> colour(Colour c) { return {c.r, c.g, c.b, c.a}; }
    // A line in the colour and with the width of the outline.
    void line(const ShapeInstance& outline, const Point& from, const Point& to) {
        out_.push_back({.a = from,
                        .b = to,
                        .radius = outline.half_stroke,
                        .kind = ShapeKind::line,
                        .fill = outline.stroke});
    }
    void polygon(const Shape& shape, const ShapeInstance& next) {
        const auto corner = [&](std::size_t i) { return map(shape.points[2 * i], shape.points[2 * i + 1]); };
        if (shape.fill.a > 0)
            for (const auto& [i, j, k] : triangulate(shape.points))
                out_.push_back({.a = corner(i),
                                .b = corner(j),
                                .c = corner(k),
                                .kind = ShapeKind::triangle,
                                .fill = next.fill});
        const std::size_t corners = next.half_stroke > 0 ? shape.points.size() / 2 : 0;
        for (std::size_t i = 0; i < corners; ++i) line(next, corner(i), corner((i + 1) % corners));
    }

    const Scene& scene_;
    std::vector<ShapeInstance>& out_;
    float left_ = 0, bottom_ = 0, across_ = 1, up_ = 1;  // pixels, and pixels per world unit
};

}  // namespace

// Ear clipping: Meisters, Polygons have ears (1975).
std::vector<std::array<std::uint32_t, 3>> triangulate(const std::vector<float>& points) {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::uint32_t> left(points.size() / 2);
    std::iota(left.begin(), left.end(), 0U);
    const auto at = [&](std::uint32_t i) { return Point{points[2 * i], points[2 * i + 1]}; };
    float area = 0;
    for (std::size_t i = 1; i + 1 < left.size(); ++i) area += cross(at(0), at(left[i]), at(left[i + 1]));
    const float side = area < 0 ? -1 : 1;
    const auto ear = [&](std::size_t i) {
        const std::size_t n = left.size();
        const Point a = at(left[(i + n - 1) % n]), b = at(left[i]), c = at(left[(i + 1) % n]);
        if (side * cross(a, b, c) < 0) return false;
        return std::none_of(left.begin(), left.end(), [&](std::uint32_t other) {
            const Point p = at(other);
            return side * cross(a, b, p) > 0 && side * cross(b, c, p) > 0 && side * cross(c, a, p) > 0;
        });
    };
    while (left.size() >= 3) {
        std::size_t i = 0;
        while (i + 1 < left.size() && !ear(i)) ++i;
        const std::size_t n = left.size();
        triangles.push_back({left[(i + n - 1) % n], left[i], left[(i + 1) % n]});
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return triangles;
}

void appendScene(const Scene& scene, const QRectF& place, int layer, std::vector<ShapeInstance>& instances) {
    Writer writer(scene, place, instances);
    if (scene.frame_width > 0 && scene.frame_height > 0) writer.picture(place, layer);
    else writer.rectangle(place, scene.background);
    if (!(scene.right > scene.left && scene.top > scene.bottom)) return;
    for (const Shape& shape : scene.shapes) writer.add(shape);
}

}  // namespace seedbed::ui::live
