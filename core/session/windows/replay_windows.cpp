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

ReplayWindows::ReplayWindows(std::vector<Ring*> rings, const LearnPlan& plan, std::uint64_t seed,
                             ActingPriorities acting)
    : rings_(std::move(rings)),
      plan_(*plan.replay),
      window_rows_(static_cast<std::uint64_t>(plan.windowRows())),
      stride_(static_cast<std::uint64_t>(plan_.stride)),
      rows_ahead_(plan.rows_ahead),
      acting_(std::move(acting)),
      rng_(seed, RngPurpose::minibatch, kLane) {
    for (const Ring* ring : rings_) {
        first_column_.push_back(columns_);
        columns_ += static_cast<std::size_t>(ring->columns());
    }
    capacity_ = static_cast<std::uint64_t>(capacityRows(plan_, static_cast<std::int64_t>(columns_)));
    starts_ = indexFrom(capacity_);
    if (plan_.prioritised) tree_.emplace(static_cast<std::size_t>(starts_) * columns_);
    SEEDBED_CHECK(!plan_.acting_priorities || acting_, "the priorities of the acting network are missing");
    taken_.windows.resize(static_cast<std::size_t>(plan_.batch));
    if (plan_.prioritised) taken_.weights.resize(taken_.windows.size());
    leaves_.resize(taken_.windows.size());
}

std::int64_t ReplayWindows::capacityRows(const ReplayPlan& plan, std::int64_t columns) {
    return std::max<std::int64_t>(1, plan.size / columns);
}

std::size_t ReplayWindows::bytes(const ReplayPlan& plan, std::int64_t columns) {
    const std::int64_t starts = (capacityRows(plan, columns) + plan.stride - 1) / plan.stride;
    const auto leaves = static_cast<std::size_t>(starts * columns);
    return plan.prioritised ? SumTree::bytes(leaves) : 0;
}

ReplayWindows::Start ReplayWindows::startOf(std::uint64_t t, std::size_t column) const {
    const auto above = std::upper_bound(first_column_.begin(), first_column_.end(), column);
    const auto ring = static_cast<std::size_t>(above - first_column_.begin()) - 1;
    return {ring, t, column - first_column_[ring]};
}

// Extra rows of truncations have no action.
bool ReplayWindows::isStart(const Start& start) const {
    const std::uint64_t learned = start.t + static_cast<std::uint64_t>(plan_.burn_in);
    for (int row = 0; row < plan_.sequence; ++row)
        if (rings_[start.ring]->valid(learned + static_cast<std::uint64_t>(row))[start.column] != 0)
            return true;
    return false;
}

// Whether a window can be drawn.
bool ReplayWindows::hasStart() const {
    for (std::uint64_t index = indexFrom(oldest_); index < indexFrom(end_); ++index)
        for (std::size_t n = 0; n < columns_; ++n)
            if (isStart(startOf(index * stride_, n))) return true;
    return false;
}

double ReplayWindows::exponentiated(double priority) const {
    return std::pow(std::min(priority + kLeastPriority, kLargestPriority), plan_.alpha);
}

void ReplayWindows::setWeight(std::size_t leaf, double weight) {
    changes_.push_back({leaf, tree_->weight(leaf)});
    tree_->set(leaf, weight);
}

// The row that bootstraps the last one of a window needs its observation, and its values if those of the
// acting network are used.
std::uint64_t ReplayWindows::endAt(std::uint64_t head) const {
    const std::uint64_t complete = head + (plan_.acting_priorities ? 0 : 1);
    return complete > window_rows_ ? complete - window_rows_ : 0;
}

// Adds the rows up to the heads and drops the oldest.
void ReplayWindows::enter() {
    const std::uint64_t head = rings_[0]->head();
    const std::uint64_t oldest = std::max(oldest_, head > capacity_ ? head - capacity_ : 0);
    const std::uint64_t end = std::max(end_, endAt(head));
    if (tree_) {
        for (std::uint64_t index = indexFrom(oldest_); index < indexFrom(std::min(oldest, end_)); ++index)
            for (std::size_t n = 0; n < columns_; ++n) setWeight(leafOf(index, n), 0);
        for (std::uint64_t index = indexFrom(std::max(end_, oldest)); index < indexFrom(end); ++index)
            setInitial(index);
    }
    oldest_ = oldest;
    end_ = std::max(end, oldest);
}

// The weights of new windows, of all columns.
void ReplayWindows::setInitial(std::uint64_t index) {
    const std::uint64_t t = index * stride_;
    for (std::size_t g = 0; g < rings_.size(); ++g) {
        Ring& ring = *rings_[g];
        if (plan_.acting_priorities) readActed(ring, t);
        for (std::size_t n = 0; n < static_cast<std::size_t>(ring.columns()); ++n) {
            // A number that is not finite is drawn soon, and the learner names it.
            double priority = largest_;
            if (plan_.acting_priorities)
                priority = std::isfinite(acted_.priorities[n]) ? static_cast<double>(acted_.priorities[n])
                                                               : kLargestPriority;
            largest_ = std::min(std::max(largest_, priority), kLargestPriority);
            setWeight(leafOf(index, first_column_[g] + n), isStart({g, t, n}) ? exponentiated(priority) : 0);
        }
    }
}

// Copies the learned rows of the windows that begin at row t, and those ahead of them.
void ReplayWindows::readActed(Ring& ring, std::uint64_t t) {
    const auto columns = static_cast<std::size_t>(ring.columns()),
               actions = static_cast<std::size_t>(ring.spec().spaces.actionWords()),
               words = static_cast<std::size_t>(ring.spec().policy_words);
    Chunk& chunk = acted_.chunk;
    chunk = {.sequences = ring.columns(), .steps = plan_.sequence + rows_ahead_, .learned = plan_.sequence};
    for (auto* field : {&acted_.action, &acted_.policy, &acted_.reward, &acted_.discount}) field->clear();
    for (auto* field : {&acted_.valid, &acted_.first, &acted_.mask}) field->clear();
    const std::uint64_t begin = t + static_cast<std::uint64_t>(plan_.burn_in);
    for (std::uint64_t row = begin; row < begin + static_cast<std::uint64_t>(chunk.steps); ++row) {
        const auto append = [](auto& to, const auto* from, std::size_t count) {
            to.insert(to.end(), from, from + count);
        };
        append(acted_.action, ring.action(row), columns * actions);
        append(acted_.policy, ring.policy(row), columns * words);
        append(acted_.reward, ring.reward(row), columns);
        append(acted_.discount, ring.discount(row), columns);
        append(acted_.valid, ring.valid(row), columns);
        append(acted_.first, ring.first(row), columns);
        append(acted_.mask, ring.mask(row),
               columns * static_cast<std::size_t>(ring.spec().spaces.maskBytes()));
    }
    chunk.action = acted_.action.data();
    chunk.policy = acted_.policy.data();
    chunk.reward = acted_.reward.data();
    chunk.discount = acted_.discount.data();
    chunk.valid = acted_.valid.data();
    chunk.first = acted_.first.data();
    if (ring.spec().spaces.has_mask) chunk.mask = acted_.mask.data();
    acted_.priorities.assign(columns, 0.0f);
    acting_(chunk, acted_.priorities.data());
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
    if (missing() > 0 || !hasStart()) return;
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
    const std::uint64_t oldest = indexFrom(oldest_), count = indexFrom(end_) - oldest;
    while (true) {
        // Rows and columns separately: their product may exceed 32 bits.
        const std::uint64_t index = oldest + rng_.below(static_cast<std::uint32_t>(count));
        const Start start = startOf(index * stride_, rng_.below(static_cast<std::uint32_t>(columns_)));
        if (isStart(start)) return start;
    }
}

// One draw from each of `batch` equal parts of the total priority (Schaul et al. 2016, appendix B.2.1).
ReplayWindows::Start ReplayWindows::drawByPriority(std::size_t index) {
    const double part = tree_->total() / plan_.batch;
    const std::size_t leaf =
        tree_->find(std::min((static_cast<double>(index) + rng_.uniform()) * part, tree_->total()));
    const std::uint64_t slot = leaf / columns_, oldest = indexFrom(oldest_);
    leaves_[index] = leaf;
    return startOf((oldest + (slot + starts_ - oldest % starts_) % starts_) * stride_, leaf % columns_);
}

const TakenWindows* ReplayWindows::take() {
    if (steps_ == 0) return nullptr;
    --steps_;
    taken_.draw = rng_.position();
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

std::size_t ReplayWindows::weightCount(std::uint64_t oldest, std::uint64_t end) const {
    return static_cast<std::size_t>(indexFrom(end) - indexFrom(oldest)) * columns_;
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
                end > std::max(oldest, endAt(ring->head())) || ring->head() != rings_[0]->head())
                return fail("the saved replay does not fit its rows");
        oldest_ = std::max(oldest, end > capacity_ ? end - capacity_ : 0);
        end_ = end;
        rng_.seek(position);
    }
    if (archive.isLoading() && weightCount(oldest_, end_) > 0 && !hasStart())
        return fail("the saved replay has rows, but none was acted");
    std::uint8_t has_priorities = tree_ ? 1 : 0;
    archive.field("priorities", has_priorities, range(std::uint8_t{0}, 1));
    if (has_priorities == 0 && !tree_) return archive.status();
    std::vector<double> weights(weightCount(oldest, end));
    const auto weightOf = [&](std::uint64_t index, std::size_t n) -> double& {
        return weights[static_cast<std::size_t>(index - indexFrom(oldest)) * columns_ + n];
    };
    if (!archive.isLoading())
        for (std::uint64_t index = indexFrom(oldest); index < indexFrom(end); ++index)
            for (std::size_t n = 0; n < columns_; ++n) weightOf(index, n) = tree_->weight(leafOf(index, n));
    // Rows of a run that drew uniformly until now have the largest priority.
    if (has_priorities == 1) archive.fixed("priorities", weights, range(0.0, 2 * kLargestPriority));
    SEEDBED_TRY(archive.status());
    if (!archive.isLoading() || !tree_) return {};
    for (std::uint64_t index = indexFrom(oldest_); index < indexFrom(end); ++index)
        for (std::size_t n = 0; n < columns_; ++n) {
            const bool is_start = isStart(startOf(index * stride_, n));
            const double saved = has_priorities == 1 ? weightOf(index, n) : exponentiated(largest_);
            if (is_start && saved <= 0) return fail("a saved window has no priority");
            tree_->set(leafOf(index, n), is_start ? saved : 0);
        }
    return {};
}

}  // namespace seedbed
