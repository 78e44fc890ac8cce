// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10 and the distributions drawn from it.
#include "core/base/rng.hpp"

#include <cmath>
#include <numbers>

#include "core/base/error.hpp"

namespace seedbed {

namespace {

// Multipliers and Weyl constants of Salmon et al. (2011), as in Random123's philox.h.
constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t product0 = kMultiplier0 * counter[0];
        const std::uint64_t product1 = kMultiplier1 * counter[2];
        counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(product1),
                   static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(product0)};
        key[0] += kWeyl0;
        key[1] += kWeyl1;
    }
    return counter;
}

Rng::Rng(std::uint64_t seed, RngPurpose purpose, std::uint32_t lane, std::uint64_t position)
    : seed_(seed), purpose_(static_cast<std::uint32_t>(purpose)), lane_(lane), position_(position) {}

void Rng::fill() {
    block_ = position_ >> 2;
    words_ = philox4x32(
        {static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32), lane_, purpose_},
        {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
}

std::uint32_t Rng::below(std::uint32_t bound) {
    SEEDBED_CHECK(bound >= 1);
    // Lemire, "Fast Random Integer Generation in an Interval", 2019, algorithm 5: rejects the few words that
    // would bias the result.
    std::uint64_t product = std::uint64_t{nextU32()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
        const std::uint32_t threshold = (0u - bound) % bound;
        while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{nextU32()} * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
}

float Rng::uniformF() { return static_cast<float>(nextU32() >> 8) * 0x1p-24f; }

double Rng::uniform() {
    const std::uint64_t high = nextU32() >> 5, low = nextU32() >> 6;
    return static_cast<double>(high << 26 | low) * 0x1p-53;
}

double Rng::normal() {
    // 1 - u is in (0, 1], so the logarithm is finite.
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace seedbed
