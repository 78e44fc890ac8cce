// SPDX-License-Identifier: Apache-2.0
// The font of rendered scenes: glyphs of 5 x 7 dots.
#pragma once

#include <array>
#include <cstdint>

namespace seedbed {

inline constexpr int kGlyphWidth = 5, kGlyphHeight = 7;

// Columns from left to right; bit 0 is the top dot.
using Glyph = std::array<std::uint8_t, kGlyphWidth>;

// The glyph of an ASCII character, or that of '?'.
const Glyph& glyphOf(char character);

}  // namespace seedbed
