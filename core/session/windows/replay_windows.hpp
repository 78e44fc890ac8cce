// SPDX-License-Identifier: Apache-2.0
// A replay buffer ("replay"): windows drawn at random from the newest rows of all rings, uniformly or by
// priority (Schaul et al. 2016, "Prioritized Experience Replay").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/base/archive.hpp"
#include "core/base/rng.hpp"
#include "core/learn/window_source.hpp"
#include "core/rollout/ring.hpp"
#include "core/session/windows/sum_tree.hpp"

namespace seedbed {

// In a turn, new rows are added and a whole number of gradient steps follows, so that training rows per
// decision equal the ratio; a fraction is carried over to the next turn. Rings may be at different rows.
// Every window has a training row with an action. Draws depend only on the seed and the contents. Thread: the
// learner's.
class ReplayWindows final : public WindowSource {
public:
    // Algorithm::actingPriorities().
    using ActingPriorities = std::function<void(const Chunk& acted, float* priorities)>;

    // `plan.replay` is set; rings hold capacityRows() rows. `acting`: for ReplayPlan::acting_priorities. Rows
    // from oldest() on must not be overwritten until the next turn has begun and was not reverted.
    ReplayWindows(std::vector<Ring*> rings, const LearnPlan& plan, std::uint64_t seed,
                  ActingPriorities acting = {});
    // Rows per column that a replay buffer keeps.
    static std::int64_t capacityRows(const ReplayPlan& plan, std::int64_t columns);
    // Bytes that a replay buffer needs, excluding the rings.
    static std::size_t bytes(const ReplayPlan& plan, std::int64_t columns);

    // Begins a turn: adds the rows up to the end of these windows, which have this number of decisions, and
    // removes the oldest rows. Windows of a group are in order and have all its columns.
    void turn(std::vector<Window> entered, std::uint64_t decisions);
    // Reverts the turn and all priorities set since, after its update was abandoned.
    void revert();
    // With priorities, new windows get the acting network's priorities or the highest one so far, and weights
    // are divided by the largest one of the batch.
    const TakenWindows* take() override;
    void done(std::span<const float> priorities) override;
    std::span<const Window> entered() const override { return entered_; }

    // Number of rows in the replay buffer, over all columns.
    std::uint64_t rows() const;
    // Rows that are missing until learning starts.
    std::uint64_t missing() const;
    // The oldest row of a ring in the replay buffer.
    std::uint64_t oldest(std::size_t ring) const { return kept_[ring].oldest; }
    double largestPriority() const { return largest_; }
    // With priorities: the effective sample size of the draws of this turn, as a share of all windows: (sum
    // p)^2 / (N sum p^2), estimated from the draws. 1: priorities have no effect; near 0: the same few
    // windows are drawn. 0 if nothing was drawn.
    double effectiveShare() const;

    // Saves the state for a replay buffer that keeps the rows of each ring from `from` on, or loads it; the
    // rings must be loaded first. error: the state does not fit the rings.
    Result<> archive(Archive& archive, const std::vector<std::uint64_t>& from);

private:
    struct Start {
        std::size_t ring = 0;
        std::uint64_t t = 0;
        std::size_t column = 0;  // column of the ring
    };
    struct Change {
        std::size_t leaf;
        double weight;
    };
    // The rows of a ring in the replay buffer: [oldest, head). A window begins below `end`.
    struct Kept {
        std::uint64_t oldest = 0, end = 0, head = 0;
    };
    struct Turn {
        std::vector<Kept> kept;
        std::uint64_t position = 0;
        std::uint64_t decisions = 0;
        double largest = 1;
    };

    // Windows begin at rows index * stride.
    std::uint64_t indexFrom(std::uint64_t t) const { return (t + stride_ - 1) / stride_; }
    std::size_t leafOf(std::uint64_t index, std::size_t column) const {
        return static_cast<std::size_t>(index % starts_) * columns_ + column;
    }
    Start startOf(std::uint64_t t, std::size_t column) const;
    bool isStart(const Start& start) const;
    bool hasStart() const;
    std::uint64_t endAt(std::uint64_t head) const;
    std::size_t startsOf(const Kept& kept) const {
        return static_cast<std::size_t>(indexFrom(kept.end) - indexFrom(kept.oldest));
    }
    Result<> checkLoaded() const;
    Result<> archiveWeights(Archive& archive, const std::vector<Kept>& saved);
    void setInitial(std::size_t ring, std::uint64_t index);
    void readActed(Ring& ring, std::uint64_t t);
    void setWeight(std::size_t leaf, double weight);
    void put(std::size_t leaf, double weight);
    void enter(std::size_t ring, std::uint64_t head);
    Start drawUniform();
    Start drawByPriority(std::size_t index);
    double exponentiated(double priority) const;
    std::uint64_t stepsFor(std::uint64_t decisions) const;

    std::vector<Ring*> rings_;
    ReplayPlan plan_;
    std::uint64_t window_rows_, capacity_, stride_;
    std::uint64_t starts_;  // the largest number of windows per column
    int rows_ahead_;
    ActingPriorities acting_;
    std::vector<std::size_t> first_column_;  // first column of each ring, then the number of all columns
    std::size_t columns_ = 0;
    Rng rng_;
    std::optional<SumTree> tree_;          // prioritised: weights of starts
    std::size_t weighted_ = 0;             // leaves with a weight above 0
    double drawn_shares_ = 0, drawn_ = 0;  // sum of weight / total, and number of windows, in this turn

    std::vector<Kept> kept_;       // per ring
    std::vector<Window> entered_;  // in this turn
    std::uint64_t decisions_ = 0;  // decisions since learning began
    std::uint64_t steps_ = 0;      // gradient steps left in this turn
    double largest_ = 1;           // highest priority so far
    Turn before_;
    std::vector<Change> changes_;  // changes since the turn began, oldest first
    TakenWindows taken_;
    std::vector<std::size_t> leaves_;  // leaves of the most recently taken windows

    // The new windows of one ring, for actingPriorities().
    struct Acted {
        std::vector<float> action, policy, reward, discount, priorities;
        std::vector<std::uint8_t> valid, first, mask;
        Chunk chunk;
    } acted_;
};

}  // namespace seedbed
