// SPDX-License-Identifier: Apache-2.0
// What a run does beside learning: its evaluations, what it saves and when, what it does when it cannot, and
// how it ends.
#include <algorithm>

#include "core/base/log.hpp"
#include "core/base/sleep.hpp"
#include "core/base/text.hpp"
#include "core/run/build_info.hpp"
#include "core/run/snapshot.hpp"
#include "core/run/training_run.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::milliseconds kWaitingLook{200};  // at what is asked, while training waits for the disk
constexpr int kLastTries = 15;                          // a tenth of a second apart, to save the last rows
constexpr double kFullDiskLook = 2;                     // seconds; at a full disk, when training has ended
constexpr std::chrono::seconds kHangingPatience{
    5};  // with environments that do not return, when everything is saved

}  // namespace

// Nothing has been saved for so long that rows fill their queue: training rests here, where requests are
// still obeyed, and not in the midst of an update. Nothing is dropped.
void TrainingRun::waitForDisk() {
    const WriterHealth health = writer_->health();
    const std::string text = "training waits until the rows of this run can be saved" +
                             (health.saving ? "" : ": " + health.error.text());
    announce(text);
    say(EventLevel::warning, "saving", text);
    const double begin = time_.now(), not_training = not_training_s_;
    while (writer_->isFull() && !stop_.stop_requested()) {
        phase(RunPhase::waiting);
        writer_->waitForRoom(kWaitingLook);
        watch();
        published_ = -1;
        report();
        obey();
        not_training_s_ = not_training + (time_.now() - begin);  // with the pauses meanwhile
    }
    phase(nextTurn());
    announce("training goes on");
}

bool TrainingRun::evaluationDue() const {
    if (session_->progress().steps >= memory_.next_evaluation) return true;
    // The training returns reached the target: an evaluation decides whether the run is done.
    return settings().target_return > RunSettings::kNoTarget &&
           memory_.episodes_since_evaluation >= RunCounters::kReturnWindow &&
           memory_.meanReturn() >= settings().target_return;
}

Result<> TrainingRun::evaluateIfDue() {
    if (!evaluationDue()) return {};
    const double best_before = best_before_recorded_.value_or(memory_.best_score);
    if (best_before_recorded_) {
        memory_.episodes_since_evaluation = 0;
        memory_.target_reached = reachesTarget(outcome_.last_evaluation->summary.mean);
    } else {
        SEEDBED_ASSIGN(const bool evaluated, evaluateNow(config_.eval.episodes));
        if (!evaluated) return {};  // still due: a resume begins with it
    }
    // A target is reached when the evaluation that ends the run says so too.
    if (memory_.target_reached && static_cast<int>(memory_.evaluation.size()) < config_.eval.final_episodes)
        SEEDBED_TRY(evaluateNow(config_.eval.final_episodes));
    const auto every = config_.eval.every_steps > 0 ? static_cast<std::uint64_t>(config_.eval.every_steps)
                                                    : memory_.evaluation_every;
    memory_.next_evaluation = nextMultiple(every);
    // Taken when all counters stand as after this update, since a resume may come back to it.
    if (memory_.best_score > best_before)
        if (const auto given_up = saver_->keepBest(stateOfNow())) sayLeftOut(*given_up);
    return {};
}

void TrainingRun::keepMilestoneIfDue() {
    if (!milestoneDue()) return;
    // The last state of a run is saved in any case, and then is the milestone of its step.
    if (goalReached() || saver_->milestoneWaits()) {
        memory_.next_milestone = nextMultiple(static_cast<std::uint64_t>(config_.checkpoint.milestone_steps));
        milestone_at_ = steps();
        if (!goalReached()) sayLeftOut(steps());
        return;
    }
    Result<CheckpointData> data = stateOfNow();
    if (data) saver_->keepMilestone(std::move(*data));  // else it is still due at the next update
}

void TrainingRun::sayLeftOut(std::int64_t step) {
    writer_->event({.step = step,
                    .time = time_.rowTime(),
                    .level = EventLevel::warning,
                    .kind = "milestone",
                    .text = "the milestone of step " + formatCount(step) +
                            " is left out: the one before it is not on disk yet",
                    .data = Json::object()});
}

bool TrainingRun::milestoneDue() const {
    return config_.checkpoint.milestone_steps > 0 && session_->progress().steps >= memory_.next_milestone;
}

// Distances that have changed count from the present step on.
void TrainingRun::adoptIntervals(const Json& changes) {
    if (changes.contains("eval.every_steps"))
        memory_.next_evaluation =
            nextMultiple(config_.eval.every_steps > 0 ? static_cast<std::uint64_t>(config_.eval.every_steps)
                                                      : memory_.evaluation_every);
    if (changes.contains("checkpoint.milestone_steps") && config_.checkpoint.milestone_steps > 0)
        memory_.next_milestone = nextMultiple(static_cast<std::uint64_t>(config_.checkpoint.milestone_steps));
}

// An evaluation of the loaded state that was recorded after its checkpoint: it is not made again.
void TrainingRun::adoptRecordedEvaluation(std::vector<EvaluationRecord> recorded) {
    const auto version = static_cast<std::int64_t>(session_->learner().params().version());
    // Newer ones are superseded from now on.
    std::erase_if(recorded, [&](const EvaluationRecord& e) {
        return e.step != steps() || e.greedy != config_.eval.greedy || e.params_version != version;
    });
    if (recorded.empty()) return;
    best_before_recorded_ = memory_.best_score;
    for (const EvaluationRecord& e : recorded) memory_.best_score = std::max(memory_.best_score, e.mean);
    const EvaluationRecord& newest = recorded.back();
    memory_.evaluation.clear();
    for (const EvaluationRecord::Episode& episode : newest.episodes)
        memory_.evaluation.push_back({episode.episode_return, static_cast<int>(episode.length)});
    memory_.evaluated_version = session_->learner().params().version();
    outcome_.last_evaluation = summariseEvaluation(memory_.evaluation, memory_.evaluation_decisions);
}

Result<bool> TrainingRun::evaluateNow(int episodes) {
    if (episodes <= 0) return true;
    phase(RunPhase::evaluating);
    const double begin = time_.now();
    const Selection selection = config_.eval.greedy ? Selection::greedy : Selection::sample;
    EvaluationRequest request = session_->evaluationRequest(episodes, selection, evaluationSeed());
    request.record = true;
    auto result = session_->evaluate(request, stop_);
    not_training_s_ += time_.now() - begin;
    if (!result && result.error().code == ErrorCode::interrupted) return false;  // half an evaluation is none
    if (!result) return tl::unexpected<Error>(std::move(result).error());
    replays_.keep(
        request, *result,
        {{"run", outcome_.id}, {"step", steps()}, {"greedy", config_.eval.greedy}, {"build", buildText()}});
    const Summary& s = result->summary;
    EvaluationRecord record = evaluationRecord(*result);
    record.step = steps(), record.time = time_.rowTime(), record.seed = evaluationSeed(),
    record.greedy = config_.eval.greedy;
    record.params_version = static_cast<std::int64_t>(session_->learner().params().version());
    const RunWriter::Value value{"eval/return", s.mean};
    writer_->evaluation(std::move(record), std::span(&value, 1));
    memory_.evaluated_version = session_->learner().params().version();
    memory_.evaluation = result->episodes, memory_.evaluation_decisions = result->decisions;
    memory_.episodes_since_evaluation = 0;
    memory_.target_reached = reachesTarget(s.mean);
    memory_.best_score = std::max(memory_.best_score, s.mean);
    observer_.evaluated(session_->progress().steps, *result);
    if (control_) control_->tell({{"event", "evaluated"}, {"steps", steps()}, {"n", s.n}, {"mean", s.mean}});
    outcome_.last_evaluation = std::move(*result);
    return true;
}

Result<CheckpointData> TrainingRun::snapshot() {
    RunCounters memory = memory_;
    memory.trained_s = trainedSeconds();
    SEEDBED_ASSIGN(CheckpointData data, takeSnapshot(outcome_.id, *session_, config_, std::move(memory),
                                                     outcome_.last_evaluation, session_bytes_));
    replays_.addTo(data);
    data.milestone = milestone_at_ == steps();  // also when it is saved once more
    return data;
}

// The state at this update, which waits for the checkpoint thread; a milestone where one is due.
Result<CheckpointData> TrainingRun::stateOfNow() {
    const double begin = time_.now();
    const auto due = memory_.next_milestone;
    const auto before = milestone_at_;
    // Before the snapshot, which remembers it.
    if (milestoneDue()) {
        memory_.next_milestone = nextMultiple(static_cast<std::uint64_t>(config_.checkpoint.milestone_steps));
        milestone_at_ = steps();
    }
    Result<CheckpointData> data = snapshot();
    if (!data) memory_.next_milestone = due, milestone_at_ = before;
    saver_->noteStall(time_.now() - begin);
    return data;
}

void TrainingRun::saveIfDue() {
    const auto taken = saver_->saveIfDue(config_.checkpoint, save_asked_, [&] { return snapshot(); });
    // Asked for was the state now, not one that waited.
    if (taken == RunSaver::Taken::snapshot) save_asked_ = false;
}

Result<> TrainingRun::finish(Result<> result) {
    if (result) showParams(true);
    if (stop_.stop_requested()) {
        enter(RunStatus::stopping);
        phase(RunPhase::stopping);
    }
    const bool evaluated =
        outcome_.last_evaluation && memory_.evaluated_version == session_->learner().params().version() &&
        static_cast<int>(outcome_.last_evaluation->episodes.size()) >= config_.eval.final_episodes;
    const double best_before = best_before_recorded_.value_or(memory_.best_score);
    if (result && !stop_.stop_requested() && !evaluated)
        if (auto done = evaluateNow(config_.eval.final_episodes); !done)
            result = tl::unexpected<Error>(std::move(done).error());
    outcome_.interrupted = stop_.stop_requested();
    outcome_.steps = session_->progress().steps;
    outcome_.target_reached = memory_.target_reached;
    outcome_.elapsed_s = time_.now() - began_;
    outcome_.params_sha256 = session_->learner().params().sha256();
    if (!stop_.stop_requested()) phase(RunPhase::saving);
    // One snapshot at a time: while the newest is being written, another one would be the most memory a run
    // ever takes.
    saver_->wait();
    // After a failure the last good checkpoint stays the newest one: the state now may be what made it fail.
    if (result) result = saveLast(memory_.best_score > best_before);
    saver_->wait();
    outcome_.checkpoint_stalls_s = saver_->stalls();
    if (!result) {
        say(EventLevel::error, "failed", result.error().text());
        enter(RunStatus::failed, result.error().text());
    } else if (outcome_.interrupted) {
        enter(RunStatus::interrupted, control_ && control_->stopAsked() ? kStoppedOnRequest : "");
    } else {
        enter(RunStatus::finished);
    }
    watch();
    // What fails for a moment is no failure of the run: its writer tries again every second.
    Result<> flushed = writer_->flush();
    for (int i = 0; !flushed && flushed.error().code != ErrorCode::disk_full && i < kLastTries;
         ++i, flushed = writer_->flush())
        sleepFor(0.1, {});
    published_ = -1;
    phase_ = RunPhase::ended;
    report();
    if (control_)
        control_->tell(
            {{"event", "ended"}, {"state", nameOf(state_)}, {"text", result ? "" : result.error().text()}});
    return result ? flushed : result;
}

// An environment that never returns must not keep the process: the run would be owned for ever, and the queue
// would wait for it. Its thread keeps the session it uses until the process ends.
TrainingRun::~TrainingRun() {
    if (session_ == nullptr || session_->end(kHangingPatience)) return;
    log::warning(
        "an environment does not return from its step; everything is saved, and the process ends without it");
    (void)session_.release();
}

// What a long run has reached is not given up because a disk is full when it ends: it waits until somebody
// makes room, or stops it.
Result<> TrainingRun::saveLast(bool is_best) {
    for (bool told = false;; told = true) {
        SEEDBED_ASSIGN(CheckpointData last, snapshot());
        const Result<> saved = saver_->saveLast(std::move(last), is_best);
        if (saved || saved.error().code != ErrorCode::disk_full || stop_.stop_requested()) return saved;
        if (!told) {
            const std::string text =
                "training has ended, and waits for room to save its last state: " + saved.error().text();
            announce(text);
            say(EventLevel::warning, "saving", text);
        }
        watch();
        published_ = -1;
        phase_ = RunPhase::waiting;
        report();
        sleepFor(kFullDiskLook, stop_);
    }
}

// Nothing more can be done when the store refuses this too: the run is then shown as interrupted.
Result<RunOutcome> TrainingRun::told(Result<RunOutcome> outcome) {
    if (outcome || !begun_ || !isLive(state_)) return outcome;
    saver_.reset(), writer_.reset(), lock_.reset();  // but by its writer, a run that is owned is not changed
    if (auto store = Store::open(data_folder_, {}, system_))
        (void)store->setStatus(outcome_.id, RunStatus::failed, outcome.error().text());
    return outcome;
}

}  // namespace seedbed
