// SPDX-License-Identifier: Apache-2.0
// The sum over gradient lanes in a fixed tree, one range of parameters at a time, which stays in the cache.
#include "core/learn/lanes.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "core/base/finite.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kRange = 4096;  // floats per task
constexpr std::size_t kSerial =
    64 * 1024;  // floats in all lanes; with fewer, additional threads make the sum slower

}  // namespace

void Lanes::require(std::size_t count) {
    while (lanes_.size() < count) lanes_.emplace_back(floats_, 0.0f);
}

void Lanes::clear() {
    for (auto& lane : lanes_) std::fill(lane.begin(), lane.end(), 0.0f);
}

void Lanes::clearSum() { std::fill(lanes_[0].begin(), lanes_[0].end(), 0.0f); }

// Adds a range of lane `other` to lane `lane` and clears it.
void Lanes::add(std::size_t lane, std::size_t other, std::size_t begin, std::size_t end) {
    float* to = lanes_[lane].data();
    float* from = lanes_[other].data();
    for (std::size_t j = begin; j < end; ++j) to[j] += from[j];
    std::fill(from + begin, from + end, 0.0f);
}

void Lanes::addTree(std::size_t first, std::size_t count, std::size_t begin, std::size_t end) {
    for (std::size_t stride = 1; stride < count; stride *= 2)
        for (std::size_t i = 0; i + stride < count; i += 2 * stride)
            add(first + i, first + i + stride, begin, end);
}

bool Lanes::sumRange(std::span<const std::size_t> counts, std::size_t begin, std::size_t end) {
    std::size_t first = 0;
    for (const std::size_t count : counts) {
        addTree(first, count, begin, end);
        first += count;
    }
    // The sum of a shard is in its first lane.
    const auto firstOf = [&](std::size_t shard) {
        return std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(shard),
                               std::size_t{0});
    };
    for (std::size_t stride = 1; stride < counts.size(); stride *= 2)
        for (std::size_t i = 0; i + stride < counts.size(); i += 2 * stride)
            add(firstOf(i), firstOf(i + stride), begin, end);
    return firstNonFinite(lanes_[0].data() + begin, end - begin) == end - begin;
}

bool Lanes::sum(std::span<const std::size_t> counts, WorkerPool& pool) {
    const std::size_t count = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    if (count * floats_ < kSerial || pool.threads() == 1) {
        bool finite = true;
        for (std::size_t begin = 0; begin < floats_; begin += kRange)
            finite &= sumRange(counts, begin, std::min(floats_, begin + kRange));
        return finite;
    }
    std::atomic<bool> finite{true};
    const struct {
        Lanes* lanes;
        std::span<const std::size_t> counts;
        std::atomic<bool>* finite;
    } work{this, counts, &finite};
    const Result<> done =
        pool.run((floats_ + kRange - 1) / kRange, [&work](std::size_t task, int) -> Result<> {
            const std::size_t begin = task * kRange, end = std::min(work.lanes->floats_, begin + kRange);
            if (!work.lanes->sumRange(work.counts, begin, end))
                work.finite->store(false, std::memory_order_relaxed);
            return {};
        });
    SEEDBED_CHECK(done.has_value());
    return finite.load(std::memory_order_relaxed);
}

}  // namespace seedbed
