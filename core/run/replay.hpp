// SPDX-License-Identifier: Apache-2.0
// Recording what happens on a ring as a replay, and repeating a replay.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/vector_env.hpp"
#include "core/policy/replay_file.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

// The environment of a replay with its complete parameters. error: config: it is not here, has other
// observations or actions in this version, or an action is none of its.
struct ReplayEnv {
    const EnvEntry* entry = nullptr;
    Json params;
    EnvSpec spec;
};
Result<ReplayEnv> replayEnv(const Replay& replay);

// Writes down what happens on a ring, environment by environment. Thread: the ring's writer.
class EpisodeRecorder {
public:
    // Lane of environment e: first_lane + e.
    EpisodeRecorder(Ring& ring, int agents, std::uint32_t first_lane);
    // After each VectorEnv::step with what it appended to `ended`. Environments of which enough is known are
    // passed over.
    void stepped(std::span<const EpisodeEnd> ended);
    void enough(int env) { open_[static_cast<std::size_t>(env)] = false; }
    const std::vector<ReplayTrack>& tracks() const { return tracks_; }
    // Without the actions of unfinished episodes.
    std::vector<ReplayTrack> take();

private:
    void hashRow(std::size_t env, std::uint64_t t);

    Ring& ring_;
    std::size_t agents_, action_words_;
    std::vector<ReplayTrack> tracks_;
    std::vector<Sha256> hashes_;
    std::vector<bool> open_;
    std::vector<std::byte> row_;
};

// Plays all tracks again. error: parity, with the first episode that differs; config as replayEnv();
// interrupted.
Result<> verifyReplay(const Replay& replay, const std::stop_token& stop = {});

}  // namespace seedbed
