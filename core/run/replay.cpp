// SPDX-License-Identifier: Apache-2.0
// Recording and repeating episodes.
#include "core/run/replay.hpp"

#include <cmath>
#include <cstring>

#include "core/base/text.hpp"

namespace seedbed {

EpisodeRecorder::EpisodeRecorder(Ring& ring, int agents, std::uint32_t first_lane)
    : ring_(ring),
      agents_(static_cast<std::size_t>(agents)),
      action_words_(static_cast<std::size_t>(ring.spec().spaces.actionWords())),
      tracks_(static_cast<std::size_t>(ring.columns() / agents)),
      hashes_(tracks_.size()),
      open_(tracks_.size(), true) {
    for (std::size_t env = 0; env < tracks_.size(); ++env)
        tracks_[env].lane = first_lane + static_cast<std::uint32_t>(env);
}

void EpisodeRecorder::hashRow(std::size_t env, std::uint64_t t) {
    row_.clear();
    const auto add = [&](const void* from, std::size_t bytes) {
        const auto* begin = static_cast<const std::byte*>(from);
        row_.insert(row_.end(), begin, begin + bytes);
    };
    const std::size_t column = env * agents_;
    for (std::size_t leaf = 0; leaf < ring_.spec().spaces.obs.size(); ++leaf) {
        const std::size_t bytes = ring_.spec().spaces.obs[leaf].bytes();
        add(ring_.obs(static_cast<int>(leaf), t) + column * bytes, agents_ * bytes);
    }
    add(ring_.action(t) + column * action_words_, agents_ * action_words_ * sizeof(float));
    add(ring_.reward(t) + column, agents_ * sizeof(float));
    hashes_[env].update(row_);
}

void EpisodeRecorder::stepped(std::span<const EpisodeEnd> ended) {
    const std::uint64_t t = ring_.head() - 1;
    for (std::size_t env = 0; env < tracks_.size(); ++env) {
        if (!open_[env] || ring_.valid(t)[env * agents_] == 0) continue;
        const float* action = ring_.action(t) + env * agents_ * action_words_;
        ReplayTrack& track = tracks_[env];
        track.actions.insert(track.actions.end(), action, action + agents_ * action_words_);
        hashRow(env, t);
    }
    for (const EpisodeEnd& end : ended) {
        const std::size_t env = static_cast<std::size_t>(end.column) / agents_;
        if (static_cast<std::size_t>(end.column) % agents_ != 0 || !open_[env]) continue;
        tracks_[env].episodes.push_back({static_cast<std::uint64_t>(end.length), end.episode_return,
                                         end.terminated, std::exchange(hashes_[env], Sha256()).hex()});
    }
}

std::vector<ReplayTrack> EpisodeRecorder::take() {
    for (ReplayTrack& track : tracks_) {
        std::uint64_t decisions = 0;
        for (const ReplayEpisode& episode : track.episodes) decisions += episode.decisions;
        track.actions.resize(decisions * agents_ * action_words_);
    }
    return std::move(tracks_);
}

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
                                "the replay holds an action that '" + replay.env + "' does not have (" +
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
    SEEDBED_ASSIGN(env.entry, envRegistry().get(replay.env, "environment"));
    SEEDBED_ASSIGN(env.params, env.entry->params->complete(replay.env_params, "env"));
    env.spec = env.entry->spec(env.params);
    if (env.spec.agents != replay.agents || env.spec.spaces.actionWords() != replay.action_words)
        return fail(ErrorCode::config, "the replay was recorded in another '" + replay.env +
                                           "' than this version has: it has " +
                                           std::to_string(replay.agents) + " agents with " +
                                           std::to_string(replay.action_words) + " action words, here are " +
                                           std::to_string(env.spec.agents) + " with " +
                                           std::to_string(env.spec.spaces.actionWords()));
    SEEDBED_TRY(checkActions(replay, env.spec.spaces));
    return env;
}

namespace {

Error differs(const Replay& replay, std::size_t track, std::size_t episode, const std::string& how,
              const EnvSpec& spec) {
    std::string text = "episode " + std::to_string(episode + 1) + " of track " + std::to_string(track + 1) +
                       " differs from what was recorded: " + how;
    const std::string build = replay.source.is_object() && replay.source.value("build", Json()).is_string()
                                  ? replay.source["build"].get<std::string>()
                                  : std::string();
    if (!build.empty()) text += "; it was recorded by " + build;
    if (replay.upstream != spec.upstream)
        text += "; the environment was another version then: " + replay.upstream;
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
                differs(replay, number, episode, "observations or rewards are others", env.spec));
        if (now.episode_return != then.episode_return)
            return tl::unexpected<Error>(differs(replay, number, episode,
                                                 "its return is " + formatNumber(now.episode_return) +
                                                     ", not " + formatNumber(then.episode_return),
                                                 env.spec));
    }
    if (recorder.tracks().front().episodes.size() == track.episodes.size()) return {};
    return tl::unexpected<Error>(differs(replay, number, recorder.tracks().front().episodes.size(),
                                         "it is not over after its last action", env.spec));
}

}  // namespace

Result<> verifyReplay(const Replay& replay, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const ReplayEnv env, replayEnv(replay));
    for (std::size_t track = 0; track < replay.tracks.size(); ++track)
        SEEDBED_TRY(verifyTrack(replay, env, track, stop));
    return {};
}

}  // namespace seedbed
