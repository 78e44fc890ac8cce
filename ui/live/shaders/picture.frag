// SPDX-License-Identifier: GPL-3.0-or-later
// Enlarged pictures have sharp pixels, reduced ones are averaged.
#version 450

layout(set = 0, binding = 0) uniform sampler2DArray pictures;

layout(location = 0) in vec2 at;
layout(location = 1) flat in vec2 layer_and_scale;

layout(location = 0) out vec4 colour;

const int kMaxTaps = 4;

void main() {
    const vec2 size = vec2(textureSize(pictures, 0).xy);
    const float scale = layer_and_scale.y;  // texels per pixel
    const vec2 centre = scale > 1 ? at * size : floor(at * size) + 0.5;
    // Each tap averages two texels in both directions.
    const int taps = clamp(int(ceil(scale / 2)), 1, kMaxTaps);
    vec3 sum = vec3(0);
    for (int y = 0; y < taps; ++y)
        for (int x = 0; x < taps; ++x) {
            const vec2 texel = centre + ((vec2(x, y) + 0.5) / taps - 0.5) * scale;
            sum += textureLod(pictures, vec3(texel / size, layer_and_scale.x), 0).rgb;
        }
    colour = vec4(sum / (taps * taps), 1);
}
