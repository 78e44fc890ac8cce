// SPDX-License-Identifier: Apache-2.0
#include "core/session/episode_recorder.hpp"

#include <algorithm>
#include <utility>

namespace seedbed {

EpisodeRecorder::EpisodeRecorder(Ring& ring, int agents, std::uint32_t first_lane, std::size_t max_bytes,
                                 std::size_t max_episodes)
    : ring_(ring),
      agents_(static_cast<std::size_t>(agents)),
      action_words_(static_cast<std::size_t>(ring.spec().spaces.actionWords())),
      max_floats_(max_bytes / sizeof(float)),
      episodes_left_(max_episodes),
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
        if (track.actions.size() + agents_ * action_words_ > max_floats_) {
            open_[env] = false;
            dropUnfinished(track);
            track.actions.shrink_to_fit();
            continue;
        }
        track.actions.insert(track.actions.end(), action, action + agents_ * action_words_);
        markPersons(track, ring_.policyId(t) + env * agents_);
        hashRow(env, t);
    }
    for (const EpisodeEnd& end : ended) {
        const std::size_t env = static_cast<std::size_t>(end.column) / agents_;
        if (static_cast<std::size_t>(end.column) % agents_ != 0 || !open_[env]) continue;
        tracks_[env].episodes.push_back({static_cast<std::uint64_t>(end.length), end.episode_return,
                                         end.terminated, std::exchange(hashes_[env], Sha256()).hex()});
        if (--episodes_left_ == 0) open_.assign(open_.size(), false);
    }
}

// Marks the newest decision. Tracks without a person's decision have no marks.
void EpisodeRecorder::markPersons(ReplayTrack& track, const std::uint16_t* policies) const {
    const bool any = std::find(policies, policies + agents_, kPersonPolicy) != policies + agents_;
    if (track.persons.empty() && !any) return;
    track.persons.resize(track.actions.size() / action_words_);
    for (std::size_t agent = 0; agent < agents_; ++agent)
        track.persons[track.persons.size() - agents_ + agent] = policies[agent] == kPersonPolicy ? 1 : 0;
}

void EpisodeRecorder::dropUnfinished(ReplayTrack& track) const {
    std::uint64_t decisions = 0;
    for (const ReplayEpisode& episode : track.episodes) decisions += episode.decisions;
    track.actions.resize(decisions * agents_ * action_words_);
    if (!track.persons.empty()) track.persons.resize(decisions * agents_);
    if (std::find(track.persons.begin(), track.persons.end(), 1) == track.persons.end())
        track.persons.clear();
}

std::vector<ReplayTrack> EpisodeRecorder::finished() const {
    std::vector<ReplayTrack> tracks = tracks_;
    for (ReplayTrack& track : tracks) dropUnfinished(track);
    return tracks;
}

std::vector<ReplayTrack> EpisodeRecorder::take() {
    for (ReplayTrack& track : tracks_) dropUnfinished(track);
    return std::move(tracks_);
}

}  // namespace seedbed
