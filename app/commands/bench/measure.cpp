// SPDX-License-Identifier: Apache-2.0
// Clocks, operation counts and output.
#include "app/commands/bench/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/base/text.hpp"
#include "core/nn/operation.hpp"

namespace seedbed::app {

double cpuSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double processAge() {
    std::ifstream file("/proc/self/stat");
    std::string text;
    std::getline(file, text);
    // The second field is the program's name in parentheses, which may itself contain spaces and parentheses;
    // the start time is field 22.
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) return 0;
    std::istringstream fields(text.substr(name_end + 1));
    std::string field;
    for (int i = 3; i <= 22; ++i) fields >> field;
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    const double started = parseNumber(field).value_or(0) / static_cast<double>(sysconf(_SC_CLK_TCK));
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - started;
}

std::string loadAverage() {
    std::string text;
    std::ifstream file("/proc/loadavg");
    std::getline(file, text);
    return text;
}

namespace {

// True if the operation reads observed bit planes directly.
bool readsBits(const NetPlan& plan, const PlanOp& op) {
    for (const PlanOp& source : plan.ops) {
        if (source.output != op.inputs[0] || source.leaf < 0) continue;
        const ObsLeaf& leaf = plan.spec.spaces.obs[static_cast<std::size_t>(source.leaf)];
        return leaf.kind == ObsLeaf::Kind::image && leaf.high == 1;
    }
    return false;
}

}  // namespace

NetWork workOf(const NetPlan& plan, const std::string& engine) {
    // Values without gradients: observations and values computed from them without weights.
    std::vector<bool> given(plan.values.size(), false);
    NetWork work;
    for (const PlanOp& op : plan.ops) {
        const bool from_given = std::all_of(op.inputs.begin(), op.inputs.end(),
                                            [&](int v) { return given[static_cast<std::size_t>(v)]; });
        const bool learned = std::any_of(op.params.begin(), op.params.end(), [&](int param) {
            return plan.params[static_cast<std::size_t>(param)].role == ParamEntry::Role::weight;
        });
        given[static_cast<std::size_t>(op.output)] = from_given && !learned;
        OperationCost cost = costOf(plan, op);
        // The native engine adds rows of weights instead of multiplying.
        if (engine == "native" && op.kind == "linear" && readsBits(plan, op)) cost.input_macs = 0;
        work.forward += cost.input_macs + cost.state_macs;
        work.backward += cost.input_macs * (from_given ? 1 : 2) + 2 * cost.state_macs;
    }
    return work;
}

Json toJson(const FmaPeak& peak) {
    return {{"isa", nameOf(peak.isa)},
            {"fused", peak.fused},
            {"threads", peak.threads},
            {"gflops", peak.gflops},
            {"gflops_one_thread", peak.thread_gflops}};
}

// CPU time of this thread in seconds.
static double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Result<CallTimes> timeCalls(double seconds, const std::function<Result<>()>& call) {
    for (int i = 0; i < 3; ++i) SEEDBED_TRY(call());
    std::vector<double> times;
    const Stopwatch all;
    const double before = threadSeconds();
    while (all.seconds() < seconds || times.size() < 5) {
        const Stopwatch one;
        SEEDBED_TRY(call());
        times.push_back(one.seconds() * 1e6);
    }
    const double thread_us = 1e6 * (threadSeconds() - before) / static_cast<double>(times.size());
    std::sort(times.begin(), times.end());
    return CallTimes{times[times.size() / 2], times[times.size() / 10], times.size(), all.seconds(),
                     thread_us};
}

namespace {

std::string figureText(const Json& value) {
    if (value.is_null()) return "-";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return formatCount(value.get<std::int64_t>());
    if (!value.is_number()) return value.dump();
    const double number = value.get<double>();
    if (std::abs(number) >= 1000) return formatCount(std::llround(number));
    // Four digits, because further ones would not be reproducible on a shared machine.
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", number);
    return text;
}

void addRows(const Json& figures, const std::string& prefix, std::vector<std::vector<std::string>>& rows) {
    for (const auto& [key, value] : figures.items()) {
        if (value.is_object()) addRows(value, prefix + key + ".", rows);
        else rows.push_back({prefix + key, figureText(value)});
    }
}

}  // namespace

void printFigures(const Json& figures, const Context& context) {
    if (context.json) return printJson(figures);
    std::vector<std::vector<std::string>> rows{{"FIGURE", "VALUE"}};
    addRows(figures, "", rows);
    printTable(rows);
}

}  // namespace seedbed::app
