// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates how long runs train, from the speed of earlier runs, and when the runs of a queue start and end.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace seedbed::ui {

// From the lowest to the highest estimate.
struct Span {
    double low = 0, high = 0;

    double middle() const { return (low + high) / 2; }
};

// How long a run is to train.
struct TrainingLength {
    std::int64_t steps = 0;  // 0: no limit
    double seconds = 0;      // of training time; 0: no limit
    // Of earlier runs with the same settings, which ended when they reached their target.
    std::optional<Span> target_steps{};
};

// A run that has trained.
struct TrainedRun {
    std::size_t kind = 0;      // hash of environment and algorithm
    std::size_t settings = 0;  // hash of all settings except seed and length
    std::int64_t steps = 0;
    double seconds = 0;             // training time, > 0
    double started = 0, ended = 0;  // seconds since 1970
    bool finished = false;
    std::optional<bool> reached{};  // its target; nullopt if it has none or has not finished
    TrainingLength length;
};

// Steps per second of the newest runs with the same settings, otherwise of those of the same kind.
// `runs`: newest first. Ignores runs that ended after `before`. nullopt if there are none.
std::optional<Span> speedOf(const std::vector<TrainedRun>& runs, std::size_t kind, std::size_t settings,
                            double before = std::numeric_limits<double>::infinity());
// The steps of runs with the same settings that reached their target; if others missed it, without an upper
// end. nullopt if none reached it.
std::optional<Span> stepsToTarget(const std::vector<TrainedRun>& runs, std::size_t settings,
                                  double before = std::numeric_limits<double>::infinity());
// Seconds for the length. nullopt if nothing limits it, or the speed is unknown and needed.
std::optional<Span> secondsFor(const TrainingLength& length, const std::optional<Span>& speed);

// How close the estimates were that earlier runs gave when a run started: of finished runs only.
struct EstimateScore {
    int runs = 0;
    int close = 0;  // within 20 % of the training time

    bool operator==(const EstimateScore&) const = default;
};
EstimateScore scoreEstimates(const std::vector<TrainedRun>& runs);

// A run of a queue.
struct QueueWork {
    bool live = false;  // it has a process
    bool held = false;  // paused
    std::optional<Span> seconds{};
};

// In seconds from now; nullopt if unknown.
struct QueueTimes {
    std::optional<Span> starts{}, ends{};
};

// In queue order. Paused live runs count among those at a time; other paused runs are passed over.
std::vector<QueueTimes> forecastQueue(const std::vector<QueueWork>& queue, int at_a_time);

}  // namespace seedbed::ui
