// SPDX-License-Identifier: Apache-2.0
// Records episodes as replay tracks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/sha256.hpp"
#include "core/env/vector_env.hpp"
#include "core/policy/replay_file.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

// Ring::policyId of actions that a person chose.
inline constexpr std::uint16_t kPersonPolicy = 0xFFFF;

// Records the rows of a ring, one track per environment. Thread: the ring's writer.
class EpisodeRecorder {
public:
    static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
    // Lane of environment e: first_lane + e. Recording of an environment ends when its actions exceed
    // `max_bytes`, and all recording ends after `max_episodes`; earlier episodes are kept.
    EpisodeRecorder(Ring& ring, int agents, std::uint32_t first_lane, std::size_t max_bytes = kMaxBytes,
                    std::size_t max_episodes = kMaxReplayEpisodes);
    // Call after each VectorEnv::step with the episodes that it ended.
    void stepped(std::span<const EpisodeEnd> ended);
    // Stops recording one environment.
    void enough(int env) { open_[static_cast<std::size_t>(env)] = false; }
    const std::vector<ReplayTrack>& tracks() const { return tracks_; }
    // The complete episodes so far.
    std::vector<ReplayTrack> finished() const;
    // Excludes the actions of unfinished episodes.
    std::vector<ReplayTrack> take();

private:
    void hashRow(std::size_t env, std::uint64_t t);
    void markPersons(ReplayTrack& track, const std::uint16_t* policies) const;
    void dropUnfinished(ReplayTrack& track) const;

    Ring& ring_;
    std::size_t agents_, action_words_, max_floats_, episodes_left_;
    std::vector<ReplayTrack> tracks_;
    std::vector<Sha256> hashes_;
    std::vector<bool> open_;
    std::vector<std::byte> row_;
};

}  // namespace seedbed
