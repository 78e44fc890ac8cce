// SPDX-License-Identifier: Apache-2.0
// MountainCar-v0: drive an underpowered car up a hill by rocking back and forth.
//
// Reproduces https://github.com/Farama-Foundation/Gymnasium 1.4.0,
// gymnasium/envs/classic_control/mountain_car.py (Moore 1990). Differences: a different random stream; the
// cosine differs by at most one unit in the last place.
#include <cmath>

#include "core/base/simd.hpp"
#include "core/base/simd_math.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/soa_batch.hpp"
#include "core/env/task_traits.hpp"
#include "envs/mountain_valley.hpp"

namespace seedbed::mountain_car {
namespace {

constexpr double kForce = 0.001, kGoal = 0.5;

using Block = SoaBlock<2>;

SEEDBED_INLINE void stepLoop(Block block, double goal_velocity) {
    const auto [position, velocity] = block.state;
    SEEDBED_INDEPENDENT
    for (int i = 0; i < block.count; ++i) {
        double v = velocity[i] + ((block.action[i] - 1) * kForce + cosine(3 * position[i]) * -kCarGravity);
        v = clamp(v, -kCarMaxSpeed, kCarMaxSpeed);
        const double p = clamp(position[i] + v, kCarMinPosition, kCarMaxPosition);
        const double forward = v < 0 ? 0.0 : v;
        v = p == kCarMinPosition ? forward : v;  // the wall on the left stops the car
        position[i] = p;
        velocity[i] = v;
        block.reward[i] = -1;
        const double fast = v >= goal_velocity ? 1.0 : 0.0;
        block.terminated[i] = p >= kGoal ? fast : 0.0;
    }
}
SEEDBED_VERSIONED(stepAll, stepLoop, (const Block& block, double goal_velocity), (block, goal_velocity))
SEEDBED_VERSIONED(observeAll, observeCarLoop, (const double* const* state, int count, float* obs),
                  (state, count, obs))

struct MountainCar {
    static constexpr int kVariables = 2;
    using Params = MountainCarParams;

    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "mountain_car";
        spec.title = "Mountain car";
        spec.sentence = "Drive an underpowered car up a hill by rocking back and forth.";
        spec.upstream =
            "https://github.com/Farama-Foundation/Gymnasium 1.4.0 MountainCar-v0; different random stream, "
            "last digit of cos";
        spec.difficulty = "hard";
        spec.spaces.obs = {carObservation()};
        spec.spaces.actions = {
            ActionLeaf{.n = 3, .labels = {"accelerate left", "coast", "accelerate right"}}};
        spec.horizon = 200;
        spec.reward_low = spec.reward_high = -1;
        spec.solved = -110;
        if (params.goal_velocity >= 0) spec.random_return = -200;
        spec.references = {
            {"SB3-zoo PPO", -110.4, 1'000'000, "rl-baselines3-zoo benchmark.md, -110.4 +- 19.5"},
            {"SB3-zoo DQN", -100.8, 120'000, "rl-baselines3-zoo benchmark.md, -100.8 +- 9.9"},
            {"CleanRL PPO", -200, 500'000, "docs.cleanrl.dev"},
            {"CleanRL DQN", -195, 500'000, "docs.cleanrl.dev, -195 +- 8.5"},
            {"gymnax ES", -118, 0, "gymnax README"}};
        return spec;
    }

    explicit MountainCar(const Params& parameters) : params(parameters) {}
    void reset(double* state, Rng& rng) const {
        state[0] = rng.uniform(-0.6, -0.4);
        state[1] = 0;
    }
    void step(const Block& block) const { stepAll(block, params.goal_velocity); }
    void observe(const double* const* state, int count, float* obs) const { observeAll(state, count, obs); }
    void draw(const double* state, Scene& scene) const { drawCar(state[0], kGoal, scene); }

    Params params;
};

}  // namespace
SEEDBED_REGISTER_ENV(mountain_car, SoaBatch<MountainCar>, "MountainCar-v0")
SEEDBED_TASK_TRAITS(mountain_car, (TaskTraits{.sparse_reward = true}), "mountain_car")
}  // namespace seedbed::mountain_car
