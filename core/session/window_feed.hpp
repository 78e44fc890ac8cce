// SPDX-License-Identifier: Apache-2.0
// Passes full windows from actors to the learner: by reference, oldest first, each exactly once. Their rows
// stay pinned.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/mutex.hpp"
#include "core/env/vector_env.hpp"
#include "core/rollout/gather.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

// Threads: filled(): the actor's that owns the group; others: the learner's. Locks once per window, never per
// row.
class WindowFeed {
public:
    // Every window has `length` rows and all columns of its group; an update takes windows until
    // `target_columns` are reached.
    WindowFeed(std::vector<Ring*> rings, int length, int target_columns);

    // Call when the next window of `group` is complete; its bootstrap row is the head row. Moves the episodes
    // out of `ended`.
    void filled(int group, std::vector<EpisodeEnd>& ended);

    // Whether there are enough windows for an update.
    bool enough() const;
    bool empty() const;
    std::size_t queued() const;
    // Number of columns of all windows that were completed so far.
    std::uint64_t filledColumns() const;
    int targetColumns() const { return target_columns_; }
    // Takes the oldest windows for one update, ordered by group and time, with their episodes (columns of the
    // group). Their rows stay pinned until release().
    struct Taken {
        std::vector<Window> windows;
        std::vector<std::pair<int, EpisodeEnd>> episodes;  // group, end
    };
    Taken take();
    // Returns the most recently taken windows, with their episodes, to the front of the queue.
    void putBack(Taken taken);
    // Unpins the rows of the windows that were taken.
    void release(const std::vector<Window>& windows);
    // For each group, the row after the last window that was taken.
    const std::vector<std::uint64_t>& takenRows() const { return taken_; }
    // For each group, the oldest row that no update has used; greater than the head while rows outside
    // windows are collected.
    const std::vector<std::uint64_t>& oldestRows() const { return oldest_; }

    // Saves or restores the queued windows with their episodes; restoring also pins their rows. Call it only
    // while the actors are paused.
    Result<> archive(Archive& archive);
    // Saves an empty queue, for archive() to load: the next window of each group begins after its head row.
    void archiveNone(Archive& archive) const;
    // The first row of the first whole window at or after row `head`. Recurrent states are stored at the
    // first rows of windows only.
    std::uint64_t nextWindow(std::uint64_t head) const { return (head + length_ - 1) / length_ * length_; }
    // The row after the newest queued window of the group. Call it only while the actors are paused.
    std::uint64_t endOfQueue(int group) const;
    // Unpins all rows. Call before the rings are restored; archive() pins again.
    void unpinAll();

private:
    void pinAll();
    Result<> checkRows(std::size_t group, std::uint64_t windows) const;

    std::vector<Ring*> rings_;
    std::uint64_t length_;
    int target_columns_;
    std::vector<std::uint64_t> oldest_, taken_;  // per group: all lower rows have been used or taken
    std::vector<Ring::Pin> pins_;

    mutable Mutex mutex_;
    std::deque<int> queue_ SEEDBED_GUARDED_BY(mutex_);
    int columns_ SEEDBED_GUARDED_BY(mutex_) = 0;  // number of columns in queue_
    std::uint64_t filled_columns_ SEEDBED_GUARDED_BY(mutex_) = 0;
    std::vector<std::deque<EpisodeEnd>> ended_ SEEDBED_GUARDED_BY(mutex_);
};

}  // namespace seedbed
