// SPDX-License-Identifier: Apache-2.0
#include "core/env/return_range.hpp"

#include <algorithm>

#include "core/env/env_registry.hpp"

namespace seedbed {

std::optional<std::pair<double, double>> returnRange(const Json& env) {
    if (!env.is_object() || !env.value("id", Json()).is_string()) return std::nullopt;
    const EnvEntry* entry = envRegistry().find(env["id"].get<std::string>());
    if (entry == nullptr) return std::nullopt;
    Json params = env;
    params.erase("id");
    // Reported returns exclude changes that apply only to the learner's rewards.
    if (params.contains("wrap") && params["wrap"].is_object())
        for (const char* learner_only : {"reward_clip", "reward_scale"}) params["wrap"].erase(learner_only);
    const auto complete = entry->params->complete(params);
    if (!complete) return std::nullopt;
    const auto known = entry->spec(*complete);
    if (!known) return std::nullopt;
    const EnvSpec& spec = *known;
    if (spec.horizon <= 0 || (spec.reward_low == 0 && spec.reward_high == 0)) return std::nullopt;
    const double steps = spec.horizon;
    return std::pair{std::min(spec.reward_low, steps * spec.reward_low),
                     std::max(spec.reward_high, steps * spec.reward_high)};
}

}  // namespace seedbed
