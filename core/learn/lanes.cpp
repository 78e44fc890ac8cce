// SPDX-License-Identifier: Apache-2.0
// The sum over gradient lanes in a fixed tree, by ranges of parameters that stay in cache.
#include "core/learn/lanes.hpp"

#include <algorithm>
#include <atomic>

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

bool Lanes::sumRange(std::size_t count, std::size_t begin, std::size_t end) {
    for (std::size_t stride = 1; stride < count; stride *= 2)
        for (std::size_t i = 0; i + stride < count; i += 2 * stride) {
            float* to = lanes_[i].data();
            float* from = lanes_[i + stride].data();
            for (std::size_t j = begin; j < end; ++j) to[j] += from[j];
            std::fill(from + begin, from + end, 0.0f);
        }
    return firstNonFinite(lanes_[0].data() + begin, end - begin) == end - begin;
}

bool Lanes::sum(std::size_t count, WorkerPool& pool) {
    if (count * floats_ < kSerial || pool.threads() == 1) {
        bool finite = true;
        for (std::size_t begin = 0; begin < floats_; begin += kRange)
            finite &= sumRange(count, begin, std::min(floats_, begin + kRange));
        return finite;
    }
    std::atomic<bool> finite{true};
    const struct {
        Lanes* lanes;
        std::size_t count;
        std::atomic<bool>* finite;
    } work{this, count, &finite};
    const Result<> done =
        pool.run((floats_ + kRange - 1) / kRange, [&work](std::size_t task, int) -> Result<> {
            const std::size_t begin = task * kRange, end = std::min(work.lanes->floats_, begin + kRange);
            if (!work.lanes->sumRange(work.count, begin, end))
                work.finite->store(false, std::memory_order_relaxed);
            return {};
        });
    SEEDBED_CHECK(done.has_value());
    return finite.load(std::memory_order_relaxed);
}

}  // namespace seedbed
