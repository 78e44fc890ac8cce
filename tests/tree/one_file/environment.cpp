// SPDX-License-Identifier: Apache-2.0
// A new environment, following the recipe in CONTRIBUTING.md: only this file is needed.
#include "core/env/env_registry.hpp"

namespace seedbed {
namespace {

// Episodes have a given number of steps; action 1 gives reward 1.
class OneFileEnv final : public Env {
public:
    struct Params {
        int length = 5;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("one_file_env", "Parameters of an environment that is one file.")
                    .field(&Params::length, "length", "Steps of an episode.",
                           {.unit = "steps", .min = 1, .max = 100});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "one_file_env";
        spec.title = "One file";
        spec.sentence = "Rewards one of two actions.";
        spec.upstream = "a test";
        ObsLeaf leaf;
        leaf.name = "step";
        leaf.kind = ObsLeaf::Kind::vector;
        leaf.dtype = DType::f32;
        leaf.shape = {1};
        leaf.low = 0;
        leaf.high = static_cast<float>(params.length);
        ActionLeaf choice;
        choice.n = 2;
        spec.spaces.obs = {leaf};
        spec.spaces.actions = {choice};
        return spec;
    }
    explicit OneFileEnv(const Params& params) : params_(params) {}

    void reset(Rng&) override { step_ = 0; }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        StepResult result;
        result.reward = rewards[0] = actions[0];
        result.terminated = ++step_ >= params_.length;
        return result;
    }
    void observe(int, ObsOut out) const override { out.leaf<float>(0)[0] = static_cast<float>(step_); }
    void draw(Scene& scene) const override { scene.clear(0, 0, 1, 1); }
    void archive(Archive& archive) override { archive.field("step", step_, range(0, params_.length)); }
    Json state() const override { return {{"step", step_}}; }
    Result<> setState(const Json& state) override {
        step_ = state.value("step", 0);
        return {};
    }

private:
    Params params_;
    std::int32_t step_ = 0;
};

SEEDBED_REGISTER_ENV(one_file_env, OneFileEnv)

}  // namespace
}  // namespace seedbed
