// SPDX-License-Identifier: Apache-2.0
// Encodes blocks of a curve losslessly, and computes the ranges that charts need. Internal to core/store.
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

// Minimum, maximum and mean of the finite values; NaN if there are none.
struct MetricRange {
    double min, max, mean;
};
MetricRange rangeOf(std::span<const MetricPoint> points);

// Encodes at most 65,535 points losslessly; metric_block.cpp describes the format.
std::vector<std::byte> encodeBlock(std::span<const MetricPoint> points);
// Appends to the three vectors. error: the bytes are not a block.
Result<> decodeBlock(std::span<const std::byte> bytes, std::vector<std::int64_t>& steps,
                     std::vector<double>& times, std::vector<double>& values);

}  // namespace seedbed
