// SPDX-License-Identifier: Apache-2.0
// Shared by all benchmarks: clocks, operation counts of networks and the output of results.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "app/command.hpp"
#include "app/commands/bench/fma_peak.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed::app {

// Returns the user and system time of this process in seconds, summed over all threads.
double cpuSeconds();
// Returns the seconds since the start of this process, including program loading. The kernel rounds the start
// down to 10 ms, so the result is never too small.
double processAge();
// Returns the text of /proc/loadavg.
std::string loadAverage();

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
};

// Multiply-adds per row. Backward: gradients of the weights, and of inputs that are not observations.
struct NetWork {
    double forward = 0, backward = 0;
};
// For the engine `native`, excludes a first layer that reads bit planes, since such a layer only adds rows of
// weights.
NetWork workOf(const NetPlan& plan, const std::string& engine);

Json toJson(const FmaPeak& peak);

// Times of one call in microseconds.
struct CallTimes {
    double median_us = 0, best_us = 0;  // best: 10th percentile
    std::size_t calls = 0;
    double seconds = 0;
    double thread_us = 0;  // mean CPU time of the calling thread
};
// Calls `call` repeatedly for `seconds`, at least five times. error: the first error of `call`.
Result<CallTimes> timeCalls(double seconds, const std::function<Result<>()>& call);

// Prints one JSON line with --json, otherwise one line per value.
void printFigures(const Json& figures, const Context& context);

}  // namespace seedbed::app
