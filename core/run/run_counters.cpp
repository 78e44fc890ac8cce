// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_counters.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr int kDefaultEvaluations = 10;  // number of evaluations within the horizon if eval.every_steps is 0
constexpr std::uint64_t kLastStep = std::uint64_t{1} << 62, kMostEpisodes = 10'000'000, kMostNetworks = 64;
constexpr std::uint64_t kEvaluationWithoutHorizon = 100'000;  // steps between evaluations if there is no
                                                              // horizon

}  // namespace

void RunCounters::begin(const TrainingConfig& config) {
    const auto horizon =
        static_cast<std::uint64_t>(config.run.horizon > 0 ? config.run.horizon : config.run.steps);
    evaluation_every =
        horizon > 0 ? std::max<std::uint64_t>(1, horizon / kDefaultEvaluations) : kEvaluationWithoutHorizon;
    if (config.eval.every_steps > 0) evaluation_every = static_cast<std::uint64_t>(config.eval.every_steps);
    next_evaluation = evaluation_every;
    next_milestone = static_cast<std::uint64_t>(config.checkpoint.milestone_steps);
}

void RunCounters::changeIntervals(const TrainingConfig& config, const Json& changes, std::uint64_t steps) {
    if (changes.contains("eval.every_steps"))
        next_evaluation = nextMultiple(steps, evaluationInterval(config));
    const auto milestone_every = static_cast<std::uint64_t>(config.checkpoint.milestone_steps);
    if (changes.contains("checkpoint.milestone_steps") && milestone_every > 0)
        next_milestone = nextMultiple(steps, milestone_every);
}

void RunCounters::addReturn(double value) {
    returns.push_back(value);
    return_sum += value;
    if (returns.size() <= kReturnWindow) return;
    return_sum -= returns.front();
    returns.erase(returns.begin());
}

Result<> RunCounters::archive(Archive& archive) {
    constexpr std::uint32_t kCountersVersion = 1;
    std::uint32_t version = kCountersVersion;
    archive.field("version of the run's counters", version, range(kCountersVersion, kCountersVersion));
    archive.field("training time", trained_s, range(0.0, 1e12));
    archive.field("evaluation interval", evaluation_every, range(std::uint64_t{1}, kLastStep));
    archive.field("next evaluation", next_evaluation, range(std::uint64_t{0}, kLastStep));
    archive.field("next milestone", next_milestone, range(std::uint64_t{0}, kLastStep));
    archive.list("returns", returns, kReturnWindow, kFinite<double>);
    archive.field("the sum of returns", return_sum, kFinite<double>).any(episodes_since_evaluation);
    archive.any(evaluated_version).list("evaluation", evaluation, kMostEpisodes);
    for (const EpisodeResult& episode : evaluation) {
        archive.require(episode.length >= 0, "an evaluated episode has a negative length");
        archive.require(std::isfinite(episode.episode_return),
                        "the return of an episode is not a finite number");
    }
    // -infinity before the first evaluation.
    archive.any(evaluation_decisions)
        .field("best score", best_score,
               range(-std::numeric_limits<double>::infinity(), kFinite<double>.high));
    archive.flag("target reached", target_reached);
    archive.any(rollbacks).list("parameter versions", versions, kMostNetworks);
    return archive.isLoading() ? archive.finish() : Result<>();
}

Result<> checkTotalsAreAhead(const Json& changes, const RunSettings& settings, const RunCounters& memory,
                             std::int64_t id, std::int64_t steps) {
    const std::string run = "run " + std::to_string(id);
    if (changes.contains("run.steps") && settings.steps > 0 && settings.steps < steps)
        return fail(ErrorCode::config, run + " has already trained " + formatCount(steps) +
                                           " steps and cannot stop after " + formatCount(settings.steps) +
                                           "; --steps is the run's total, not an additional number");
    if (changes.contains("run.minutes") && settings.minutes > 0 && settings.minutes * 60 < memory.trained_s)
        return fail(ErrorCode::config, run + " has already trained for " + formatDuration(memory.trained_s) +
                                           " and cannot stop after " + formatNumber(settings.minutes) +
                                           " minutes; --minutes is the run's total, not an additional time");
    return {};
}

Result<> checkGoalIsOpen(const RunSettings& settings, const RunCounters& memory, std::int64_t id,
                         std::int64_t steps, bool settings_changed) {
    const std::string run = "run " + std::to_string(id);
    if (settings.steps > 0 && steps >= settings.steps)
        return fail(ErrorCode::config, run + " has completed its " + formatCount(settings.steps) +
                                           " steps; give a new total: --steps N");
    if (settings.minutes > 0 && memory.trained_s >= settings.minutes * 60)
        return fail(ErrorCode::config, run + " has trained for its " + formatNumber(settings.minutes) +
                                           " minutes; give a new total: --minutes M");
    if (memory.target_reached && !settings_changed)
        return fail(ErrorCode::config, run + " has reached its target return of " +
                                           formatNumber(settings.target_return) +
                                           "; give a new goal: --target-return X, --steps N or --minutes M");
    return {};
}

}  // namespace seedbed
