// SPDX-License-Identifier: Apache-2.0
// One kind of session for every kind of state that sessions save, for tests that load hostile bytes.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed::test {

struct StateKind {
    std::string name;
    Json changes;  // to the configuration of a small session of PPO
};

// Stored inputs of fuzz_archive contain positions in this list: add new kinds at its end.
inline std::vector<StateKind> stateKinds() {
    const auto with = [](Json first, const Json& second) {
        first.update(second, true);  // keeps null, which removes a setting
        return first;
    };
    const auto replay = [&](const char* id, const Json& more = Json::object()) {
        const Json common{
            {"id", id},          {"rollout_length", 4}, {"epochs", nullptr}, {"minibatches", nullptr},
            {"replay_size", 64}, {"replay_start", 16},  {"replay_ratio", 1}, {"batch_size", 8}};
        return Json{{"algo", with(common, more)}};
    };
    const Json n_step{{"n_step", 2}}, prioritised{{"n_step", 2}, {"prioritised", true}};
    const Json saved{{"checkpoint", {{"replay", "full"}}}};
    const Json lstm{{"network", {{"core", "lstm"}, {"core_size", 2}}}};
    const Json memory = with(lstm, {{"network", {{"previous_action", true}, {"previous_reward", true}}}});
    const Json async{{"actor", {{"threads", 1}}}, {"run", {{"schedule", "async"}}}};
    const Json vtrace{{"algo", {{"id", "vtrace"}, {"epochs", nullptr}, {"minibatches", nullptr}}}};
    const Json pendulum = with(saved, {{"env", {{"id", "pendulum"}}}});
    return {
        {"ppo", memory},
        {"async", with(memory, async)},
        {"novelty", {{"algo", {{"novelty", "noveld"}}}}},
        {"vtrace", vtrace},
        {"dqn", replay("dqn", n_step)},
        {"prioritised", replay("dqn", prioritised)},
        {"pqn", {{"algo", {{"id", "pqn"}}}}},
        {"saved-replay", with(replay("dqn", prioritised), saved)},
        {"async-replay", with(with(replay("dqn", prioritised), async), saved)},
        {"r2d2",
         with(with(replay("r2d2", {{"sequence", 4}, {"burn_in", 2}, {"stride", 2}, {"n_step", 2}}), memory),
              saved)},
        {"sac", with(replay("sac", {{"random_steps", 16}}), pendulum)},
        {"td3", with(replay("td3", {{"random_steps", 16}}), pendulum)},
        {"hindsight", with(replay("dqn", {{"hindsight", 4}}),
                           with(saved, {{"env", {{"id", "bit_flipping"}, {"bits", 3}}}}))},
        {"vmpo", {{"algo", {{"id", "vmpo"}, {"popart", true}}}}},
        {"echo", with(with(vtrace, async), {{"learner", {{"echo", 0}}}})},
        {"awr", with(replay("awr", {{"sequence", 4}, {"stride", 2}}), with(memory, saved))},
        {"self-play",
         {{"env", {{"id", "tic_tac_toe"}}}, {"self_play", {{"past", 0.8}, {"pool", 2}, {"every", 1}}}}}};
}

}  // namespace seedbed::test
