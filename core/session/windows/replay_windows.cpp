// SPDX-License-Identifier: Apache-2.0
#include "core/session/windows/replay_windows.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed {
namespace {

// Added to priorities so that every window can be drawn (Schaul et al. 2016, section 3.3).
constexpr double kLeastPriority = 1e-6;
constexpr double kLargestPriority = 1e30;
// Lane of the random stream; shuffles use the lanes from 0 on.
constexpr std::uint32_t kLane = 1u << 31;

}  // namespace

ReplayWindows::ReplayWindows(std::vector<Ring*> rings, const LearnPlan& plan, std::uint64_t seed)
    : rings_(std::move(rings)),
      plan_(*plan.replay),
      window_rows_(static_cast<std::uint64_t>(plan.windowRows())),
      rng_(seed, RngPurpose::minibatch, kLane) {
    for (const Ring* ring : rings_) {
        first_column_.push_back(columns_);
        columns_ += static_cast<std::size_t>(ring->columns());
    }
    capacity_ = static_cast<std::uint64_t>(capacityRows(plan_, static_cast<std::int64_t>(columns_)));
    if (plan_.prioritised) tree_.emplace(static_cast<std::size_t>(capacity_) * columns_);
    taken_.windows.resize(static_cast<std::size_t>(plan_.batch));
    if (plan_.prioritised) taken_.weights.resize(taken_.windows.size());
    leaves_.resize(taken_.windows.size());
}

std::int64_t ReplayWindows::capacityRows(const ReplayPlan& plan, std::int64_t columns) {
    return std::max<std::int64_t>(1, plan.size / columns);
}

std::size_t ReplayWindows::bytes(const ReplayPlan& plan, std::int64_t columns) {
    const auto leaves = static_cast<std::size_t>(capacityRows(plan, columns) * columns);
    return plan.prioritised ? SumTree::bytes(leaves) : 0;
}

ReplayWindows::Start ReplayWindows::startOf(std::uint64_t t, std::size_t column) const {
    const auto above = std::upper_bound(first_column_.begin(), first_column_.end(), column);
    const auto ring = static_cast<std::size_t>(above - first_column_.begin()) - 1;
    return {ring, t, column - first_column_[ring]};
}

// Extra rows of truncations have no action.
bool ReplayWindows::isStart(const Start& start) const {
    return rings_[start.ring]->valid(start.t)[start.column] != 0;
}

// Whether a window can be drawn; also true if there are no rows to draw from.
bool ReplayWindows::hasStart() const {
    for (std::uint64_t t = oldest_; t < end_; ++t)
        for (std::size_t n = 0; n < columns_; ++n)
            if (isStart(startOf(t, n))) return true;
    return end_ == oldest_;
}

double ReplayWindows::exponentiated(double priority) const {
    return std::pow(std::min(priority + kLeastPriority, kLargestPriority), plan_.alpha);
}

void ReplayWindows::setWeight(std::size_t leaf, double weight) {
    changes_.push_back({leaf, tree_->weight(leaf)});
    tree_->set(leaf, weight);
}

// Adds the rows up to the heads and drops the oldest.
void ReplayWindows::enter() {
    const std::uint64_t head = rings_[0]->head();
    const std::uint64_t oldest = std::max(oldest_, head > capacity_ ? head - capacity_ : 0);
    const std::uint64_t end = std::max(end_, head + 1 > window_rows_ ? head + 1 - window_rows_ : 0);
    if (tree_) {
        for (std::uint64_t t = oldest_; t < std::min(oldest, end_); ++t)
            for (std::size_t n = 0; n < columns_; ++n) setWeight(leafOf(t, n), 0);
        const double weight = exponentiated(largest_);
        for (std::uint64_t t = std::max(end_, oldest); t < end; ++t)
            for (std::size_t n = 0; n < columns_; ++n)
                setWeight(leafOf(t, n), isStart(startOf(t, n)) ? weight : 0);
    }
    oldest_ = oldest;
    end_ = std::max(end, oldest);
}

std::uint64_t ReplayWindows::rows() const {
    return (rings_[0]->head() - std::min(oldest_, rings_[0]->head())) * columns_;
}

std::uint64_t ReplayWindows::missing() const {
    const auto start = static_cast<std::uint64_t>(plan_.start);
    return start > rows() ? start - rows() : 0;
}

// Computed from the total, so that rounding errors do not accumulate. The last factor compensates for ratios
// such as 0.7, whose binary fractions are slightly too small.
std::uint64_t ReplayWindows::stepsFor(std::uint64_t decisions) const {
    return static_cast<std::uint64_t>(static_cast<double>(decisions) * plan_.ratio / plan_.batch /
                                      plan_.sequence * (1 + 1e-12));
}

void ReplayWindows::turn(std::uint64_t decisions) {
    changes_.clear();
    before_ = {oldest_, end_, rng_.position(), decisions_, largest_};
    enter();
    steps_ = 0;
    if (missing() > 0 || end_ == oldest_) return;
    steps_ = stepsFor(decisions_ + decisions) - stepsFor(decisions_);
    decisions_ += decisions;
}

void ReplayWindows::revert() {
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change)
        tree_->set(change->leaf, change->weight);
    changes_.clear();
    oldest_ = before_.oldest;
    end_ = before_.end;
    steps_ = 0;
    decisions_ = before_.decisions;
    largest_ = before_.largest;
    rng_.seek(before_.position);
}

ReplayWindows::Start ReplayWindows::drawUniform() {
    const std::uint64_t rows = end_ - oldest_;
    while (true) {
        // Rows and columns separately: their product may exceed 32 bits.
        const std::uint64_t t = oldest_ + rng_.below(static_cast<std::uint32_t>(rows));
        const Start start = startOf(t, rng_.below(static_cast<std::uint32_t>(columns_)));
        if (isStart(start)) return start;
    }
}

// One draw from each of `batch` equal parts of the total priority (Schaul et al. 2016, appendix B.2.1).
ReplayWindows::Start ReplayWindows::drawByPriority(std::size_t index) {
    const double part = tree_->total() / plan_.batch;
    const std::size_t leaf =
        tree_->find(std::min((static_cast<double>(index) + rng_.uniform()) * part, tree_->total()));
    const std::uint64_t slot = leaf / columns_, oldest_slot = oldest_ % capacity_;
    leaves_[index] = leaf;
    return startOf(oldest_ + (slot + capacity_ - oldest_slot) % capacity_, leaf % columns_);
}

const TakenWindows* ReplayWindows::take() {
    if (steps_ == 0) return nullptr;
    --steps_;
    double largest = 0;
    for (std::size_t i = 0; i < taken_.windows.size(); ++i) {
        const Start start = tree_ ? drawByPriority(i) : drawUniform();
        taken_.windows[i] = {static_cast<int>(start.ring), start.t, static_cast<int>(window_rows_),
                             static_cast<int>(start.column), 1};
        if (!tree_) continue;
        // w = (N P)^-beta; N and the total cancel when the weights are divided by the largest.
        const double weight = std::pow(tree_->weight(leaves_[i]), -plan_.beta);
        taken_.weights[i] = static_cast<float>(weight);
        largest = std::max(largest, weight);
    }
    for (float& weight : taken_.weights) weight = static_cast<float>(weight / largest);
    return &taken_;
}

void ReplayWindows::done(std::span<const float> priorities) {
    if (!tree_) return;
    for (std::size_t i = 0; i < priorities.size(); ++i) {
        const double priority = priorities[i];
        largest_ = std::min(std::max(largest_, priority), kLargestPriority);
        setWeight(leaves_[i], exponentiated(priority));
    }
}

Result<> ReplayWindows::archive(Archive& archive, std::uint64_t from) {
    constexpr std::uint64_t kLastRow = std::uint64_t{1} << 60, kMostDecisions = std::uint64_t{1} << 42;
    std::uint64_t oldest = std::max(oldest_, from), end = std::max(end_, oldest), position = rng_.position();
    archive.field("the oldest row of the replay", oldest, range(0, kLastRow))
        .field("the newest row of the replay", end, range(0, kLastRow))
        .field("the decisions of the replay", decisions_, range(0, kMostDecisions))
        .field("the largest priority", largest_, range(0.0, kLargestPriority))
        .any(position);
    SEEDBED_TRY(archive.status());
    if (archive.isLoading()) {
        for (const Ring* ring : rings_)
            if (oldest < ring->tail() || oldest > end || oldest > ring->head() ||
                end > std::max(oldest, ring->head() + 1 - std::min(window_rows_, ring->head() + 1)) ||
                ring->head() != rings_[0]->head())
                return fail("the saved replay does not fit its rows");
        oldest_ = std::max(oldest, end > capacity_ ? end - capacity_ : 0);
        end_ = end;
        rng_.seek(position);
    }
    if (archive.isLoading() && !hasStart()) return fail("the saved replay has rows, but none was acted");
    std::uint8_t has_priorities = tree_ ? 1 : 0;
    archive.field("priorities", has_priorities, range(std::uint8_t{0}, 1));
    if (has_priorities == 0 && !tree_) return archive.status();
    std::vector<double> weights((end - oldest) * columns_);
    const auto weightOf = [&](std::uint64_t t, std::size_t n) -> double& {
        return weights[static_cast<std::size_t>(t - oldest) * columns_ + n];
    };
    if (!archive.isLoading())
        for (std::uint64_t t = oldest; t < end; ++t)
            for (std::size_t n = 0; n < columns_; ++n) weightOf(t, n) = tree_->weight(leafOf(t, n));
    // Rows of a run that drew uniformly until now have the largest priority.
    if (has_priorities == 1) archive.fixed("priorities", weights, range(0.0, 2 * kLargestPriority));
    SEEDBED_TRY(archive.status());
    if (!archive.isLoading() || !tree_) return {};
    for (std::uint64_t t = oldest_; t < end; ++t)
        for (std::size_t n = 0; n < columns_; ++n) {
            const bool is_start = isStart(startOf(t, n));
            const double saved = has_priorities == 1 ? weightOf(t, n) : exponentiated(largest_);
            if (is_start && saved <= 0) return fail("a saved window has no priority");
            tree_->set(leafOf(t, n), is_start ? saved : 0);
        }
    return {};
}

}  // namespace seedbed
