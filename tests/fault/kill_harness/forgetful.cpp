// SPDX-License-Identifier: Apache-2.0
// An environment that cannot save its state, like environments of other libraries. The program
// seedbed_forgetful is seedbed plus this environment.
#include "core/env/env_registry.hpp"

namespace seedbed {
namespace {

// A corridor: reward 1 at the right end, -1 at the left end. Episodes start at a random cell in between.
class Forgetful final : public LocalBatch {
public:
    struct Params {
        int length = 12;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("forgetful", "Parameters of a corridor that cannot save its state.")
                    .field(&Params::length, "length", "Cells of the corridor.", {.min = 3, .max = 1000});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "forgetful";
        spec.title = "Forgetful";
        spec.sentence = "A corridor that cannot save its state.";
        spec.upstream = "a test";
        spec.horizon = 60;
        ObsLeaf leaf;
        leaf.name = "place";
        leaf.kind = ObsLeaf::Kind::vector;
        leaf.dtype = DType::f32;
        leaf.shape = {1};
        leaf.low = 0;
        leaf.high = static_cast<float>(params.length);
        ActionLeaf direction;
        direction.n = 2;
        spec.spaces.obs = {leaf};
        spec.spaces.actions = {direction};
        return spec;
    }

    Forgetful(const Params& params, int count)
        : spec_(spec(params)), last_(params.length - 1), places_(static_cast<std::size_t>(count), 1) {}

    int count() const override { return static_cast<int>(places_.size()); }
    const EnvSpec& spec() const override { return spec_; }
    void reset(int env, Rng& rng) override {
        place(env) = 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(last_ - 1)));
    }
    Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        for (int env = 0; env < count(); ++env) {
            if (active[env] == 0) continue;
            // One step in eight moves the other way, so that the random state also changes.
            const bool right = (actions[env] > 0.5f) != (rngs[env].below(8) == 0);
            int& now = place(env);
            now += right ? 1 : -1;
            terminated[env] = now == 0 || now == last_;
            truncated[env] = 0;
            rewards[env] = now == last_ ? 1.0f : now == 0 ? -1.0f : 0.0f;
        }
        return {};
    }
    void observe(std::uint8_t* const* leaves, std::uint8_t*) const override {
        auto* out = reinterpret_cast<float*>(leaves[0]);
        for (std::size_t env = 0; env < places_.size(); ++env) out[env] = static_cast<float>(places_[env]);
    }
    void draw(int, Scene& scene) const override { scene.clear(0, 0, 1, 1); }
    bool canArchive() const override { return false; }
    void archive(int, Archive&) override { SEEDBED_CHECK(false, "canArchive() is false"); }
    Json state(int env) const override { return {{"place", places_[static_cast<std::size_t>(env)]}}; }
    Result<> setState(int, const Json&) override { return fail("not needed"); }

private:
    int& place(int env) { return places_[static_cast<std::size_t>(env)]; }

    EnvSpec spec_;
    int last_;
    std::vector<int> places_;
};

SEEDBED_REGISTER_ENV(forgetful, Forgetful)

}  // namespace
}  // namespace seedbed
