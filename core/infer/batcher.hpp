// SPDX-License-Identifier: Apache-2.0
// Decides when a batch of central inference closes and which groups it contains: a state machine without
// threads or clock.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace seedbed {

// A batch closes when it has `rows` rows, at the deadline, or when every expected group has arrived,
// whichever comes first.
struct CloseRule {
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    int rows = 0;                       // 0: no limit
    std::int64_t deadline_ns = kNever;  // time after the first arrival; 0: immediately
};

// Tracks groups, which are numbered from 0. Thread: one owner.
class Batcher {
public:
    enum class Closed : std::uint8_t { size, deadline, all_arrived };

    // columns[g]: number of rows that group g adds to a batch.
    Batcher(std::vector<int> columns, CloseRule rule);

    // The group requests actions. Has no effect if the group is already in the queue.
    void arrive(int group, std::int64_t now_ns);
    // The group is expected to arrive: batches wait for it unless their size or the deadline closes them.
    void expect(int group);
    // Batches no longer wait for the group: it is paused, hangs or has failed. Has no effect if it has
    // arrived.
    void dismiss(int group);
    bool arrived(int group) const { return state_[static_cast<std::size_t>(group)] == State::arrived; }
    bool expected(int group) const { return state_[static_cast<std::size_t>(group)] == State::expected; }

    // Whether a batch closes now.
    bool due(std::int64_t now_ns) const {
        return !queue_.empty() && (full() || live_ == 0 || now_ns >= wakeAt());
    }
    // The time at which due() becomes true without further calls; kNever without a deadline or arrivals.
    std::int64_t wakeAt() const;
    // The reason why the batch closes. Requires due().
    Closed reason(std::int64_t now_ns) const;
    // Removes the groups of the batch in order of arrival: all groups that have arrived, or the first groups
    // that together reach the batch size. They then count as neither arrived nor expected.
    void take(std::vector<int>& groups);
    int waitingRows() const { return rows_; }

private:
    enum class State : std::uint8_t { away, expected, arrived };
    struct Arrival {
        int group;
        std::int64_t time_ns;
    };
    bool full() const { return rule_.rows > 0 && rows_ >= rule_.rows; }

    std::vector<int> columns_;
    CloseRule rule_;
    std::vector<State> state_;
    std::vector<Arrival> queue_;  // in order of arrival
    int rows_ = 0;                // number of rows in the queue
    int live_ = 0;                // number of expected groups
};

}  // namespace seedbed
