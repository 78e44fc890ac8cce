// SPDX-License-Identifier: Apache-2.0
// Central inference: one thread runs the acting network for the groups of many actors, several groups per
// batch. It reads observations from the groups' rings and writes actions into them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/os/clock.hpp"
#include "core/infer/batcher.hpp"
#include "core/infer/span_inference.hpp"
#include "core/ipc/wake.hpp"
#include "core/rollout/thread_times.hpp"

namespace seedbed {

// A histogram whose buckets are powers of two: bucket b counts values in (2^(b-1), 2^b]. Thread: add(): one
// owner; other functions: any.
class Log2Histogram {
public:
    void add(std::uint64_t value);
    // The counts so far; subtract earlier counts to get the counts of an interval.
    std::array<std::uint64_t, 48> counts() const;

private:
    std::array<std::atomic<std::uint64_t>, 48> counts_{};
};
// The upper bound of the bucket that contains quantile q, 0 to 1, of the values added between the counts
// `before` and `now`; 0 if no values were added.
double quantile(const std::array<std::uint64_t, 48>& now, const std::array<std::uint64_t, 48>& before,
                double q);

struct CentralInferenceStats {
    Log2Histogram batch_rows;                            // number of rows per batch
    Log2Histogram wait_ns;                               // time from a group's arrival to the start of its
                                                         // batch
    Log2Histogram forward_ns;                            // time of the forward pass per batch
    std::array<std::atomic<std::uint64_t>, 3> closed{};  // number of batches by Batcher::Closed
    std::atomic<std::uint64_t> rows{0};
    // Bytes of observations that were copied. Each observation is copied at most once; observations without
    // frame stacks in a batch with one group are read in place.
    std::atomic<std::uint64_t> copied_bytes{0};
};

// Inference on one device. Threads: submit() and pause(): the actor that owns the group; markStalled(): any;
// poll() and run(): one owner.
class CentralInference {
public:
    struct Group {
        int id = 0;  // number of the group in the whole run
        SpanInference* span = nullptr;
    };
    // `acting` is called once per batch; `ready` is called with the id of each group whose actions have been
    // chosen. Both are called on the thread of poll().
    CentralInference(EngineNet& net, std::vector<Group> groups, CloseRule rule, const Clock& clock,
                     std::function<const Acting&()> acting, std::function<void(int id)> ready);

    // The size in bytes of the buffers for groups of `rows` columns in total, excluding the engine's buffers.
    static std::size_t bytes(const NetPlan& plan, std::size_t rows);

    // Marks all groups as expected: no batch is complete before they have arrived. Call it while all groups
    // are paused.
    void expectAll();
    // Requests actions for the group's head row. `index` is the group's number within this device.
    void submit(int index);
    // Batches no longer wait for the group until its next submit().
    void pause(int index);
    // Like pause(), but called by another thread for a group whose environments take too long.
    void markStalled(int index);
    // The number of groups that are waiting or in the current batch.
    int pending() const { return pending_.load(std::memory_order_relaxed); }

    // Runs a batch that is due; returns false if no batch is due before wakeAt() or the next change of
    // wakeWord().
    Result<bool> poll();
    std::int64_t wakeAt() const { return batcher_.wakeAt(); }
    // Polls and waits until a stop is requested. Calls `between` between batches.
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
    Result<> runAlone(SpanInference& span, const Acting& acting);
    Result<> runMerged(const Acting& acting);

    const NetPlan& plan_;
    std::unique_ptr<NetContext> context_;
    std::vector<Group> groups_;
    const Clock& clock_;
    std::function<const Acting&()> acting_;
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
