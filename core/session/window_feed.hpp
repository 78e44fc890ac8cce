// SPDX-License-Identifier: Apache-2.0
// Full windows on their way from actors to the learner: by reference, oldest first, each exactly once. Keeps
// their rows pinned.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/mutex.hpp"
#include "core/env/vector_env.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

// Threads: filled() the actor that holds the group; the rest the learner's. The lock is taken once per
// window, never for a row.
class WindowFeed {
public:
    // Every window has `length` rows and all columns of its group; an update takes windows until
    // `target_columns` are reached.
    WindowFeed(std::vector<Ring*> rings, int length, int target_columns);

    // The window of `group` after its last one is complete, row head being its bootstrap row. Takes the
    // episodes in `ended`.
    void filled(int group, std::vector<EpisodeEnd>& ended);

    // Whether there are enough windows for an update.
    bool enough() const;
    bool empty() const;
    std::size_t queued() const;
    // The oldest windows, as many as an update takes, in order of group and time; their rows stay pinned
    // until release(). With their episodes (columns of the group).
    struct Taken {
        std::vector<Window> windows;
        std::vector<std::pair<int, EpisodeEnd>> episodes;  // group, end
    };
    Taken take();
    // The rows of the windows that were taken may be overwritten.
    void release(const std::vector<Window>& windows);
    // The oldest row of each group that no update has learned from; ahead of the head while rows without a
    // window are played.
    const std::vector<std::uint64_t>& oldestRows() const { return oldest_; }

    // Saves or restores the windows that wait, with their episodes; after restoring the rings' pins are set.
    // Nobody else is at work then.
    Result<> archive(Archive& archive);
    // Saves, for archive() to load, that none waits: the next window of each group is a whole one after its
    // head row.
    void archiveNone(Archive& archive) const;
    // Where the first whole window at or after row `head` begins. Recurrent states are kept at the first rows
    // of windows only.
    std::uint64_t nextWindow(std::uint64_t head) const { return (head + length_ - 1) / length_ * length_; }
    // Rings are about to be restored: nothing is pinned until archive() has loaded.
    void letGo();

private:
    void pinAll();

    std::vector<Ring*> rings_;
    std::uint64_t length_;
    int target_columns_;
    std::vector<std::uint64_t> oldest_, taken_;  // per group: rows below are learned from, or taken
    std::vector<Ring::Pin> pins_;

    mutable Mutex mutex_;
    std::deque<int> queue_ SEEDBED_GUARDED_BY(mutex_);
    int columns_ SEEDBED_GUARDED_BY(mutex_) = 0;  // in queue_
    std::vector<std::deque<EpisodeEnd>> ended_ SEEDBED_GUARDED_BY(mutex_);
};

}  // namespace seedbed
