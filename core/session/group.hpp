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
    int rows = 0;       // rows that readers may pin at the same time; the ring adds those of frame stacks
    int state_every = 0;
    std::uint64_t seed = 0;
    RngPurpose env_purpose = RngPurpose::environment;
    RngPurpose action_purpose = RngPurpose::action;
    Selection selection = Selection::sample;
    bool learner_rewards = true;  // the ring and the network's input contain scaled and clipped rewards;
                                  // false: the environment's rewards
};

// Thread: one owner at a time.
class ActorGroup {
public:
    // The ring of such a group, for a network with `state_words` of recurrent state.
    static RingSpec ringSpec(const GroupSpec& spec, const EnvSpec& env, int state_words);
    // error: config, out_of_memory, or from the environment.
    static Result<std::unique_ptr<ActorGroup>> create(const GroupSpec& spec);

    // One decision of every column: inline inference on the head row, unless it has actions, then step().
    // Appends to `ended`, adds to `times`.
    Result<> tick(const Params& params, std::vector<EpisodeEnd>& ended, ThreadTimes& times);
    // Steps the environments with the actions of the head row. error: as VectorEnv::step, also for an
    // exception of the environment.
    Result<> step(std::vector<EpisodeEnd>& ended, ThreadTimes& times);

    Ring& ring() { return *ring_; }
    VectorEnv& env() { return *env_; }
    SpanInference& span() { return *inference_; }
    int envs() const { return envs_; }
    // Ends all episodes of the group and starts new ones, as VectorEnv::restart.
    Result<> restart();
    // The environments' state was not saved: restart() comes before the next step.
    bool needsRestart() const { return needs_restart_; }
    // Saves or restores rows of the ring from `from` on, environments, random streams, statistics and
    // recurrent state. Between ticks only. `lost`: during a step that does not return; the environments are
    // then not saved, and the restored group needs a restart.
    Result<> archive(Archive& archive, std::uint64_t from, bool lost = false);

private:
    ActorGroup() = default;
    std::unique_ptr<Ring> ring_;
    std::unique_ptr<VectorEnv> env_;
    std::unique_ptr<SpanInference> inference_;
    int envs_ = 0;
    bool needs_restart_ = false;
};

}  // namespace seedbed
