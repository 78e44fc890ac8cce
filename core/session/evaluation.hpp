// SPDX-License-Identifier: Apache-2.0
// Evaluation: plays whole episodes with fixed parameters, on separate environments and random streams. Does
// not count as training.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/statistics.hpp"
#include "core/base/stop_grace.hpp"
#include "core/env/env_registry.hpp"
#include "core/infer/seat_mix.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/engine.hpp"
#include "core/rollout/reward_view.hpp"
#include "core/session/episode_recorder.hpp"

namespace seedbed {

// The defaults match the section eval and actor.stall_s. 0: no limit.
struct EvaluationLimits {
    std::int64_t episode_decisions = 100'000;  // limit per episode; longer ones are cut short
    std::int64_t decisions = 10'000'000;  // limit for all episodes; every environment gets an equal share
    double seconds = 1800;
    double stall_s = 10;  // limit for a step; six times as long for creation; slower environments are
                          // abandoned
};

// Chooses the actions of seats (agents): a network, or a scripted player.
struct SeatPlayer {
    std::shared_ptr<EngineNet> net{};  // null: scripted
    Params params{};
    OtherPolicies policies{};  // of a run with several policies
    ActionDistribution distribution{};
    Selection selection = Selection::greedy;
    RewardView reward{};     // transformation of the rewards in the network's input
    std::string scripted{};  // as for makeScriptedPlayer()
};

struct EvaluationRequest {
    const EnvEntry* env = nullptr;
    Json env_params;
    EnvSpec env_spec;  // the environment for which the network was made; different environments count
                       // as failed
    ActionDistribution distribution;
    std::string scripted{};    // plays if there is no network
    OtherPolicies policies{};  // of a run with several policies; each plays its seats
    // Plays all seats but one; results are for the evaluated player's seat. Without an opponent the evaluated
    // player plays all seats, and the results are for the first one.
    std::optional<SeatPlayer> opponent{};
    bool swap = true;  // the evaluated player's seat changes from episode to episode; false: the first seat
    int opening = 0;   // number of random decisions at the beginning of an episode, for all seats
    int episodes = 100;
    Selection selection = Selection::greedy;
    std::uint64_t seed = 1;  // the same seed and parameters give the same episodes
    bool record = false;     // store seed and actions of all episodes, up to a fixed size
    EvaluationLimits limits{};
    const StopBudget* stop_budget = nullptr;  // stop budget of the run, if any; must outlive the evaluation
};

struct EpisodeResult {
    double episode_return = 0;  // raw rewards, of the evaluated seat
    int length = 0;             // decisions
};

// An episode against an opponent.
struct GameResult {
    int seat = 0;             // seat of the evaluated player
    double other_return = 0;  // best raw return of the other seats; -infinity if they were absent
    // Hash of the actions of both sides, whichever seats they have; negated for the other side.
    std::uint64_t actions = 0;
};

// The result of an evaluation in one of EnvSpec::tasks.
struct TaskScore {
    std::string task;
    int episodes = 0;
    double mean = 0;              // mean of the returns
    double human_normalised = 0;  // in percent: 0 is random play, 100 a human
};

struct EvaluationResult {
    std::vector<EpisodeResult> episodes;  // complete episodes in a fixed order; every environment plays the
                                          // same number, so that short ones are not favoured
    std::vector<GameResult> games;        // results of `episodes` against an opponent, if there is one
    Summary summary;                      // statistics of the returns
    std::vector<double> seat_means;       // mean return of each seat; empty with one seat or an opponent
    std::vector<TaskScore> tasks;         // those with episodes
    std::uint64_t decisions = 0;
    std::vector<ReplayTrack>
        tracks;             // track of each environment, if recorded; episodes are in the order of `episodes`
    int asked = 0;          // episodes requested
    int replaced = 0;       // episodes that failed; their environments played new ones instead
    int missing_tasks = 0;  // number of EnvSpec::tasks without an episode
    // Why episodes are missing (limits, or environments that failed or hang), were replaced, or do not cover
    // all tasks.
    std::string problem;
    // False if episodes are missing: they may be the best or the worst, so the mean may be biased. Replaced
    // episodes do not count as missing; otherwise, an environment that crashes occasionally could never have
    // a score.
    bool isComplete() const { return static_cast<int>(episodes.size()) >= asked; }
};

// In percent. With several tasks, the mean over tasks, each limited to 100, as in DMLab-30's capped score.
// nullopt if there are no tasks or a task has no episode.
std::optional<double> humanNormalised(const EvaluationResult& result);

// error: no episode is complete.
Result<> requireEpisodes(const EvaluationResult& result);

// Restores a result from its episodes, without tracks.
EvaluationResult summariseEvaluation(std::vector<EpisodeResult> episodes, std::uint64_t decisions);

// The episodes with the best, the median and the worst return of a recorded evaluation, each as a replay that
// ends with that episode. `source` is stored in each, with an added member "kind".
std::vector<Replay> bestMedianWorst(const EvaluationRequest& request, const EvaluationResult& result,
                                    const Json& source);

// `net` is null if request.scripted plays. Plays on min(episodes, 64) environments with `threads` separate
// threads. Without limits that depend on time, results do not depend on the number of threads. Environments
// that fail or hang are not an error; threads that hang in them are abandoned, with the data that they use.
// error: interrupted, or from the engine.
Result<EvaluationResult> evaluate(std::shared_ptr<EngineNet> net, const Params& params,
                                  const EvaluationRequest& request, int threads, std::stop_token stop = {});

}  // namespace seedbed
