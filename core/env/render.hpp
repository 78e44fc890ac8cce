// SPDX-License-Identifier: Apache-2.0
// Scenes to pixels without a window: one small anti-aliased rasteriser for thumbnails, the gallery and
// recorded games.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/scene.hpp"

namespace seedbed {

// An RGB picture [height, width, 3].
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
    bool operator==(const Picture&) const = default;
};

struct PictureSize {
    int width = 0, height = 0;
};
// The largest size of the scene's proportions inside max_width x max_height; at least 1 x 1.
PictureSize fittingSize(const Scene& scene, int max_width, int max_height);

// The scene's view, as large as fits and centred; what is left over has the scene's background. Edges are
// smooth: every pixel is the mean of 4 x 4 samples. Lines are never thinner than half a pixel. Text is ASCII
// in a built-in font; other characters show as '?'. Thread: any. width, height >= 1.
Picture render(const Scene& scene, int width, int height);

}  // namespace seedbed
