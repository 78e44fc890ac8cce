// SPDX-License-Identifier: Apache-2.0
// Environments by name. The last line of a file in envs/ registers it: SEEDBED_REGISTER_ENV(cartpole, CartPole).
#pragma once

#include <functional>
#include <memory>

#include "core/base/registry.hpp"
#include "core/env/env.hpp"

namespace seedbed {

struct EnvEntry {
    std::string id;
    std::vector<std::string> aliases;   // the upstream id, a trace file's name
    const Schema* params = nullptr;     // the environment's parameters
    std::function<EnvSpec(const Json& params)> spec;
    std::function<Result<std::unique_ptr<EnvBatch>>(const Json& params, int count)> make;
};

Registry<EnvEntry>& envRegistry();

// For an Env class T with: struct Params (described); static EnvSpec spec(const Params&); explicit T(const Params&).
// spec().id is the id. `overrides` changes defaults of the parameters, for several ids from one class.
template <class T>
EnvEntry envEntry(std::vector<std::string> aliases = {}, const Json& overrides = Json::object());

// Described wrappers that change the task; every environment has them as `wrap.*` parameters. All off by default.
struct WrapperParams {
    double sticky_actions = 0;   // probability that the previously executed action is repeated
    int action_repeat = 1;       // environment steps per decision, rewards summed
    int noop_starts = 0;         // up to this many actions 0 after a reset
    double reward_clip = 0;
    double reward_scale = 1;
    int time_limit = -1;         // decisions; -1: the environment's own horizon, 0: none

    static const Description<WrapperParams>& describe();
};
// Adds sticky actions, action repeat and no-op starts around a batch; returns it unchanged when none is on.
std::unique_ptr<EnvBatch> wrapBatch(std::unique_ptr<EnvBatch> batch, const WrapperParams& params);

}  // namespace seedbed

#include "core/env/env_registry_inl.hpp"
