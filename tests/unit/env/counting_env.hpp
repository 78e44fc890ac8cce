// SPDX-License-Identifier: Apache-2.0
// An environment whose observations identify their lane, agent, episode and step, so that tests detect
// misaligned rows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/env/env.hpp"

namespace seedbed::test {

// The random properties of one episode; drawn at its reset.
struct Plan {
    int length = 1;  // decisions until the environment ends it
    bool terminates = true;
    std::uint32_t tag = 0;  // random number of the episode, included in observations

    static Plan draw(Rng& rng, int longest) {
        Plan plan;
        plan.length = 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(longest)));
        plan.terminates = rng.bernoulli(0.5);
        plan.tag = rng.below(1000);
        return plan;
    }
};

// The observation of an agent. Vector: {tag, episode, step, agent}; image [1, 2, 2] with the same values
// modulo 251; discrete {episode, step}.
struct Place {
    int tag = 0, episode = 0, step = 0, agent = 0;

    std::vector<float> vector() const {
        return {static_cast<float>(tag), static_cast<float>(episode), static_cast<float>(step),
                static_cast<float>(agent)};
    }
    std::vector<std::uint8_t> image() const {
        const auto byte = [](int value) { return static_cast<std::uint8_t>(value % 251); };
        return {byte(tag), byte(episode), byte(step), byte(agent)};
    }
    std::vector<std::int32_t> discrete() const { return {episode, step}; }
    // Reward of a decision in this state: depends on every part of the history and is exact in f32.
    float reward(float action) const {
        return action * 0.5F + static_cast<float>(step) - 3.0F * static_cast<float>(agent);
    }
    // The mask allows exactly one of the three choices.
    std::vector<std::uint8_t> mask() const {
        std::vector<std::uint8_t> mask(3, 0);
        mask[static_cast<std::size_t>((episode + step + agent) % 3)] = 1;
        return mask;
    }
};

struct CountingOptions {
    int agents = 1;
    int stack = 1;
    int longest = 9;
};

EnvSpec countingSpec(const CountingOptions& options);

class CountingEnv final : public Env {
public:
    explicit CountingEnv(CountingOptions options) : options_(options) {}

    void reset(Rng& rng) override;
    StepResult step(const float* actions, float* rewards, Rng& rng) override;
    void observe(int agent, ObsOut out) const override;
    void draw(Scene& scene) const override;
    void archive(Archive& archive) override;
    Json state() const override;
    Result<> setState(const Json& state) override;

private:
    CountingOptions options_;
    Plan plan_;
    int episode_ = -1;
    int step_ = 0;
};

std::unique_ptr<LocalBatch> countingBatch(const CountingOptions& options, int count);

}  // namespace seedbed::test
