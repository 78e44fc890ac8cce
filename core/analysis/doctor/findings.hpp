// SPDX-License-Identifier: Apache-2.0
// The training doctor: rules over metrics, settings and events of a run, which report findings with evidence,
// likely cause and a suggested change.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/collapse.hpp"
#include "core/analysis/curve.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/localizable_text.hpp"
#include "core/base/spaces.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Input of the rules.
struct RunView {
    RunId id = 0;
    Json config;  // the whole RunConfig
    // The same configuration without the user's changes: the preset's, or the defaults. Null if unknown.
    Json base;
    std::string preset;                         // name of the base; "" or "none": the defaults
    std::string env_preset;                     // preset that 'seedbed train ENV' uses; "": none
    std::map<std::string, Curve> metrics;       // curves by name; x is the step
    std::vector<EvaluationPoint> evaluations;   // ordered by step
    std::vector<std::int64_t> episode_lengths;  // lengths of the latest episodes, at most a few hundred
    std::vector<EventRecord> events;            // ordered by step
    std::vector<SegmentRecord> segments;        // ordered by step
    std::int64_t saved_step = 0;                // step of the newest checkpoint
    RunStatus status = RunStatus::running;
    std::string status_text;                 // why the run failed
    std::int64_t horizon = 0;                // decisions after which the environment truncates; 0: never
    std::optional<double> reference_score;   // the environment's reference score, if it has one
    std::optional<double> goal;              // target return of the run, if there is one
    std::optional<double> random_return;     // return of the uniformly random policy, if known
    std::optional<double> best_possible;     // highest possible return in the environment, if known
    double reward_low = 0, reward_high = 0;  // range per decision; equal if unknown
    bool discrete_actions = true;            // the entropy of real-valued actions has no lower bound
    std::vector<ActionLeaf> actions;         // of the environment; empty if unknown
    std::int64_t steps = 0;
};

struct Finding {
    enum class Severity : std::uint8_t { note, warning, problem };

    std::string rule;  // entropy_collapse
    Severity severity = Severity::note;
    std::string title;                // one sentence
    LocalizableText evidence;         // the numbers
    std::string cause;                // the usual cause
    std::string remedy;               // the suggested change as text; "" if it would not remove the cause
    std::vector<std::string> blames;  // settings that cause it: "algo.learning_rate"
    Json settings = Json::object();   // the change as settings, {"algo.entropy_cost": 0.01}; may be empty
    // Whether the remedy is to resume this run, with `settings` if it is not empty.
    bool resume = false;
    std::string command;  // shell command that applies the change; set by the program, not by diagnose()
};

// Findings, most severe first; the first one names the most likely cause. A rule without enough points
// reports nothing, and a run that reached its goal has no findings about its settings. Thread: any.
std::vector<Finding> diagnose(const RunView& run);

const char* nameOf(Finding::Severity severity);

// For other processes; messages remain patterns with arguments.
Json toJson(const Finding& finding);
// error: config.
Result<Finding> findingFromJson(const Json& json);

}  // namespace seedbed
