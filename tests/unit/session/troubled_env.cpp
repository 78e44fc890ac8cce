// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/session/troubled_env.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/unit/env/small_spec.hpp"

namespace seedbed::test {

const Description<TroubledEnv::Params>& TroubledEnv::Params::describe() {
    static const auto description =
        Description<Params>("troubled", "Parameters of the troubled environment.");
    return description;
}

EnvSpec TroubledEnv::spec(const Params&) {
    return smallSpec("troubled", {.shape = {1}, .low = 0, .high = 1e9});
}

StepResult TroubledEnv::step(const float*, float* rewards, Rng&) {
    Troubles::State& state = Troubles::state();
    if (instance_ >= state.throws_from && instance_ < state.throws_to)
        throw std::runtime_error("the environment failed on request");
    const int hangs = state.hangs_from;
    if (step_ > 0 && instance_ >= hangs && instance_ < state.hangs_to) {
        state.hanging.fetch_add(1);
        state.hangs_from.wait(hangs);
        state.hanging.fetch_sub(1);
    }
    if (const int us = state.sleep_us; us > 0) std::this_thread::sleep_for(std::chrono::microseconds(us));
    rewards[0] = state.nan_rewards.load() > 0 && state.nan_rewards.fetch_sub(1) > 0 ? std::nanf("") : 1;
    ++step_;
    return {.reward = rewards[0], .terminated = instance_ < state.endless_from && step_ >= 10};
}

SEEDBED_REGISTER_ENV(troubled, TroubledEnv)

}  // namespace seedbed::test
