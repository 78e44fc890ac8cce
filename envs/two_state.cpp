// SPDX-License-Identifier: Apache-2.0
// Two states: the smallest decision problem in which a short-sighted agent does the wrong thing. Its exact
// values are used to test algorithms.
//
// Original to Seedbed. States 0 (poor) and 1 (rich), actions 0 (stay) and 1 (switch); deterministic:
//     state 0: stay earns 0, switch costs 1;   state 1: stay earns 2, switch earns 3.
// With discount g >= 1/3 it is best to become rich and stay: v*(1) = 2 / (1 - g), v*(0) = -1 + g v*(1); with
// g <= 1/3 it is best to take the reward of 3 and then stay poor: v*(0) = 0, v*(1) = 3. When episodes end at
// random with probability p per step, g (1 - p) replaces g. The time limit does not change these values,
// provided that truncation is not mistaken for termination. Episodes begin in either state with probability
// 1/2, so the random policy earns 1 per step.
#include "core/env/env_registry.hpp"

namespace seedbed {
namespace {

constexpr int kHorizon = 20;
constexpr float kReward[2][2] = {{0, -1}, {2, 3}};  // [state][action]

class TwoState final : public Env {
public:
    struct Params {
        double end_probability = 0;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("two_state", "Parameters of the two-state problem.")
                    .field(&Params::end_probability, "end_probability",
                           "Probability that an episode terminates after a step.",
                           {.unit = "1/step", .min = 0, .max = 1});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "two_state";
        spec.title = "Two states";
        spec.sentence =
            "Pay one to become rich, then resist taking the big prize that makes the agent poor again.";
        spec.upstream = "test problem original to Seedbed; the values of its states are known exactly";
        spec.difficulty = "easy";
        ObsLeaf leaf;
        leaf.name = "state";
        leaf.kind = ObsLeaf::Kind::discrete;
        leaf.dtype = DType::i32;
        leaf.shape = {1};
        leaf.cardinality = 2;
        leaf.labels = {"poor or rich"};
        spec.spaces.obs = {leaf};
        ActionLeaf choice;
        choice.n = 2;
        choice.labels = {"stay", "switch"};
        spec.spaces.actions = {choice};
        spec.horizon = kHorizon;
        spec.reward_low = -1;
        spec.reward_high = 3;
        if (params.end_probability == 0) {
            spec.solved = 38;
            spec.random_return = kHorizon;
            spec.references = {
                {"become rich and stay", 38.5, 0, "exact: the mean of 40 and 37"},
                {"optimum, switching at the last step", 39.5, 0, "exact: the mean of 41 and 38"}};
        }
        return spec;
    }

    explicit TwoState(const Params& params) : params_(params) {}

    void reset(Rng& rng) override { state_ = static_cast<std::int32_t>(rng.below(2)); }
    StepResult step(const float* actions, float* rewards, Rng& rng) override {
        const int action = actions[0] > 0.5f ? 1 : 0;
        StepResult result;
        result.reward = rewards[0] = kReward[state_][action];
        state_ ^= action;
        result.terminated = params_.end_probability > 0 && rng.bernoulli(params_.end_probability);
        return result;
    }
    void observe(int, ObsOut out) const override { *out.leaf<std::int32_t>(0) = state_; }
    void draw(Scene& scene) const override {
        scene.clear(-2, -1.25f, 2, 1.25f);
        for (const int state : {0, 1}) {
            const float x = state == 0 ? -1.0f : 1.0f;
            const Colour colour = state == 0 ? Colour{150, 150, 160} : Colour{226, 178, 40};
            scene.circle(x, 0, 0.62f, state_ == state ? Colour{40, 90, 200} : Colour{225, 225, 230});
            scene.circle(x, 0, 0.5f, colour);
            scene.label(x, 0, 0.25f, state == 0 ? "poor" : "rich", {20, 20, 20});
        }
        scene.line(-0.35f, 0.12f, 0.35f, 0.12f, 0.03f, {90, 90, 90});
        scene.line(-0.35f, -0.12f, 0.35f, -0.12f, 0.03f, {90, 90, 90});
        scene.label(0, 0.3f, 0.2f, "-1", {90, 90, 90});
        scene.label(0, -0.3f, 0.2f, "+3", {90, 90, 90});
    }
    void archive(Archive& archive) override { archive.field("state", state_, range(0, 1)); }
    Json state() const override { return state_; }
    Result<> setState(const Json& state) override {
        if (!state.is_number_integer() || state.get<int>() < 0 || state.get<int>() > 1)
            return fail("the state of two_state must be 0 or 1");
        state_ = state.get<std::int32_t>();
        return {};
    }

private:
    Params params_;
    std::int32_t state_ = 0;
};

}  // namespace
SEEDBED_REGISTER_ENV(two_state, TwoState)
}  // namespace seedbed
