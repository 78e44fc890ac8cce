// SPDX-License-Identifier: Apache-2.0
#include "core/run/evaluation_schedule.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/run/build_info.hpp"
#include "core/run/run_recorder.hpp"

namespace seedbed {
namespace {

// Differs from the seeds that people give to `seedbed eval`, so that the episodes differ, too.
std::uint64_t evaluationSeed(const TrainingConfig& config) {
    return ~static_cast<std::uint64_t>(config.run.seed);
}

}  // namespace

bool EvaluationSchedule::reachesTarget(double mean) const {
    const double target = state_.config.run.target_return;
    return target > RunSettings::kNoTarget && mean >= target;
}

bool EvaluationSchedule::isDue() const {
    const RunCounters& counters = state_.counters;
    if (state_.session->progress().steps >= counters.next_evaluation) return true;
    // The training returns reached the target: an evaluation decides whether the run is done.
    return counters.episodes_since_evaluation >= RunCounters::kReturnWindow &&
           reachesTarget(counters.meanReturn());
}

Result<bool> EvaluationSchedule::runIfDue() {
    if (!isDue()) return false;
    RunCounters& counters = state_.counters;
    const double best_before = bestScoreBefore();
    if (best_before_recorded_) {
        counters.episodes_since_evaluation = 0;
        counters.target_reached = reachesTarget(state_.last_evaluation->summary.mean);
    } else {
        SEEDBED_ASSIGN(const bool evaluated, evaluate(state_.config.eval.episodes));
        if (!evaluated) return false;  // a resume begins with it
    }
    // The target counts as reached only if an evaluation of full length confirms it.
    const int final_episodes = state_.config.eval.final_episodes;
    if (counters.target_reached && static_cast<int>(counters.evaluation.size()) < final_episodes)
        SEEDBED_TRY(evaluate(final_episodes));
    counters.next_evaluation =
        nextMultiple(state_.session->progress().steps, counters.evaluationInterval(state_.config));
    return counters.best_score > best_before;
}

Result<> EvaluationSchedule::runLast() {
    const int episodes = state_.config.eval.final_episodes;
    const auto& last = state_.last_evaluation;
    const bool evaluated = last && state_.counters.evaluated_version == state_.paramsVersion() &&
                           static_cast<int>(last->episodes.size()) >= episodes;
    if (!evaluated) SEEDBED_TRY(evaluate(episodes));
    return {};
}

void EvaluationSchedule::restored(std::vector<EvaluationRecord> recorded) {
    const auto version = static_cast<std::int64_t>(state_.paramsVersion());
    std::erase_if(recorded, [&](const EvaluationRecord& e) {
        return e.step != state_.steps() || e.greedy != state_.config.eval.greedy ||
               e.params_version != version;
    });
    if (recorded.empty()) return;
    RunCounters& counters = state_.counters;
    best_before_recorded_ = counters.best_score;
    for (const EvaluationRecord& e : recorded) counters.best_score = std::max(counters.best_score, e.mean);
    const EvaluationRecord& newest = recorded.back();
    counters.evaluation.clear();
    for (const EvaluationRecord::Episode& episode : newest.episodes)
        counters.evaluation.push_back({episode.episode_return, static_cast<int>(episode.length)});
    counters.evaluated_version = state_.paramsVersion();
    state_.last_evaluation = summariseEvaluation(counters.evaluation, counters.evaluation_decisions);
}

Result<bool> EvaluationSchedule::evaluate(int episodes) {
    if (episodes <= 0) return true;
    progress_.setPhase(RunPhase::evaluating);
    const TrainingTime::Mark begin = time_.mark();
    const bool greedy = state_.config.eval.greedy;
    EvaluationRequest request = state_.session->evaluationRequest(
        episodes, greedy ? Selection::greedy : Selection::sample, evaluationSeed(state_.config));
    request.record = true;
    auto result = state_.session->evaluate(request, stop_);
    time_.excludeSince(begin);
    if (!result && result.error().code == ErrorCode::interrupted) return false;
    if (!result) return tl::unexpected<Error>(std::move(result).error());
    state_.replays.replace(
        request, *result,
        {{"run", state_.id}, {"step", state_.steps()}, {"greedy", greedy}, {"build", buildText()}});
    record(*result);
    RunCounters& counters = state_.counters;
    counters.evaluated_version = state_.paramsVersion();
    counters.evaluation = result->episodes;
    counters.evaluation_decisions = result->decisions;
    counters.episodes_since_evaluation = 0;
    counters.target_reached = reachesTarget(result->summary.mean);
    counters.best_score = std::max(counters.best_score, result->summary.mean);
    notices_.evaluated(*result);
    state_.last_evaluation = std::move(*result);
    return true;
}

void EvaluationSchedule::record(const EvaluationResult& result) {
    EvaluationRecord record = evaluationRecord(result);
    record.step = state_.steps();
    record.time = clock_.rowTime();
    record.seed = evaluationSeed(state_.config);
    record.greedy = state_.config.eval.greedy;
    record.params_version = static_cast<std::int64_t>(state_.paramsVersion());
    const RunWriter::Value value{"eval/return", result.summary.mean};
    segment_.writer().evaluation(std::move(record), std::span(&value, 1));
}

}  // namespace seedbed
