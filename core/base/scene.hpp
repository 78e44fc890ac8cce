// SPDX-License-Identifier: Apache-2.0
// A resolution-independent picture of an environment's state: shapes in world units, or one RGB frame. The
// viewer determines the size in pixels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace seedbed {

struct Colour {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    bool operator==(const Colour&) const = default;
};

// One shape. World axes: x to the right, y up.
struct Shape {
    enum class Kind : std::uint8_t { rectangle, circle, line, polygon, text };

    Kind kind = Kind::rectangle;
    Colour fill{};  // alpha 0: no fill
    Colour stroke{0, 0, 0, 0};
    float stroke_width = 0;     // world units
    float x = 0, y = 0;         // rectangle: centre; circle: centre; line: start; text: centre
    float w = 0, h = 0;         // rectangle: size; line: vector to the end; text: h is the letter height
    float angle = 0;            // radians, counter-clockwise, about the centre (rectangle, text)
    float radius = 0;           // circle
    std::vector<float> points;  // polygon: x0, y0, x1, y1, ...
    std::string text;
    bool operator==(const Shape&) const = default;
};

// A picture. Cleared and refilled for each state; shapes are drawn in order.
struct Scene {
    float left = -1, bottom = -1, right = 1, top = 1;  // visible area in world units
    Colour background{255, 255, 255, 255};
    std::vector<Shape> shapes;
    int frame_width = 0, frame_height = 0;  // > 0: `frame` is RGB u8 [height, width, 3] and fills the view
    std::vector<std::uint8_t> frame;
    std::string missing;  // why the environment gave no picture; "": it gave one

    void clear(float view_left, float view_bottom, float view_right, float view_top,
               Colour colour = {255, 255, 255, 255});
    Shape& rectangle(float x, float y, float w, float h, Colour fill, float angle = 0);
    Shape& circle(float x, float y, float radius, Colour fill);
    Shape& line(float x0, float y0, float x1, float y1, float width, Colour stroke);
    Shape& polygon(std::vector<float> points, Colour fill);
    Shape& label(float x, float y, float height, std::string text, Colour fill);
    bool operator==(const Scene&) const = default;
};

}  // namespace seedbed
