// SPDX-License-Identifier: Apache-2.0
// Replays: episodes as seed and actions, small enough to be kept with every checkpoint and exact enough to be
// repeated bit by bit.
//
// File (little-endian): 8 bytes "SBREPLAY", u32 version (1), u32 length of the header, the header as JSON,
// the actions of all tracks one after another (f32 [decisions, agents, action words] each), 32 bytes SHA-256
// of everything before. The header's members are those of Replay; a track names its lane and its episodes, an
// episode its decisions, return, end and the SHA-256 of its rows: for each decision the observations of all
// agents as the environment wrote them, the actions and the rewards (f32).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/base/rng.hpp"

namespace seedbed {

struct ReplayEpisode {
    std::uint64_t decisions = 0;
    double episode_return = 0;  // raw rewards, first agent
    bool terminated = false;    // false: truncated
    std::string sha256;         // of its rows
};

// Everything one environment did from its first episode on: its random stream goes through all of them.
struct ReplayTrack {
    std::uint32_t lane = 0;               // of the random stream
    std::vector<ReplayEpisode> episodes;  // complete ones
    std::vector<float> actions;           // [decisions of all episodes, agents, action words]
};

struct Replay {
    std::string env{};
    Json env_params = Json::object();
    std::string upstream{};  // EnvSpec::upstream: which version of the original
    std::uint64_t seed = 0;
    RngPurpose purpose = RngPurpose::play;
    int agents = 1, action_words = 1;
    std::vector<ReplayTrack> tracks{};
    int track = 0, episode = 0;    // the one that is meant: best, median, worst
    Json source = Json::object();  // for people: kind, run, step, build, greedy

    const ReplayEpisode& meant() const {
        return tracks[static_cast<std::size_t>(track)].episodes[static_cast<std::size_t>(episode)];
    }
    // Over all episodes; equal for equal behaviour.
    std::string sha256() const;
};

std::vector<std::uint8_t> encodeReplay(const Replay& replay);
// Of a file's bytes, which may be hostile; `what` names it. error: config, with what is wrong. Whether the
// environment is here and takes these actions is checked by replayEnv().
Result<Replay> decodeReplay(std::span<const std::uint8_t> bytes, std::string_view what);
// "replay_best.bin": what a replay of a kind (best, median, worst) is called inside a checkpoint.
std::string replayFileName(std::string_view kind);
bool isReplayFileName(std::string_view name);
Result<> saveReplay(FileSystem& files, const Path& path, const Replay& replay);
Result<Replay> loadReplay(FileSystem& files, const Path& path);

}  // namespace seedbed
