// SPDX-License-Identifier: Apache-2.0
// The training doctor: rules over the metrics of a run, which report findings with evidence, likely cause and
// a suggested change.
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

// Input of the rules.
struct RunView {
    Json config;                                // the whole RunConfig
    std::map<std::string, Curve> metrics;       // by name, x = steps
    std::vector<EvaluationPoint> evaluations;   // in order
    std::vector<std::int64_t> episode_lengths;  // of the newest episodes, at most a few hundred
    std::int64_t horizon = 0;                   // decisions after which the environment truncates; 0: never
    std::optional<double> reference_score;      // of the environment, when it has one
    std::optional<double> random_return;        // of the uniformly random policy, when it is known
    bool discrete_actions = true;               // the entropy of real-valued actions has no lower bound
    std::int64_t steps = 0, budget = 0;         // so far, and planned (0: none)
};

struct Finding {
    enum class Severity : std::uint8_t { note, warning, problem };

    std::string rule;  // entropy_collapse
    Severity severity = Severity::note;
    std::string title;               // one sentence
    LocalizableText evidence;        // the numbers
    std::string cause;               // the usual one
    std::string remedy;              // the suggested change, in words
    Json settings = Json::object();  // the change as settings, {"algo.entropy_cost": 0.01}; may be empty
};

// Findings, the most severe first. A rule without enough points reports nothing. Thread: any.
std::vector<Finding> diagnose(const RunView& run);

const char* nameOf(Finding::Severity severity);

}  // namespace seedbed
