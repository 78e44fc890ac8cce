// SPDX-License-Identifier: Apache-2.0
// An actor group: environments, their ring and their inference, stepped together by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/env/env_registry.hpp"
#include "core/env/vector_env.hpp"
#include "core/infer/span_inference.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

struct GroupSpec {
    const EnvEntry* env = nullptr;
    Json env_params;
    ActionDistribution distribution;
    EngineNet* net = nullptr;
    int envs = 1;
    int first_env = 0;  // number of its first environment within the run; keys its random streams
    int rows = 0;       // rows that a reader may hold at once; the ring is larger by what stacks need
    int state_every = 0;
    std::uint64_t seed = 0;
    RngPurpose env_purpose = RngPurpose::environment;
    RngPurpose action_purpose = RngPurpose::action;
    Selection selection = Selection::sample;
    bool learner_rewards = true;  // apply reward scale and clip
};

// Thread: one owner at a time.
class ActorGroup {
public:
    // The ring a group of this kind has, for a network with `state_words` of recurrent state.
    static RingSpec ringSpec(const GroupSpec& spec, const EnvSpec& env, int state_words);
    // error: config, out_of_memory, or from the environment.
    static Result<std::unique_ptr<ActorGroup>> create(const GroupSpec& spec);

    // One decision of every column: inference on the head row, then the environments. Appends to `ended`.
    Result<> tick(const Params& params, std::vector<EpisodeEnd>& ended);

    Ring& ring() { return *ring_; }
    VectorEnv& env() { return *env_; }
    // Seconds spent so far.
    double inferenceSeconds() const { return inference_s_; }
    double envSeconds() const { return env_s_; }
    // Rows of the ring from `from` on, environments, random streams, statistics, recurrent state. Between ticks only.
    Result<> archive(Archive& archive, std::uint64_t from);

private:
    ActorGroup() = default;
    std::unique_ptr<Ring> ring_;
    std::unique_ptr<VectorEnv> env_;
    std::unique_ptr<SpanInference> inference_;
    double inference_s_ = 0, env_s_ = 0;
};

}  // namespace seedbed
