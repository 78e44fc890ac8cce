// SPDX-License-Identifier: Apache-2.0
// Draws observations as small greyscale images, 84 x 84 pixels as is conventional for Atari games.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/base/scene.hpp"
#include "core/base/spaces.hpp"

namespace seedbed {

inline constexpr int kFrameSize = 84;

// One greyscale frame u8 [84, 84], in memory owned by the caller.
class PixelFrame {
public:
    explicit PixelFrame(std::uint8_t* pixels) : pixels_(pixels) {
        std::fill_n(pixels, kFrameSize * kFrameSize, std::uint8_t{0});
    }
    // Draws a filled rectangle, clipped to the frame.
    void fill(int x, int y, int w, int h, std::uint8_t grey) {
        const int left = std::max(x, 0), right = std::min(x + w, kFrameSize);
        for (int row = std::max(y, 0); row < std::min(y + h, kFrameSize); ++row)
            if (left < right)
                std::fill(pixels_ + row * kFrameSize + left, pixels_ + row * kFrameSize + right, grey);
    }

private:
    std::uint8_t* pixels_;
};

// Draws `pixels`, a frame of this size, as the picture of the environment.
inline void drawPixels(Scene& scene, const std::uint8_t* pixels) {
    scene.clear(0, 0, kFrameSize, kFrameSize, {0, 0, 0});
    scene.frame_width = scene.frame_height = kFrameSize;
    for (int i = 0; i < kFrameSize * kFrameSize; ++i) scene.frame.insert(scene.frame.end(), 3, pixels[i]);
}

// The observation leaf for such frames; networks receive the last `stack` frames.
inline ObsLeaf pixelLeaf(int stack) {
    ObsLeaf leaf;
    leaf.name = "frame";
    leaf.kind = ObsLeaf::Kind::image;
    leaf.dtype = DType::u8;
    leaf.shape = {1, kFrameSize, kFrameSize};
    leaf.low = 0;
    leaf.high = 255;
    leaf.stack = stack;
    leaf.labels = {"grey"};
    return leaf;
}

}  // namespace seedbed
