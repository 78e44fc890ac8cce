// SPDX-License-Identifier: Apache-2.0
// A short recording of an environment under random actions, with which another build of the environment, such
// as the one in a web page, is compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/export/policy_model.hpp"

namespace seedbed {

inline constexpr int kTraceSteps = 200;

struct EnvTrace {
    std::uint64_t seed = 0;
    int steps = 0;
    std::vector<float> actions;   // [steps, agents, A]
    std::vector<float> rewards;   // [steps, agents]
    std::vector<double> digests;  // [steps + 1]: a weighted sum of all observations and masks
    std::vector<int> ends;        // [steps]: number of agents whose episode ended in the step
};

// Plays random allowed actions; deterministic. error: config if this program does not have the environment.
Result<EnvTrace> recordEnvTrace(const PolicyModel& model, std::uint64_t seed, int steps);
// Repeats the actions and returns the first difference in a sentence, or "". Observations may differ by 1e-4
// of their size: far more than rounding on a different processor, far less than a changed rule. error: as for
// recordEnvTrace(), or the trace does not fit the environment.
Result<std::string> compareEnvTrace(const PolicyModel& model, const EnvTrace& trace);

Json toJson(const EnvTrace& trace);
// error: config.
Result<EnvTrace> envTraceFromJson(const Json& json);

}  // namespace seedbed
