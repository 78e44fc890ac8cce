// SPDX-License-Identifier: Apache-2.0
// How much of the variance of the score each setting of a sweep explains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

// With fewer runs, or fewer different settings, only chance could be measured.
inline constexpr std::size_t kMinImportanceRuns = 10;

struct SettingImportance {
    std::vector<std::string> fields;  // several if they always changed together
    std::size_t runs = 0;             // that have the setting
    std::size_t groups = 0;           // values, or ranges of numbers with many values
    double eta_squared = 0;           // variance between the groups over the whole variance, 0 to 1
    // eta_squared corrected for chance: (eta_squared - e) / (1 - e), at least 0, where e is its mean over the
    // permutations. If all runs can be exchanged, this is epsilon squared (Kelley 1935).
    double share = 0;
    double chance = 0;   // `share` that chance exceeds for one of the settings in 5 % of sweeps
    double p_value = 1;  // of the permutation test, multiplied by the number of tested settings (Bonferroni)
    enum class Verdict : std::uint8_t {
        explains,  // p_value is at most 5 %
        chance,    // not distinguishable from chance
        too_few    // too few runs for its number of values; the numbers after eta_squared are not set
    } verdict = Verdict::too_few;
};

struct Importance {
    enum class State : std::uint8_t {
        measured,
        too_few_runs,  // fewer than kMinImportanceRuns
        other_tasks,   // scores of different environments cannot be compared
        no_setting     // no setting has two values
    } state = State::no_setting;
    std::size_t runs = 0;
    std::vector<SettingImportance> settings;  // largest share first; those of too_few last
};

// One-way analysis of variance of the scores over the values of each setting that differs. Permutations
// exchange runs that agree in the other settings, or, if these are too few, whole configurations, since seeds
// of one are not independent evidence.
// configs: after withoutSeed(), one per score. scores: finite. Deterministic. Thread: any.
Importance settingImportance(const std::vector<Json>& configs, const std::vector<double>& scores);

}  // namespace seedbed
