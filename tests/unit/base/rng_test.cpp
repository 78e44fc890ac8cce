// SPDX-License-Identifier: Apache-2.0
// Philox known answers, independence of streams, and the moments of the distributions.
#include "core/base/rng.hpp"

#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace seedbed {
namespace {

using Words = std::array<std::uint32_t, 4>;

// https://github.com/DEShawResearch/random123, tests/kat_vectors, lines "philox4x32 10".
TEST(Philox, AgreesWithTheKnownAnswersOfRandom123) {
    EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
              (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Rng, KeyIsTheSeedAndCounterIsBlockLanePurpose) {
    const std::uint64_t seed = 0x0123456789abcdef,
                        position = (std::uint64_t{7} << 34) + 8;  // block 0x1c'00000002
    Rng rng(seed, RngPurpose::action, 5, position);
    const Words block = philox4x32({2, 7u << 0, 5, 2}, {0x89abcdef, 0x01234567});
    for (const std::uint32_t word : block) EXPECT_EQ(rng.nextU32(), word);
    EXPECT_EQ(rng.position(), position + 4);
}

TEST(Rng, EveryPositionIsReachedBySeekingAsByDrawing) {
    Rng drawn(3, RngPurpose::test);
    for (std::uint64_t position = 0; position < 50; ++position) {
        Rng sought(3, RngPurpose::test);
        sought.seek(position);
        EXPECT_EQ(sought.nextU32(), drawn.nextU32()) << position;
    }
}

TEST(Rng, NeighbouringStreamsShareNoWord) {
    // 16 streams of 256 words have a common word by chance with probability 0.002; the streams are fixed, so
    // this test is deterministic.
    std::set<std::uint32_t> seen;
    for (std::uint64_t seed : {0, 1})
        for (auto purpose : {RngPurpose::environment, RngPurpose::action})
            for (std::uint32_t lane : {0, 1, 2, 3}) {
                Rng rng(seed, purpose, lane);
                for (int i = 0; i < 256; ++i) seen.insert(rng.nextU32());
            }
    EXPECT_EQ(seen.size(), 16u * 256u);
}

TEST(Rng, BelowIsUniformAndStaysBelow) {
    Rng rng(11, RngPurpose::test);
    for (const std::uint32_t bound : {1u, 2u, 7u, 10u, 3'000'000'000u}) {
        std::vector<int> counts(std::min(bound, 10u));
        const int draws = 50'000;
        for (int i = 0; i < draws; ++i) {
            const std::uint32_t value = rng.below(bound);
            ASSERT_LT(value, bound);
            ++counts[static_cast<std::size_t>(std::uint64_t{value} * counts.size() / bound)];
        }
        const double expected = static_cast<double>(draws) / static_cast<double>(counts.size());
        // Six standard errors of a binomial count.
        for (const int count : counts) EXPECT_NEAR(count, expected, 6 * std::sqrt(expected) + 1) << bound;
    }
}

TEST(Rng, UniformAndNormalHaveTheirMoments) {
    Rng rng(12, RngPurpose::test);
    const int draws = 200'000;
    double uniform_sum = 0, float_sum = 0, normal_sum = 0, normal_squares = 0;
    for (int i = 0; i < draws; ++i) {
        const double u = rng.uniform();
        const float f = rng.uniformF();
        ASSERT_TRUE(u >= 0 && u < 1 && f >= 0 && f < 1);
        const double n = rng.normal();
        uniform_sum += u;
        float_sum += static_cast<double>(f);
        normal_sum += n;
        normal_squares += n * n;
    }
    // Five standard errors: 1/sqrt(12 n), 1/sqrt(n), sqrt(2/n).
    EXPECT_NEAR(uniform_sum / draws, 0.5, 5 / std::sqrt(12.0 * draws));
    EXPECT_NEAR(float_sum / draws, 0.5, 5 / std::sqrt(12.0 * draws));
    EXPECT_NEAR(normal_sum / draws, 0, 5 / std::sqrt(1.0 * draws));
    EXPECT_NEAR(normal_squares / draws, 1, 5 * std::sqrt(2.0 / draws));
}

TEST(Rng, NormalUsesAFixedNumberOfWordsSoThatPositionIsTheState) {
    Rng rng(1, RngPurpose::test);
    rng.normal();
    EXPECT_EQ(rng.position(), 4u);
    Rng resumed(1, RngPurpose::test, 0, rng.position());
    EXPECT_EQ(resumed.normal(), rng.normal());
}

}  // namespace
}  // namespace seedbed
