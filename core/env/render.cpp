// SPDX-License-Identifier: Apache-2.0
// The rasteriser: fills polygons and circles in a picture with four times the width and height, then averages
// it. Unlike computed coverage, sampling leaves no seams between adjacent shapes.
#include "core/env/render.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/error.hpp"
#include "core/env/render_font.hpp"

namespace seedbed {
namespace {

constexpr int kSamples = 4;  // samples per pixel in each direction
constexpr double kThinnest = kSamples / 2.0;

struct Point {
    double x = 0, y = 0;
};

// The samples; y points downwards, sample (i, j) is at (i + 0.5, j + 0.5).
class Canvas {
public:
    Canvas(int width, int height, Colour background)
        : width_(width),
          height_(height),
          rgb_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3) {
        for (std::size_t i = 0; i < rgb_.size(); i += 3) {
            rgb_[i] = background.r;
            rgb_[i + 1] = background.g;
            rgb_[i + 2] = background.b;
        }
    }

    void set(int x, int y, const std::uint8_t* rgb) { std::copy_n(rgb, 3, at(x, y)); }
    void polygon(const std::vector<Point>& corners, Colour colour);
    // Fills the area between two radii.
    void ring(Point centre, double inner, double outer, Colour colour);
    Picture averaged() const;

private:
    std::uint8_t* at(int x, int y) {
        return rgb_.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                              static_cast<std::size_t>(x)) *
                                 3;
    }
    // Fills the samples of row y from `left` to `right`.
    void span(int y, double left, double right, Colour colour);
    int rowFrom(double y) const {
        return static_cast<int>(std::clamp(std::ceil(y - 0.5), 0.0, static_cast<double>(height_)));
    }

    int width_, height_;
    std::vector<std::uint8_t> rgb_;
};

void Canvas::span(int y, double left, double right, Colour colour) {
    const auto limit = static_cast<double>(width_);
    const int from = static_cast<int>(std::clamp(std::ceil(left - 0.5), 0.0, limit)),
              to = static_cast<int>(std::clamp(std::ceil(right - 0.5), 0.0, limit));
    if (from >= to) return;
    const int a = colour.a;
    const auto mix = [a](std::uint8_t below, std::uint8_t above) {
        return static_cast<std::uint8_t>((below * (255 - a) + above * a + 127) / 255);
    };
    for (std::uint8_t *sample = at(from, y), *end = sample + (to - from) * 3; sample != end; sample += 3) {
        sample[0] = mix(sample[0], colour.r);
        sample[1] = mix(sample[1], colour.g);
        sample[2] = mix(sample[2], colour.b);
    }
}

// Fills by the non-zero winding rule, row by row.
void Canvas::polygon(const std::vector<Point>& corners, Colour colour) {
    if (colour.a == 0 || corners.size() < 3) return;
    const auto [top, bottom] =
        std::minmax_element(corners.begin(), corners.end(), [](Point a, Point b) { return a.y < b.y; });
    struct Crossing {
        double x;
        int direction;
    };
    std::vector<Crossing> crossings;
    for (int row = rowFrom(top->y); row < rowFrom(bottom->y); ++row) {
        const double y = row + 0.5;
        crossings.clear();
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const Point a = corners[i], b = corners[(i + 1) % corners.size()];
            if ((a.y <= y) == (b.y <= y)) continue;
            crossings.push_back({a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x), a.y <= y ? 1 : -1});
        }
        std::sort(crossings.begin(), crossings.end(),
                  [](const Crossing& a, const Crossing& b) { return a.x < b.x; });
        int winding = 0;
        for (std::size_t i = 0; i + 1 < crossings.size(); ++i) {
            winding += crossings[i].direction;
            if (winding != 0) span(row, crossings[i].x, crossings[i + 1].x, colour);
        }
    }
}

void Canvas::ring(Point centre, double inner, double outer, Colour colour) {
    if (colour.a == 0 || outer <= 0) return;
    for (int row = rowFrom(centre.y - outer); row < rowFrom(centre.y + outer); ++row) {
        const double dy = row + 0.5 - centre.y, reach = std::sqrt(std::max(outer * outer - dy * dy, 0.0));
        const double hole = inner > std::abs(dy) ? std::sqrt(inner * inner - dy * dy) : 0;
        if (hole == 0) {
            span(row, centre.x - reach, centre.x + reach, colour);
        } else {
            span(row, centre.x - reach, centre.x - hole, colour);
            span(row, centre.x + hole, centre.x + reach, colour);
        }
    }
}

Picture Canvas::averaged() const {
    Picture picture{width_ / kSamples, height_ / kSamples, {}};
    picture.rgb.reserve(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) *
                        3);
    const std::size_t stride = static_cast<std::size_t>(width_) * 3;
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            const std::uint8_t* block = rgb_.data() + static_cast<std::size_t>(y) * kSamples * stride +
                                        static_cast<std::size_t>(x) * kSamples * 3;
            for (std::size_t channel = 0; channel < 3; ++channel) {
                unsigned sum = 0;
                for (std::size_t j = 0; j < kSamples; ++j)
                    for (std::size_t i = 0; i < kSamples; ++i) sum += block[j * stride + i * 3 + channel];
                picture.rgb.push_back(
                    static_cast<std::uint8_t>((sum + kSamples * kSamples / 2) / (kSamples * kSamples)));
            }
        }
    }
    return picture;
}

// Draws the shapes of a scene, converting world units to samples.
class Painter {
public:
    Painter(const Scene& scene, Canvas& canvas, int width, int height) : scene_(scene), canvas_(canvas) {
        const double w = scene.right - scene.left, h = scene.top - scene.bottom;
        scale_ = std::min(width / w, height / h);
        left_ = (width - w * scale_) / 2;
        top_ = (height - h * scale_) / 2;
    }

    void frame();
    void shape(const Shape& shape);

private:
    Point place(double x, double y) const {
        return {left_ + (x - scene_.left) * scale_, top_ + (scene_.top - y) * scale_};
    }
    void rectangle(const Shape& shape);
    void text(const Shape& shape);
    // A straight stroke; `round` adds half discs at both ends.
    void stroke(Point from, Point to, double width, Colour colour, bool round);
    void outline(const std::vector<Point>& corners, const Shape& shape);
    static Colour strokeOf(const Shape& shape) {
        return shape.stroke_width > 0 ? shape.stroke : Colour{0, 0, 0, 0};
    }

    const Scene& scene_;
    Canvas& canvas_;
    double scale_ = 1, left_ = 0, top_ = 0;
};

// Copies the nearest pixel of the scene's RGB frame to every sample of the view.
void Painter::frame() {
    const Point from = place(scene_.left, scene_.top), to = place(scene_.right, scene_.bottom);
    for (int y = static_cast<int>(std::ceil(from.y - 0.5)); y + 0.5 < to.y; ++y) {
        const auto row = static_cast<int>((y + 0.5 - from.y) / (to.y - from.y) * scene_.frame_height);
        for (int x = static_cast<int>(std::ceil(from.x - 0.5)); x + 0.5 < to.x; ++x) {
            const auto column = static_cast<int>((x + 0.5 - from.x) / (to.x - from.x) * scene_.frame_width);
            const auto pixel = static_cast<std::size_t>(row) * static_cast<std::size_t>(scene_.frame_width) +
                               static_cast<std::size_t>(column);
            canvas_.set(x, y, scene_.frame.data() + pixel * 3);
        }
    }
}

void Painter::stroke(Point from, Point to, double width, Colour colour, bool round) {
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy),
                 half = std::max(width, kThinnest) / 2;
    if (length > 0) {
        const double nx = -dy / length * half, ny = dx / length * half;
        canvas_.polygon({{from.x + nx, from.y + ny},
                         {to.x + nx, to.y + ny},
                         {to.x - nx, to.y - ny},
                         {from.x - nx, from.y - ny}},
                        colour);
    }
    if (round)
        for (const Point end : {from, to}) canvas_.ring(end, 0, half, colour);
}

void Painter::outline(const std::vector<Point>& corners, const Shape& shape) {
    const Colour colour = strokeOf(shape);
    if (colour.a == 0) return;
    for (std::size_t i = 0; i < corners.size(); ++i)
        stroke(corners[i], corners[(i + 1) % corners.size()], shape.stroke_width * scale_, colour, true);
}

void Painter::rectangle(const Shape& shape) {
    const double c = std::cos(static_cast<double>(shape.angle)),
                 s = std::sin(static_cast<double>(shape.angle));
    std::vector<Point> corners;
    for (const auto& [sx, sy] : {std::array{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
        const double x = sx * shape.w, y = sy * shape.h;
        corners.push_back(place(shape.x + c * x - s * y, shape.y + s * x + c * y));
    }
    canvas_.polygon(corners, shape.fill);
    outline(corners, shape);
}

// Each dot of a glyph is a small square; letters are one dot apart.
void Painter::text(const Shape& shape) {
    const double dot = static_cast<double>(shape.h) / kGlyphHeight,
                 c = std::cos(static_cast<double>(shape.angle)),
                 s = std::sin(static_cast<double>(shape.angle));
    const double width = (static_cast<double>(shape.text.size()) * (kGlyphWidth + 1) - 1) * dot;
    const auto corner = [&](double x, double y) {
        return place(shape.x + c * x - s * y, shape.y + s * x + c * y);
    };
    for (std::size_t letter = 0; letter < shape.text.size(); ++letter) {
        const Glyph& glyph = glyphOf(shape.text[letter]);
        for (int column = 0; column < kGlyphWidth; ++column) {
            for (int row = 0; row < kGlyphHeight; ++row) {
                if ((glyph[static_cast<std::size_t>(column)] >> row & 1) == 0) continue;
                const double x = (static_cast<double>(letter) * (kGlyphWidth + 1) + column) * dot - width / 2;
                const double y = static_cast<double>(shape.h) / 2 - row * dot;
                canvas_.polygon(
                    {corner(x, y), corner(x + dot, y), corner(x + dot, y - dot), corner(x, y - dot)},
                    shape.fill);
            }
        }
    }
}

void Painter::shape(const Shape& shape) {
    switch (shape.kind) {
        case Shape::Kind::rectangle: rectangle(shape); break;
        case Shape::Kind::circle: {
            const Point centre = place(shape.x, shape.y);
            const double radius = shape.radius * scale_,
                         half = std::max(shape.stroke_width * scale_, kThinnest) / 2;
            canvas_.ring(centre, 0, radius, shape.fill);
            canvas_.ring(centre, radius - half, radius + half, strokeOf(shape));
            break;
        }
        case Shape::Kind::line:
            stroke(place(shape.x, shape.y), place(shape.x + shape.w, shape.y + shape.h),
                   shape.stroke_width * scale_, shape.stroke, false);
            break;
        case Shape::Kind::polygon: {
            std::vector<Point> corners;
            for (std::size_t i = 0; i + 1 < shape.points.size(); i += 2)
                corners.push_back(place(shape.points[i], shape.points[i + 1]));
            canvas_.polygon(corners, shape.fill);
            outline(corners, shape);
            break;
        }
        case Shape::Kind::text: text(shape); break;
    }
}

}  // namespace

PictureSize fittingSize(const Scene& scene, int max_width, int max_height) {
    const double w = scene.right - scene.left, h = scene.top - scene.bottom,
                 scale = std::min(max_width / w, max_height / h);
    return {std::max(1, static_cast<int>(std::lround(w * scale))),
            std::max(1, static_cast<int>(std::lround(h * scale)))};
}

Picture render(const Scene& scene, int width, int height) {
    SEEDBED_CHECK(width >= 1 && height >= 1, "a picture needs at least one pixel");
    Canvas canvas(width * kSamples, height * kSamples, scene.background);
    Painter painter(scene, canvas, width * kSamples, height * kSamples);
    if (scene.frame_width > 0) painter.frame();
    for (const Shape& shape : scene.shapes) painter.shape(shape);
    return canvas.averaged();
}

}  // namespace seedbed
