// SPDX-License-Identifier: Apache-2.0
// Built-in environments without a trainer, stepped together by a host program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/thread.hpp"
#include "core/env/env.hpp"

namespace seedbed {

// Environment e has the columns e * agents to (e + 1) * agents - 1. An environment whose episode has ended
// begins the next one in the following step. Thread: one at a time.
class BuiltInBatch {
public:
    // `settings`: values of the section `env`. Environment e draws from the stream (seed, e), so the number
    // of threads has no effect on the results. error: config.
    static Result<std::unique_ptr<BuiltInBatch>> create(const std::string& env, const Json& settings,
                                                        int count, std::uint64_t seed, int threads);

    const EnvSpec& spec() const { return spec_; }
    const std::string& description() const { return description_; }
    int count() const { return count_; }
    int columns() const { return count_ * spec_.agents; }

    // Where a step writes. The mask is not used without masks.
    struct Output {
        void* const* observations = nullptr;  // of each leaf, [columns, leaf bytes]
        std::uint8_t* mask = nullptr;         // [columns, mask bytes]
        float* rewards = nullptr;             // [columns], as the following
        std::uint8_t* terminated = nullptr;
        std::uint8_t* truncated = nullptr;
    };
    // The batch's own arrays, valid as long as the batch. reset() writes the observations and the mask.
    const Output& own() const { return own_; }

    // Begins new episodes of all environments, or of those with chosen[e] != 0. seeds[e], if given, replaces
    // the stream of environment e.
    Result<> reset(const std::uint8_t* chosen, const std::uint64_t* seeds);
    // actions: f32 [columns, words]; real numbers are clipped to their bounds. error, which changes nothing:
    // an action that does not exist.
    Result<> step(const float* actions, const Output& output);
    // choices: [columns, words]. error also: the environment has actions that are real numbers.
    Result<> step(const std::int64_t* choices, const Output& output);
    // Draws one environment into u8 [height, width, 3].
    void draw(int env, int height, int width, std::uint8_t* rgb) const;

private:
    // Environments that are stepped by one thread.
    struct Group {
        std::unique_ptr<LocalBatch> batch;
        int first = 0;
        // [environments]. active: the next step does not begin an episode.
        std::vector<std::uint8_t> active{}, continues{}, terminated{}, truncated{};
        std::vector<std::uint8_t*> leaves{};  // scratch memory of observe()
    };

    explicit BuiltInBatch(EnvSpec spec, int count) : spec_(std::move(spec)), count_(count) {}
    void allocate();
    Result<> copyActions(const float* actions);
    Result<> copyActions(const std::int64_t* choices);
    Result<> stepAll(const Output& output);
    void observe(Group& group, const Output& output);
    Result<> step(Group& group, const Output& output);

    EnvSpec spec_;
    int count_;
    bool is_discrete_ = true;  // all actions are choices
    std::string description_;
    std::vector<Group> groups_;
    std::vector<std::vector<std::uint64_t>> memory_;  // of the leaves
    std::vector<void*> leaves_;
    Output own_;
    std::vector<std::uint8_t> mask_, terminated_, truncated_;
    std::vector<float> rewards_, actions_, low_, high_;
    std::vector<Rng> rngs_;
    std::vector<int> steps_;  // of the current episodes
    std::unique_ptr<WorkerPool> pool_;
};

}  // namespace seedbed
