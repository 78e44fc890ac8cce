// SPDX-License-Identifier: Apache-2.0
// Texts and records about a run.
#include "core/run/run_facts.hpp"

#include <vector>

#include "core/base/text.hpp"
#include "core/run/build_info.hpp"

namespace seedbed {

// Seconds: shorter turns are one phase to those who watch.
constexpr double kTurnThatIsSeen = 0.5;

RunPhase turnOf(double turn_s, bool in_turns) {
    return in_turns && turn_s > kTurnThatIsSeen ? RunPhase::collecting : RunPhase::training;
}

const char* nameOf(RunPhase phase) {
    switch (phase) {
        case RunPhase::starting: return "starting";
        case RunPhase::training: return "training";
        case RunPhase::collecting: return "collecting";
        case RunPhase::learning: return "learning";
        case RunPhase::evaluating: return "evaluating";
        case RunPhase::saving: return "saving";
        case RunPhase::waiting: return "waiting";
        case RunPhase::paused: return "paused";
        case RunPhase::stopping: return "stopping";
        case RunPhase::ended: return "ended";
    }
    return "";
}

std::string differentParts(const NetSpec& left, const NetSpec& right) {
    const Json l = toJson(left), r = toJson(right);
    std::vector<std::string> names;
    for (const auto& [name, value] : l.items())
        if (!r.contains(name) || r.at(name) != value) names.push_back(name);
    return join(names, ", ");
}

std::string changesText(const Json& changes) {
    std::vector<std::string> names;
    for (const auto& [key, sides] : changes.items())
        names.push_back(key + " " + sides[0].dump() + " -> " + sides[1].dump());
    return join(names, ", ");
}

Json autoSettings(const SessionPlan& plan, const std::string& preset) {
    const TrainingConfig& config = plan.config;
    return {{"engine", {{"value", plan.engine.id}, {"why", plan.engine.why}}},
            {"groups",
             {{"value", plan.groups},
              {"why", config.actor.groups > 0
                          ? "asked for"
                          : "by the number of environments, and what was measured for inference"}}},
            {"threads",
             {{"value", plan.threads}, {"why", config.run.threads > 0 ? "asked for" : "one per core"}}},
            {"inference",
             {{"value", config.run.inference},
              {"why", plan.auto_choice.is_null() ? Json("asked for") : plan.auto_choice.at("why")},
              {"choice", plan.auto_choice}}},
            {"preset", preset}};
}

Json statusJson(const ProgressReport& p, RunStatus state, RunId run, double trained_s, bool saving) {
    return {{"state", nameOf(state)},
            {"phase", nameOf(p.phase)},
            {"run", run},
            {"steps", p.steps},
            {"goal_steps", p.goal_steps},
            {"updates", p.updates},
            {"steps_per_s", p.steps_per_s},
            {"return", p.mean_return ? Json(*p.mean_return) : Json()},
            {"evaluation", p.last_evaluation ? Json(*p.last_evaluation) : Json()},
            {"elapsed_s", p.elapsed_s},
            {"trained_s", trained_s},
            {"eta_s", p.eta_s ? Json{p.eta_s->first, p.eta_s->second} : Json()},
            {"next_checkpoint_s", p.next_checkpoint_s},
            {"saving", saving}};
}

Provenance provenanceOf(const TrainingConfig& config, RunId run, std::int64_t steps, std::int64_t updates) {
    return {.env = config.env_id,
            .env_params = config.env_params,
            .algo = config.algo_id,
            .config = config.document,
            .run = std::to_string(run),
            .steps = steps,
            .updates = updates,
            .build = buildText(),
            .evaluation = Json()};
}

}  // namespace seedbed
