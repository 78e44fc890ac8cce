// SPDX-License-Identifier: Apache-2.0
// Toy memory: watch a few vectors, then repeat them as actions in the same order.
//
// Reproduces https://github.com/google-research/seed_rl (last version, 2022), mujoco/toy_env.py,
// ToyMemoryEnv. As in the original, the episode has one more step than needed, with reward 0, and the last
// element of the observation is always 0. Differences: a different random stream; actions are clipped to
// [-1, 1] instead of rejected.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"

namespace seedbed {
namespace {

constexpr int kMaxNumbers = 64;

class ToyMemory final : public Env {
public:
    struct Params {
        int horizon = 3;
        int numbers = 3;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("toy_memory", "Parameters of the toy memory task.")
                    .field(&Params::horizon, "horizon", "Vectors to remember, one per step.",
                           {.unit = "steps", .min = 1, .max = 8})
                    .field(&Params::numbers, "numbers", "Numbers in a vector, and in an action.",
                           {.min = 1, .max = 8});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "toy_memory";
        spec.title = "Toy memory";
        spec.sentence = "Watch " + std::to_string(params.horizon) +
                        " vectors, then repeat them as actions in the same order.";
        spec.upstream =
            "https://github.com/google-research/seed_rl ToyMemoryEnv; different random stream, actions are "
            "clipped";
        spec.difficulty = "easy";
        ObsLeaf leaf;
        leaf.shape = {params.numbers + 1};
        leaf.low = -1;
        leaf.high = 1;
        spec.spaces.obs = {leaf};
        const auto numbers = static_cast<std::size_t>(params.numbers);
        ActionLeaf answer;
        answer.kind = ActionLeaf::Kind::box;
        answer.low.assign(numbers, -1.0);
        answer.high.assign(numbers, 1.0);
        spec.spaces.actions = {answer};
        spec.reward_low = -4.0 * params.numbers;
        spec.reward_high = 0;
        spec.solved = -0.1;
        // The square of the difference of two uniform numbers in [-1, 1] is 2/3 on average.
        spec.random_return = -2.0 / 3 * params.horizon * params.numbers;
        spec.references = {{"optimum", 0, 0, "exact"}, {"random", *spec.random_return, 0, "exact"}};
        return spec;
    }

    explicit ToyMemory(const Params& params) : params_(params) {}

    void reset(Rng& rng) override {
        step_ = 0;
        answer_ = {};
        for (int i = 0; i < params_.horizon * params_.numbers; ++i)
            memory_[static_cast<std::size_t>(i)] = static_cast<float>(rng.uniform(-1, 1));
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        StepResult result;
        result.terminated = step_ == 2 * params_.horizon;
        if (step_ >= params_.horizon && !result.terminated) {
            double error = 0;
            for (int i = 0; i < params_.numbers; ++i) {
                const float answer = std::clamp(actions[i], -1.0f, 1.0f);
                const auto difference = static_cast<double>(answer - at(step_ - params_.horizon, i));
                error += difference * difference;
                answer_[static_cast<std::size_t>((step_ - params_.horizon) * params_.numbers + i)] = answer;
            }
            result.reward = static_cast<float>(-error);
        }
        if (!result.terminated) ++step_;
        rewards[0] = result.reward;
        return result;
    }
    void observe(int, ObsOut out) const override {
        auto* obs = out.leaf<float>(0);
        for (int i = 0; i < params_.numbers; ++i) obs[i] = step_ < params_.horizon ? at(step_, i) : 0.0f;
        obs[params_.numbers] = 0;
    }
    // Draws a panel per vector, with bars for the observed numbers and dots for the answers.
    void draw(Scene& scene) const override {
        const auto width = static_cast<float>(params_.numbers + 1);
        scene.clear(-0.5f, -1.35f, width * static_cast<float>(params_.horizon) - 0.5f, 1.35f,
                    {248, 248, 244});
        for (int t = 0; t < params_.horizon; ++t) {
            const float left = width * static_cast<float>(t);
            const bool shown = step_ == t, answered = step_ > t + params_.horizon;
            scene.rectangle(left + width / 2 - 0.5f, 0, width - 0.3f, 2.4f,
                            shown ? Colour{255, 236, 186} : Colour{232, 234, 238});
            scene.line(left - 0.2f, 0, left + width - 0.8f, 0, 0.03f, {150, 154, 164});
            for (int i = 0; i < params_.numbers; ++i) {
                const float x = left + static_cast<float>(i) + 0.5f, value = at(t, i);
                scene.rectangle(x, value / 2, 0.5f, std::max(std::abs(value), 0.02f),
                                shown ? Colour{232, 150, 40} : Colour{150, 168, 200});
                if (answered)
                    scene.circle(x, answer_[static_cast<std::size_t>(t * params_.numbers + i)], 0.16f,
                                 {200, 50, 60});
            }
        }
    }
    void archive(Archive& archive) override {
        archive.field("t", step_, range(0, 2 * params_.horizon));
        archive.field("memory", memory_, range(-1.0F, 1.0F)).field("answer", answer_, kFinite<float>);
    }
    Json state() const override {
        Json memory = Json::array();
        for (int t = 0; t < params_.horizon; ++t) {
            memory.push_back(Json::array());
            for (int i = 0; i < params_.numbers; ++i) memory.back().push_back(at(t, i));
        }
        return {{"t", step_}, {"memory", std::move(memory)}};
    }
    Result<> setState(const Json& state) override {
        const Error wrong = {ErrorCode::failure,
                             "the state of toy_memory must have t and memory [horizon][numbers] in [-1, 1]",
                             {}};
        if (!state.is_object() || !state.contains("t") || !state.contains("memory"))
            return tl::unexpected<Error>(wrong);
        const Json &t = state["t"], &memory = state["memory"];
        if (!t.is_number_integer() || t.get<std::int64_t>() < 0 ||
            t.get<std::int64_t>() > 2 * params_.horizon)
            return tl::unexpected<Error>(wrong);
        if (!memory.is_array() || memory.size() != static_cast<std::size_t>(params_.horizon))
            return tl::unexpected<Error>(wrong);
        std::array<float, kMaxNumbers> values{};
        std::size_t count = 0;
        for (const Json& row : memory) {
            if (!row.is_array() || row.size() != static_cast<std::size_t>(params_.numbers))
                return tl::unexpected<Error>(wrong);
            for (const Json& value : row) {
                if (!value.is_number() || std::abs(value.get<double>()) > 1)
                    return tl::unexpected<Error>(wrong);
                values[count++] = value.get<float>();
            }
        }
        step_ = t.get<int>();
        memory_ = values;
        answer_ = {};
        return {};
    }

private:
    float at(int t, int i) const { return memory_[static_cast<std::size_t>(t * params_.numbers + i)]; }

    Params params_;
    int step_ = 0;
    std::array<float, kMaxNumbers> memory_{};  // [horizon, numbers]
    std::array<float, kMaxNumbers> answer_{};  // the actions in the same layout; only for drawing
};

}  // namespace
SEEDBED_REGISTER_ENV(toy_memory, ToyMemory, "ToyMemoryEnv")
SEEDBED_TASK_TRAITS(toy_memory, (TaskTraits{.needs_memory = true}), "toy_memory")
}  // namespace seedbed
