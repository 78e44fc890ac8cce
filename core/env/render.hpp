// SPDX-License-Identifier: Apache-2.0
// A small anti-aliased rasteriser for scenes, which needs no window: for thumbnails, the gallery and recorded
// games.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/scene.hpp"

namespace seedbed {

// An RGB picture, u8 [height, width, 3].
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
    bool operator==(const Picture&) const = default;
};

struct PictureSize {
    int width = 0, height = 0;
};
// The largest size with the scene's aspect ratio within max_width x max_height; at least 1 x 1.
PictureSize fittingSize(const Scene& scene, int max_width, int max_height);

// Renders the scene's view, centred and as large as possible; the border has the background colour. Every
// pixel is the mean of 4 x 4 samples. Lines are at least half a pixel wide. Text is ASCII in a built-in font;
// other characters are drawn as '?'. Requires width, height >= 1. Thread: any.
Picture render(const Scene& scene, int width, int height);

}  // namespace seedbed
