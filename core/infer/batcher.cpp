// SPDX-License-Identifier: Apache-2.0
// The rule for closing batches: by size, at the deadline, or when all expected groups have arrived.
#include "core/infer/batcher.hpp"

#include <utility>

#include "core/base/error.hpp"

namespace seedbed {

Batcher::Batcher(std::vector<int> columns, CloseRule rule)
    : columns_(std::move(columns)), rule_(rule), state_(columns_.size(), State::away) {
    SEEDBED_CHECK(rule_.rows >= 0 && rule_.deadline_ns >= 0);
    queue_.reserve(columns_.size());
}

void Batcher::arrive(int group, std::int64_t now_ns) {
    State& state = state_[static_cast<std::size_t>(group)];
    if (state == State::arrived) return;
    if (state == State::expected) --live_;
    state = State::arrived;
    queue_.push_back({group, now_ns});
    rows_ += columns_[static_cast<std::size_t>(group)];
}

void Batcher::expect(int group) {
    State& state = state_[static_cast<std::size_t>(group)];
    if (state != State::away) return;
    state = State::expected;
    ++live_;
}

void Batcher::dismiss(int group) {
    State& state = state_[static_cast<std::size_t>(group)];
    if (state != State::expected) return;
    state = State::away;
    --live_;
}

std::int64_t Batcher::wakeAt() const {
    if (queue_.empty() || rule_.deadline_ns == CloseRule::kNever) return CloseRule::kNever;
    return queue_.front().time_ns + rule_.deadline_ns;
}

Batcher::Closed Batcher::reason(std::int64_t now_ns) const {
    SEEDBED_CHECK(due(now_ns), "no batch closes now");
    if (full()) return Closed::size;
    return live_ == 0 ? Closed::all_arrived : Closed::deadline;
}

void Batcher::take(std::vector<int>& groups) {
    groups.clear();
    int rows = 0;
    std::size_t count = 0;
    while (count < queue_.size() && (rule_.rows == 0 || rows < rule_.rows)) {
        const int group = queue_[count++].group;
        rows += columns_[static_cast<std::size_t>(group)];
        state_[static_cast<std::size_t>(group)] = State::away;
        groups.push_back(group);
    }
    rows_ -= rows;
    queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace seedbed
