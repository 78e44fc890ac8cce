// SPDX-License-Identifier: Apache-2.0
// Bit flipping with goals: flip one bit at a time until all match the goal. Without hindsight, almost no step
// is rewarded.
//
// Reproduces https://github.com/google-research/seed_rl (last version, 2022), mujoco/toy_env.py,
// BitFlippingEnv, after Andrychowicz et al., "Hindsight Experience Replay", 2017. One action does nothing,
// and reaching the goal does not end the episode. Differences: a different random stream; the time step is
// observed as a number from 0 to horizon, which networks see one-hot encoded, as in the original.
#include <algorithm>
#include <cmath>

#include "core/env/env_registry.hpp"

namespace seedbed {
namespace {

class BitFlipping final : public Env {
public:
    struct Params {
        int bits = 10;
        int horizon = 20;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("bit_flipping", "Parameters of bit flipping.")
                    .field(&Params::bits, "bits", "Length of the state and of the goal.",
                           {.unit = "bits", .min = 1, .max = 60})
                    .field(&Params::horizon, "horizon", "Decisions per episode.",
                           {.unit = "decisions", .min = 1, .max = 1000});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "bit_flipping";
        spec.title = "Bit flipping";
        spec.sentence = "Flip one bit at a time until all match the goal, and keep them matched.";
        spec.upstream =
            "https://github.com/google-research/seed_rl BitFlippingEnv (HER, Andrychowicz et al. 2017); "
            "different random stream";
        spec.difficulty = params.bits <= 6 ? "medium" : "hard";
        ObsLeaf achieved;
        achieved.name = "achieved_goal";
        achieved.shape = {params.bits};
        achieved.low = 0;
        achieved.high = 1;
        ObsLeaf desired = achieved;
        desired.name = "desired_goal";
        ObsLeaf time;
        time.name = "time";
        time.kind = ObsLeaf::Kind::discrete;
        time.dtype = DType::i32;
        time.shape = {1};
        time.cardinality = params.horizon + 1;
        spec.spaces.obs = {achieved, desired, time};
        ActionLeaf flip;
        flip.n = params.bits + 1;
        for (int bit = 0; bit < params.bits; ++bit) flip.labels.push_back("flip bit " + std::to_string(bit));
        flip.labels.push_back("nothing");
        spec.spaces.actions = {flip};
        spec.goal = GoalScore{.achieved = 0, .desired = 1, .reward = [](auto is, auto wanted) {
                                  return std::equal(is.begin(), is.end(), wanted.begin()) ? 0.0f : -1.0f;
                              }};
        spec.reward_low = -1;
        spec.reward_high = 0;
        // If the flips do not depend on the goal, the state matches it with probability 2^-bits.
        spec.random_return = -params.horizon * (1 - std::pow(0.5, params.bits));
        // On average, half the bits are wrong; the last flip is already rewarded.
        if (params.horizon >= params.bits)
            spec.references = {
                {"optimum", -(params.bits / 2.0 - 1 + std::pow(0.5, params.bits)), 0, "exact"}};
        return spec;
    }

    explicit BitFlipping(const Params& params) : params_(params) {}

    void reset(Rng& rng) override {
        const auto draw = [&] {
            const std::uint64_t high = rng.nextU32(), low = rng.nextU32();
            return (high << 32 | low) >> (64 - params_.bits);
        };
        bits_ = draw();
        goal_ = draw();
        step_ = 0;
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        const int action = static_cast<int>(actions[0]);
        if (action < params_.bits) bits_ ^= std::uint64_t{1} << action;
        ++step_;
        StepResult result;
        result.reward = rewards[0] = bits_ == goal_ ? 0.0f : -1.0f;
        result.terminated = step_ >= params_.horizon;
        return result;
    }
    void observe(int, ObsOut out) const override {
        for (int bit = 0; bit < params_.bits; ++bit) {
            out.leaf<float>(0)[bit] = static_cast<float>(bits_ >> bit & 1);
            out.leaf<float>(1)[bit] = static_cast<float>(goal_ >> bit & 1);
        }
        *out.leaf<std::int32_t>(2) = std::min(step_, params_.horizon);
    }
    void draw(Scene& scene) const override {
        const int columns = std::min(params_.bits, 10), rows = (params_.bits + columns - 1) / columns;
        const auto height = 2.6f * static_cast<float>(rows);
        scene.clear(-2.1f, -height, static_cast<float>(columns) + 0.4f, 0.9f, {30, 34, 44});
        for (int bit = 0; bit < params_.bits; ++bit) {
            const int row = bit / columns;
            const float x = static_cast<float>(bit % columns) + 0.5f,
                        y = -2.6f * static_cast<float>(row) - 0.4f;
            const bool is = (bits_ >> bit & 1) != 0, wanted = (goal_ >> bit & 1) != 0;
            scene.rectangle(x, y - 0.5f, 0.94f, 2.0f,
                            is == wanted ? Colour{60, 150, 80} : Colour{176, 66, 60});
            for (const auto& [set, at] : {std::pair{is, y}, {wanted, y - 1}})
                scene.circle(x, at, 0.34f, set ? Colour{250, 236, 150} : Colour{24, 28, 36});
        }
        scene.label(-1.05f, -0.4f, 0.5f, "is", {200, 205, 215});
        scene.label(-1.05f, -1.4f, 0.5f, "goal", {200, 205, 215});
    }
    void archive(Archive& archive) override {
        archive.any(bits_, goal_).field("t", step_, range(0, params_.horizon));
    }
    Json state() const override { return {{"state", list(bits_)}, {"goal", list(goal_)}, {"t", step_}}; }
    Result<> setState(const Json& state) override {
        SEEDBED_ASSIGN(const std::uint64_t bits, word(state, "state"));
        SEEDBED_ASSIGN(const std::uint64_t goal, word(state, "goal"));
        const Json t = state.value("t", Json());
        if (!t.is_number_integer() || t.get<std::int64_t>() < 0 || t.get<std::int64_t>() > params_.horizon)
            return fail("'t' must be a step of the episode");
        bits_ = bits;
        goal_ = goal;
        step_ = t.get<int>();
        return {};
    }

private:
    Json list(std::uint64_t value) const {
        Json bits = Json::array();
        for (int bit = 0; bit < params_.bits; ++bit) bits.push_back(value >> bit & 1);
        return bits;
    }
    Result<std::uint64_t> word(const Json& state, const char* name) const {
        const Json list = state.is_object() ? state.value(name, Json()) : Json();
        if (!list.is_array() || list.size() != static_cast<std::size_t>(params_.bits))
            return fail(std::string("'") + name + "' must be a list of " + std::to_string(params_.bits) +
                        " bits");
        std::uint64_t value = 0;
        for (std::size_t bit = 0; bit < list.size(); ++bit) {
            if (list[bit] != 0 && list[bit] != 1) return fail("each bit must be 0 or 1");
            value |= static_cast<std::uint64_t>(list[bit] == 1) << bit;
        }
        return value;
    }

    Params params_;
    std::uint64_t bits_ = 0, goal_ = 0;
    int step_ = 0;
};

}  // namespace
SEEDBED_REGISTER_ENV(bit_flipping, BitFlipping, "BitFlippingEnv")
}  // namespace seedbed
