// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes as instances of shapes, which the vertex shader makes into triangles. No Vulkan here.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <QRectF>

#include "core/base/scene.hpp"

namespace seedbed::ui::live {

// How the vertex shader places the corners.
enum class ShapeKind : std::uint32_t { box, line, triangle };

// One instance, in pixels of the window, y down. Read by shaders/shape.vert. The edge of a shape is at the
// distance `radius` from its box or line.
struct ShapeInstance {
    std::array<float, 2> a{};  // centre; line: start; triangle: first corner
    std::array<float, 2> b{};  // half of the size of the box; line: end; triangle: second corner
    std::array<float, 2> c{};  // cosine and sine of the angle; triangle: third corner; picture: its layer,
                               // and its pixels per pixel of the window
    float radius = 0;
    float half_stroke = 0;  // half of the width of the outline
    ShapeKind kind = ShapeKind::box;
    std::array<std::uint8_t, 4> fill{}, stroke{};
};
static_assert(sizeof(ShapeInstance) == 44);

// Appends the scene's picture, which is layer `layer` of the texture, or its background, then its shapes
// except texts.
void appendScene(const Scene& scene, const QRectF& place, int layer, std::vector<ShapeInstance>& instances);

// Triangles of a simple polygon, as indices of its corners; its points are x0, y0, x1, y1, ...
std::vector<std::array<std::uint32_t, 3>> triangulate(const std::vector<float>& points);

}  // namespace seedbed::ui::live
