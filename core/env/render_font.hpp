// SPDX-License-Identifier: Apache-2.0
// The letters of rendered scenes: 5 x 7 dots each, drawn here for the rasteriser.
#pragma once

#include <array>
#include <cstdint>

namespace seedbed {

inline constexpr int kGlyphWidth = 5, kGlyphHeight = 7;

// Columns from the left, bit 0 of each is the top dot.
using Glyph = std::array<std::uint8_t, kGlyphWidth>;

// The glyph of an ASCII character; that of '?' for all others.
const Glyph& glyphOf(char character);

}  // namespace seedbed
