// SPDX-License-Identifier: Apache-2.0
// Sealed metric blocks: decoding returns the encoded points bit for bit, and damaged bytes are rejected.
#include "core/store/metric_block.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

constexpr std::uint64_t kSeed = 20240607;

struct Decoded {
    std::vector<std::int64_t> steps;
    std::vector<double> times, values;
};

Result<Decoded> decode(std::span<const std::byte> bytes) {
    Decoded decoded;
    SEEDBED_TRY(decodeBlock(bytes, decoded.steps, decoded.times, decoded.values));
    return decoded;
}

bool sameNumber(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) ||
           std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// A random double of any kind: integers, floats, arbitrary bits, special values.
double anyDouble(Rng& rng) {
    switch (rng.below(6)) {
        case 0: return static_cast<double>(rng.below(1000));
        case 1: return static_cast<double>(static_cast<float>(rng.normal()));
        case 2: return rng.normal();
        case 3: return std::bit_cast<double>(std::uint64_t{rng.nextU32()} << 32 | rng.nextU32());
        case 4: return -0.0;
        default:
            return rng.bernoulli(0.5) ? std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::max();
    }
}

TEST(MetricBlock, RandomPointsAreRestoredBitForBit) {
    Rng rng(kSeed, RngPurpose::test);
    for (int round = 0; round < 2000; ++round) {
        const std::size_t count = 1 + rng.below(kBlockPoints);
        const bool plain_steps = rng.bernoulli(0.7), plain_times = rng.bernoulli(0.7),
                   plain_values = rng.bernoulli(0.5);
        std::vector<MetricPoint> points;
        std::int64_t step = plain_steps ? rng.below(1 << 30) : std::numeric_limits<std::int64_t>::min();
        double time = 1.7e9 + rng.uniform();
        for (std::size_t i = 0; i < count; ++i) {
            points.push_back(
                {step, time, plain_values ? static_cast<double>(rng.below(500)) : anyDouble(rng)});
            step = plain_steps
                       ? step + rng.below(4096)
                       : static_cast<std::int64_t>(std::uint64_t{rng.nextU32()} << 32 | rng.nextU32());
            time = plain_times ? time + rng.uniform() : anyDouble(rng);
        }
        const auto decoded = decode(encodeBlock(points));
        ASSERT_TRUE(decoded) << "seed " << kSeed << " round " << round;
        ASSERT_EQ(decoded->steps.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(decoded->steps[i], points[i].step) << "seed " << kSeed << " round " << round;
            ASSERT_TRUE(sameNumber(decoded->times[i], points[i].time))
                << "seed " << kSeed << " round " << round << " time " << points[i].time;
            ASSERT_TRUE(sameNumber(decoded->values[i], points[i].value))
                << "seed " << kSeed << " round " << round;
        }
    }
}

TEST(MetricBlock, CommonCurvesTakeTwelveBytesAPoint) {
    std::vector<MetricPoint> points;
    for (int i = 0; i < 512; ++i)
        points.push_back({i * 1024, 1.7e9 + i * 0.013, static_cast<double>(i % 500)});
    EXPECT_LE(encodeBlock(points).size(), 512u * 12 + 32);
}

TEST(MetricBlock, TruncatedAndOverlongBytesAreRejected) {
    std::vector<MetricPoint> points(300, MetricPoint{5, 1.7e9, 0.1});
    const auto bytes = encodeBlock(points);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode(std::span(bytes).first(size))) << size;
    auto longer = bytes;
    longer.push_back(std::byte{0});
    EXPECT_FALSE(decode(longer));
}

TEST(MetricBlock, AnyBytesAreRejectedOrDecodeToEqualCounts) {
    Rng rng(kSeed, RngPurpose::test, 1);
    int accepted = 0;
    for (int round = 0; round < 20000; ++round) {
        std::vector<std::byte> bytes(rng.below(400));
        for (auto& byte : bytes) byte = static_cast<std::byte>(rng.below(256));
        // Half of the inputs get a plausible beginning.
        if (bytes.size() > 4 && rng.bernoulli(0.5)) {
            bytes[0] = std::byte{1};
            bytes[1] = static_cast<std::byte>(rng.below(8));
            bytes[3] = std::byte{0};
            bytes[2] = static_cast<std::byte>((bytes.size() - 4) / 24);
            if (bytes[1] == std::byte{7}) bytes.resize(4 + std::to_integer<std::size_t>(bytes[2]) * 24);
        }
        if (const auto decoded = decode(bytes)) {
            ++accepted;
            ASSERT_EQ(decoded->steps.size(), decoded->times.size());
            ASSERT_EQ(decoded->steps.size(), decoded->values.size());
        }
    }
    EXPECT_GT(accepted, 0);
}

TEST(MetricBlock, TheRangeIgnoresNonFiniteValues) {
    const double inf = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();
    const MetricPoint points[] = {{0, 0, inf}, {1, 0, 2}, {2, 0, nan}, {3, 0, 4}, {4, 0, -inf}};
    const MetricRange range = rangeOf(points);
    EXPECT_EQ(range.min, 2);
    EXPECT_EQ(range.max, 4);
    EXPECT_EQ(range.mean, 3);
    EXPECT_TRUE(std::isnan(rangeOf(std::span(points).first(1)).mean));
}

}  // namespace
}  // namespace seedbed
