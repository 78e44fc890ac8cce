// SPDX-License-Identifier: Apache-2.0
// Sealed stretches of a curve as bytes, without loss, and what a chart needs to know of them. Inner part of
// core/store.
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

// Smallest, largest and mean of the finite values; not-a-number when there is none.
struct MetricRange {
    double min, max, mean;
};
MetricRange rangeOf(std::span<const MetricPoint> points);

// Bytes: version (1), flags, count u16, then three arrays, all little-endian:
//   steps   first i64, then count u32 distances to the first (flag 1: count i64 instead)
//   times   first f64, then count u32 distances in units of 2^-22 s (flag 2: count f64 instead)
//   values  count f32 (flag 4: count f64 instead)
// The short form is used only where it gives back the same bits (of not-a-number: any not-a-number).
std::vector<std::byte> encodeBlock(std::span<const MetricPoint> points);
// Appends. error: the bytes are no block.
Result<> decodeBlock(std::span<const std::byte> bytes, std::vector<std::int64_t>& steps,
                     std::vector<double>& times, std::vector<double>& values);

}  // namespace seedbed
