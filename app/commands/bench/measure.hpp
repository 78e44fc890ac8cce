// SPDX-License-Identifier: Apache-2.0
// What all benchmarks share: clocks, the work that a network costs, and how a result is shown.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "app/command.hpp"
#include "app/commands/bench/fma_peak.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed::app {

// User and system time of this process, all threads.
double cpuSeconds();
// Seconds since this process was started, program loading included; the kernel rounds the start down to 10
// ms, so never too little.
double processAge();
// The text of /proc/loadavg: what else the machine had to do.
std::string loadAverage();

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
};

// Multiply-adds of one row. Backward: gradients of weights, and of inputs where those are not observations.
struct NetWork {
    double forward = 0, backward = 0;
};
// Engine `native` adds up rows of weights where a layer reads planes of bits: that first layer is no work to
// multiply and counts as none.
NetWork workOf(const NetPlan& plan, const std::string& engine);

Json toJson(const FmaPeak& peak);

// Distribution of the time of one call.
struct CallTimes {
    double median_us = 0, best_us = 0;  // best: the fastest tenth
    std::size_t calls = 0;
    double seconds = 0;
};
// error: the first one of `call`.
Result<CallTimes> timeCalls(double seconds, const std::function<Result<>()>& call);

// One JSON line with --json, else one line per figure.
void printFigures(const Json& figures, const Context& context);

}  // namespace seedbed::app
