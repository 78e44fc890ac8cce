// SPDX-License-Identifier: Apache-2.0
#include "core/run/training_run.hpp"

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/finite.hpp"
#include "core/base/log.hpp"
#include "core/base/os/memory.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/awake.hpp"
#include "core/run/progress/run_facts.hpp"
#include "core/run/resume.hpp"
#include "core/run/run_recorder.hpp"
#include "core/run/tensorboard/import_curves.hpp"
#include "core/session/run_watched.hpp"
#include "core/store/store.hpp"

namespace seedbed {
namespace {

constexpr double kRollbackFactor = 0.5;                          // factor for the learning rate
constexpr std::chrono::milliseconds kDatabasePollInterval{200};  // interval between checks for requests while
                                                                 // training waits
constexpr double kLastCheckpointRetryInterval = 2;               // seconds
constexpr int kLastCheckpointAttempts = 3;                       // not limited if the disk is full
constexpr std::chrono::milliseconds kShortFlushTimeout{2000};    // limit for writing the last rows
constexpr std::chrono::milliseconds kLastFlushTimeout{30'000};   // or until a stop is requested

}  // namespace

TrainingRun::TrainingRun(std::filesystem::path data_folder, RunObserver& observer, std::stop_token stop,
                         FileSystem& files, const Clock& clock, std::size_t row_queue_bytes)
    : data_folder_(std::move(data_folder)),
      files_(files),
      stop_from_caller_(std::move(stop), [this] { stop_source_.request_stop(); }),
      clock_(clock),
      stop_budget_(stop_, clock),
      segment_(data_folder_, System{&files, &clock}, clock_, stop_, stop_budget_, row_queue_bytes),
      control_(data_folder_, stop_source_, files),
      neighbours_(data_folder_, control_),
      notices_(observer, control_, segment_, clock_, state_),
      progress_(observer, control_, segment_, clock_, time_, state_),
      checkpoints_(state_, segment_, time_, clock_),
      evaluations_(state_, segment_, notices_, progress_, time_, clock_, stop_),
      steering_(state_, segment_, control_, checkpoints_, notices_, progress_, time_, clock_, stop_),
      setup_(data_folder_, files, state_, notices_, progress_, stop_, stop_budget_) {}

// An environment that never returns must not keep the process running, because the run would stay locked and
// block the queue.
TrainingRun::~TrainingRun() {
    if (state_.endSession()) return;
    log::warning(
        "an environment does not return from its step; everything is saved, and the process exits anyway");
}

Result<RunOutcome> TrainingRun::train(const RunRequest& request) { return worked(begin(request)); }

Result<RunOutcome> TrainingRun::resume(const ResumeRequest& request) { return worked(resumeStored(request)); }

Result<> TrainingRun::open(const RunRequest& request) { return opened(begin(request)); }

Result<> TrainingRun::open(const ResumeRequest& request) { return opened(resumeStored(request)); }

// Trains the run if it has begun. A run that fails before its loop would otherwise stay "starting" in the
// database.
Result<RunOutcome> TrainingRun::worked(Result<> begun) {
    Result<RunOutcome> outcome;
    if (begun) outcome = work();
    else outcome = tl::unexpected<Error>(std::move(begun).error());
    if (!outcome && isLive(progress_.status())) segment_.recordFailure(outcome.error().text());
    return outcome;
}

Result<> TrainingRun::opened(Result<> begun) {
    in_pieces_ = true;
    if (begun) begun = prepareLoop();
    if (!begun && isLive(progress_.status())) segment_.recordFailure(begun.error().text());
    return begun;
}

Result<> TrainingRun::begin(const RunRequest& request) {
    state_.config = request.config;
    setup_.setRanks(request.ranks, [this] { stop_source_.request_stop(); });
    SEEDBED_TRY(setup_.createNew(request.init_from));
    SEEDBED_TRY(createRow(request));
    SEEDBED_TRY(segment_.open({}, state_.session->plan(), state_.config.document));
    recordStart(request.preset, request.init_from);
    return {};
}

Result<> TrainingRun::createRow(const RunRequest& request) {
    const SessionPlan& plan = state_.session->plan();
    const TrainingConfig& config = state_.config;
    NewRun row;
    row.name = request.name;
    row.env = config.env_id;
    row.algo = config.algo_id;
    row.seed = static_cast<std::uint64_t>(config.run.seed);
    row.engine = plan.engine.id;
    row.config = config.document;
    row.init_from = request.init_from;
    row.tags = request.tags;
    row.devices = Json::array({config.run.device});
    row.auto_settings = autoSettings(state_, request.preset);
    SEEDBED_ASSIGN(Store store, Store::open(data_folder_, {}, segment_.system()));
    SEEDBED_ASSIGN(OwnedRun owned, store.createRun(row));
    state_.id = owned.id;
    segment_.own(owned.id, std::move(owned.lock));
    if (!owned.moved_checkpoints.empty())
        notices_.notify("the folder of run " + std::to_string(owned.id) +
                        " contained checkpoints of a run that is not in the database; they were moved to " +
                        owned.moved_checkpoints);
    return {};
}

void TrainingRun::recordStart(const std::string& preset, const std::string& init_from) {
    state_.counters.begin(state_.config);
    notices_.record(EventLevel::info, "started", "training started", {{"preset", preset}});
    if (!init_from.empty()) notices_.record(EventLevel::info, "init_from", "weights taken from " + init_from);
    noticeChangedFile();
    const EnvSpec& env = state_.session->plan().env;
    if (!env.repeats)
        notices_.notifyAndRecord(EventLevel::info, "environment_does_not_repeat", doesNotRepeatText(env.id));
    warnOfSchedule(0);
}

void TrainingRun::noticeChangedFile() {
    if (!state_.env_file) return;
    auto reader = StoreReader::open(data_folder_);
    if (!reader) return;
    const auto other = runWithOtherFile(*reader, state_.config.env_id, state_.id, *state_.env_file);
    if (other && *other)
        notices_.notifyAndRecord(EventLevel::info, "environment_changed",
                                 changedFileText(state_) + " since run " + std::to_string(**other) + " began",
                                 {{"run", **other}});
}

void TrainingRun::warnOfSchedule(RunId resumed) {
    if (auto warning = checkSchedule(state_.config, resumed))
        notices_.notifyAndRecord(EventLevel::warning, "schedule_ends", warning->text,
                                 std::move(warning->data));
}

Result<> TrainingRun::resumeStored(const ResumeRequest& request) {
    state_.id = request.run;
    setup_.setRanks(request.ranks, [this] { stop_source_.request_stop(); });
    pause_at_ = request.pause_at;
    SEEDBED_TRY(segment_.acquire(request.run));
    RunDetails details;
    {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder_));
        SEEDBED_ASSIGN(details, reader.details(request.run));
    }
    if (details.run.in_trash)
        return fail(ErrorCode::config, "run " + std::to_string(request.run) +
                                           " is in the trash; restore it with 'seedbed restore " +
                                           std::to_string(request.run) + "'");
    if (details.auto_settings.contains(kImportedFrom))
        return fail(ErrorCode::config,
                    "run " + std::to_string(request.run) + " has only imported curves and cannot be trained");
    SEEDBED_ASSIGN(state_.config, changedConfig(details.config, request.settings));
    const Json changes = difference(details.config, state_.config.document);
    setup_.preferEngine(details.engine);
    state_.config.cache_folder = request.cache_folder;
    state_.config.remote = request.remote;
    const Json inference = details.auto_settings.value("inference", Json());
    if (inference.is_object()) state_.config.recorded_auto = inference.value("choice", Json());

    CheckpointStore folder(files_, data_folder_, request.run);
    SEEDBED_ASSIGN(const auto complete, folder.list());
    const bool was_begun = !details.segments.empty() && (!complete.empty() || !details.checkpoints.empty());
    if (!was_begun && request.learner_run != 0)
        return fail(ErrorCode::config, "run " + std::to_string(request.run) + " has no checkpoint");
    if (!was_begun) return startQueued(details);
    SEEDBED_ASSIGN(LoadedCheckpoint checkpoint, folder.load(request.selector));
    SEEDBED_TRY(checkHasState(checkpoint, request.run));
    return resumeFrom(folder, std::move(checkpoint), std::move(details), changes, request);
}

Result<> TrainingRun::startQueued(const RunDetails& details) {
    SEEDBED_TRY(setup_.createNew(details.init_from));
    SEEDBED_TRY(segment_.open({}, state_.session->plan(), state_.config.document));
    const std::string preset = details.auto_settings.value("preset", "");
    segment_.writer().setAuto(autoSettings(state_, preset), Json::array({state_.config.run.device}));
    recordStart(preset, details.init_from);
    return {};
}

Result<> TrainingRun::resumeFrom(CheckpointStore& folder, LoadedCheckpoint checkpoint, RunDetails details,
                                 const Json& changes, const ResumeRequest& request) {
    ResumeFacts facts{
        .step = checkpoint.info.step,
        .made_by = checkpoint.data.info.value("made_by", Json()),
        .damaged = checkpoint.notices,
        .windows_missing = checkpoint.info.milestone && !hasFile(checkpoint, kWindowsFile),
        .changes = changes,
        .since_checkpoint = difference(checkpoint.data.provenance.config, state_.config.document)};
    SEEDBED_TRY(setup_.create());
    if (auto restored = setup_.restoreFrom(std::move(checkpoint)); !restored)
        return tl::unexpected<Error>(
            withOlderCheckpoint(std::move(restored).error(), folder, state_.id, facts.step));
    if (request.learner_run != 0) SEEDBED_TRY(setup_.takeLearner(request.learner_run, request.learner_step));
    RunCounters& counters = state_.counters;
    const RunSettings& settings = state_.config.run;
    SEEDBED_TRY(checkTotalsAreAhead(changes, settings, counters, state_.id, state_.steps()));
    // A run that was killed after reaching its goal, but before writing its last row, is finished now.
    if (details.run.status == RunStatus::finished) {
        SEEDBED_TRY(checkGoalIsOpen(settings, counters, state_.id, state_.steps(), !changes.empty()));
        counters.target_reached = false;
    }
    counters.changeIntervals(state_.config, facts.since_checkpoint, state_.session->progress().steps);
    evaluations_.restored(std::move(details.evaluations));
    const SessionPlan& plan = state_.session->plan();
    const RunProgress progress = runProgress(plan, state_.session->progress(), counters.trained_s);
    SEEDBED_TRY(segment_.openAfter(folder, progress, plan, state_.config.document));
    recordResume(facts, state_, notices_);
    if (request.learner_run != 0)
        notices_.record(EventLevel::info, "learner_taken",
                        "weights and optimiser taken from run " + std::to_string(request.learner_run) +
                            " at step " + formatCount(request.learner_step),
                        {{"run", request.learner_run}, {"step", request.learner_step}});
    if (changes.contains("run.steps") || changes.contains("algo.lr_horizon")) warnOfSchedule(state_.id);
    return {};
}

Result<> TrainingRun::prepareLoop() {
    SEEDBED_TRY(segment_.saver().begin());
    time_.start(state_.counters.trained_s);
    releaseFreeMemory();  // memory used by the database query for the run
    if (!in_pieces_) raiseOomScore();
    steering_.open();
    notices_.started();
    progress_.setStatus(RunStatus::running);
    // Saves before the first update, so that there is always a state to resume from.
    if (state_.session->progress().updates == 0) {
        progress_.setPhase(RunPhase::saving);
        checkpoints_.saveFirst();
    }
    return {};
}

Result<RunOutcome> TrainingRun::work() {
    SEEDBED_TRY(prepareLoop());
    neighbours_.start();
    Result<> result = loop();
    while (!result) {
        auto again = recover(result.error());
        if (!again) result = tl::unexpected<Error>(std::move(again).error());
        if (!again || !*again) break;
        result = loop();
    }
    SEEDBED_TRY(finish(std::move(result)));
    return std::move(outcome_);
}

Result<> TrainingRun::loop() {
    Result<> result = runWatched(*state_.session, [this] { return iterateUntilGoal(); });
    // A stop was requested while an environment did not return.
    if (!result && result.error().code == ErrorCode::interrupted) return {};
    return result;
}

// Runs on the training thread.
Result<> TrainingRun::iterateUntilGoal() {
    SEEDBED_TRY(evaluateIfDue());  // repeats an evaluation that a stop request interrupted
    progress_.beginUpdate();
    while (!stop_.stop_requested() && !goalReached()) {
        if (pause_at_ > 0 && state_.steps() >= pause_at_) {
            is_closing_ = true;
            stop_source_.request_stop();
            break;
        }
        const double begin = clock_.now();
        auto iterated = state_.session->iterate(stop_);
        progress_.setUpdateSeconds(clock_.now() - begin);
        if (!iterated && iterated.error().code == ErrorCode::interrupted) break;
        SEEDBED_ASSIGN(const IterationStats stats, std::move(iterated));
        SEEDBED_TRY(afterUpdate(stats));
    }
    return {};
}

Result<> TrainingRun::afterUpdate(const IterationStats& stats) {
    recordUpdate(stats);
    SEEDBED_TRY(evaluateIfDue());
    if (!goalReached()) {  // otherwise this is the last state, which is saved after the loop
        checkpoints_.keepMilestoneIfDue();
        checkpoints_.saveIfDue();
    }
    notices_.collect();
    progress_.beginUpdate();
    progress_.report();
    steering_.publishParams(false);
    if (in_pieces_) return {};
    steering_.applyRequests();
    if (segment_.writer().isFull()) waitForRowQueue();
    return {};
}

bool TrainingRun::mayContinue() {
    if (stop_.stop_requested() || goalReached()) return false;
    const bool is_paused = !state_.session->isLearning() && steering_.applyWithoutWaiting();
    return !is_paused && !segment_.writer().isFull();
}

// After non-finite numbers, training continues from the last good checkpoint.
Result<std::optional<IterationStats>> TrainingRun::afterPump(Result<std::optional<IterationStats>> pumped) {
    if (pumped && *pumped) {
        progress_.setUpdateSeconds((*pumped)->rollout_s + (*pumped)->learn_s);
        if (Result<> done = afterUpdate(**pumped); !done)
            pumped = tl::unexpected<Error>(std::move(done).error());
    }
    if (pumped) return pumped;
    SEEDBED_ASSIGN(const bool again, rollBack(pumped.error()));
    if (again) return std::optional<IterationStats>();
    return pumped;
}

Result<RunOutcome> TrainingRun::close(Result<> result) {
    is_closing_ = !stop_.stop_requested();
    if (result && !goalReached()) stop_source_.request_stop();
    SEEDBED_TRY(finish(std::move(result)));
    return std::move(outcome_);
}

bool TrainingRun::goalReached() const {
    const RunSettings& goal = state_.config.run;
    return state_.counters.target_reached || (goal.steps > 0 && state_.steps() >= goal.steps) ||
           (goal.minutes > 0 && time_.trained() >= goal.minutes * 60);
}

void TrainingRun::recordUpdate(const IterationStats& stats) {
    evaluations_.parametersChanged();
    recordIteration(segment_.writer(), state_.counters, state_.session->plan(), state_.session->progress(),
                    stats, clock_.rowTime(), time_.trained());
    for (const std::string& notice : stats.notices)
        if (const auto text = repeated_.add(notice, clock_.now()))
            notices_.notifyAndRecord(EventLevel::warning, "actors", *text);
    progress_.addSpeed();
}

Result<> TrainingRun::evaluateIfDue() {
    SEEDBED_ASSIGN(const bool is_best, evaluations_.runIfDue());
    // Must come after the update of all counters, since a resume may start from this state.
    if (is_best) checkpoints_.keepBest();
    return {};
}

// Waits while the queue is full of rows that could not be saved.
void TrainingRun::waitForRowQueue() {
    RunWriter& writer = segment_.writer();
    waitForDatabase(writer.health().error.text(), [&] {
        writer.waitForRoom(kDatabasePollInterval);
        return !writer.isFull();
    });
}

// Training waits here, between two updates; requests are still applied, and no row is dropped. Returns after
// a stop request or when `is_ready`, which takes up to kDatabasePollInterval, returns true.
void TrainingRun::waitForDatabase(const std::string& reason, const std::function<bool()>& is_ready) {
    if (stop_.stop_requested()) return;
    notices_.notifyAndRecord(
        EventLevel::warning, "saving",
        "training waits until the rows of this run can be saved" + (reason.empty() ? "" : ": " + reason));
    const TrainingTime::Mark begin = time_.mark();
    while (!stop_.stop_requested() && !is_ready()) {
        checkpoints_.saveIfDue();
        notices_.collect();
        progress_.reportNow(RunPhase::waiting, segment_.writer().health().error.text());
        steering_.applyRequests();
        time_.excludeSince(begin);  // excludes the wait, including pauses during it
    }
    time_.excludeSince(begin);
    progress_.beginUpdate();
    if (!stop_.stop_requested()) notices_.inform("training continues");
}

Result<bool> TrainingRun::recover(const Error& reason) {
    if (reason.code != kRankLost) return rollBack(reason);
    SEEDBED_TRY(continueWithoutRank());
    return true;
}

// Continues with the survivors of a lost rank, in a new session.
Result<> TrainingRun::continueWithoutRank() {
    SEEDBED_ASSIGN(const Survived survived, state_.session->survive(stop_));
    SEEDBED_TRY(setup_.create());
    SEEDBED_TRY(setup_.restoreSurvived(survived));
    evaluations_.parametersChanged();
    const std::string ranks = std::to_string(survived.ranks) + (survived.ranks == 1 ? " rank" : " ranks");
    notices_.notifyAndRecord(
        EventLevel::warning, "rank_lost",
        (survived.lost == 1 ? "a rank was lost" : std::to_string(survived.lost) + " ranks were lost") +
            " at step " + formatCount(state_.steps()) + "; training continues with " + ranks +
            "; environments of " + std::to_string(survived.restarted_groups) + " of " +
            std::to_string(state_.session->plan().groups) +
            " groups could not be taken over and begin new episodes",
        {{"lost", survived.lost},
         {"ranks", survived.ranks},
         {"restarted_groups", survived.restarted_groups}});
    return {};
}

// Once per run, after non-finite numbers: returns to the last good checkpoint with half the learning rate.
// Returns false if the failure has a different cause or is the second one, or if there is no checkpoint.
Result<bool> TrainingRun::rollBack(const Error& reason) {
    if (reason.code != kNonFinite || state_.counters.rollbacks > 0 || stop_.stop_requested()) return false;
    const std::int64_t failed_at = state_.steps();
    segment_.saver().wait();
    CheckpointStore folder(files_, data_folder_, state_.id);
    auto checkpoint = checkpointToReturnTo(folder, state_.session->progress().updates);
    if (!checkpoint) return false;
    segment_.saver().dropSnapshots();
    const std::int64_t step = checkpoint->info.step;
    const double trained_s = time_.trained();
    SEEDBED_TRY(setup_.create());
    SEEDBED_TRY(setup_.restoreFrom(std::move(*checkpoint)));
    evaluations_.parametersChanged();
    ++state_.counters.rollbacks;
    time_.start(trained_s);
    SEEDBED_ASSIGN(const double rate, steering_.scaleLearningRate(kRollbackFactor));
    SEEDBED_TRY(openNextSegment(folder));
    notices_.notifyAndRecord(EventLevel::warning, "rolled_back",
                             "after step " + std::to_string(failed_at) + ": " + reason.text() +
                                 "; returned to the checkpoint at step " + std::to_string(step) +
                                 " and halved the learning rate to " + formatNumber(rate) +
                                 " (only once; if it happens again, the run stops)",
                             {{"failed_at", failed_at}, {"step", step}, {"learning_rate", rate}});
    if (stop_.stop_requested()) return true;  // the loop stops, and this state is saved
    progress_.setStatus(RunStatus::running);
    // Saved now because this state records the rollback, and there must not be a second one, even if the
    // process is killed.
    progress_.setPhase(RunPhase::saving);
    checkpoints_.saveFirst();
    return true;
}

// Opens the segment for the steps after a rollback. The rows before it are saved first; training waits until
// the database accepts them. After a stop request the current segment may remain open.
Result<> TrainingRun::openNextSegment(CheckpointStore& folder) {
    const auto flush = [this](std::chrono::milliseconds timeout) {
        return segment_.writer().flushWithin(timeout, stop_);
    };
    const TrainingTime::Mark begin = time_.mark();
    const SessionPlan& plan = state_.session->plan();
    const RunProgress progress = runProgress(plan, state_.session->progress(), time_.trained());
    while (!stop_.stop_requested()) {
        segment_.saver().wait();
        Result<> opened = flush(kShortFlushTimeout);
        if (opened) opened = segment_.openAfter(folder, progress, plan, state_.config.document);
        time_.excludeSince(begin);
        if (opened) return segment_.saver().begin();
        if (!segment_.isOpen()) return opened;
        waitForDatabase(opened.error().text(), [&] { return flush(kDatabasePollInterval).has_value(); });
    }
    return {};
}

Result<> TrainingRun::finish(Result<> result) {
    if (result) steering_.publishParams(true);
    if (stop_.stop_requested()) {
        progress_.setStatus(RunStatus::stopping);
        progress_.setPhase(RunPhase::stopping);
    }
    for (const std::string& text : repeated_.rest())
        notices_.notifyAndRecord(EventLevel::warning, "actors", text);
    best_before_ = evaluations_.bestScoreBefore();
    if (result && !stop_.stop_requested()) result = evaluations_.runLast();
    outcome_.id = state_.id;
    outcome_.interrupted = stop_.stop_requested();
    outcome_.steps = state_.session->progress().steps;
    outcome_.target_reached = state_.counters.target_reached;
    outcome_.stopped_on_request = outcome_.interrupted && control_.stopRequested();
    const double target = state_.config.run.target_return;
    if (result && !outcome_.interrupted && target > RunSettings::kNoTarget && !outcome_.target_reached)
        outcome_.missed_target = target;
    // If the final evaluation is incomplete, an earlier one does not replace it.
    if (outcome_.interrupted || state_.config.eval.final_episodes == 0 ||
        state_.counters.evaluated_version == state_.paramsVersion())
        outcome_.last_evaluation = state_.last_evaluation;
    outcome_.elapsed_s = time_.elapsed();
    outcome_.params_sha256 = state_.session->learner().params().sha256();
    if (!stop_.stop_requested()) progress_.setPhase(RunPhase::saving);
    // Released before the next snapshot is taken: two snapshots at a time would increase the run's peak
    // memory use.
    segment_.saver().wait();
    // After a failure the last good checkpoint remains the newest one, because the current state may be the
    // cause.
    if (result) result = saveLast(state_.counters.best_score > best_before_);
    else if (result.error().code == ErrorCode::stalled) result = saveStalled(std::move(result).error());
    segment_.saver().wait();
    outcome_.checkpoint_stalls_s = segment_.saver().stalls();
    if (!result && result.error().code == kNonFinite)
        result = fail(kNonFinite, result.error().text() + "; 'seedbed doctor " + std::to_string(state_.id) +
                                      "' suggests a change; without it, resuming fails again");
    recordEnd(result);
    const Result<> flushed = flushLast(result.has_value());
    progress_.reportNow(RunPhase::ended);
    notices_.ended(progress_.status(), result ? "" : result.error().text());
    return result ? flushed : result;
}

// Writes the last rows of the run. If the database does not accept them, they are saved with the weights.
Result<> TrainingRun::flushLast(bool is_saved) {
    RunWriter& writer = segment_.writer();
    const TrainingTime::Mark begin = time_.mark();
    Result<> flushed = writer.flushWithin(kShortFlushTimeout);
    if (flushed) return flushed;
    if (!stop_.stop_requested()) {
        notices_.notify(
            (is_saved ? "training has ended and its weights are saved; " : "training has ended; ") +
            std::string("waiting for the database: ") + flushed.error().text());
        progress_.reportNow(RunPhase::waiting, flushed.error().text());
        flushed = writer.flushWithin(kLastFlushTimeout, stop_);
        if (!flushed) flushed = writer.flushWithin(kShortFlushTimeout);
    }
    if (flushed || !is_saved) return flushed;
    time_.excludeSince(begin);
    const std::string run = std::to_string(state_.id);
    const Result<> kept = checkpoints_.saveLast(state_.counters.best_score > best_before_);
    segment_.saver().wait();
    return fail(
        flushed.error().code,
        "training has ended and the weights of run " + run + " are saved in '" +
            checkpointsFolder(data_folder_, state_.id).string() +
            "', but its newest rows could not be written to the database: " + flushed.error().text() +
            (kept ? ". They are saved with the weights: once the database is available, 'seedbed show " +
                        run + "' writes them"
                  : "; they are lost: " + kept.error().text()));
}

// Called if an environment does not return: saves the state without that environment and adds the outcome to
// the error.
Result<> TrainingRun::saveStalled(Error stall) {
    const Result<> saved = checkpoints_.saveLast(false);
    stall.message += saved ? "; the run was saved at step " + formatCount(state_.steps()) +
                                 ", and a resume restarts these environments"
                           : "; the newest state was not saved: " + saved.error().text();
    return tl::unexpected<Error>(std::move(stall));
}

// While the disk is full, waits until there is space: a long run must not be lost because its last checkpoint
// does not fit. A stop request during the wait ends the wait; after an earlier request, only a second signal
// ends it. Other failures are retried a few times.
Result<> TrainingRun::saveLast(bool is_best) {
    const bool was_stopped = stop_.stop_requested();
    for (int attempt = 1;; ++attempt) {
        Result<> saved = checkpoints_.saveLast(is_best);
        if (!saved && saved.error().code == kRankLost && continueWithoutRank())
            saved = checkpoints_.saveLast(is_best);
        const bool is_full = !saved && saved.error().code == ErrorCode::disk_full;
        if (saved || (!is_full && attempt == kLastCheckpointAttempts)) return saved;
        const std::string state = "the state at step " + formatCount(state_.steps());
        if (!was_stopped && stop_.stop_requested()) {
            saved.error().message +=
                "; " + state + " was not saved, because the run was stopped before it could be";
            return saved;
        }
        if (attempt == 1)
            notices_.notifyAndRecord(EventLevel::warning, "saving",
                                     (is_full ? "training has ended; waiting for disk space to save "
                                              : "training has ended; trying again to save ") +
                                         state + " (" + saved.error().text() +
                                         "); Ctrl-C quits without saving it");
        notices_.collect();
        progress_.reportNow(RunPhase::waiting, saved.error().text());
        clock_.seam().sleep(kLastCheckpointRetryInterval, was_stopped ? std::stop_token() : stop_);
    }
}

void TrainingRun::recordEnd(const Result<>& result) {
    if (!result) {
        notices_.record(EventLevel::error, "failed", result.error().text());
        progress_.setStatus(RunStatus::failed, result.error().text());
    } else if (outcome_.interrupted) {
        const bool requested = outcome_.stopped_on_request;
        notices_.record(EventLevel::info, "stopped",
                        requested     ? kStoppedOnRequest
                        : is_closing_ ? "stopped by the program that trains it"
                                      : "interrupted by a signal");
        progress_.setStatus(RunStatus::interrupted, requested ? kStoppedOnRequest : "");
    } else if (outcome_.missed_target) {
        const std::string text =
            "the target return of " + formatNumber(*outcome_.missed_target) + " was not reached";
        notices_.record(EventLevel::warning, "target_missed", text, {{"target", *outcome_.missed_target}});
        progress_.setStatus(RunStatus::finished, text);
    } else {
        progress_.setStatus(RunStatus::finished);
    }
    notices_.collect();
}

}  // namespace seedbed
