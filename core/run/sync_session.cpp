// SPDX-License-Identifier: Apache-2.0
// Rollout of all groups on the pool, then one update on the windows they filled.
#include "core/run/sync_session.hpp"

#include <chrono>
#include <utility>

namespace seedbed {
namespace {

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

SyncSession::SyncSession(Parts parts) : Session(std::move(parts)) {
    readers_.assign(parts_.groups.size(), ActingParams::Reader(acting_params_));
    ended_.resize(parts_.groups.size());
}

Result<> SyncSession::rollOut(IterationStats& stats) {
    const int length = parts_.plan.learn.rollout_length;
    std::uint64_t decisions_before = 0;
    double inference_before = 0, env_before = 0;
    for (const auto& group : parts_.groups) {
        decisions_before += group->env().decisions();
        inference_before += group->inferenceSeconds(), env_before += group->envSeconds();
    }
    const auto roll = [&](std::size_t g, int) -> Result<> {
        ended_[g].clear();
        const Params& params = readers_[g].params();
        for (int t = 0; t < length; ++t) SEEDBED_TRY(parts_.groups[g]->tick(params, ended_[g]));
        return {};
    };
    SEEDBED_TRY(parts_.pool->run(parts_.groups.size(), roll));
    for (std::size_t g = 0; g < parts_.groups.size(); ++g) {
        for (EpisodeEnd end : ended_[g]) {
            end.column += parts_.first_column[g];
            stats.episodes.push_back(end);
        }
        stats.decisions += parts_.groups[g]->env().decisions();
        stats.inference_s += parts_.groups[g]->inferenceSeconds(), stats.env_s += parts_.groups[g]->envSeconds();
    }
    stats.decisions -= decisions_before;
    stats.inference_s -= inference_before, stats.env_s -= env_before;
    return {};
}

Result<IterationStats> SyncSession::iterate(std::stop_token) {
    IterationStats stats;
    const auto begin = std::chrono::steady_clock::now();
    acting_params_.publish(parts_.learner->params());
    SEEDBED_TRY(rollOut(stats));
    stats.rollout_s = secondsSince(begin);

    const auto learning = std::chrono::steady_clock::now();
    const int length = parts_.plan.learn.rollout_length;
    std::vector<Window> windows;
    for (std::size_t g = 0; g < parts_.groups.size(); ++g) {
        const Ring& ring = *parts_.rings[g];
        windows.push_back(Window{static_cast<int>(g), ring.head() - static_cast<std::uint64_t>(length), length, 0, ring.columns()});
    }
    measureLag(windows, 0, stats);
    SEEDBED_ASSIGN(stats.update, parts_.learner->update(parts_.rings, windows, progress_, *parts_.pool));
    stats.learn_s = secondsSince(learning);
    progress_.steps += stats.decisions;
    ++progress_.updates;
    return stats;
}

Result<> SyncSession::archive(Archive& archive) {
    // Every window has been learned from; what is still needed is the head row with its history.
    std::vector<std::uint64_t> heads;
    for (const Ring* ring : parts_.rings) heads.push_back(ring->head());
    return archiveParts(archive, heads);
}

}  // namespace seedbed
