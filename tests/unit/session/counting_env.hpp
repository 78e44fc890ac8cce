// SPDX-License-Identifier: Apache-2.0
// An environment that counts its steps across episodes, and fails or blocks on request. Its rows reveal lost
// and duplicated steps.
#pragma once

#include <atomic>
#include <functional>

#include "core/env/env_registry.hpp"

namespace seedbed::test {

// Controls the environments that are created during its lifetime. At most one object exists at a time.
struct CountingControls {
    std::atomic<int> next_instance{0};    // number of the next environment to be created
    std::atomic<int> throw_instance{-1};  // the instance that throws
    std::atomic<int> throws{0};           // it throws after this many more steps
    std::atomic<int> block_instance{-1};  // the instance that blocks in its next step until the value changes
    std::atomic<int> reset_throws{0};     // throw_instance throws after this many more resets
    std::atomic<int> block_reset{-1};  // the instance that blocks in its next reset until the value changes
    std::atomic<int> blocked{0};       // number of blocked environments
    std::function<void(int instance)> in_step;  // called in the middle of every step
};
inline CountingControls& countingControls() {
    static CountingControls controls;
    return controls;
}
inline void resetCountingControls() {
    CountingControls& controls = countingControls();
    controls.reset_throws = 0;
    controls.block_reset = -1;
    controls.next_instance = 0, controls.throw_instance = -1, controls.throws = 0,
    controls.block_instance = -1, controls.blocked = 0;
    controls.in_step = {};
}

// Reward of a step: instance * 2^18 + number of the step, exact in a float for 64 instances. The observation
// contains both separately.
constexpr int kCountingSpan = 1 << 18;

// Ids: "counting", and "counting_supervised", whose batches are supervised like those in other processes.
class CountingEnv final : public Env {
public:
    struct Params {
        double busy_us = 0;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("counting", "Parameters of the counting environment.")
                    .field(&Params::busy_us, "busy_us", "Time of a step, spent without sleeping.",
                           {.unit = "us", .min = 0, .max = 1e6});
            return description;
        }
    };
    static EnvSpec spec(const Params&);
    explicit CountingEnv(const Params& params)
        : params_(params), instance_(countingControls().next_instance.fetch_add(1)) {}

    void reset(Rng&) override;
    StepResult step(const float* actions, float* rewards, Rng& rng) override;
    void observe(int, ObsOut out) const override {
        auto* words = out.leaf<float>(0);
        words[0] = static_cast<float>(instance_);
        words[1] = static_cast<float>(count_);
    }
    void draw(Scene& scene) const override { scene.clear(0, 0, 1, 1); }
    void archive(Archive& archive) override {
        archive.field("instance", instance_, range(0, 1'000'000));
        archive.field("count", count_, range(0, 1'000'000'000));
    }
    Json state() const override { return {{"count", count_}}; }
    Result<> setState(const Json&) override { return fail("not needed"); }

private:
    Params params_;
    std::int32_t instance_;
    std::int32_t count_ = 0;
};

}  // namespace seedbed::test
