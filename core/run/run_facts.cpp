// SPDX-License-Identifier: Apache-2.0
// Texts and records about a run.
#include "core/run/run_facts.hpp"

#include <vector>

#include "core/base/text.hpp"
#include "core/run/build_info.hpp"

namespace seedbed {

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
