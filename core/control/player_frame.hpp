// SPDX-License-Identifier: Apache-2.0
// What a player shows at one moment: the scene of each environment, what the policy thinks about it, and the
// latest decisions of the one in focus. README.md describes the stream these values travel through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/scene.hpp"
#include "core/ipc/shared_segment.hpp"

namespace seedbed {

enum class EpisodeMark : std::uint8_t { none, terminated, truncated };

// One row of one environment: what was seen, decided and earned. Numbers nobody knows (the reward of a
// decision that is not carried out yet, the value of a policy without one) are not-a-number.
struct PlayerRecord {
    static constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

    std::uint64_t row = 0;
    std::uint32_t episode = 0;            // of this environment, counted from 0
    std::int32_t step = 0;                // decisions since the episode began
    bool decided = true;                  // false: the final state of an episode, no action follows
    EpisodeMark end = EpisodeMark::none;  // what this decision did to the episode
    float value = kUnknown;
    float reward = kUnknown;    // earned by this decision
    double return_so_far = 0;   // of the episode, before this decision's reward
    std::vector<float> action;  // [action words] as the environment gets it
    std::vector<float> policy;  // [policy words] the policy head as it is; empty without a policy
    std::vector<float> shown;   // per action leaf: probabilities of its choices, or means and then standard
                                // deviations of its dimensions
};

// One agent of a game that several play.
struct PlayerAgent {
    PlayerRecord now;
    double last_return = 0;  // of the newest finished episode
};

// A game: what is seen, and what its agents do. Its first agent, the only one of most, has its fields here.
struct PlayerCell {
    Scene scene;
    PlayerRecord now;
    EpisodeMark last_end = EpisodeMark::none;  // of the episode before: `scene` is its last state when
                                               // `now.step` is 0 and this is terminated
    double last_return = 0;                    // of the newest finished episode
    std::uint32_t episodes = 0;                // finished ones
    std::vector<PlayerAgent> others{};

    int agents() const { return 1 + static_cast<int>(others.size()); }
    const PlayerRecord& nowOf(int agent) const {
        return agent == 0 ? now : others[static_cast<std::size_t>(agent) - 1].now;
    }
    PlayerRecord& nowOf(int agent) {
        return agent == 0 ? now : others[static_cast<std::size_t>(agent) - 1].now;
    }
    double lastReturnOf(int agent) const {
        return agent == 0 ? last_return : others[static_cast<std::size_t>(agent) - 1].last_return;
    }
    double& lastReturnOf(int agent) {
        return agent == 0 ? last_return : others[static_cast<std::size_t>(agent) - 1].last_return;
    }
};

struct PlayerFrame {
    std::uint32_t generation = 0;  // raised when rows begin again at 0 (other environments, other seed)
    std::uint64_t row = 0;         // shown
    std::uint64_t newest_row = 0;  // played; larger than `row` after steps back
    std::uint64_t oldest_row = 0;  // that can be stepped back to
    std::uint64_t weights_version = 0;
    std::int64_t weights_steps = 0;                        // training steps behind the weights
    bool greedy = true, paused = false, finished = false;  // finished: a replay is over
    bool followed = false;                                 // the weights are those of a run that is going
    float speed = 1;                                       // 0: as fast as it goes
    std::int32_t focus = 0;                                // a cell
    std::int32_t focus_agent = 0;                          // of that cell
    std::vector<PlayerCell> cells;
    std::vector<PlayerRecord> trace;  // of the agent in focus, oldest first
};

// A frame in two parts, so that the cells of earlier rows can be kept as bytes. Both together are what a slot
// holds.
std::vector<std::byte> encodeHead(const PlayerFrame& frame);  // without cells
std::vector<std::byte> encodeCells(const std::vector<PlayerCell>& cells);
// error: not a frame; nothing of it is believed without a check.
Result<PlayerFrame> decodeFrame(std::span<const std::byte> bytes);

// Of the shared memory the frames are published in.
inline constexpr SegmentKind kFrameSegment{segmentKind("play"), 1, {}};

}  // namespace seedbed
