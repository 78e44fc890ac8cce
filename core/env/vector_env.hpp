// SPDX-License-Identifier: Apache-2.0
// The vectoriser: steps a batch of environments on the rows of a ring, applies the rules for episode ends,
// seeds the environments and counts episodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/env/env.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

// A finished episode of one column. No EpisodeEnd is created for an agent that is absent from the episode.
struct EpisodeEnd {
    int column = 0;
    std::uint64_t row = 0;      // row of its last decision
    double episode_return = 0;  // raw rewards of the environment, before reward scaling or clipping
    int length = 0;             // decisions
    bool terminated = false;    // false: truncated
};

// Saves or restores finished episodes of `columns` columns.
void archiveEpisodes(Archive& archive, std::vector<EpisodeEnd>& ends, int columns);

struct VectorEnvOptions {
    std::uint64_t seed = 0;
    RngPurpose purpose = RngPurpose::environment;
    int first_lane = 0;      // environment e uses the random stream of lane first_lane + e
    int horizon = 0;         // decisions; 0: no time limit (but at most about 2^31); usually EnvSpec::horizon
    float reward_scale = 1;  // factor on rewards for the learner, after clipping
    float reward_clip = 0;   // > 0: clips rewards for the learner to [-reward_clip, reward_clip]
    std::stop_token stop{};  // see Exchange::stop
};

// Steps environments on a ring. All agents of an environment begin and end their episodes together. Thread:
// the actor that owns the ring's writing side.
//
// If an environment fails (column_flag::failed), row head and all later rows until its reset become extra
// rows with the last observation, and the episode is not counted.
class VectorEnv {
public:
    // `ring` has batch->count() * agents columns and the batch's spaces, and must outlive this object.
    VectorEnv(std::unique_ptr<EnvBatch> batch, Ring& ring, VectorEnvOptions options);

    // Resets all environments and writes the observation of row ring.head(). Call it before the first step,
    // or after an error; then rows of unfinished episodes below head must not be used for learning. error:
    // kNonFinite.
    Result<> reset();
    // Applies the actions of row head, writes its reward and discount and the observation of the next row,
    // and advances the ring, which must have room. Actions are ignored where valid = 0; environments receive
    // box actions clipped. Appends finished episodes to `ended`.
    //
    // error: from the batch; kNonFinite. The ring then remains at row head; continue with reset() or
    // restart().
    Result<> step(std::vector<EpisodeEnd>& ended);
    // The two halves of step(). The environments run between them, possibly in other processes; ready()
    // returns whether finish() would return without waiting for them. Only finish() modifies rows that others
    // can read.
    Result<> begin();
    bool ready() const;
    Result<> finish(std::vector<EpisodeEnd>& ended);
    // Recovers from an error of step(): truncates all episodes at row head without counting them, and starts
    // new ones at row head + 1, for which the ring must have room. Row head keeps its observation and becomes
    // the extra row of the truncated episodes. Rows below head remain valid for learning. error: as for
    // reset().
    Result<> restart();

    // Environments whose episode failed in the latest step, in order.
    const std::vector<std::size_t>& failed() const;
    // Messages for the user about environments that failed since the last call.
    std::vector<std::string> takeNotices();
    // Sets a function that step() and restart() call when the environments have returned and before the ring
    // changes. Until then, an environment that hangs has modified nothing that other threads read.
    void onReturned(std::function<void()> returned);

    // Sets a function that is called in each step after the environments were stepped and before any is
    // reset, while they still have the last state of their episode; only for environments in this process.
    void onStepped(std::function<void()> stepped);

    const EnvSpec& spec() const;
    std::uint64_t decisions() const;  // total number of valid rows stepped so far, over all columns
    EnvBatch& batch();
    // Saves or loads the state of environments, random streams and statistics, but not the ring, which must
    // be restored first. If the environments cannot be archived, loading truncates their episodes at row
    // head, without counting them, and starts new ones. error: the archive is too short or has a different
    // number of environments.
    Result<> archive(Archive& archive);
    // For environments whose state cannot be saved: moves their random streams past all numbers used for rows
    // up to head. Call it before restart().
    void skipStreams();
    // Whether the environments can save their state; see archive().
    bool canArchive() const;
    // See EnvBatch::isSupervised().
    bool isSupervised() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace seedbed
