// SPDX-License-Identifier: Apache-2.0
// Writes and reads pictures as PNG and GIF files, using libpng and giflib.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.hpp"
#include "core/env/render.hpp"

namespace seedbed {

// Encodes a PNG file. Uses a palette if there are at most 256 colours, which keeps files of scenes small.
// error: failure, from libpng.
Result<std::vector<std::uint8_t>> encodePng(const Picture& picture);
// Decodes any PNG file; transparency is dropped. error: failure, from libpng.
Result<Picture> decodePng(const std::vector<std::uint8_t>& bytes);

// Encodes an endlessly repeating GIF with `delay_ms` per frame (stored in units of 10 ms). Requires at
// least one frame; all have the same size. They share a palette of the 256 most frequent colours; other
// colours are replaced by the nearest of these. error: failure, from giflib.
Result<std::vector<std::uint8_t>> encodeGif(const std::vector<Picture>& frames, int delay_ms);

}  // namespace seedbed
