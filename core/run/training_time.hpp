// SPDX-License-Identifier: Apache-2.0
// The training time of a run, and the time that this process has worked on it.
#pragma once

#include "core/run/run_clock.hpp"

namespace seedbed {

// Counts training time: time since start(), excluding evaluations, pauses and waits for the disk, plus the
// training time of earlier processes. All values are seconds. Thread: the run's.
class TrainingTime {
public:
    // `clock` must outlive this object.
    explicit TrainingTime(const RunClock& clock) : clock_(clock) {}

    // Starts counting now; `trained_before` is added to trained().
    void start(double trained_before) {
        trained_before_ = trained_before;
        begin_ = clock_.now();
        excluded_ = 0;
    }
    double trained() const { return trained_before_ + (elapsed() - excluded_); }
    // Time since start(), including everything.
    double elapsed() const { return clock_.now() - begin_; }
    // Monotonic time without the excluded time, for computing speeds.
    double withoutExcluded() const { return clock_.now() - excluded_; }

    // A point in time for excludeSince().
    struct Mark {
        double now, excluded;
    };
    Mark mark() const { return {clock_.now(), excluded_}; }
    // Excludes all time since `mark`; time since then that was already excluded is not counted twice.
    void excludeSince(const Mark& mark) { excluded_ = mark.excluded + (clock_.now() - mark.now); }

private:
    const RunClock& clock_;
    double trained_before_ = 0;
    double begin_ = 0;
    double excluded_ = 0;
};

}  // namespace seedbed
