// SPDX-License-Identifier: Apache-2.0
// Replays: episodes stored as seed and actions, which keeps them small and exactly reproducible.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/os/files.hpp"
#include "core/base/rng.hpp"

namespace seedbed {

// Limits for all tracks together.
inline constexpr std::size_t kMaxReplayEpisodes = 200'000;

struct ReplayEpisode {
    std::uint64_t decisions = 0;
    double episode_return = 0;  // sum of the first agent's raw rewards
    bool terminated = false;    // false: truncated
    std::string sha256;         // hash of its rows
};

// All episodes of one environment; the random stream of the environment continues across them.
struct ReplayTrack {
    std::uint32_t lane = 0;               // lane of the random stream
    std::vector<ReplayEpisode> episodes;  // complete episodes only
    std::vector<float> actions;           // [decisions of all episodes, agents, action words]
    // [decisions of all episodes, agents] 1: chosen by a person; empty: none were
    std::vector<std::uint8_t> persons{};
};

struct Replay {
    std::string env{};
    Json env_params = Json::object();
    std::string upstream{};  // EnvSpec::upstream: version of the upstream environment
    std::uint64_t seed = 0;
    RngPurpose purpose = RngPurpose::play;
    int agents = 1, action_words = 1;
    std::vector<ReplayTrack> tracks{};
    int track = 0, episode = 0;    // the selected episode: best, median or worst
    Json source = Json::object();  // for information: kind, run, step, build, greedy

    const ReplayEpisode& selected() const {
        return tracks[static_cast<std::size_t>(track)].episodes[static_cast<std::size_t>(episode)];
    }
    std::size_t episodeCount() const;  // number of episodes in all tracks
    // Hash over all episodes; equal for identical behaviour.
    std::string sha256() const;
};

// The replay may have at most kMaxReplayEpisodes episodes.
std::vector<std::uint8_t> encodeReplay(const Replay& replay);
// The bytes may be untrusted; `what` names the file in errors. error: config, with the reason. replayEnv()
// checks that the environment exists and accepts the actions.
Result<Replay> decodeReplay(std::span<const std::uint8_t> bytes, std::string_view what);
// File name of a replay in a checkpoint by kind (best, median, worst): "replay_best.bin".
std::string replayFileName(std::string_view kind);
bool isReplayFileName(std::string_view name);
Result<> saveReplay(FileSystem& files, const Path& path, const Replay& replay);
Result<Replay> loadReplay(FileSystem& files, const Path& path);

}  // namespace seedbed
