// SPDX-License-Identifier: Apache-2.0
// From what an iteration did to rows of the database and the line on a terminal.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "core/run/run_counters.hpp"
#include "core/session/session.hpp"
#include "core/store/run_writer.hpp"

namespace seedbed {

// Steps per second over the last seconds, and how much it varied: the range of the ETA.
class Speedometer {
public:
    void add(double time, std::uint64_t steps);
    double mean() const { return points_.empty() ? 0 : rate(0, points_.size() - 1); }
    // Slowest and fastest of the four quarters of the window.
    std::pair<double, double> range() const;

private:
    struct Point {
        double time;
        std::uint64_t steps;
    };
    double rate(std::size_t a, std::size_t b) const;
    std::deque<Point> points_;
};

// Hands the rows of an iteration to the writer and adds its episodes to the memory. `row_time` is wall-clock
// seconds since 1970.
void recordIteration(RunWriter& writer, RunCounters& memory, const SessionPlan& plan,
                     const Progress& progress, const IterationStats& stats, double row_time,
                     double trained_s);

// What an evaluation found, as it is recorded; step, time, seed, selection and parameters are left to the
// caller.
EvaluationRecord evaluationRecord(const EvaluationResult& result);

}  // namespace seedbed
