// SPDX-License-Identifier: Apache-2.0
// MountainCarContinuous-v0: the mountain car with a continuous force, whose square is the cost of a step.
//
// Reproduces https://github.com/Farama-Foundation/Gymnasium 1.4.0,
// gymnasium/envs/classic_control/continuous_mountain_car.py, run with NumPy 1.24: a step computes in double
// and then stores the state as float32 (with NumPy 2, intermediate results are also rounded to float32).
// Differences: a different random stream; the cosine differs by at most one unit in the last place.
#include <cmath>

#include "core/base/simd.hpp"
#include "core/base/simd_math.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/soa_batch.hpp"
#include "core/env/task_traits.hpp"
#include "envs/mountain_valley.hpp"

namespace seedbed::mountain_car_continuous {
namespace {

constexpr double kPower = 0.0015, kGoal = 0.45, kMaxForce = 1;

using Block = SoaBlock<2>;

SEEDBED_INLINE void stepLoop(Block block, double goal_velocity) {
    const auto [position, velocity] = block.state;
    SEEDBED_INDEPENDENT
    for (int i = 0; i < block.count; ++i) {
        const double action = block.action[i], force = clamp(action, -kMaxForce, kMaxForce);
        double v = velocity[i] + (force * kPower - kCarGravity * cosine(3 * position[i]));
        v = clamp(v, -kCarMaxSpeed, kCarMaxSpeed);
        const double p = clamp(position[i] + v, kCarMinPosition, kCarMaxPosition);
        const double forward = v < 0 ? 0.0 : v;
        v = p == kCarMinPosition ? forward : v;  // the wall on the left stops the car
        const double fast = v >= goal_velocity ? 1.0 : 0.0, reached = p >= kGoal ? fast : 0.0;
        position[i] = static_cast<float>(p);
        velocity[i] = static_cast<float>(v);
        block.reward[i] =
            100 * reached - action * action * 0.1;  // the original applies the cost to the unclipped action
        block.terminated[i] = reached;
    }
}
SEEDBED_VERSIONED(stepAll, stepLoop, (const Block& block, double goal_velocity), (block, goal_velocity))
SEEDBED_VERSIONED(observeAll, observeCarLoop, (const double* const* state, int count, float* obs),
                  (state, count, obs))

struct MountainCarContinuous {
    static constexpr int kVariables = 2;
    using Params = MountainCarParams;

    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "mountain_car_continuous";
        spec.title = "Mountain car, continuous";
        spec.sentence = "Drive an underpowered car up a hill with as little force as possible.";
        spec.upstream =
            "https://github.com/Farama-Foundation/Gymnasium 1.4.0 MountainCarContinuous-v0; different random "
            "stream, last digit of cos";
        spec.difficulty = "hard";
        spec.spaces.obs = {carObservation()};
        spec.spaces.actions = {ActionLeaf{
            .kind = ActionLeaf::Kind::box, .low = {-kMaxForce}, .high = {kMaxForce}, .labels = {"force"}}};
        spec.horizon = 999;
        spec.reward_low = -0.1 * kMaxForce * kMaxForce;
        spec.reward_high = 100;
        spec.solved = 90;
        if (params.goal_velocity == 0) {
            spec.random_return = -33.4;
            spec.random_return_error = 0.1;
        }
        spec.references = {{"SB3-zoo PPO (SDE)", 88.3, 20'000, "rl-baselines3-zoo benchmark.md, 88.3 +- 2.6"},
                           {"SB3-zoo SAC", 94.7, 50'000, "rl-baselines3-zoo benchmark.md"},
                           {"gymnax PPO", 92, 0, "gymnax README"}};
        return spec;
    }

    explicit MountainCarContinuous(const Params& parameters) : params(parameters) {}
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
SEEDBED_REGISTER_ENV(mountain_car_continuous, SoaBatch<MountainCarContinuous>, "MountainCarContinuous-v0")
SEEDBED_TASK_TRAITS(mountain_car_continuous, (TaskTraits{.sparse_reward = true}), "mountain_car_continuous")
}  // namespace seedbed::mountain_car_continuous
