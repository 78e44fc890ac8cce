// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/population_member.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/text.hpp"
#include "core/jobs/population_rules.hpp"
#include "core/run/run.hpp"
#include "core/store/population/population_store.hpp"

namespace seedbed {
namespace {

constexpr std::int64_t kLocksPerPopulation = 1000;
constexpr std::int64_t kScoredShare = 4;                 // of a round
constexpr std::chrono::milliseconds kLockInterval{100};  // between checks for a stop request

// Messages are events in the database.
class QuietObserver final : public RunObserver {
public:
    void started(std::int64_t, const SessionPlan&) override {}
    void progress(const ProgressReport&) override {}
    void evaluated(std::uint64_t, const EvaluationResult&) override {}
    void message(const std::string&) override {}
};

// Whether a repetition may succeed although nothing about the member changes.
bool isTemporary(ErrorCode code) {
    return code == ErrorCode::interrupted || code == ErrorCode::disk_full ||
           code == ErrorCode::out_of_memory || code == ErrorCode::device;
}

class MemberWork {
public:
    MemberWork(const std::filesystem::path& data_folder, PopulationStore& store,
               const PopulationRecord& population, PopulationRound row,
               const std::filesystem::path& cache_folder, const std::stop_token& stop)
        : data_folder_(data_folder),
          store_(store),
          population_(population),
          rules_(rulesFromJson(population.settings)),
          row_(std::move(row)),
          cache_folder_(cache_folder),
          stop_(stop) {}

    Result<> run() {
        Result<> worked;
        if (row_.state == RoundState::copying) worked = copy();
        else if (row_.state == RoundState::training) worked = train();
        if (worked || isTemporary(worked.error().code)) return worked;
        return store_.setFailed(population_.id, row_.round, row_.member, worked.error().text());
    }

private:
    RunId runOf(int member) const { return population_.runs[static_cast<std::size_t>(member) - 1]; }
    ResumeRequest request() const {
        ResumeRequest request;
        request.run = runOf(row_.member);
        request.data_folder = data_folder_;
        request.cache_folder = cache_folder_;
        return request;
    }
    Result<RunOutcome> resume(const ResumeRequest& request) {
        // Not a failure of the member: the user continues the run.
        if (RunLock::isHeld(data_folder_, request.run))
            return fail(ErrorCode::interrupted,
                        "run " + std::to_string(request.run) + " is in progress in another process");
        QuietObserver observer;
        return resumeRun(request, observer, stop_, files_, clock_);
    }

    // The run saves its state with the other learner and stops before its next update. Repeating this has the
    // same result, because the parent does not train before all copies are made.
    Result<> copy() {
        ResumeRequest copy = request();
        copy.learner_run = runOf(row_.parent);
        copy.learner_step = row_.parent_step;
        copy.pause_at = 1;
        for (const auto& [key, value] : row_.settings.items()) copy.settings.emplace_back(key, value.dump());
        SEEDBED_ASSIGN(const RunOutcome outcome, resume(copy));
        if (stop_.stop_requested()) return fail(ErrorCode::interrupted, "stopped");
        return store_.setCopied(population_.id, row_.round, row_.member);
    }

    Result<> train() {
        const std::int64_t end = rules_.endOf(row_.round);
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder_));
        SEEDBED_ASSIGN(const RunRecord before, reader.run(runOf(row_.member)));
        row_.end_step = before.progress.steps;
        // A killed process may have finished the run without recording the result here.
        if (before.status != RunStatus::finished || before.progress.steps < end) {
            ResumeRequest training = request();
            training.pause_at = end < rules_.steps ? end : 0;
            SEEDBED_ASSIGN(const RunOutcome outcome, resume(training));
            row_.end_step = static_cast<std::int64_t>(outcome.steps);
            if (outcome.interrupted && row_.end_step < end)
                return fail(ErrorCode::interrupted, "run " + std::to_string(outcome.id) + " was stopped");
        }
        const std::int64_t begin = row_.round == 1 ? 0 : rules_.endOf(row_.round - 1);
        SEEDBED_ASSIGN(row_.score,
                       objectiveOf(reader, runOf(row_.member), rules_.objective, begin, row_.end_step));
        // A rollback changes settings.
        SEEDBED_ASSIGN(const auto config, reader.configOf(runOf(row_.member)));
        for (const auto& [key, value] : row_.settings.items()) {
            const auto dot = key.find('.');
            const Json section = config.first.value(key.substr(0, dot), Json::object());
            row_.settings[key] = section.value(key.substr(dot + 1), value);
        }
        return store_.setDone(population_.id, row_);
    }

    const std::filesystem::path& data_folder_;
    PopulationStore& store_;
    const PopulationRecord& population_;
    const PopulationRules rules_;
    PopulationRound row_;
    const std::filesystem::path& cache_folder_;
    const std::stop_token& stop_;
    RealFileSystem files_;
    RealClock clock_;
};

// A process of a controller that was killed may still be working.
Result<RunLock> lockOfMember(const std::filesystem::path& data_folder, const MemberTask& task,
                             const std::stop_token& stop) {
    const RunId id = populationLock(task.population, task.member);
    while (true) {
        auto lock = RunLock::acquireWithin(kLockInterval, data_folder, id);
        if (lock || !RunLock::isHeld(data_folder, id)) return lock;
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "interrupted");
    }
}

}  // namespace

RunId populationLock(std::int64_t population, int member) {
    return -(population * kLocksPerPopulation + member);
}

Result<std::optional<double>> objectiveOf(StoreReader& reader, RunId run, const std::string& metric,
                                          std::int64_t begin, std::int64_t end) {
    SEEDBED_ASSIGN(const auto names, reader.metricNames(run));
    if (std::find(names.begin(), names.end(), metric) == names.end()) {
        // These are recorded at the end of the first episode and by the first evaluation.
        if (names.empty() || metric.starts_with("episode/") || metric.starts_with("eval/"))
            return std::optional<double>();
        return fail(ErrorCode::config, "the objective '" + metric + "' is not a metric of run " +
                                           std::to_string(run) + "; its metrics: " + join(names, ", "));
    }
    SEEDBED_ASSIGN(const MetricCurve curve, reader.metric(run, metric));
    const std::int64_t scored = end - std::max<std::int64_t>(1, (end - begin) / kScoredShare);
    double sum = 0;
    std::int64_t count = 0;
    std::optional<double> newest;
    for (std::size_t i = 0; i < curve.steps.size(); ++i) {
        if (curve.steps[i] <= begin || curve.steps[i] > end || !std::isfinite(curve.values[i])) continue;
        newest = curve.values[i];
        if (curve.steps[i] <= scored) continue;
        sum += curve.values[i];
        ++count;
    }
    if (count > 0) return std::optional<double>(sum / static_cast<double>(count));
    return newest;
}

Result<> workOnMember(const std::filesystem::path& data_folder, const MemberTask& task,
                      const std::filesystem::path& cache_folder, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const RunLock lock, lockOfMember(data_folder, task, stop));
    SEEDBED_ASSIGN(PopulationStore store, PopulationStore::open(data_folder));
    SEEDBED_ASSIGN(const PopulationRecord record, store.population(std::to_string(task.population)));
    SEEDBED_ASSIGN(const auto rounds, store.rounds(record.id));
    const auto row = std::find_if(rounds.rbegin(), rounds.rend(), [&](const PopulationRound& candidate) {
        return candidate.member == task.member;
    });
    if (row == rounds.rend() || static_cast<std::size_t>(task.member) > record.runs.size())
        return fail(ErrorCode::config,
                    "population '" + record.name + "' has no member " + std::to_string(task.member));
    // Another process may have done it while this one waited.
    if (row->round != task.round || nameOf(row->state) != task.state) return {};
    return MemberWork(data_folder, store, record, *row, cache_folder, stop).run();
}

}  // namespace seedbed
