// SPDX-License-Identifier: Apache-2.0
// Lossless encoding of blocks of a curve, and the ranges that charts need. Internal to core/store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

struct MetricPoint {
    std::int64_t step = 0;
    double time = 0;
    double value = 0;
};

inline constexpr std::size_t kBlockPoints = 512;
inline constexpr std::size_t kBucketPoints = 32;

// Minimum, maximum and mean of the finite values; else NaN.
struct MetricRange {
    double min, max, mean;
};
MetricRange rangeOf(std::span<const MetricPoint> points);

// Bytes: version (1), flags, count u16, then three arrays, all little-endian:
//   steps   first i64, then count u32 differences from the first (flag 1: count i64 instead)
//   times   first f64, then count u32 differences in units of 2^-22 s (flag 2: count f64 instead)
//   values  count f32 (flag 4: count f64 instead)
// The short form is used only if decoding gives the same bits (any NaN for a NaN).
std::vector<std::byte> encodeBlock(std::span<const MetricPoint> points);
// Appends to the three vectors. error: the bytes are not a block.
Result<> decodeBlock(std::span<const std::byte> bytes, std::vector<std::int64_t>& steps,
                     std::vector<double>& times, std::vector<double>& values);

}  // namespace seedbed
