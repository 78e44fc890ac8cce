// SPDX-License-Identifier: Apache-2.0
// CartPole-v1: balance a pole on a cart that is pushed left or right.
//
// Reproduces https://github.com/Farama-Foundation/Gymnasium 1.4.0, gymnasium/envs/classic_control/cartpole.py
// (Barto, Sutton, Anderson 1983). Differences: a different random stream; sine and cosine differ by at most
// one unit in the last place.
#include <cmath>
#include <numbers>

#include "core/base/simd.hpp"
#include "core/base/simd_math.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/soa_batch.hpp"
#include "core/env/task_traits.hpp"

namespace seedbed::cartpole {
namespace {

constexpr double kGravity = 9.8, kPoleMass = 0.1, kTotalMass = 1.1, kHalfLength = 0.5,
                 kPoleMassLength = kPoleMass * kHalfLength;
constexpr double kForce = 10.0, kTau = 0.02;
constexpr double kPositionLimit = 2.4, kAngleLimit = 12 * 2 * std::numbers::pi / 360;

using Block = SoaBlock<4>;

SEEDBED_INLINE void stepLoop(Block block) {
    const auto [x, x_dot, theta, theta_dot] = block.state;
    SEEDBED_INDEPENDENT
    for (int i = 0; i < block.count; ++i) {
        const double force = block.action[i] > 0.5 ? kForce : -kForce;
        double sin_theta, cos_theta;
        sinCos(theta[i], sin_theta, cos_theta);
        const double temp =
            (force + kPoleMassLength * (theta_dot[i] * theta_dot[i]) * sin_theta) / kTotalMass;
        const double theta_acc =
            (kGravity * sin_theta - cos_theta * temp) /
            (kHalfLength * (4.0 / 3.0 - kPoleMass * (cos_theta * cos_theta) / kTotalMass));
        const double x_acc = temp - kPoleMassLength * theta_acc * cos_theta / kTotalMass;
        // Explicit Euler: positions change according to the old velocities.
        const double new_x = x[i] + kTau * x_dot[i], new_theta = theta[i] + kTau * theta_dot[i];
        x_dot[i] += kTau * x_acc;
        theta_dot[i] += kTau * theta_acc;
        x[i] = new_x;
        theta[i] = new_theta;
        block.reward[i] = 1.0;
        const double outside = std::abs(new_x) > kPositionLimit ? 1.0 : 0.0;
        block.terminated[i] = std::abs(new_theta) > kAngleLimit ? 1.0 : outside;
    }
}
SEEDBED_VERSIONED(stepAll, stepLoop, (const Block& block), (block))

SEEDBED_INLINE void observeLoop(const double* const* state, int count, float* obs) {
    const double *x = state[0], *x_dot = state[1], *theta = state[2], *theta_dot = state[3];
    SEEDBED_INDEPENDENT
    for (int i = 0; i < count; ++i) {
        obs[4 * i] = static_cast<float>(x[i]);
        obs[4 * i + 1] = static_cast<float>(x_dot[i]);
        obs[4 * i + 2] = static_cast<float>(theta[i]);
        obs[4 * i + 3] = static_cast<float>(theta_dot[i]);
    }
}
SEEDBED_VERSIONED(observeAll, observeLoop, (const double* const* state, int count, float* obs),
                  (state, count, obs))

void observePositions(const double* const* state, int count, float* obs) {
    for (int i = 0; i < count; ++i) {
        obs[2 * i] = static_cast<float>(state[0][i]);
        obs[2 * i + 1] = static_cast<float>(state[2][i]);
    }
}

struct CartPole {
    static constexpr int kVariables = 4;

    struct Params {
        bool hide_velocities = false;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("cartpole", "Parameters of CartPole.")
                    .field(&Params::hide_velocities, "hide_velocities",
                           "Observe only the two positions, so that memory is needed.");
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "cartpole";
        spec.title = "CartPole";
        spec.sentence = "Keep a pole upright on a cart by pushing the cart left or right.";
        spec.upstream =
            "https://github.com/Farama-Foundation/Gymnasium 1.4.0 CartPole-v1; different random stream, last "
            "digit of sin and cos";
        spec.difficulty = "easy";
        constexpr double kInf = std::numeric_limits<double>::infinity();
        spec.spaces.obs = {ObsLeaf{.shape = {4},
                                   .low = -kInf,
                                   .high = kInf,
                                   .labels = {"cart position (m)", "cart velocity (m/s)", "pole angle (rad)",
                                              "pole velocity (rad/s)"}}};
        spec.spaces.actions = {ActionLeaf{.n = 2, .labels = {"push left", "push right"}}};
        spec.horizon = 500;
        spec.reward_low = spec.reward_high = 1;
        spec.solved = 475;
        spec.random_return = 22.2;
        spec.random_return_error = 0.1;
        spec.references = {{"SB3-zoo PPO", 500, 100'000, "rl-baselines3-zoo benchmark.md"},
                           {"SB3-zoo DQN", 500, 50'000, "rl-baselines3-zoo benchmark.md"},
                           {"CleanRL PPO", 490, 500'000, "docs.cleanrl.dev, PPO, 490.0 +- 6.1"},
                           {"CleanRL DQN", 488.7, 500'000, "docs.cleanrl.dev, DQN, 488.7 +- 16.1"},
                           {"CleanRL PQN", 495, 500'000, "docs.cleanrl.dev, PQN, 495 +- 7"}};
        if (params.hide_velocities) hideVelocities(spec);
        return spec;
    }
    // POPGym's variant has a horizon of 200 to 600 and rewards that sum to 1; apart from the hidden
    // velocities, this variant equals CartPole-v1.
    static void hideVelocities(EnvSpec& spec) {
        spec.title = "CartPole, positions only";
        spec.sentence = "Keep a pole upright on a cart without observing velocities.";
        spec.upstream +=
            "; velocities hidden as in POPGym's PositionOnlyCartPole, whose horizon and reward scale differ";
        spec.difficulty = "medium";
        spec.spaces.obs[0].shape = {2};
        spec.spaces.obs[0].labels = {"cart position (m)", "pole angle (rad)"};
        spec.references.clear();
    }

    explicit CartPole(const Params& params) : positions_only(params.hide_velocities) {}
    void reset(double* state, Rng& rng) const {
        for (int k = 0; k < kVariables; ++k) state[k] = rng.uniform(-0.05, 0.05);
    }
    void step(const Block& block) const { stepAll(block); }
    void observe(const double* const* state, int count, float* obs) const {
        if (positions_only) observePositions(state, count, obs);
        else observeAll(state, count, obs);
    }

    void draw(const double* state, Scene& scene) const {
        constexpr float kAxle = 0.2f;
        const auto x = static_cast<float>(state[0]);
        const auto theta = static_cast<float>(state[2]);
        const float tip_x = x + std::sin(theta), tip_y = kAxle + std::cos(theta);
        scene.clear(-2.6f, -0.5f, 2.6f, 1.5f);
        scene.line(-2.6f, 0, 2.6f, 0, 0.02f, {90, 90, 90});
        for (const float limit : {-2.4f, 2.4f}) scene.line(limit, -0.1f, limit, 0.1f, 0.03f, {200, 60, 50});
        scene.rectangle(x, 0.1f, 0.5f, 0.25f, {45, 52, 64});
        for (const float side : {-0.15f, 0.15f}) scene.circle(x + side, -0.03f, 0.07f, {110, 118, 130});
        scene.line(x, kAxle, tip_x, tip_y, 0.09f, {202, 146, 86});
        scene.circle(x, kAxle, 0.05f, {110, 120, 200});
    }

    bool positions_only;
};

}  // namespace
SEEDBED_REGISTER_ENV(cartpole, SoaBatch<CartPole>, "CartPole-v1")
SEEDBED_REGISTER_ENV_AS(cartpole_position_only, SoaBatch<CartPole>, (Json{{"hide_velocities", true}}))
SEEDBED_TASK_TRAITS(cartpole, (TaskTraits{.needs_memory = params.value("hide_velocities", false)}),
                    "cartpole", "cartpole_position_only")
}  // namespace seedbed::cartpole
