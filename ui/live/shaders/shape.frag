// SPDX-License-Identifier: GPL-3.0-or-later
// The colour of a pixel of a shape, antialiased by its distance to the edge. No branches, because software
// devices execute both sides.
#version 450

layout(location = 0) in vec2 local;
layout(location = 1) flat in vec2 half_size;
layout(location = 2) flat in vec2 widths;
layout(location = 3) flat in vec4 fill_colour;
layout(location = 4) flat in vec4 stroke_colour;

layout(location = 0) out vec4 colour;

void main() {
    const vec2 beyond = abs(local) - half_size;
    const float away = length(max(beyond, 0)) + min(max(beyond.x, beyond.y), 0) - widths.x;
    const vec4 outline = stroke_colour * clamp(0.5 - abs(away) + widths.y, 0, 1);
    colour = outline + fill_colour * (clamp(0.5 - away, 0, 1) * (1 - outline.a));
}
