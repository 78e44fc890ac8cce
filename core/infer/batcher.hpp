// SPDX-License-Identifier: Apache-2.0
// When a batch of central inference closes, and who is in it: a state machine without threads and without a
// clock of its own.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace seedbed {

// A batch closes by size, by deadline, or when every live group has arrived, whichever is first.
struct CloseRule {
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    int rows = 0;                       // 0: no limit of size
    std::int64_t deadline_ns = kNever;  // after the first arrival; 0: at once
};

// Thread: one owner. Groups are numbered from 0.
class Batcher {
public:
    enum class Closed : std::uint8_t { size, deadline, all_arrived };

    // columns[g]: rows that group g adds to a batch.
    Batcher(std::vector<int> columns, CloseRule rule);

    // The group wants actions; until it is taken, further calls change nothing.
    void arrive(int group, std::int64_t now_ns);
    // The group is on its way: a batch with nothing else to close it waits for it.
    void expect(int group);
    // Nobody waits for the group: it rests, hangs or is dead. One that has arrived stays in the batch.
    void dismiss(int group);
    bool arrived(int group) const { return state_[static_cast<std::size_t>(group)] == State::arrived; }
    bool expected(int group) const { return state_[static_cast<std::size_t>(group)] == State::expected; }

    // Whether a batch closes now.
    bool due(std::int64_t now_ns) const {
        return !queue_.empty() && (full() || live_ == 0 || now_ns >= wakeAt());
    }
    // When due() comes true without any further call; kNever without a deadline or without arrivals.
    std::int64_t wakeAt() const;
    // Why take() would close the batch at this moment. Only when due.
    Closed reason(std::int64_t now_ns) const;
    // The groups of the batch, first come first: all that arrived, or as many as reach the size. They are
    // neither arrived nor expected then.
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
    int rows_ = 0;                // of the queue
    int live_ = 0;                // groups expected
};

}  // namespace seedbed
