// SPDX-License-Identifier: Apache-2.0
// The state of a player at one moment: the scene of each environment, the policy's outputs, and the latest
// decisions of the environment in focus. README.md describes how it is transferred.
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
// The origin of an action.
enum class DecisionSource : std::uint8_t { policy, recorded, person };

// One row of one environment. Unknown numbers (the reward of a decision that has not been executed yet, the
// value of a policy without a value estimate) are NaN.
struct PlayerRecord {
    static constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

    std::uint64_t row = 0;
    std::uint32_t episode = 0;            // episode number in this environment, from 0
    std::int32_t step = 0;                // decisions since the episode began
    bool decided = true;                  // false: the final state of an episode; no action follows
    EpisodeMark end = EpisodeMark::none;  // caused by this decision
    DecisionSource source = DecisionSource::policy;
    float value = kUnknown;
    float entropy = kUnknown;   // of the action distribution, in nats; unknown for Q values
    float reward = kUnknown;    // reward of this decision
    double return_so_far = 0;   // return of the episode before this decision's reward
    std::vector<float> action;  // [action words] as passed to the environment
    // The same before it was clamped to the action space; empty: equal. Not transferred.
    std::vector<float> chosen{};
    std::vector<float> policy;  // [policy words] output of the policy head; empty without a policy
    std::vector<float> shown;   // per action leaf: probabilities of its choices, or means and then standard
                                // deviations of its dimensions
};

// One of the other agents in a game with several agents.
struct PlayerAgent {
    PlayerRecord now;
    double last_return = 0;  // return of the latest finished episode
};

// A game and its agents. The fields of the first agent, often the only one, are members of this struct.
struct PlayerCell {
    Scene scene;
    PlayerRecord now;
    EpisodeMark last_end = EpisodeMark::none;  // how the previous episode ended; if terminated
                                               // and now.step is 0, `scene` is its last state
    double last_return = 0;                    // return of the latest finished episode
    std::uint32_t episodes = 0;                // number of finished episodes
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
    std::uint32_t generation = 0;  // incremented when rows restart at 0 (different environments or seed)
    std::uint64_t row = 0;         // the row shown
    std::uint64_t newest_row = 0;  // the newest row played; greater than `row` after stepping back
    std::uint64_t oldest_row = 0;  // the oldest row still stored
    std::uint64_t weights_version = 0;
    std::int64_t weights_steps = 0;                        // training steps of the weights
    bool greedy = true, paused = false, finished = false;  // finished: the replay has finished
    bool followed = false;                                 // the weights are updated from a run in progress
    float speed = 1;                                       // 1: real time; 0: unlimited
    std::int32_t focus = 0;                                // index of a cell
    std::int32_t focus_agent = 0;                          // index of an agent of that cell
    std::vector<PlayerCell> cells;
    std::vector<PlayerRecord> trace;  // records of the agent in focus, oldest first
};

// A frame is encoded in two parts, so that the cells of earlier rows can be stored as bytes. A slot contains
// both parts.
std::vector<std::byte> encodeHead(const PlayerFrame& frame);  // without cells
std::vector<std::byte> encodeCells(const std::vector<PlayerCell>& cells);
// Cells that encodeCells() wrote. error: other bytes.
Result<std::vector<PlayerCell>> decodeCells(std::span<const std::byte> bytes);
// Accepts untrusted bytes. error: not a frame.
Result<PlayerFrame> decodeFrame(std::span<const std::byte> bytes);

// The shared memory of frames.
inline constexpr SegmentKind kFrameSegment{segmentKind("play"), 1, {}};

}  // namespace seedbed
