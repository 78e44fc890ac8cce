// SPDX-License-Identifier: Apache-2.0
// Pendulum-v1: swing a pendulum up and hold it there with a motor that is too weak to lift it directly.
//
// Reproduces https://github.com/Farama-Foundation/Gymnasium 1.4.0,
// gymnasium/envs/classic_control/pendulum.py, run with NumPy 2: the torque and its products are float32.
// Differences: a different random stream; sine and cosine differ by at most one unit in the last place.
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/simd.hpp"
#include "core/base/simd_math.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/soa_batch.hpp"
#include "core/env/task_traits.hpp"

namespace seedbed::pendulum {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kMaxSpeed = 8, kMaxTorque = 2, kDt = 0.05, kMass = 1, kLength = 1;
constexpr auto kPush = static_cast<float>(3 / (kMass * kLength * kLength));

using Block = SoaBlock<2>;

SEEDBED_INLINE void stepLoop(Block block, double gravity) {
    const auto [theta, theta_dot] = block.state;
    SEEDBED_INDEPENDENT
    for (int i = 0; i < block.count; ++i) {
        const auto u = static_cast<float>(clamp(block.action[i], -kMaxTorque, kMaxTorque));
        const float effort = 0.001F * (u * u), push = kPush * u;
        // The cost is that of the state before the step; the angle is measured from upright, in [-pi, pi].
        const double angle = theta[i] - 2 * kPi * roundNearest(theta[i] * (0.5 / kPi));
        block.reward[i] = -(angle * angle + 0.1 * (theta_dot[i] * theta_dot[i]) + effort);
        const double acceleration = 3 * gravity / (2 * kLength) * sine(theta[i]) + push;
        const double speed = clamp(theta_dot[i] + acceleration * kDt, -kMaxSpeed, kMaxSpeed);
        theta[i] += speed * kDt;
        theta_dot[i] = speed;
        block.terminated[i] = 0;
    }
}
SEEDBED_VERSIONED(stepAll, stepLoop, (const Block& block, double gravity), (block, gravity))

SEEDBED_INLINE void observeLoop(const double* const* state, int count, float* obs) {
    const double *theta = state[0], *theta_dot = state[1];
    SEEDBED_INDEPENDENT
    for (int i = 0; i < count; ++i) {
        double sin_theta, cos_theta;
        sinCos(theta[i], sin_theta, cos_theta);
        obs[3 * i] = static_cast<float>(cos_theta);
        obs[3 * i + 1] = static_cast<float>(sin_theta);
        obs[3 * i + 2] = static_cast<float>(theta_dot[i]);
    }
}
SEEDBED_VERSIONED(observeAll, observeLoop, (const double* const* state, int count, float* obs),
                  (state, count, obs))

SEEDBED_INLINE void observeAngleLoop(const double* const* state, int count, float* obs) {
    const double* theta = state[0];
    SEEDBED_INDEPENDENT
    for (int i = 0; i < count; ++i) {
        double sin_theta, cos_theta;
        sinCos(theta[i], sin_theta, cos_theta);
        obs[2 * i] = static_cast<float>(cos_theta);
        obs[2 * i + 1] = static_cast<float>(sin_theta);
    }
}
SEEDBED_VERSIONED(observeAngle, observeAngleLoop, (const double* const* state, int count, float* obs),
                  (state, count, obs))

struct Pendulum {
    static constexpr int kVariables = 2;

    struct Params {
        double gravity = 10;
        bool hide_velocity = false;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("pendulum", "Parameters of Pendulum.")
                    .field(&Params::gravity, "gravity", "Gravity; the published problem uses 10.",
                           {.unit = "m/s^2", .min = 0, .max = 100})
                    .field(&Params::hide_velocity, "hide_velocity",
                           "Observe only the angle, so that memory is needed.");
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "pendulum";
        spec.title = "Pendulum";
        spec.sentence = "Swing a pendulum up and hold it upright with a weak motor.";
        spec.upstream =
            "https://github.com/Farama-Foundation/Gymnasium 1.4.0 Pendulum-v1; different random stream, last "
            "digit of sin and cos";
        spec.difficulty = "easy";
        spec.spaces.obs = {
            ObsLeaf{.shape = {3},
                    .low = -kMaxSpeed,
                    .high = kMaxSpeed,
                    .labels = {"cos of angle from upright", "sin of angle", "angular velocity (rad/s)"}}};
        spec.spaces.actions = {ActionLeaf{.kind = ActionLeaf::Kind::box,
                                          .low = {-kMaxTorque},
                                          .high = {kMaxTorque},
                                          .labels = {"torque (N m)"}}};
        spec.horizon = 200;
        spec.reward_low = -(kPi * kPi + 0.1 * kMaxSpeed * kMaxSpeed + 0.001 * kMaxTorque * kMaxTorque);
        spec.reward_high = 0;
        if (params.gravity == 10) {
            spec.random_return = -1208;
            spec.random_return_error = 16;
        }
        spec.references = {
            {"SB3-zoo PPO (SDE)", -172, 100'000, "rl-baselines3-zoo benchmark.md, -172 +- 104"},
            {"SB3-zoo SAC", -157, 20'000, "rl-baselines3-zoo benchmark.md, -157 +- 89"},
            {"gymnax PPO", -130, 0, "gymnax README"}};
        if (params.hide_velocity) hideVelocity(spec);
        return spec;
    }
    // POPGym's variant has a horizon of 100 to 200 and rewards scaled to [0, 1]; apart from the hidden
    // velocity, this variant equals Pendulum-v1.
    static void hideVelocity(EnvSpec& spec) {
        spec.title = "Pendulum, position only";
        spec.sentence = "Swing a pendulum up and hold it upright without observing its velocity.";
        spec.upstream +=
            "; velocity hidden as in POPGym's PositionOnlyPendulum, whose horizon and reward scale differ";
        spec.difficulty = "medium";
        ObsLeaf& leaf = spec.spaces.obs[0];
        leaf.shape = {2};
        leaf.low = -1;
        leaf.high = 1;
        leaf.labels.resize(2);
        spec.references.clear();
    }

    explicit Pendulum(const Params& parameters) : params(parameters) {}
    void reset(double* state, Rng& rng) const {
        state[0] = rng.uniform(-kPi, kPi);
        state[1] = rng.uniform(-1, 1);
    }
    void step(const Block& block) const { stepAll(block, params.gravity); }
    void observe(const double* const* state, int count, float* obs) const {
        if (params.hide_velocity) observeAngle(state, count, obs);
        else observeAll(state, count, obs);
    }

    void draw(const double* state, Scene& scene) const {
        const auto theta = static_cast<float>(state[0]);
        const float x = -std::sin(theta), y = std::cos(theta);  // counter-clockwise from upright
        scene.clear(-1.4f, -1.4f, 1.4f, 1.4f);
        scene.line(0, 0, x, y, 0.2f, {204, 77, 77});
        for (const float end : {0.0f, 1.0f}) scene.circle(end * x, end * y, 0.1f, {204, 77, 77});
        // An arc of dots shows speed and direction.
        const auto speed = static_cast<float>(state[1]);
        for (int dot = 1; dot <= std::lround(std::abs(speed)); ++dot) {
            const float at = theta + std::copysign(0.12f * static_cast<float>(dot) + 0.1f, speed);
            scene.circle(-1.15f * std::sin(at), 1.15f * std::cos(at), 0.03f, {120, 130, 150});
        }
        scene.circle(0, 0, 0.06f, {30, 30, 30});
    }

    Params params;
};

}  // namespace
SEEDBED_REGISTER_ENV(pendulum, SoaBatch<Pendulum>, "Pendulum-v1")
SEEDBED_REGISTER_ENV_AS(pendulum_position_only, SoaBatch<Pendulum>, (Json{{"hide_velocity", true}}))
SEEDBED_TASK_TRAITS(pendulum, (TaskTraits{.needs_memory = params.value("hide_velocity", false)}), "pendulum",
                    "pendulum_position_only")
}  // namespace seedbed::pendulum
