// SPDX-License-Identifier: Apache-2.0
// The inference thread: collects arrivals, closes batches, runs the network and returns groups to the actors.
#include "core/infer/central_inference.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace seedbed {
namespace {

std::vector<int> columnsOf(const std::vector<CentralInference::Group>& groups) {
    std::vector<int> columns;
    for (const CentralInference::Group& group : groups) columns.push_back(group.span->columns());
    return columns;
}

void count(std::atomic<std::uint64_t>& counter, std::uint64_t by) {
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace

void Log2Histogram::add(std::uint64_t value) {
    const auto bucket = value <= 1 ? 0 : static_cast<std::size_t>(std::bit_width(value - 1));
    count(counts_[std::min(bucket, counts_.size() - 1)], 1);
}

std::array<std::uint64_t, 48> Log2Histogram::counts() const {
    std::array<std::uint64_t, 48> out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = counts_[i].load(std::memory_order_relaxed);
    return out;
}

double quantile(const std::array<std::uint64_t, 48>& now, const std::array<std::uint64_t, 48>& before,
                double q) {
    std::uint64_t total = 0, sum = 0;
    for (std::size_t i = 0; i < now.size(); ++i) total += now[i] - before[i];
    if (total == 0) return 0;
    std::size_t bucket = 0;
    for (; bucket + 1 < now.size(); ++bucket) {
        sum += now[bucket] - before[bucket];
        if (static_cast<double>(sum) >= q * static_cast<double>(total)) break;
    }
    return static_cast<double>(std::uint64_t{1} << bucket);
}

CentralInference::CentralInference(EngineNet& net, std::vector<Group> groups, CloseRule rule,
                                   const Clock& clock, std::function<const Acting&()> acting,
                                   std::function<void(int)> ready)
    : plan_(net.plan()),
      context_(net.context()),
      groups_(std::move(groups)),
      clock_(clock),
      acting_(std::move(acting)),
      ready_(std::move(ready)),
      batcher_(columnsOf(groups_), rule),
      slots_(std::make_unique<Slot[]>(groups_.size())) {
    std::size_t rows = 0;
    for (const Group& group : groups_) rows += static_cast<std::size_t>(group.span->columns());
    const Spaces& spaces = plan_.spec.spaces;
    for (const ObsLeaf& leaf : spaces.obs)
        panel_.obs.emplace_back(rows * leaf.bytes() * static_cast<std::size_t>(leaf.stack));
    panel_.first.resize(rows);
    panel_.state.resize(rows * static_cast<std::size_t>(plan_.state_words));
    panel_.previous_action.resize(rows * static_cast<std::size_t>(spaces.actionWords()));
    panel_.previous_reward.resize(rows);
    heads_.resize(rows * static_cast<std::size_t>(plan_.head_words));
    next_state_.resize(panel_.state.size());
    batch_.reserve(groups_.size());
}

std::size_t CentralInference::bytes(const NetPlan& plan, std::size_t rows) {
    const Spaces& spaces = plan.spec.spaces;
    std::size_t row = 1 + sizeof(float) * static_cast<std::size_t>(plan.head_words + 2 * plan.state_words +
                                                                   spaces.actionWords() + 1);
    for (const ObsLeaf& leaf : spaces.obs) row += leaf.bytes() * static_cast<std::size_t>(leaf.stack);
    return rows * row;
}

void CentralInference::expectAll() {
    for (std::size_t g = 0; g < groups_.size(); ++g)
        slots_[g].state.store(expected, std::memory_order_release);
}

void CentralInference::submit(int index) {
    Slot& slot = slots_[static_cast<std::size_t>(index)];
    slot.since_ns.store(clock_.monotonicNs(), std::memory_order_relaxed);
    pending_.fetch_add(1, std::memory_order_relaxed);
    slot.state.store(waiting, std::memory_order_release);
    word_.notify();
}

void CentralInference::pause(int index) {
    Slot& slot = slots_[static_cast<std::size_t>(index)];
    if (slot.state.exchange(away, std::memory_order_acq_rel) != away) word_.notify();
}

void CentralInference::markStalled(int index) {
    std::uint8_t was = expected;
    if (slots_[static_cast<std::size_t>(index)].state.compare_exchange_strong(was, away,
                                                                              std::memory_order_acq_rel))
        word_.notify();
}

// Passes state changes made by the actors to the batcher.
void CentralInference::collect() {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const auto state = slots_[g].state.load(std::memory_order_acquire);
        const int index = static_cast<int>(g);
        if (state == waiting) batcher_.arrive(index, slots_[g].since_ns.load(std::memory_order_relaxed));
        else if (state == expected) batcher_.expect(index);
        else batcher_.dismiss(index);
    }
}

Result<bool> CentralInference::poll() {
    collect();
    const std::int64_t now = clock_.monotonicNs();
    if (!batcher_.due(now)) return false;
    count(stats_.closed[static_cast<std::size_t>(batcher_.reason(now))], 1);
    batcher_.take(batch_);
    std::sort(batch_.begin(), batch_.end());
    for (const int index : batch_) {
        const std::int64_t waited =
            now - slots_[static_cast<std::size_t>(index)].since_ns.load(std::memory_order_relaxed);
        stats_.wait_ns.add(static_cast<std::uint64_t>(std::max<std::int64_t>(0, waited)));
    }
    SEEDBED_TRY(runBatch());
    for (const int index : batch_) {
        // From now on, the group belongs to the actor that takes it.
        batcher_.expect(index);
        slots_[static_cast<std::size_t>(index)].state.store(expected, std::memory_order_release);
        pending_.fetch_sub(1, std::memory_order_relaxed);
        ready_(groups_[static_cast<std::size_t>(index)].id);
    }
    return true;
}

Result<> CentralInference::runBatch() {
    const Acting& acting = acting_();
    if (batch_.size() == 1) return runAlone(*groups_[static_cast<std::size_t>(batch_[0])].span, acting);
    return runMerged(acting);
}

// For a batch of one group: the network reads the ring's row in place.
Result<> CentralInference::runAlone(SpanInference& span, const Acting& acting) {
    const Rows& rows = span.inputs();
    const std::int64_t begin = times_.lap(Phase::inference_gather);
    SEEDBED_TRY(context_->run(acting.params, rows,
                              Outputs{heads_.data(), next_state_.empty() ? nullptr : next_state_.data()},
                              Keep::nothing));
    stats_.forward_ns.add(static_cast<std::uint64_t>(times_.lap(Phase::inference_forward) - begin));
    SEEDBED_TRY(span.outputs(heads_.data(), next_state_.data(), acting.params.version(), acting.rule));
    times_.lap(Phase::inference_sample);
    stats_.batch_rows.add(static_cast<std::uint64_t>(span.columns()));
    count(stats_.rows, static_cast<std::uint64_t>(span.columns()));
    for (const ObsLeaf& leaf : plan_.spec.spaces.obs)
        if (leaf.stack > 1)
            count(stats_.copied_bytes, static_cast<std::uint64_t>(span.columns()) * leaf.bytes() *
                                           static_cast<std::uint64_t>(leaf.stack));
    return {};
}

Result<> CentralInference::runMerged(const Acting& acting) {
    std::size_t rows = 0;
    for (const int index : batch_) {
        SpanInference& span = *groups_[static_cast<std::size_t>(index)].span;
        span.inputsInto(panel_, rows);
        rows += static_cast<std::size_t>(span.columns());
    }
    rows_.sequences = static_cast<int>(rows);
    rows_.obs.clear();
    for (const auto& leaf : panel_.obs) rows_.obs.push_back(leaf.data());
    rows_.first = panel_.first.data();
    rows_.state = panel_.state.empty() ? nullptr : panel_.state.data();
    rows_.previous_action = panel_.previous_action.data();
    rows_.previous_reward = panel_.previous_reward.data();
    const std::int64_t begin = times_.lap(Phase::inference_gather);
    SEEDBED_TRY(context_->run(acting.params, rows_,
                              Outputs{heads_.data(), next_state_.empty() ? nullptr : next_state_.data()},
                              Keep::nothing));
    stats_.forward_ns.add(static_cast<std::uint64_t>(times_.lap(Phase::inference_forward) - begin));

    std::size_t row = 0;
    for (const int index : batch_) {
        SpanInference& span = *groups_[static_cast<std::size_t>(index)].span;
        SEEDBED_TRY(span.outputs(heads_.data() + row * static_cast<std::size_t>(plan_.head_words),
                                 next_state_.data() + row * static_cast<std::size_t>(plan_.state_words),
                                 acting.params.version(), acting.rule));
        row += static_cast<std::size_t>(span.columns());
    }
    times_.lap(Phase::inference_sample);
    stats_.batch_rows.add(rows);
    count(stats_.rows, rows);
    for (const ObsLeaf& leaf : plan_.spec.spaces.obs)
        count(stats_.copied_bytes, rows * leaf.bytes() * static_cast<std::uint64_t>(leaf.stack));
    return {};
}

Result<> CentralInference::run(const std::stop_token& stop, const std::function<void()>& between) {
    times_.begin();
    while (!stop.stop_requested()) {
        const std::uint32_t seen = word_.sequence();
        between();
        SEEDBED_ASSIGN(const bool ran, poll());
        if (ran) continue;
        word_.wait(seen, stop, batcher_.wakeAt());
        times_.lap(Phase::wait);
    }
    return {};
}

}  // namespace seedbed
