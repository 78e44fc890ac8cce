// SPDX-License-Identifier: Apache-2.0
// Acrobot-v1: swing the tip of a two-link robot above a line by driving only the joint between the links.
//
// Reproduces https://github.com/Farama-Foundation/Gymnasium 1.4.0, gymnasium/envs/classic_control/acrobot.py
// (Sutton 1996, with the dynamics of Sutton and Barto's book). Differences: a different random stream; sin x
// replaces cos(x - pi/2); an angle is wrapped at most four times per step, which is sufficient for
// |angle| <= 9 pi (a step from a legal state turns a link by less).
#include <cmath>
#include <numbers>

#include "core/base/simd.hpp"
#include "core/base/simd_math.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/soa_batch.hpp"

namespace seedbed {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kDt = 0.2, kGravity = 9.8, kMass = 1, kLength = 1, kCentre = 0.5,
                 kInertia = 1;  // the same for both links
constexpr double kMaxSpeed1 = 4 * kPi, kMaxSpeed2 = 9 * kPi;

using Block = SoaBlock<4>;

struct Links {
    double theta1, theta2, omega1, omega2;
};

// state + h * slope
SEEDBED_INLINE Links moved(Links s, double h, Links slope) {
    return {s.theta1 + h * slope.theta1, s.theta2 + h * slope.theta2, s.omega1 + h * slope.omega1,
            s.omega2 + h * slope.omega2};
}

// Time derivative of the state; Sutton and Barto, "Reinforcement Learning", 1998, section 11.3.
SEEDBED_INLINE Links derivative(Links s, double torque) {
    constexpr double kML = kMass * kLength * kCentre;
    double sin2, cos2;
    sinCos(s.theta2, sin2, cos2);
    const double d1 = kMass * kCentre * kCentre +
                      kMass * (kLength * kLength + kCentre * kCentre + 2 * kLength * kCentre * cos2) +
                      2 * kInertia;
    const double d2 = kMass * (kCentre * kCentre + kLength * kCentre * cos2) + kInertia;
    const double phi2 = kMass * kCentre * kGravity * sine(s.theta1 + s.theta2);
    const double phi1 = -kML * (s.omega2 * s.omega2) * sin2 - 2 * kML * s.omega2 * s.omega1 * sin2 +
                        (kMass * kCentre + kMass * kLength) * kGravity * sine(s.theta1) + phi2;
    const double acceleration2 = (torque + d2 / d1 * phi1 - kML * (s.omega1 * s.omega1) * sin2 - phi2) /
                                 (kMass * kCentre * kCentre + kInertia - d2 * d2 / d1);
    const double acceleration1 = -(d2 * acceleration2 + phi1) / d1;
    return {s.omega1, s.omega2, acceleration1, acceleration2};
}

SEEDBED_INLINE double wrapped(double angle) {
    for (int turn = 0; turn < 4; ++turn) {
        angle = angle > kPi ? angle - 2 * kPi : angle;
        angle = angle < -kPi ? angle + 2 * kPi : angle;
    }
    return angle;
}

SEEDBED_INLINE void stepLoop(Block block) {
    const auto [theta1, theta2, omega1, omega2] = block.state;
    SEEDBED_INDEPENDENT
    for (int i = 0; i < block.count; ++i) {
        const double torque = block.action[i] - 1;
        // One fourth-order Runge-Kutta step with constant torque.
        const Links s{theta1[i], theta2[i], omega1[i], omega2[i]};
        const Links k1 = derivative(s, torque), k2 = derivative(moved(s, kDt / 2, k1), torque);
        const Links k3 = derivative(moved(s, kDt / 2, k2), torque),
                    k4 = derivative(moved(s, kDt, k3), torque);
        const Links next = moved(s, kDt / 6, moved(moved(moved(k1, 2, k2), 2, k3), 1, k4));
        theta1[i] = wrapped(next.theta1);
        theta2[i] = wrapped(next.theta2);
        omega1[i] = clamp(next.omega1, -kMaxSpeed1, kMaxSpeed1);
        omega2[i] = clamp(next.omega2, -kMaxSpeed2, kMaxSpeed2);
        const double height = -cosine(theta1[i]) - cosine(theta2[i] + theta1[i]);
        block.terminated[i] = height > 1 ? 1.0 : 0.0;
        block.reward[i] = height > 1 ? 0.0 : -1.0;
    }
}
SEEDBED_VERSIONED(stepAll, stepLoop, (const Block& block), (block))

SEEDBED_INLINE void observeLoop(const double* const* state, int count, float* obs) {
    SEEDBED_INDEPENDENT
    for (int i = 0; i < count; ++i) {
        for (int link = 0; link < 2; ++link) {
            double sin_theta, cos_theta;
            sinCos(state[link][i], sin_theta, cos_theta);
            obs[6 * i + 2 * link] = static_cast<float>(cos_theta);
            obs[6 * i + 2 * link + 1] = static_cast<float>(sin_theta);
            obs[6 * i + 4 + link] = static_cast<float>(state[2 + link][i]);
        }
    }
}
SEEDBED_VERSIONED(observeAll, observeLoop, (const double* const* state, int count, float* obs),
                  (state, count, obs))

struct Acrobot {
    static constexpr int kVariables = 4;

    struct Params {
        static const Description<Params>& describe() {
            static const Description<Params> description("acrobot", "Acrobot has no parameters.");
            return description;
        }
    };
    static EnvSpec spec(const Params&) {
        EnvSpec spec;
        spec.id = "acrobot";
        spec.title = "Acrobot";
        spec.sentence =
            "Swing the tip of a two-link robot above the line by driving the joint between the links.";
        spec.upstream =
            "https://github.com/Farama-Foundation/Gymnasium 1.4.0 Acrobot-v1; different random stream, last "
            "digits of sin and cos";
        spec.difficulty = "medium";
        spec.spaces.obs = {ObsLeaf{.shape = {6},
                                   .low = -kMaxSpeed2,
                                   .high = kMaxSpeed2,
                                   .labels = {"cos of angle 1", "sin of angle 1", "cos of angle 2",
                                              "sin of angle 2", "velocity 1 (rad/s)", "velocity 2 (rad/s)"}}};
        spec.spaces.actions = {ActionLeaf{.n = 3, .labels = {"torque -1 N m", "no torque", "torque +1 N m"}}};
        spec.horizon = 500;
        spec.reward_low = -1;
        spec.reward_high = 0;
        spec.solved = -100;
        spec.random_return = -498.8;
        spec.random_return_error = 0.2;  // measured over 2,967 episodes of the original
        spec.references = {{"SB3-zoo PPO", -73.5, 1'000'000, "rl-baselines3-zoo benchmark.md, -73.5 +- 18"},
                           {"SB3-zoo DQN", -76.6, 100'000, "rl-baselines3-zoo benchmark.md, -76.6 +- 11.8"},
                           {"CleanRL PPO", -86.4, 500'000, "docs.cleanrl.dev, -86.4 +- 1.3"},
                           {"CleanRL DQN", -91.5, 500'000, "docs.cleanrl.dev, -91.5 +- 7.2"},
                           {"gymnax PPO", -80, 0, "gymnax README"}};
        return spec;
    }

    explicit Acrobot(const Params&) {}
    void reset(double* state, Rng& rng) const {
        for (int k = 0; k < kVariables; ++k) state[k] = static_cast<float>(rng.uniform(-0.1, 0.1));
    }
    void step(const Block& block) const { stepAll(block); }
    void observe(const double* const* state, int count, float* obs) const { observeAll(state, count, obs); }

    void draw(const double* state, Scene& scene) const {
        const auto first = static_cast<float>(state[0]), second = static_cast<float>(state[0] + state[1]);
        const float elbow_x = std::sin(first), elbow_y = -std::cos(first);
        const float tip_x = elbow_x + std::sin(second), tip_y = elbow_y - std::cos(second);
        scene.clear(-2.2f, -2.2f, 2.2f, 2.2f);
        scene.line(-2.2f, 1, 2.2f, 1, 0.03f, {60, 60, 60});
        scene.line(0, 0, elbow_x, elbow_y, 0.2f, {0, 170, 180});
        scene.line(elbow_x, elbow_y, tip_x, tip_y, 0.2f, {0, 170, 180});
        scene.circle(0, 0, 0.1f, {204, 204, 0});
        scene.circle(elbow_x, elbow_y, 0.1f, {204, 204, 0});
        scene.circle(tip_x, tip_y, 0.07f, {190, 60, 60});
    }
};

}  // namespace
SEEDBED_REGISTER_ENV(acrobot, SoaBatch<Acrobot>, "Acrobot-v1")
}  // namespace seedbed
