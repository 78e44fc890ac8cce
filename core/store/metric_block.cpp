// SPDX-License-Identifier: Apache-2.0
// A point occupies 12 to 24 bytes.
//
// Bytes of a block: version (1), flags, count u16, then three arrays, all little-endian:
//   steps   first i64, then count u32 differences from the first (flag 1: count i64 instead)
//   times   first f64, then count u32 differences in units of 2^-22 s (flag 2: count f64 instead)
//   values  count f32 (flag 4: count f64 instead)
// The short form is used only if decoding gives the same bits (a NaN may become a different NaN).
#include "core/store/metric_block.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace seedbed {

static_assert(std::endian::native == std::endian::little, "blocks are little-endian");

namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kWideSteps = 1;
constexpr std::uint8_t kWideTimes = 2;
constexpr std::uint8_t kWideValues = 4;
// The spacing of doubles near current wall-clock times, so differences between such times are multiples of
// it.
constexpr double kTimeUnit = 1.0 / (1 << 22);

template <class T>
void put(std::vector<std::byte>& bytes, T value) {
    bytes.resize(bytes.size() + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

template <class T>
T take(std::span<const std::byte>& bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
}

bool fitsU32(double distance) {
    return distance >= 0 && distance <= std::numeric_limits<std::uint32_t>::max();
}

bool shortStep(std::int64_t first, std::int64_t step) {
    const std::uint64_t distance = static_cast<std::uint64_t>(step) - static_cast<std::uint64_t>(first);
    return step >= first && distance <= std::numeric_limits<std::uint32_t>::max();
}

bool shortTime(double first, double time) {
    const double units = (time - first) / kTimeUnit;
    return fitsU32(units) && units == std::floor(units) && first + units * kTimeUnit == time;
}

bool shortValue(double value) {
    return std::isnan(value) || std::isinf(value) ||
           (std::fabs(value) <= std::numeric_limits<float>::max() &&
            static_cast<double>(static_cast<float>(value)) == value);
}

std::size_t blockBytes(std::uint8_t flags, std::size_t count) {
    return 4 + ((flags & kWideSteps) ? 8 * count : 8 + 4 * count) +
           ((flags & kWideTimes) ? 8 * count : 8 + 4 * count) +
           ((flags & kWideValues) ? 8 * count : 4 * count);
}

}  // namespace

MetricRange rangeOf(std::span<const MetricPoint> points) {
    double min = std::numeric_limits<double>::infinity();
    double max = -min;
    double sum = 0;
    std::size_t count = 0;
    for (const auto& point : points) {
        if (!std::isfinite(point.value)) continue;
        min = std::min(min, point.value);
        max = std::max(max, point.value);
        sum += point.value;
        ++count;
    }
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (count == 0) return {kNone, kNone, kNone};
    // Clamped because the sum of very large values may overflow.
    return {min, max, std::clamp(sum / static_cast<double>(count), min, max)};
}

std::vector<std::byte> encodeBlock(std::span<const MetricPoint> points) {
    SEEDBED_CHECK(!points.empty() && points.size() <= kBlockPoints);
    const auto first = points.front();
    std::uint8_t flags = 0;
    for (const auto& point : points) {
        if (!shortStep(first.step, point.step)) flags |= kWideSteps;
        if (!shortTime(first.time, point.time)) flags |= kWideTimes;
        if (!shortValue(point.value)) flags |= kWideValues;
    }
    std::vector<std::byte> bytes;
    bytes.reserve(blockBytes(flags, points.size()));
    put(bytes, kVersion);
    put(bytes, flags);
    put(bytes, static_cast<std::uint16_t>(points.size()));
    if (!(flags & kWideSteps)) put(bytes, first.step);
    for (const auto& point : points)
        (flags & kWideSteps) ? put(bytes, point.step)
                             : put(bytes, static_cast<std::uint32_t>(point.step - first.step));
    if (!(flags & kWideTimes)) put(bytes, first.time);
    for (const auto& point : points)
        (flags & kWideTimes) ? put(bytes, point.time)
                             : put(bytes, static_cast<std::uint32_t>((point.time - first.time) / kTimeUnit));
    for (const auto& point : points)
        (flags & kWideValues) ? put(bytes, point.value) : put(bytes, static_cast<float>(point.value));
    return bytes;
}

Result<> decodeBlock(std::span<const std::byte> bytes, std::vector<std::int64_t>& steps,
                     std::vector<double>& times, std::vector<double>& values) {
    const auto bad = [] { return fail("a block of metric points in the database is damaged"); };
    if (bytes.size() < 4 || take<std::uint8_t>(bytes) != kVersion) return bad();
    const auto flags = take<std::uint8_t>(bytes);
    const std::size_t count = take<std::uint16_t>(bytes);
    if (flags > (kWideSteps | kWideTimes | kWideValues) || count == 0 || count > kBlockPoints ||
        bytes.size() + 4 != blockBytes(flags, count))
        return bad();

    const std::int64_t first_step = (flags & kWideSteps) ? 0 : take<std::int64_t>(bytes);
    for (std::size_t i = 0; i < count; ++i)
        steps.push_back((flags & kWideSteps)
                            ? take<std::int64_t>(bytes)
                            : static_cast<std::int64_t>(static_cast<std::uint64_t>(first_step) +
                                                        take<std::uint32_t>(bytes)));
    const double first_time = (flags & kWideTimes) ? 0 : take<double>(bytes);
    for (std::size_t i = 0; i < count; ++i)
        times.push_back((flags & kWideTimes) ? take<double>(bytes)
                                             : first_time + take<std::uint32_t>(bytes) * kTimeUnit);
    for (std::size_t i = 0; i < count; ++i)
        values.push_back((flags & kWideValues) ? take<double>(bytes)
                                               : static_cast<double>(take<float>(bytes)));
    return {};
}

}  // namespace seedbed
