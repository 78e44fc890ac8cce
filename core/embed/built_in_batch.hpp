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

    // The arrays that reset() and step() write; valid as long as the batch.
    void* const* observations() const { return leaves_.data(); }
    std::uint8_t* mask() { return mask_.empty() ? nullptr : mask_.data(); }
    float* rewards() { return rewards_.data(); }
    std::uint8_t* terminated() { return terminated_.data(); }
    std::uint8_t* truncated() { return truncated_.data(); }

    // Begins new episodes of all environments, or of those with chosen[e] != 0. seeds[e], if given, replaces
    // the stream of environment e.
    Result<> reset(const std::uint8_t* chosen, const std::uint64_t* seeds);
    // actions: f32 [columns, words]; real numbers are clipped to their bounds. error, which changes nothing:
    // an action that does not exist.
    Result<> step(const float* actions);
    // Draws one environment into u8 [height, width, 3].
    void draw(int env, int height, int width, std::uint8_t* rgb) const;

private:
    // Environments that are stepped by one thread.
    struct Group {
        std::unique_ptr<LocalBatch> batch;
        int first = 0;
        std::vector<std::uint8_t> active{}, terminated{}, truncated{};  // [environments]
        std::vector<std::uint8_t*> leaves{};
    };

    explicit BuiltInBatch(EnvSpec spec, int count) : spec_(std::move(spec)), count_(count) {}
    void allocate();
    Result<> copyActions(const float* actions);
    void observe(Group& group);
    Result<> step(Group& group);

    EnvSpec spec_;
    int count_;
    std::string description_;
    std::vector<Group> groups_;
    std::vector<std::vector<std::uint64_t>> memory_;  // of the leaves
    std::vector<void*> leaves_;
    std::vector<std::uint8_t> mask_, terminated_, truncated_, has_ended_;
    std::vector<float> rewards_, actions_, low_, high_;
    std::vector<Rng> rngs_;
    std::vector<int> steps_;  // of the current episodes
    std::unique_ptr<WorkerPool> pool_;
};

}  // namespace seedbed
