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
    kept_.resize(rings_.size());
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
    for (std::size_t g = 0; g < rings_.size(); ++g)
        for (std::uint64_t index = indexFrom(kept_[g].oldest); index < indexFrom(kept_[g].end); ++index)
            for (std::size_t n = 0; n < static_cast<std::size_t>(rings_[g]->columns()); ++n)
                if (isStart({g, index * stride_, n})) return true;
    return false;
}

double ReplayWindows::exponentiated(double priority) const {
    return std::pow(std::min(priority + kLeastPriority, kLargestPriority), plan_.alpha);
}

void ReplayWindows::setWeight(std::size_t leaf, double weight) {
    changes_.push_back({leaf, tree_->weight(leaf)});
    put(leaf, weight);
}

void ReplayWindows::put(std::size_t leaf, double weight) {
    weighted_ -= tree_->weight(leaf) > 0 ? 1 : 0;
    weighted_ += weight > 0 ? 1 : 0;
    tree_->set(leaf, weight);
}

double ReplayWindows::effectiveShare() const {
    return drawn_shares_ > 0 ? drawn_ / (static_cast<double>(weighted_) * drawn_shares_) : 0;
}

// The row that bootstraps the last row of a window must have its observation. It must also have its values if
// the acting network's values are used.
std::uint64_t ReplayWindows::endAt(std::uint64_t head) const {
    const std::uint64_t complete = head + (plan_.acting_priorities ? 0 : 1);
    return complete > window_rows_ ? complete - window_rows_ : 0;
}

// Adds the rows of a ring up to `head` and removes the oldest rows.
void ReplayWindows::enter(std::size_t ring, std::uint64_t head) {
    Kept& kept = kept_[ring];
    const std::uint64_t oldest = std::max(kept.oldest, head > capacity_ ? head - capacity_ : 0);
    const std::uint64_t end = std::max(kept.end, endAt(head));
    if (tree_) {
        const auto columns = static_cast<std::size_t>(rings_[ring]->columns());
        for (std::uint64_t index = indexFrom(kept.oldest); index < indexFrom(std::min(oldest, kept.end));
             ++index)
            for (std::size_t n = 0; n < columns; ++n) setWeight(leafOf(index, first_column_[ring] + n), 0);
        for (std::uint64_t index = indexFrom(std::max(kept.end, oldest)); index < indexFrom(end); ++index)
            setInitial(ring, index);
    }
    kept = {.oldest = oldest, .end = std::max(end, oldest), .head = head};
}

// Sets the weights of a ring's new windows in all its columns.
void ReplayWindows::setInitial(std::size_t g, std::uint64_t index) {
    const std::uint64_t t = index * stride_;
    Ring& ring = *rings_[g];
    if (plan_.acting_priorities) readActed(ring, t);
    for (std::size_t n = 0; n < static_cast<std::size_t>(ring.columns()); ++n) {
        // A window whose priority is not finite is drawn soon, and the learner reports it.
        double priority = largest_;
        if (plan_.acting_priorities)
            priority = std::isfinite(acted_.priorities[n]) ? static_cast<double>(acted_.priorities[n])
                                                           : kLargestPriority;
        largest_ = std::min(std::max(largest_, priority), kLargestPriority);
        setWeight(leafOf(index, first_column_[g] + n), isStart({g, t, n}) ? exponentiated(priority) : 0);
    }
}

// Copies the training rows of the windows that begin at row t, and the rows_ahead_ rows that follow them.
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
    std::uint64_t rows = 0;
    for (std::size_t g = 0; g < rings_.size(); ++g)
        rows += (kept_[g].head - kept_[g].oldest) * static_cast<std::uint64_t>(rings_[g]->columns());
    return rows;
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

void ReplayWindows::turn(std::vector<Window> entered, std::uint64_t decisions) {
    changes_.clear();
    before_ = {kept_, rng_.position(), decisions_, largest_};
    entered_ = std::move(entered);
    drawn_shares_ = drawn_ = 0;
    for (std::size_t g = 0; g < rings_.size(); ++g) {
        std::uint64_t head = kept_[g].head;
        for (const Window& window : entered_)
            if (static_cast<std::size_t>(window.group) == g)
                head = std::max(head, window.t0 + static_cast<std::uint64_t>(window.length));
        enter(g, head);
    }
    steps_ = 0;
    if (missing() > 0 || !hasStart()) return;
    steps_ = stepsFor(decisions_ + decisions) - stepsFor(decisions_);
    decisions_ += decisions;
}

void ReplayWindows::revert() {
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change)
        put(change->leaf, change->weight);
    changes_.clear();
    entered_.clear();
    kept_ = before_.kept;
    steps_ = 0;
    decisions_ = before_.decisions;
    largest_ = before_.largest;
    rng_.seek(before_.position);
}

ReplayWindows::Start ReplayWindows::drawUniform() {
    std::size_t most = 0;
    for (const Kept& kept : kept_) most = std::max(most, startsOf(kept));
    while (true) {
        // Draws rows and columns separately: their product may exceed 32 bits.
        const std::uint64_t offset = rng_.below(static_cast<std::uint32_t>(most));
        Start start = startOf(0, rng_.below(static_cast<std::uint32_t>(columns_)));
        const Kept& kept = kept_[start.ring];
        if (offset >= startsOf(kept)) continue;
        start.t = (indexFrom(kept.oldest) + offset) * stride_;
        if (isStart(start)) return start;
    }
}

// One draw from each of `batch` equal parts of the total priority (Schaul et al. 2016, appendix B.2.1).
ReplayWindows::Start ReplayWindows::drawByPriority(std::size_t index) {
    const double part = tree_->total() / plan_.batch;
    const std::size_t leaf =
        tree_->find(std::min((static_cast<double>(index) + rng_.uniform()) * part, tree_->total()));
    leaves_[index] = leaf;
    Start start = startOf(0, leaf % columns_);
    const std::uint64_t slot = leaf / columns_, oldest = indexFrom(kept_[start.ring].oldest);
    start.t = (oldest + (slot + starts_ - oldest % starts_) % starts_) * stride_;
    return start;
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
        drawn_shares_ += tree_->weight(leaves_[i]) / tree_->total();
        ++drawn_;
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

Result<> ReplayWindows::checkLoaded() const {
    std::size_t starts = 0;
    for (std::size_t g = 0; g < rings_.size(); ++g) {
        const Kept& kept = kept_[g];
        if (kept.oldest < rings_[g]->tail() || kept.oldest > kept.end || kept.oldest > kept.head ||
            kept.head > rings_[g]->head() || kept.end > std::max(kept.oldest, endAt(kept.head)))
            return fail("the saved replay does not fit its rows");
        starts += startsOf(kept);
    }
    if (starts > 0 && !hasStart()) return fail("the saved replay has rows, but none has an action");
    return {};
}

// Archives the weights of the windows in `saved`: kept_, or more when loading into a smaller replay buffer.
Result<> ReplayWindows::archiveWeights(Archive& archive, const std::vector<Kept>& saved) {
    std::uint8_t has_priorities = tree_ ? 1 : 0;
    archive.field("priorities", has_priorities, range(std::uint8_t{0}, 1));
    for (std::size_t g = 0; g < rings_.size() && (has_priorities == 1 || tree_); ++g) {
        const auto columns = static_cast<std::size_t>(rings_[g]->columns());
        const std::uint64_t first = indexFrom(saved[g].oldest);
        std::vector<double> weights(startsOf(saved[g]) * columns);
        if (!archive.isLoading())
            for (std::size_t i = 0; i < weights.size(); ++i)
                weights[i] = tree_->weight(leafOf(first + i / columns, first_column_[g] + i % columns));
        // Rows of a run that drew uniformly until now get the largest priority.
        if (has_priorities == 1) archive.fixed("priorities", weights, range(0.0, 2 * kLargestPriority));
        SEEDBED_TRY(archive.status());
        if (!archive.isLoading() || !tree_) continue;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const std::uint64_t index = first + i / columns;
            if (index < indexFrom(kept_[g].oldest)) continue;
            const bool is_start = isStart({g, index * stride_, i % columns});
            const double weight = has_priorities == 1 ? weights[i] : exponentiated(largest_);
            if (is_start && weight <= 0) return fail("a saved window has no priority");
            put(leafOf(index, first_column_[g] + i % columns), is_start ? weight : 0);
        }
    }
    return archive.status();
}

Result<> ReplayWindows::archive(Archive& archive, const std::vector<std::uint64_t>& from) {
    constexpr std::uint64_t kLastRow = std::uint64_t{1} << 60, kMostDecisions = std::uint64_t{1} << 42;
    std::uint64_t position = rng_.position();
    std::vector<Kept> kept = kept_;
    for (std::size_t g = 0; g < rings_.size(); ++g) {
        kept[g].oldest = std::max(kept[g].oldest, from[g]);
        kept[g].end = std::max(kept[g].end, kept[g].oldest);
        kept[g].head = std::max(kept[g].head, kept[g].oldest);
        archive.field("the oldest row of the replay", kept[g].oldest, range(0, kLastRow))
            .field("the newest row of the replay", kept[g].end, range(0, kLastRow))
            .field("the newest row of the replay", kept[g].head, range(0, kLastRow));
    }
    archive.field("the decisions of the replay", decisions_, range(0, kMostDecisions))
        .field("the largest priority", largest_, range(0.0, kLargestPriority))
        .any(position);
    SEEDBED_TRY(archive.status());
    if (archive.isLoading()) {
        kept_ = kept;
        SEEDBED_TRY(checkLoaded());
        for (Kept& rows : kept_)
            rows.oldest = std::max(rows.oldest, rows.end > capacity_ ? rows.end - capacity_ : 0);
        rng_.seek(position);
    }
    return archiveWeights(archive, kept);
}

}  // namespace seedbed
