// SPDX-License-Identifier: Apache-2.0
#include "core/play/replay.hpp"

#include <cmath>
#include <cstring>

#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/session/episode_recorder.hpp"

namespace seedbed {

namespace {

Result<> checkActions(const Replay& replay, const Spaces& spaces) {
    const auto words = static_cast<std::size_t>(replay.action_words);
    for (std::size_t track = 0; track < replay.tracks.size(); ++track) {
        const std::vector<float>& actions = replay.tracks[track].actions;
        for (std::size_t at = 0; at < actions.size(); at += words) {
            std::size_t word = at;
            for (const ActionLeaf& leaf : spaces.actions) {
                for (int i = 0; i < leaf.words(); ++i, ++word) {
                    const float value = actions[word];
                    const bool choice =
                        value >= 0 && value < static_cast<float>(leaf.n) && value == std::floor(value);
                    if (leaf.kind == ActionLeaf::Kind::discrete ? choice : std::isfinite(value)) continue;
                    return fail(ErrorCode::config,
                                "the replay contains an action that '" + replay.env + "' does not have (" +
                                    formatNumber(static_cast<double>(value)) + ", decision " +
                                    std::to_string(at / words) + " of track " + std::to_string(track) + ")");
                }
            }
        }
    }
    return {};
}

}  // namespace

Result<ReplayEnv> replayEnv(const Replay& replay) {
    ReplayEnv env;
    SEEDBED_ASSIGN(env.entry, findEnv(replay.env));
    SEEDBED_ASSIGN(env.params, env.entry->params->complete(replay.env_params, "env"));
    SEEDBED_ASSIGN(env.spec, env.entry->spec(env.params));
    if (env.spec.agents != replay.agents || env.spec.spaces.actionWords() != replay.action_words)
        return fail(ErrorCode::config, "the replay was recorded with a different version of '" + replay.env +
                                           "': it has " + std::to_string(replay.agents) + " agents with " +
                                           std::to_string(replay.action_words) +
                                           " action words; this version has " +
                                           std::to_string(env.spec.agents) + " with " +
                                           std::to_string(env.spec.spaces.actionWords()));
    SEEDBED_TRY(checkActions(replay, env.spec.spaces));
    return env;
}

namespace {

Error differs(const Replay& replay, std::size_t track, std::size_t episode, const std::string& how,
              const EnvSpec& spec) {
    std::string text = "episode " + std::to_string(episode + 1) + " of track " + std::to_string(track + 1) +
                       " differs from the recording: " + how;
    const std::string build = replay.source.is_object() && replay.source.value("build", Json()).is_string()
                                  ? replay.source["build"].get<std::string>()
                                  : std::string();
    if (!build.empty()) text += "; it was recorded by " + build;
    if (replay.upstream != spec.upstream)
        text += "; it was recorded with a different version of the environment: " + replay.upstream;
    return Error{ErrorCode::parity, text, {}};
}

Result<> verifyTrack(const Replay& replay, const ReplayEnv& env, std::size_t number,
                     const std::stop_token& stop) {
    const ReplayTrack& track = replay.tracks[number];
    RingSpec spec{.spaces = env.spec.spaces, .columns = env.spec.agents};
    spec.rows = spec.history() + 3;
    SEEDBED_ASSIGN(const auto ring, Ring::create(spec));
    SEEDBED_ASSIGN(auto batch, env.entry->make(env.params, 1));
    VectorEnv vector(std::move(batch), *ring,
                     VectorEnvOptions{.seed = replay.seed,
                                      .purpose = replay.purpose,
                                      .first_lane = static_cast<int>(track.lane),
                                      .horizon = env.spec.horizon});
    SEEDBED_TRY(vector.reset());
    EpisodeRecorder recorder(*ring, env.spec.agents, track.lane);
    const std::size_t words =
        static_cast<std::size_t>(env.spec.agents) * static_cast<std::size_t>(replay.action_words);
    std::vector<EpisodeEnd> ended;
    for (std::size_t at = 0; at < track.actions.size();) {
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "the check was stopped");
        const std::uint64_t t = ring->head();
        if (ring->valid(t)[0] != 0) {
            std::memcpy(ring->action(t), track.actions.data() + at, words * sizeof(float));
            at += words;
        } else {
            std::fill_n(ring->action(t), words, 0.0f);
        }
        ended.clear();
        SEEDBED_TRY(vector.step(ended));
        recorder.stepped(ended);
        const auto& played = recorder.tracks().front().episodes;
        if (ended.empty() || played.empty()) continue;
        const std::size_t episode = played.size() - 1;
        if (episode >= track.episodes.size()) break;
        const ReplayEpisode &now = played.back(), &then = track.episodes[episode];
        if (now.decisions != then.decisions)
            return tl::unexpected<Error>(differs(replay, number, episode,
                                                 "it ended after " + std::to_string(now.decisions) +
                                                     " decisions instead of " +
                                                     std::to_string(then.decisions),
                                                 env.spec));
        if (now.sha256 != then.sha256 || now.terminated != then.terminated)
            return tl::unexpected<Error>(
                differs(replay, number, episode, "observations or rewards differ", env.spec));
        if (now.episode_return != then.episode_return)
            return tl::unexpected<Error>(differs(replay, number, episode,
                                                 "its return is " + formatNumber(now.episode_return) +
                                                     ", not " + formatNumber(then.episode_return),
                                                 env.spec));
    }
    if (recorder.tracks().front().episodes.size() == track.episodes.size()) return {};
    return tl::unexpected<Error>(differs(replay, number, recorder.tracks().front().episodes.size(),
                                         "it has not ended after its last action", env.spec));
}

}  // namespace

Replay recordedReplay(const RecordedGames& games, std::vector<ReplayTrack> tracks) {
    Replay replay{
        .env = games.env->id,
        .env_params = games.env_params,
        .upstream = games.spec.upstream,
        .seed = games.seed,
        .purpose = RngPurpose::play,
        .agents = games.spec.agents,
        .action_words = games.spec.spaces.actionWords(),
        .tracks = std::move(tracks),
        .track = 0,
        .episode = 0,
        .source = {
            {"kind", "recorded"}, {"greedy", games.selection == Selection::greedy}, {"build", kVersion}}};
    if (games.policy_steps) replay.source["step"] = *games.policy_steps;
    if (games.run) replay.source["run"] = *games.run;
    if (!games.players.empty()) replay.source["players"] = games.players;
    std::erase_if(replay.tracks, [](const ReplayTrack& track) { return track.episodes.empty(); });
    return replay;
}

std::vector<std::string> recordedPlayers(const Replay& replay) {
    std::vector<std::string> names;
    if (!replay.source.is_object()) return names;
    for (const Json& name : replay.source.value("players", Json::array()))
        if (name.is_string()) names.push_back(name.get<std::string>());
    if (names.size() != static_cast<std::size_t>(replay.agents)) names.clear();
    return names;
}

Result<> verifyReplay(const Replay& replay, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const ReplayEnv env, replayEnv(replay));
    for (std::size_t track = 0; track < replay.tracks.size(); ++track)
        SEEDBED_TRY(verifyTrack(replay, env, track, stop));
    return {};
}

}  // namespace seedbed
