// SPDX-License-Identifier: Apache-2.0
#include "core/run/evaluation_schedule.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.hpp"
#include "core/env/host_id.hpp"
#include "core/run/build_info.hpp"
#include "core/run/run_recorder.hpp"

namespace seedbed {
namespace {

constexpr int kMaxDoublings = 6;  // limit for doubling the interval after failed evaluations

// Differs from the seeds that users pass to `seedbed eval`, so that the episodes also differ.
std::uint64_t evaluationSeed(const TrainingConfig& config) {
    return ~static_cast<std::uint64_t>(config.run.seed);
}

}  // namespace

bool EvaluationSchedule::reachesTarget(double mean) const {
    const double target = state_.config.run.target_return;
    return target > RunSettings::kNoTarget && mean >= target;
}

bool EvaluationSchedule::isDue() const {
    if (isOfHost(state_.config.env_id)) return false;  // cannot be evaluated separately
    const RunCounters& counters = state_.counters;
    if (state_.session->progress().steps >= counters.next_evaluation) return true;
    // The mean training return has reached the target; an evaluation must confirm this before the run ends.
    return failures_ == 0 && counters.episodes_since_evaluation >= RunCounters::kReturnWindow &&
           reachesTarget(counters.meanReturn());
}

// The interval is longer after failures, since each failure may take time and leave behind a thread that does
// not return.
std::uint64_t EvaluationSchedule::interval() const {
    return state_.counters.evaluationInterval(state_.config) << std::min(failures_, kMaxDoublings);
}

Result<bool> EvaluationSchedule::runIfDue() {
    if (!isDue()) return false;
    RunCounters& counters = state_.counters;
    const double best_before = bestScoreBefore();
    if (best_before_recorded_) {
        counters.episodes_since_evaluation = 0;
        counters.target_reached =
            state_.last_evaluation->isComplete() && reachesTarget(state_.last_evaluation->summary.mean);
    } else {
        SEEDBED_ASSIGN(const bool evaluated, evaluate(state_.config.eval.episodes));
        if (!evaluated) return false;  // it was interrupted; a resumed run repeats it first
    }
    // The target counts as reached only if an evaluation of full length confirms it.
    const int final_episodes = state_.config.eval.final_episodes;
    if (counters.target_reached && static_cast<int>(counters.evaluation.size()) < final_episodes)
        SEEDBED_TRY(evaluate(final_episodes));
    counters.next_evaluation = nextMultiple(state_.session->progress().steps, interval());
    return counters.best_score > best_before;
}

Result<> EvaluationSchedule::runLast() {
    const int episodes = state_.config.eval.final_episodes;
    if (isOfHost(state_.config.env_id)) return {};
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
    // With fewer episodes the evaluation was incomplete.
    const EvalSettings& eval = state_.config.eval;
    const auto all = static_cast<std::size_t>(
        eval.final_episodes > 0 ? std::min(eval.episodes, eval.final_episodes) : eval.episodes);
    for (const EvaluationRecord& e : recorded)
        if (e.episodes.size() >= all) counters.best_score = std::max(counters.best_score, e.mean);
    const EvaluationRecord& newest = recorded.back();
    counters.evaluation.clear();
    for (const EvaluationRecord::Episode& episode : newest.episodes)
        counters.evaluation.push_back({episode.episode_return, static_cast<int>(episode.length)});
    counters.evaluated_version = state_.paramsVersion();
    state_.last_evaluation = summariseEvaluation(counters.evaluation, counters.evaluation_decisions);
    state_.last_evaluation->asked = static_cast<int>(all);
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
    RunCounters& counters = state_.counters;
    counters.episodes_since_evaluation = 0;
    counters.target_reached = false;
    failures_ = result->isComplete() ? 0 : failures_ + 1;
    if (!result->problem.empty()) recordProblem(*result);
    if (!result->isComplete()) return true;
    state_.replays.replace(
        request, *result,
        {{"run", state_.id}, {"step", state_.steps()}, {"greedy", greedy}, {"build", buildText()}});
    record(*result);
    counters.evaluated_version = state_.paramsVersion();
    counters.evaluation = result->episodes;
    counters.evaluation_decisions = result->decisions;
    counters.target_reached = reachesTarget(result->summary.mean);
    counters.best_score = std::max(counters.best_score, result->summary.mean);
    notices_.evaluated(*result);
    state_.last_evaluation = std::move(*result);
    return true;
}

void EvaluationSchedule::recordProblem(const EvaluationResult& result) {
    std::string text = "the evaluation at step " + formatCount(state_.steps());
    if (result.episodes.empty()) {
        text += " has no result: " + result.problem + "; training continues";
        if (failures_ > 1)
            text += "; " + std::to_string(failures_) + " evaluations in a row failed, so the next ones are " +
                    formatCount(static_cast<std::int64_t>(interval())) + " steps apart";
    } else if (result.isComplete()) {
        text += ": " + result.problem;
    } else {
        text += " contains " + std::to_string(result.episodes.size()) + " of " +
                std::to_string(result.asked) + " episodes with a mean return of " +
                formatNumber(result.summary.mean) + ", so it does not count: " + result.problem;
    }
    notices_.notifyAndRecord(EventLevel::warning, "evaluation", text,
                             {{"episodes", result.episodes.size()},
                              {"asked", result.asked},
                              {"replaced", result.replaced},
                              {"missing_tasks", result.missing_tasks}});
}

void EvaluationSchedule::record(const EvaluationResult& result) {
    EvaluationRecord record = evaluationRecord(result);
    record.step = state_.steps();
    record.time = clock_.rowTime();
    record.seed = evaluationSeed(state_.config);
    record.greedy = state_.config.eval.greedy;
    record.params_version = static_cast<std::int64_t>(state_.paramsVersion());
    std::vector<std::pair<std::string, double>> named{{"eval/return", result.summary.mean}};
    if (const auto percent = humanNormalised(result)) named.emplace_back("eval/human_normalised", *percent);
    if (result.tasks.size() > 1)
        for (const TaskScore& score : result.tasks) named.emplace_back("eval/task/" + score.task, score.mean);
    for (const auto& [policy, mean] : policyMeans(state_.session->plan().policies, result))
        named.emplace_back(policy + "/eval/return", mean);
    std::vector<RunWriter::Value> values;
    for (const auto& [name, value] : named) values.push_back({name, value});
    segment_.writer().evaluation(std::move(record), values);
}

}  // namespace seedbed
