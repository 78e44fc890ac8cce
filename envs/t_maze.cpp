// SPDX-License-Identifier: Apache-2.0
// T-maze: a sign at the start of a corridor shows which way to turn at its end.
//
// Implements the task of Bakker, "Reinforcement Learning with Long Short-Term Memory", NeurIPS 2001, section
// 4: observations 011 or 110 at the start, 101 in the corridor, 010 at the junction; reward 4 for the correct
// arm, -0.1 for the wrong arm and for every step against a wall. Difference: the paper sets no time limit;
// here it is 20 corridor lengths.
#include <algorithm>
#include <array>

#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"

namespace seedbed {
namespace {

enum Move { kNorth, kEast, kSouth, kWest };

class TMaze final : public Env {
public:
    struct Params {
        int length = 10;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("t_maze", "Parameters of the T-maze.")
                    .field(&Params::length, "length", "Steps from the start to the junction.",
                           {.unit = "steps", .min = 1, .max = 10'000});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "t_maze";
        spec.title = "T-maze";
        spec.sentence = "Remember the sign at the start of the corridor and turn that way at its end.";
        spec.upstream =
            "Bakker 2001, NeurIPS, section 4, written from the paper; time limit of 20 corridor lengths";
        spec.difficulty = params.length <= 10 ? "easy" : params.length <= 30 ? "medium" : "hard";
        ObsLeaf leaf;
        leaf.shape = {3};
        leaf.low = 0;
        leaf.high = 1;
        leaf.labels = {"sign north or corridor", "start or junction", "sign south or corridor"};
        spec.spaces.obs = {leaf};
        ActionLeaf move;
        move.n = 4;
        move.labels = {"north", "east", "south", "west"};
        spec.spaces.actions = {move};
        spec.horizon = 20 * params.length;
        spec.reward_low = -0.1;
        spec.reward_high = 4;
        spec.solved = 3.9;
        if (params.length == 10) {
            spec.random_return = -7.27;
            spec.random_return_error = 0.014;
        }
        spec.references = {{"optimum", 4, 0, "exact"}};
        return spec;
    }

    explicit TMaze(const Params& params) : length_(params.length) {}

    void reset(Rng& rng) override {
        at_ = 0;
        north_ = static_cast<int>(rng.below(2));
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        const int move = static_cast<int>(actions[0]);
        StepResult result;
        const bool turns = move == kNorth || move == kSouth;
        if (at_ == length_ && turns) result = {(move == kNorth) == (north_ != 0) ? 4.0f : -0.1f, true, false};
        else if (move == kEast && at_ < length_) ++at_;
        else if (move == kWest && at_ > 0) --at_;
        else result.reward = -0.1f;
        rewards[0] = result.reward;
        return result;
    }
    void observe(int, ObsOut out) const override {
        static constexpr std::array<std::array<float, 3>, 4> kCodes = {
            {{0, 1, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 0}}};
        const std::size_t code = at_ == length_ ? 3 : at_ > 0 ? 2 : north_ != 0 ? 1 : 0;
        for (std::size_t i = 0; i < 3; ++i) out.leaf<float>(0)[i] = kCodes[code][i];
    }
    void draw(Scene& scene) const override {
        const auto length = static_cast<float>(length_);
        const float arm = std::max(2.0f, 0.14f * length), width = std::max(0.8f, 0.05f * length);
        scene.clear(-1.6f, -arm - 1, length + 1.6f, arm + 1, {58, 62, 72});
        scene.rectangle(length / 2, 0, length + width, width, {236, 232, 220});
        scene.rectangle(length, 0, width, 2 * arm, {236, 232, 220});
        const float side = north_ != 0 ? 1.0f : -1.0f;
        scene.rectangle(length, side * (arm - width / 2), width, width, {84, 190, 96});
        // The sign: an arrow next to the start, bright while it is visible.
        const Colour sign = at_ == 0 ? Colour{250, 196, 70} : Colour{110, 112, 120};
        const float s = 0.45f * arm, y = side * width;
        scene.polygon({-0.5f * s, y, 0.5f * s, y, 0, y + side * s}, sign);
        scene.circle(static_cast<float>(at_), 0, 0.4f * width, {220, 64, 56});
    }
    void archive(Archive& archive) override {
        archive.field("position", at_, range(0, length_)).field("north", north_, range(0, 1));
    }
    Json state() const override { return {{"position", at_}, {"north", north_}}; }
    Result<> setState(const Json& state) override {
        const auto read = [&](const char* name, int high) {
            const bool given = state.is_object() && state.contains(name) && state[name].is_number_integer();
            const std::int64_t value = given ? state[name].get<std::int64_t>() : -1;
            return value <= high ? static_cast<int>(value) : -1;
        };
        const int at = read("position", length_), north = read("north", 1);
        if (at < 0 || north < 0)
            return fail("the state of t_maze must have a position in the corridor and north 0 or 1");
        at_ = at;
        north_ = north;
        return {};
    }

private:
    int length_;
    int at_ = 0;     // steps from the start
    int north_ = 0;  // 1 if the sign points north
};

}  // namespace
SEEDBED_REGISTER_ENV(t_maze, TMaze)
SEEDBED_TASK_TRAITS(t_maze, (TaskTraits{.needs_memory = true}), "t_maze")
}  // namespace seedbed
