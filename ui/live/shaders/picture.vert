// SPDX-License-Identifier: GPL-3.0-or-later
// Six corners of a picture: instances of the same kind as shapes, with its layer and scale in `c`.
#version 450

layout(push_constant) uniform Window { vec2 to_clip; };  // 2 / size

layout(location = 0) in vec2 a;
layout(location = 1) in vec2 b;
layout(location = 2) in vec2 c;

layout(location = 0) out vec2 at;  // 0 to 1
layout(location = 1) flat out vec2 layer_and_scale;

const vec2 kCorners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main() {
    at = kCorners[gl_VertexIndex];
    layer_and_scale = c;
    gl_Position = vec4((a + (at * 2 - 1) * b) * to_clip - 1, 0, 1);
}
