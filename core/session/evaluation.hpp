// SPDX-License-Identifier: Apache-2.0
// Evaluation: plays whole episodes with fixed parameters, on separate environments and random streams. Does
// not count as training.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/analysis/statistics.hpp"
#include "core/base/thread.hpp"
#include "core/env/env_registry.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/engine.hpp"
#include "core/session/episode_recorder.hpp"

namespace seedbed {

struct EvaluationRequest {
    const EnvEntry* env = nullptr;
    Json env_params;
    ActionDistribution distribution;
    int episodes = 100;
    Selection selection = Selection::greedy;
    std::uint64_t seed = 1;  // the same seed and parameters give the same episodes
    bool record = false;     // keep seed and actions of all episodes
};

struct EpisodeResult {
    double episode_return = 0;  // raw rewards, first agent
    int length = 0;             // decisions
};

struct EvaluationResult {
    std::vector<EpisodeResult> episodes;  // in a fixed order that does not favour short ones: every
                                          // environment plays the same number
    Summary summary;                      // of the returns
    std::uint64_t decisions = 0;
    std::vector<ReplayTrack>
        tracks;  // of each environment, when recorded; their episodes in the order of `episodes`
};

// Restores a result from its episodes, without tracks.
EvaluationResult summariseEvaluation(std::vector<EpisodeResult> episodes, std::uint64_t decisions);

// The episodes with the best, the median and the worst return of a recorded evaluation, as replays that end
// with them. `source` is stored in each, with an added member "kind".
std::vector<Replay> bestMedianWorst(const EvaluationRequest& request, const EvaluationResult& result,
                                    const Json& source);

// Plays on min(episodes, 64) environments, split into spans over the pool. Results do not depend on the
// number of threads. Thread: the pool's owner. error: interrupted, or from environment or engine.
Result<EvaluationResult> evaluate(EngineNet& net, const Params& params, const EvaluationRequest& request,
                                  WorkerPool& pool, std::stop_token stop = {});

}  // namespace seedbed
