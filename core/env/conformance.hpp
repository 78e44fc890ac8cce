// SPDX-License-Identifier: Apache-2.0
// Checks whether an environment follows the rules of the interface by playing it with random actions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed {

struct ConformanceOptions {
    int envs = 2;
    std::int64_t steps = 2000;  // decisions per environment in each of three passes
    double seconds = 20;        // limit for each pass
    std::uint64_t seed = 1;
};

struct ConformanceFinding {
    enum class Level : std::uint8_t { passed, note, problem };
    Level level = Level::passed;
    std::string check;  // "determinism"
    std::string text;   // a sentence
};

struct ConformanceReport {
    EnvSpec spec;
    std::vector<ConformanceFinding> findings;
    std::int64_t decisions = 0, episodes = 0;  // counts in the first pass
    double decisions_per_s = 0;
    bool passed() const;
};

// error: the environment cannot be created or started.
Result<ConformanceReport> checkConformance(const EnvEntry& entry, const Json& params,
                                           const ConformanceOptions& options = {});

}  // namespace seedbed
