// SPDX-License-Identifier: GPL-3.0-or-later
// Six corners for each instance of a shape (ui/live/scene_instances.hpp), in pixels of the window.
#version 450

layout(push_constant) uniform Window { vec2 to_clip; };  // 2 / size

layout(location = 0) in vec2 a;
layout(location = 1) in vec2 b;
layout(location = 2) in vec2 c;
layout(location = 3) in float radius;
layout(location = 4) in float half_stroke;
layout(location = 5) in uint kind;
layout(location = 6) in vec4 fill;
layout(location = 7) in vec4 stroke;

layout(location = 0) out vec2 local;  // pixels from the centre, along the shape's own axes
layout(location = 1) flat out vec2 half_size;
layout(location = 2) flat out vec2 widths;  // radius, half of the outline
layout(location = 3) flat out vec4 fill_colour;  // alpha is premultiplied
layout(location = 4) flat out vec4 stroke_colour;

const uint kLine = 1, kTriangle = 2;
const float kFar = 1e6;
const vec2 kCorners[6] =
    vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1));

void main() {
    vec2 centre = a, axis = c;
    half_size = b;
    if (kind == kLine) {
        const float span = distance(a, b);
        centre = (a + b) / 2;
        axis = span > 0 ? (b - a) / span : vec2(1, 0);
        half_size = vec2(span / 2, 0);
    }
    local = kCorners[gl_VertexIndex] * (half_size + radius + half_stroke + 1);
    vec2 at = centre + local.x * axis + local.y * vec2(-axis.y, axis.x);
    if (kind == kTriangle) {
        // The second triangle of the square has no area, and the edges of the box are far away.
        at = gl_VertexIndex == 0 ? a : gl_VertexIndex == 1 ? b : c;
        half_size = vec2(kFar);
        local = vec2(0);
    }
    gl_Position = vec4(at * to_clip - 1, 0, 1);
    widths = vec2(radius, half_stroke);
    fill_colour = vec4(fill.rgb * fill.a, fill.a);
    stroke_colour = half_stroke > 0 ? vec4(stroke.rgb * stroke.a, stroke.a) : vec4(0);
}
