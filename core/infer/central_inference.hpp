// SPDX-License-Identifier: Apache-2.0
// Central inference: one thread runs the acting network for the groups of many actors, several groups at a
// time. Groups are handed over by number; observations are read from, and actions written into, the groups'
// rings.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/clock.hpp"
#include "core/infer/batcher.hpp"
#include "core/infer/span_inference.hpp"
#include "core/ipc/wake.hpp"
#include "core/rollout/thread_times.hpp"

namespace seedbed {

// A distribution over powers of two: bucket b counts values in (2^(b-1), 2^b]. Thread: add() one owner; the
// rest any.
class Log2Histogram {
public:
    void add(std::uint64_t value);
    // Counts so far, for differences.
    std::array<std::uint64_t, 48> counts() const;

private:
    std::array<std::atomic<std::uint64_t>, 48> counts_{};
};
// Upper end of the bucket that holds quantile q of (now - before), 0 without values.
double quantile(const std::array<std::uint64_t, 48>& now, const std::array<std::uint64_t, 48>& before,
                double q);

struct CentralInferenceStats {
    Log2Histogram batch_rows;                            // per batch
    Log2Histogram wait_ns;                               // from a group's arrival to its batch's beginning
    Log2Histogram forward_ns;                            // per batch
    std::array<std::atomic<std::uint64_t>, 3> closed{};  // by Batcher::Closed
    std::atomic<std::uint64_t> rows{0};
    std::atomic<std::uint64_t> copied_bytes{
        0};  // of observations: at most one copy each, none for a batch of one group without stacks
};

// One device's inference. Threads: submit() and pause() the actor that holds the group; presume() any; poll()
// and run() one owner.
class CentralInference {
public:
    struct Group {
        int id = 0;  // as everybody else counts groups
        SpanInference* span = nullptr;
    };
    // `params` is asked once per batch; `ready` gets each group that has its actions, on this thread.
    CentralInference(EngineNet& net, std::vector<Group> groups, CloseRule rule, const Clock& clock,
                     std::function<const Params&()> params, std::function<void(int id)> ready);

    // All groups are on their way: no batch closes as complete before they have arrived. While all rest.
    void expectAll();
    // The group (numbered within this device) wants actions for its head row.
    void submit(int index);
    // The group rests: no batch waits for it until it is submitted again.
    void pause(int index);
    // As pause(), by somebody who gave up waiting for a group that is being stepped.
    void markStalled(int index);
    // Groups that wait or are in a batch just now.
    int pending() const { return pending_.load(std::memory_order_relaxed); }

    // Runs one batch if one is due. False: nothing to do before `wakeAt()` or the next change of the wake
    // word.
    Result<bool> poll();
    std::int64_t wakeAt() const { return batcher_.wakeAt(); }
    // Polls and sleeps until stopped; `between` is called while no batch is under way (a gate).
    Result<> run(const std::stop_token& stop, const std::function<void()>& between);
    WakeWord& wakeWord() { return word_; }

    const CentralInferenceStats& stats() const { return stats_; }
    const ThreadTimes& times() const { return times_; }

private:
    enum State : std::uint8_t { away, expected, waiting };
    struct alignas(64) Slot {
        std::atomic<std::uint8_t> state{away};
        std::atomic<std::int64_t> since_ns{0};
    };

    void collect();
    Result<> runBatch();
    Result<> runAlone(SpanInference& span, const Params& params);
    Result<> runMerged(const Params& params);

    const NetPlan& plan_;
    std::unique_ptr<NetContext> context_;
    std::vector<Group> groups_;
    const Clock& clock_;
    std::function<const Params&()> params_;
    std::function<void(int)> ready_;
    Batcher batcher_;
    std::unique_ptr<Slot[]> slots_;
    std::atomic<int> pending_{0};
    WakeWord word_{};
    std::vector<int> batch_;
    SpanInference::Panel panel_;
    Rows rows_;
    std::vector<float> heads_, next_state_;
    CentralInferenceStats stats_;
    ThreadTimes times_;
};

}  // namespace seedbed
