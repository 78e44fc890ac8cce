// SPDX-License-Identifier: Apache-2.0
// The guard against not-a-number and infinity: integer tests, so that the compiler may vectorise what it may
// not reorder as arithmetic.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace seedbed {

inline bool allFinite(const float* values, std::size_t count) {
    // Adding one exponent step to a number whose exponent bits are all ones carries into the sign bit.
    constexpr std::uint32_t kMagnitude = 0x7fffffffU, kStep = 0x00800000U;
    std::uint32_t carried = 0;
    for (std::size_t i = 0; i < count; ++i)
        carried |= (std::bit_cast<std::uint32_t>(values[i]) & kMagnitude) + kStep;
    return (carried >> 31) == 0;
}

// Index of the first one; `count` when all are finite.
inline std::size_t firstNotFinite(const float* values, std::size_t count) {
    std::size_t index = 0;
    while (index < count && std::isfinite(values[index])) ++index;
    return index;
}

inline std::string nameOfNotFinite(float value) { return std::isnan(value) ? "not-a-number" : "infinity"; }

}  // namespace seedbed
