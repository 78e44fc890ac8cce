// SPDX-License-Identifier: Apache-2.0
// MemoryChain: observe a few bits at the start, wait, and report the queried one at the end.
//
// Reproduces https://github.com/google-deepmind/bsuite 0.3.5, bsuite/environments/memory_chain.py (memory_len
// and memory_size). As in the original, the first action has no effect: the context is shown at the reset and
// once after it. Difference: a different random stream.
#include <algorithm>

#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"

namespace seedbed {
namespace {

class MemoryChain final : public Env {
public:
    struct Params {
        int memory_length = 10;
        int bits = 1;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("memory_chain", "Parameters of MemoryChain.")
                    .field(&Params::memory_length, "memory_length",
                           "Steps for which the context must be remembered.",
                           {.unit = "steps", .min = 1, .max = 10'000})
                    .field(&Params::bits, "bits", "Bits of context, one of which is queried.",
                           {.unit = "bits", .min = 1, .max = 40});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "memory_chain";
        spec.title = "Memory chain";
        spec.sentence =
            "Remember bits that are shown only at the start, and report the queried one at the end.";
        spec.upstream =
            "https://github.com/google-deepmind/bsuite 0.3.5 memory_len/9 (length 10, 1 bit); different "
            "random stream";
        spec.difficulty = params.memory_length <= 10   ? "easy"
                          : params.memory_length <= 40 ? "medium"
                                                       : "hard";
        ObsLeaf leaf;
        leaf.shape = {2 + params.bits};
        leaf.low = -1;
        leaf.high = params.bits > 2 ? params.bits - 1 : 1;
        leaf.labels = {"time left", "index of the queried bit"};
        for (int bit = 0; bit < params.bits; ++bit)
            leaf.labels.push_back("context bit " + std::to_string(bit));
        spec.spaces.obs = {leaf};
        ActionLeaf answer;
        answer.n = 2;
        answer.labels = {"bit is -1", "bit is 1"};
        spec.spaces.actions = {answer};
        spec.reward_low = -1;
        spec.reward_high = 1;
        spec.solved = 0.9;
        spec.random_return = 0;
        spec.random_return_error = 0;
        spec.references = {{"optimum", 1, 0, "exact"}, {"random", 0, 0, "exact"}};
        return spec;
    }

    explicit MemoryChain(const Params& params) : params_(params) {}

    void reset(Rng& rng) override {
        calls_ = 0;
        context_ = 0;
        for (int bit = 0; bit < params_.bits; ++bit) context_ |= std::uint64_t{rng.below(2)} << bit;
        query_ = static_cast<int>(rng.below(static_cast<std::uint32_t>(params_.bits)));
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        StepResult result;
        if (++calls_ > params_.memory_length) {
            const bool right = (actions[0] > 0.5f) == ((context_ >> query_ & 1) != 0);
            result = {right ? 1.0f : -1.0f, true, false};
        }
        rewards[0] = result.reward;
        return result;
    }
    // The original observes first and counts afterwards: call c returns the observation of time c - 1.
    void observe(int, ObsOut out) const override {
        const int time = std::max(calls_ - 1, 0);
        auto* obs = out.leaf<float>(0);
        obs[0] = 1 - static_cast<float>(time) / static_cast<float>(params_.memory_length);
        obs[1] = time == params_.memory_length - 1 ? static_cast<float>(query_) : 0.0f;
        for (int bit = 0; bit < params_.bits; ++bit)
            obs[2 + bit] = time == 0 ? ((context_ >> bit & 1) != 0 ? 1.0f : -1.0f) : 0.0f;
    }
    void draw(Scene& scene) const override {
        const auto length = static_cast<float>(params_.memory_length + 1);
        scene.clear(-0.5f, -1.6f, 10.5f, 2.2f, {28, 32, 42});
        scene.rectangle(5, -1, 10, 0.2f, {58, 64, 80});
        const float x = 10 * static_cast<float>(std::min(calls_, params_.memory_length)) / length;
        scene.circle(x, -1, 0.3f, {246, 190, 70});
        scene.circle(10, -1, 0.36f, {92, 172, 238});
        scene.label(10, -1, 0.4f, "?", {20, 24, 32});
        const bool shown = calls_ <= 1;
        const auto bits = static_cast<float>(params_.bits);
        const float size = std::min(1.6f, 9.0f / bits);
        for (int bit = 0; bit < params_.bits; ++bit) {
            const float at = 5 + (static_cast<float>(bit) - (bits - 1) / 2) * 1.1f * size;
            const bool set = (context_ >> bit & 1) != 0;
            if (calls_ >= params_.memory_length && bit == query_)
                scene.rectangle(at, 0.8f, 1.08f * size, 1.08f * size, {92, 172, 238});
            const Colour face = !shown ? Colour{58, 64, 80}
                                : set  ? Colour{240, 240, 235}
                                       : Colour{20, 22, 28};
            scene.rectangle(at, 0.8f, 0.94f * size, 0.94f * size, {110, 118, 138});
            scene.rectangle(at, 0.8f, 0.84f * size, 0.84f * size, face);
            scene.label(at, 0.8f, 0.5f * size,
                        !shown ? "?"
                        : set  ? "1"
                               : "0",
                        !shown || !set ? Colour{200, 205, 215} : Colour{20, 22, 28});
        }
    }
    void archive(Archive& archive) override {
        archive.field("timestep", calls_, range(0, params_.memory_length)).any(context_);
        archive.field("query", query_, range(0, params_.bits - 1));
    }
    Json state() const override {
        Json context = Json::array();
        for (int bit = 0; bit < params_.bits; ++bit) context.push_back(context_ >> bit & 1);
        return {{"timestep", calls_}, {"context", std::move(context)}, {"query", query_}};
    }
    Result<> setState(const Json& state) override {
        const auto read = [&](const char* name, int high) {
            const bool given = state.is_object() && state.contains(name) && state[name].is_number_integer();
            const std::int64_t value = given ? state[name].get<std::int64_t>() : -1;
            return value <= high ? static_cast<int>(value) : -1;
        };
        const int calls = read("timestep", params_.memory_length), query = read("query", params_.bits - 1);
        if (calls < 0 || query < 0 || !state.contains("context") ||
            state["context"].size() != static_cast<std::size_t>(params_.bits))
            return fail("the state of memory_chain must have timestep, query and context");
        std::uint64_t context = 0;
        for (std::size_t bit = 0; bit < state["context"].size(); ++bit) {
            const Json& value = state["context"][bit];
            if (value != 0 && value != 1) return fail("each bit of the context must be 0 or 1");
            context |= value.get<std::uint64_t>() << bit;
        }
        calls_ = calls;
        query_ = query;
        context_ = context;
        return {};
    }

private:
    Params params_;
    int calls_ = 0;              // number of steps
    std::uint64_t context_ = 0;  // bit i set: context bit i is 1
    int query_ = 0;
};

}  // namespace
SEEDBED_REGISTER_ENV(memory_chain, MemoryChain, "memory_len/9")
SEEDBED_TASK_TRAITS(memory_chain, (TaskTraits{.needs_memory = true}), "memory_chain")
}  // namespace seedbed
