// SPDX-License-Identifier: Apache-2.0
// A point that has to reach a goal on a square and is rewarded only there: the smallest task with continuous
// actions that needs hindsight.
//
// Original to Seedbed, with the rewards and goals of the Fetch tasks of Plappert et al., "Multi-Goal
// Reinforcement Learning: Challenging Robotics Environments and Request for Research", 2018: -1 for each
// decision after which the point is not at the goal, and otherwise 0. Start and goal are uniform on
// [-1, 1]^2. A decision moves the point by up to `speed` in each dimension; walls stop it.
#include <algorithm>
#include <cmath>

#include "core/env/env_registry.hpp"

namespace seedbed {
namespace {

constexpr int kDimensions = 2;

class PointGoal final : public Env {
public:
    struct Params {
        double speed = 0.1;
        double tolerance = 0.02;
        int horizon = 50;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("point_goal", "Parameters of the point with goals.")
                    .field(&Params::speed, "speed",
                           "Largest distance of a decision in each dimension; the square has sides of 2.",
                           {.min = 1e-3, .max = 2})
                    .field(&Params::tolerance, "tolerance",
                           "Largest distance to the goal in each dimension at which it is reached.",
                           {.min = 1e-4, .max = 1})
                    .field(&Params::horizon, "horizon", "Decisions per episode.",
                           {.unit = "decisions", .min = 1, .max = 100'000});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "point_goal";
        spec.title = "Point with goals";
        spec.sentence = "Move a point to a goal and keep it there; no reward shows the way.";
        spec.upstream =
            "original to Seedbed; goals and rewards as in the Fetch tasks (Plappert et al. 2018), without "
            "the "
            "arm";
        spec.difficulty = "hard";
        ObsLeaf achieved;
        achieved.name = "achieved_goal";
        achieved.shape = {kDimensions};
        achieved.low = -1;
        achieved.high = 1;
        ObsLeaf desired = achieved;
        desired.name = "desired_goal";
        spec.spaces.obs = {achieved, desired};
        ActionLeaf move;
        move.name = "move";
        move.kind = ActionLeaf::Kind::box;
        move.low = {-1, -1};
        move.high = {1, 1};
        spec.spaces.actions = {move};
        spec.goal = GoalScore{
            .achieved = 0, .desired = 1, .reward = [tolerance = params.tolerance](auto is, auto wanted) {
                return reward(is.data(), wanted.data(), tolerance);
            }};
        spec.horizon = params.horizon;
        spec.reward_low = -1;
        spec.reward_high = 0;
        if (params.speed == 0.1 && params.tolerance == 0.02 && params.horizon == 50) {
            spec.random_return = -49.9807;  // mean of 200,000 episodes
            spec.random_return_error = 0.0004;
        }
        spec.references = {{"optimum", optimum(params), 0, "exact"}};
        return spec;
    }

    explicit PointGoal(const Params& params) : params_(params) {}

    void reset(Rng& rng) override {
        for (auto* point : {position_, goal_})
            for (int i = 0; i < kDimensions; ++i) point[i] = static_cast<float>(rng.uniform(-1, 1));
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        for (int i = 0; i < kDimensions; ++i) {
            const double move = params_.speed * std::clamp(static_cast<double>(actions[i]), -1.0, 1.0);
            position_[i] =
                static_cast<float>(std::clamp(static_cast<double>(position_[i]) + move, -1.0, 1.0));
        }
        StepResult result;
        result.reward = rewards[0] = reward(position_, goal_, params_.tolerance);
        return result;
    }
    void observe(int, ObsOut out) const override {
        std::copy_n(position_, kDimensions, out.leaf<float>(0));
        std::copy_n(goal_, kDimensions, out.leaf<float>(1));
    }
    void draw(Scene& scene) const override {
        scene.clear(-1.1f, -1.1f, 1.1f, 1.1f, {30, 34, 44});
        scene.rectangle(0, 0, 2, 2, {52, 58, 72});
        const auto side = static_cast<float>(2 * std::max(params_.tolerance, 0.02));
        const bool is_there = reward(position_, goal_, params_.tolerance) == 0;
        scene.rectangle(goal_[0], goal_[1], side, side, is_there ? Colour{60, 150, 80} : Colour{176, 66, 60});
        scene.circle(position_[0], position_[1], 0.03f, {250, 236, 150});
    }
    void archive(Archive& archive) override {
        for (auto* point : {position_, goal_})
            for (int i = 0; i < kDimensions; ++i) archive.field("position", point[i], range(-1.0f, 1.0f));
    }
    Json state() const override {
        return {{"position", {position_[0], position_[1]}}, {"goal", {goal_[0], goal_[1]}}};
    }
    Result<> setState(const Json& state) override {
        float points[2 * kDimensions];
        int count = 0;
        for (const char* name : {"position", "goal"}) {
            const Json point = state.is_object() ? state.value(name, Json()) : Json();
            const bool is_point = point.is_array() && point.size() == kDimensions;
            for (std::size_t i = 0; i < kDimensions; ++i) {
                const bool fits = is_point && point[i].is_number() && std::abs(point[i].get<double>()) <= 1;
                if (!fits) return fail(std::string("'") + name + "' must be two numbers from -1 to 1");
                points[count++] = point[i].get<float>();
            }
        }
        std::copy_n(points, kDimensions, position_);
        std::copy_n(points + kDimensions, kDimensions, goal_);
        return {};
    }

private:
    static float reward(const float* is, const float* wanted, double tolerance) {
        for (int i = 0; i < kDimensions; ++i)
            if (std::abs(static_cast<double>(is[i]) - static_cast<double>(wanted[i])) > tolerance) return -1;
        return 0;
    }
    // The point is at the goal after k decisions if it began within k * speed + tolerance in each dimension,
    // where the distance between two uniform numbers is at most d with probability 1 - (1 - d / 2)^2.
    static double optimum(const Params& params) {
        double total = 0;
        for (int k = 1; k <= params.horizon; ++k) {
            const double left = 1 - std::min(k * params.speed + params.tolerance, 2.0) / 2;
            total -= 1 - std::pow(1 - left * left, kDimensions);
        }
        return total;
    }

    Params params_;
    float position_[kDimensions] = {}, goal_[kDimensions] = {};
};

}  // namespace
SEEDBED_REGISTER_ENV(point_goal, PointGoal)
}  // namespace seedbed
