// SPDX-License-Identifier: Apache-2.0
// A thread's time by phase: the thread itself adds to the sums; any thread may read them.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace seedbed {

// The phases of a run's threads. Names: phaseName().
enum class Phase : std::uint8_t {
    env,                // stepping environments
    inference_gather,   // collecting the inputs of the acting network
    inference_forward,  // running the acting network
    inference_sample,   // sampling actions, writing them into rings
    wait_inference,     // an actor waits until actions of one of its groups have been chosen
    wait_room,          // an actor waits because all rings are full until the learner continues
    wait,               // inference: no groups to serve; the learner: no windows
    gather,             // the learner's phases
    targets,
    forward,
    loss,
    backward,
    optimiser,
    idle,  // the remaining time of the threads
};
constexpr std::size_t kPhases = static_cast<std::size_t>(Phase::idle) + 1;
constexpr const char* phaseName(Phase phase) {
    constexpr std::array<const char*, kPhases> names{"env",
                                                     "inference/gather",
                                                     "inference/forward",
                                                     "inference/sample",
                                                     "wait/inference",
                                                     "wait/room",
                                                     "wait/work",
                                                     "gather",
                                                     "targets",
                                                     "forward",
                                                     "loss",
                                                     "backward",
                                                     "optimiser",
                                                     "idle"};
    return names[static_cast<std::size_t>(phase)];
}

using PhaseSums = std::array<double, kPhases>;  // seconds

// Sums of time by phase. Thread: begin() and lap() one owner at a time; seconds() any.
class ThreadTimes {
public:
    static std::int64_t nowNs() {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
    // Starts measuring; earlier time is not counted.
    void begin() { last_ = nowNs(); }
    // Adds the time since the last lap to `phase` and returns the current time. Laps have no gaps.
    std::int64_t lap(Phase phase) {
        const std::int64_t now = nowNs();
        add(phase, now - last_);
        return last_ = now;
    }
    void add(Phase phase, std::int64_t ns) {
        std::atomic<std::int64_t>& sum = ns_[static_cast<std::size_t>(phase)];
        sum.store(sum.load(std::memory_order_relaxed) + ns, std::memory_order_relaxed);
    }
    PhaseSums seconds() const {
        PhaseSums sums{};
        for (std::size_t i = 0; i < kPhases; ++i)
            sums[i] = static_cast<double>(ns_[i].load(std::memory_order_relaxed)) * 1e-9;
        return sums;
    }

private:
    std::int64_t last_ = 0;
    std::array<std::atomic<std::int64_t>, kPhases> ns_{};
};

}  // namespace seedbed
