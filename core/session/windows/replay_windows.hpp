// SPDX-License-Identifier: Apache-2.0
// A replay: windows drawn at random from the newest rows of all rings, uniformly or by priority (Schaul et
// al. 2016, "Prioritized Experience Replay").
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

// A turn is a rollout followed by whole gradient steps, so that the rows learned per decision equal the ratio
// exactly; a remaining fraction counts in the next turn. All rings are at the same row (sync schedule).
// Windows have a learned row that chose an action. Draws depend on the seed and the contents only. Thread:
// learner's.
class ReplayWindows final : public WindowSource {
public:
    // Algorithm::actingPriorities().
    using ActingPriorities = std::function<void(const Chunk& acted, float* priorities)>;

    // `plan.replay` is set; rings hold capacityRows() rows. `acting`: for ReplayPlan::acting_priorities.
    ReplayWindows(std::vector<Ring*> rings, const LearnPlan& plan, std::uint64_t seed,
                  ActingPriorities acting = {});
    // Rows per column that a replay keeps.
    static std::int64_t capacityRows(const ReplayPlan& plan, std::int64_t columns);
    // Bytes that a replay needs, excluding the rings.
    static std::size_t bytes(const ReplayPlan& plan, std::int64_t columns);

    // The rollout up to the rings' heads, which had this number of decisions, is complete. Call once per
    // turn.
    void turn(std::uint64_t decisions);
    // Reverts the turn and all priorities set since, after its update was abandoned.
    void revert();
    // With priorities, new windows have those of the acting network or the highest one so far, and weights
    // are divided by the largest one of the batch.
    const TakenWindows* take() override;
    void done(std::span<const float> priorities) override;

    // Rows in the replay, of all columns.
    std::uint64_t rows() const;
    // Rows that are missing until learning starts.
    std::uint64_t missing() const;
    // The oldest row in the replay.
    std::uint64_t oldest() const { return oldest_; }
    double largestPriority() const { return largest_; }

    // Saves the state for a replay that keeps rows from `from` on, or loads it; the rings must have been
    // loaded before. error: the state does not fit the rings.
    Result<> archive(Archive& archive, std::uint64_t from);

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
    struct Turn {
        std::uint64_t oldest = 0, end = 0, position = 0;
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
    std::size_t weightCount(std::uint64_t oldest, std::uint64_t end) const;
    void setInitial(std::uint64_t index);
    void readActed(Ring& ring, std::uint64_t t);
    void setWeight(std::size_t leaf, double weight);
    void enter();
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
    std::optional<SumTree> tree_;  // prioritised: weights of starts

    std::uint64_t oldest_ = 0, end_ = 0;  // rows in the replay; a window begins below end_
    std::uint64_t decisions_ = 0;         // decisions since learning began
    std::uint64_t steps_ = 0;             // gradient steps left in this turn
    double largest_ = 1;                  // highest priority so far
    Turn before_;
    std::vector<Change> changes_;  // changes since the turn began, oldest first
    TakenWindows taken_;
    std::vector<std::size_t> leaves_;  // leaves of the windows taken last

    // Windows that are entering, of one ring: for actingPriorities().
    struct Acted {
        std::vector<float> action, policy, reward, discount, priorities;
        std::vector<std::uint8_t> valid, first, mask;
        Chunk chunk;
    } acted_;
};

}  // namespace seedbed
