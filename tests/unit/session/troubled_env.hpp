// SPDX-License-Identifier: Apache-2.0
// An environment without a time limit whose episodes may never end, and that fails or hangs on request.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "core/env/env_registry.hpp"

namespace seedbed::test {

// Controls the environments that are created during its lifetime. At most one object exists at a time; the
// destructor releases all hanging threads.
class Troubles {
public:
    Troubles() { state() = State(); }
    ~Troubles() {
        state().hangs_from = kNever;
        state().hangs_from.notify_all();
        while (state().hanging > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    Troubles(const Troubles&) = delete;
    Troubles& operator=(const Troubles&) = delete;

    // Instances are numbered from 0 in the order of creation; kNever: none of them.
    static constexpr int kNever = 1 << 30;
    struct State {
        std::atomic<int> instances{0};
        std::atomic<int> throws_from{kNever}, throws_to{kNever};  // these throw in every step
        std::atomic<int> hangs_from{kNever}, hangs_to{kNever};    // these hang in their second step
        std::atomic<int> endless_from{kNever};                    // episodes of these never end
        std::atomic<int> hanging{0};                              // threads that hang now
        std::atomic<int> sleep_us{0};                             // sleep in every step
        std::atomic<int> nan_rewards{0};                          // how many of the next rewards are NaN

        State() = default;
        State& operator=(const State& other) {
            instances = other.instances.load();
            throws_from = other.throws_from.load();
            throws_to = other.throws_to.load();
            hangs_from = other.hangs_from.load();
            hangs_to = other.hangs_to.load();
            endless_from = other.endless_from.load();
            hanging = other.hanging.load();
            sleep_us = other.sleep_us.load();
            nan_rewards = other.nan_rewards.load();
            return *this;
        }
    };
    static State& state() {
        static State state;
        return state;
    }
    State* operator->() { return &state(); }
};

// Id "troubled". An episode gives a reward of 1 for each of its 10 decisions.
class TroubledEnv final : public Env {
public:
    struct Params {
        static const Description<Params>& describe();
    };
    static EnvSpec spec(const Params&);
    explicit TroubledEnv(const Params&) : instance_(Troubles::state().instances.fetch_add(1)) {}

    void reset(Rng&) override { step_ = 0; }
    StepResult step(const float* actions, float* rewards, Rng& rng) override;
    void observe(int, ObsOut out) const override { out.leaf<float>(0)[0] = 0.1f * static_cast<float>(step_); }
    void draw(Scene& scene) const override { scene.clear(0, 0, 1, 1); }
    void archive(Archive& archive) override { archive.field("count", step_, range(0, 1000000000)); }
    Json state() const override { return {{"step", step_}}; }
    Result<> setState(const Json&) override { return fail("not needed"); }

private:
    int instance_;
    std::int32_t step_ = 0;
};

}  // namespace seedbed::test
