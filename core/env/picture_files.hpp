// SPDX-License-Identifier: Apache-2.0
// Pictures as PNG and GIF files, by libpng and giflib.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.hpp"
#include "core/env/render.hpp"

namespace seedbed {

// A PNG file; exact, and with a palette when there are no more than 256 colours, which makes scenes small.
// error: failure, from libpng.
Result<std::vector<std::uint8_t>> encodePng(const Picture& picture);
// The reverse, for any PNG file; transparency is dropped. error: failure, from libpng.
Result<Picture> decodePng(const std::vector<std::uint8_t>& bytes);

// A GIF that repeats for ever, `delay_ms` per frame (the format counts in 10 ms). Frames have one size and
// share a palette: exact up to 256 colours in all, otherwise the nearest of the 256 most frequent. error:
// failure, from giflib. At least one frame.
Result<std::vector<std::uint8_t>> encodeGif(const std::vector<Picture>& frames, int delay_ms);

}  // namespace seedbed
