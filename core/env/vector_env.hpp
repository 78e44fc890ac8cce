// SPDX-License-Identifier: Apache-2.0
// The vectoriser: steps a batch of environments on the rows of a ring, applies the episode-end rules, seeds,
// and keeps episode statistics.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/env/env.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

// One finished episode, of one column.
struct EpisodeEnd {
    int column = 0;
    std::uint64_t row = 0;      // absolute row of its last decision
    double episode_return = 0;  // raw rewards of the environment, before reward scaling or clipping
    int length = 0;             // decisions
    bool terminated = false;    // false: truncated
};

struct VectorEnvOptions {
    std::uint64_t seed = 0;
    RngPurpose purpose = RngPurpose::environment;
    int first_lane = 0;      // random stream of environment e is lane first_lane + e
    int horizon = 0;         // decisions; 0: no time limit below 2^31 (EnvSpec::horizon is the usual value)
    float reward_scale = 1;  // applied to what the learner sees, after clipping
    float reward_clip = 0;   // > 0: rewards are clipped to [-reward_clip, reward_clip] for the learner
};

// Thread: the actor that owns the ring's writing side. All agents of an environment begin and end their
// episodes together.
class VectorEnv {
public:
    // `ring` has batch->count() * agents columns and the batch's spaces, and outlives this.
    VectorEnv(std::unique_ptr<EnvBatch> batch, Ring& ring, VectorEnvOptions options);

    // Starts all environments and writes the observation of row ring.head(), before the first step or after
    // an error (rows below head that belong to unfinished episodes must not be learned from then). error:
    // not-a-number observations.
    Result<> reset();
    // Applies the actions of row head (ignored where valid = 0; box words are clipped to their bounds on the
    // way to the environment, the ring keeps them as drawn), writes its reward and discount and the next
    // row's observation, mask, first, valid and episodeStep, and advances the ring (which must have room).
    // Appends to `ended`. Counts of decisions exclude invalid rows. error: from the environment, or
    // not-a-number or infinite rewards or observations (names environment, agent, leaf, element); the ring
    // then stays at row head, and reset() is the only way on.
    Result<> step(std::vector<EpisodeEnd>& ended);
    // After an error of step(): ends all episodes at row head as truncations do, without counting them (row
    // head keeps its observation and becomes their extra row), and starts new ones at row head + 1, for which
    // the ring must have room. What was learned from rows below head stays right. error: as reset().
    Result<> restart();

    // Called by step() when the environments have returned, before anything of the ring is changed: an
    // environment that hangs has touched nothing that others read.
    void onReturned(std::function<void()> returned);

    const EnvSpec& spec() const;
    std::uint64_t decisions() const;  // valid rows stepped so far, all columns
    EnvBatch& batch();
    // Complete state of environments, streams and statistics (not the ring, which is restored first). When
    // the environments cannot be archived, their episodes end at the restored row head as truncations that
    // count for no statistics, and new ones start. error: the archive is short, or belongs to another number
    // of environments.
    Result<> archive(Archive& archive);
    // For environments whose state could not be saved: moves their random streams on to where no episode
    // before row head has been, after which restart() starts them.
    void skipStreams();
    // Whether the environments save their state; otherwise archive() begins new episodes when it loads.
    bool canArchive() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace seedbed
