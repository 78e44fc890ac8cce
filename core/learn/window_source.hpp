// SPDX-License-Identifier: Apache-2.0
// The source of the learner's windows: each window once, or windows drawn from a replay.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/rollout/gather.hpp"
#include "core/rollout/goal.hpp"

namespace seedbed {

// Windows of equal length for one pass of an update. Their rows stay in the rings until the update ends.
struct TakenWindows {
    std::vector<Window> windows;
    std::vector<float> weights{};     // per column: importance weights; empty: all are 1
    std::vector<Relabel> relabels{};  // per column: goals that hindsight replaces; empty: none
    // With a replay: the number of random words drawn before this draw; identifies the draw within a run.
    std::uint64_t draw = 0;
    int repeat = 0;  // passes of this update over the same windows before this one
};

// Thread: the learner's.
class WindowSource {
public:
    virtual ~WindowSource() = default;
    // The windows of the next pass, valid until the next call; null: the update is complete.
    virtual const TakenWindows* take() = 0;
    // Called after the learner has learned from the most recent windows. `priorities`: the algorithm's output
    // for each column, or empty.
    virtual void done(std::span<const float> /*priorities*/) {}
    // Windows whose rows are added to the statistics of observations after this update, each row of a run
    // once.
    virtual std::span<const Window> entered() const { return {}; }
};

// Returns the given windows once.
class FreshWindows final : public WindowSource {
public:
    explicit FreshWindows(std::vector<Window> windows) : taken_{.windows = std::move(windows)} {}
    const TakenWindows* take() override { return std::exchange(given_, true) ? nullptr : &taken_; }
    std::span<const Window> entered() const override { return taken_.windows; }

private:
    TakenWindows taken_;
    bool given_ = false;
};

}  // namespace seedbed
