// SPDX-License-Identifier: Apache-2.0
// The checks use integer arithmetic on the bits, which compilers vectorise.
#include "core/base/finite.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace seedbed {

bool allFinite(const float* values, std::size_t count) {
    // NaN and infinity have all exponent bits set; adding one exponent step then overflows into the sign bit.
    constexpr std::uint32_t kMagnitude = 0x7fffffffU;
    constexpr std::uint32_t kStep = 0x00800000U;
    std::uint32_t carried = 0;
    for (std::size_t i = 0; i < count; ++i)
        carried |= (std::bit_cast<std::uint32_t>(values[i]) & kMagnitude) + kStep;
    return (carried >> 31) == 0;
}

std::size_t firstNonFinite(const float* values, std::size_t count) {
    constexpr std::uint32_t kExponent = 0x7f800000U;
    constexpr std::size_t kBlock = 64;
    const auto bad = [values, kExponent](std::size_t i) {
        return (std::bit_cast<std::uint32_t>(values[i]) & kExponent) == kExponent;
    };
    std::size_t i = 0;
    for (; i + kBlock <= count; i += kBlock) {
        std::uint32_t any = 0;
        for (std::size_t j = 0; j < kBlock; ++j) any |= bad(i + j) ? 1U : 0U;
        if (any != 0) break;
    }
    while (i < count && !bad(i)) ++i;
    return i;
}

std::string nonFiniteName(float value) { return std::isnan(value) ? "NaN" : "infinity"; }

}  // namespace seedbed
