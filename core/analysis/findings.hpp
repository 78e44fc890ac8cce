// SPDX-License-Identifier: Apache-2.0
// The training doctor: rules over the metrics of a run that give findings with evidence, likely cause and a
// change to try.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/collapse.hpp"
#include "core/analysis/curve.hpp"
#include "core/base/json.hpp"
#include "core/base/localizable_text.hpp"

namespace seedbed {

// What the rules look at.
struct RunView {
    Json config;                                // the whole RunConfig
    std::map<std::string, Curve> metrics;       // by name, x = steps
    std::vector<EvaluationPoint> evaluations;   // in order
    std::vector<std::int64_t> episode_lengths;  // of the newest episodes, at most a few hundred
    std::int64_t horizon = 0;                   // decisions after which the environment truncates; 0 for none
    std::optional<double> reference_score;      // of the environment, when it has one
    std::optional<double> random_return;        // of the uniformly random policy, when it is known
    bool discrete_actions = true;               // entropies of real-valued actions have no floor
    std::int64_t steps = 0, budget = 0;         // so far, and planned (0: none)
};

struct Finding {
    enum class Severity : std::uint8_t { note, warning, problem };

    std::string rule;  // entropy_collapse
    Severity severity = Severity::note;
    std::string title;               // one sentence
    LocalizableText evidence;        // the numbers
    std::string cause;               // what it usually comes from
    std::string remedy;              // what to try, in words
    Json settings = Json::object();  // the change as dotted settings, {"algo.entropy_cost": 0.01}; empty when
                                     // there is none to offer
};

// Findings in order of severity, the worst first. A rule without enough points says nothing. Thread: any.
std::vector<Finding> diagnose(const RunView& run);

const char* nameOf(Finding::Severity severity);

}  // namespace seedbed
