// SPDX-License-Identifier: Apache-2.0
// Constructs shapes.
#include "core/base/scene.hpp"

#include <utility>

namespace seedbed {

void Scene::clear(float view_left, float view_bottom, float view_right, float view_top, Colour colour) {
    left = view_left;
    bottom = view_bottom;
    right = view_right;
    top = view_top;
    background = colour;
    shapes.clear();
    frame_width = frame_height = 0;
    frame.clear();
    missing.clear();
}

Shape& Scene::rectangle(float x, float y, float w, float h, Colour fill, float angle) {
    Shape& shape = shapes.emplace_back();
    shape.kind = Shape::Kind::rectangle;
    shape.x = x;
    shape.y = y;
    shape.w = w;
    shape.h = h;
    shape.fill = fill;
    shape.angle = angle;
    return shape;
}

Shape& Scene::circle(float x, float y, float radius, Colour fill) {
    Shape& shape = shapes.emplace_back();
    shape.kind = Shape::Kind::circle;
    shape.x = x;
    shape.y = y;
    shape.radius = radius;
    shape.fill = fill;
    return shape;
}

Shape& Scene::line(float x0, float y0, float x1, float y1, float width, Colour stroke) {
    Shape& shape = shapes.emplace_back();
    shape.kind = Shape::Kind::line;
    shape.x = x0;
    shape.y = y0;
    shape.w = x1 - x0;
    shape.h = y1 - y0;
    shape.fill.a = 0;
    shape.stroke = stroke;
    shape.stroke_width = width;
    return shape;
}

Shape& Scene::polygon(std::vector<float> points, Colour fill) {
    Shape& shape = shapes.emplace_back();
    shape.kind = Shape::Kind::polygon;
    shape.points = std::move(points);
    shape.fill = fill;
    return shape;
}

Shape& Scene::label(float x, float y, float height, std::string text, Colour fill) {
    Shape& shape = shapes.emplace_back();
    shape.kind = Shape::Kind::text;
    shape.x = x;
    shape.y = y;
    shape.h = height;
    shape.text = std::move(text);
    shape.fill = fill;
    return shape;
}

}  // namespace seedbed
