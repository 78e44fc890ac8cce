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
#include "core/base/sleep.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/awake.hpp"
#include "core/run/resume.hpp"
#include "core/run/run_recorder.hpp"
#include "core/store/store.hpp"

namespace seedbed {
namespace {

constexpr double kRollbackFactor = 0.5;                          // of the learning rate
constexpr std::chrono::milliseconds kRowQueuePollInterval{200};  // for requests, while training waits
constexpr double kFullDiskRetryInterval = 2;                     // seconds; for the last checkpoint
constexpr std::chrono::seconds kSessionEndTimeout{5};

// For the run's row: engine, groups, threads and inference, each with a reason.
Json autoSettings(const SessionPlan& plan, const std::string& preset) {
    const TrainingConfig& config = plan.config;
    return {
        {"engine", {{"value", plan.engine.id}, {"why", plan.engine.why}}},
        {"groups",
         {{"value", plan.groups},
          {"why", config.actor.groups > 0 ? "configured"
                                          : "from the number of environments and measured inference times"}}},
        {"threads",
         {{"value", plan.threads}, {"why", config.run.threads > 0 ? "configured" : "one per core"}}},
        {"inference",
         {{"value", config.run.inference},
          {"why", plan.auto_choice.is_null() ? Json("configured") : plan.auto_choice.at("why")},
          {"choice", plan.auto_choice}}},
        {"preset", preset}};
}

// For the events of a resume.
struct ResumeFacts {
    std::int64_t step = 0;
    Json made_by;                      // exactnessFacts() of the process that saved the checkpoint
    std::vector<std::string> damaged;  // newer checkpoints that could not be used
    bool windows_missing = false;
    Json changes;  // of the settings
};

void recordResume(const ResumeFacts& facts, const Session& session, RunId run, RunNotices& notices) {
    std::string inexact = inexactReason(facts.made_by, exactnessFacts(session.plan()));
    if (inexact.empty() && !session.environmentsAreSaved())
        inexact = "this environment cannot save its state";
    std::string text = "resumed from the checkpoint of step " + formatCount(facts.step);
    text += inexact.empty() ? "; it continues bit for bit"
                            : "; bit-for-bit results cannot be guaranteed: " + inexact;
    notices.record(EventLevel::info, "resumed", text,
                   {{"step", facts.step}, {"exact", inexact.empty()}, {"superseded_from", facts.step}});
    notices.notify("run " + std::to_string(run) + " " + text);
    for (const std::string& notice : facts.damaged)
        notices.record(EventLevel::warning, "damaged_checkpoint", notice);
    if (!session.environmentsAreSaved())
        notices.record(EventLevel::warning, "environments_restarted",
                       "the environments cannot save their state; they started new episodes");
    if (facts.windows_missing && session.hasOpenWindows())
        notices.record(EventLevel::warning, "windows_left_out",
                       "this milestone contains no open windows; experience collected after its last update "
                       "was dropped");
    if (!facts.changes.empty())
        notices.record(EventLevel::info, "settings", "settings changed: " + changesText(facts.changes),
                       facts.changes);
}

}  // namespace

TrainingRun::TrainingRun(std::filesystem::path data_folder, RunObserver& observer, std::stop_token stop,
                         FileSystem& files, const Clock& clock, std::size_t row_queue_bytes)
    : data_folder_(std::move(data_folder)),
      files_(files),
      stop_from_caller_(std::move(stop), [this] { stop_source_.request_stop(); }),
      clock_(clock),
      segment_(data_folder_, System{&files, &clock}, clock_, stop_, row_queue_bytes),
      control_(data_folder_, stop_source_, files),
      notices_(observer, control_, segment_, clock_, state_),
      progress_(observer, control_, segment_, clock_, time_, state_),
      checkpoints_(state_, segment_, notices_, time_, clock_),
      evaluations_(state_, segment_, notices_, progress_, time_, clock_, stop_),
      steering_(state_, segment_, control_, checkpoints_, notices_, progress_, time_, clock_, stop_),
      setup_(data_folder_, files, state_, checkpoints_, notices_, progress_) {}

// An environment that never returns must not keep the process alive: the run would stay owned and block the
// queue.
TrainingRun::~TrainingRun() {
    if (state_.session == nullptr || state_.session->end(kSessionEndTimeout)) return;
    log::warning(
        "an environment does not return from its step; everything is saved, and the process exits anyway");
    (void)state_.session.release();
}

Result<RunOutcome> TrainingRun::train(const RunRequest& request) {
    return withFailureRecorded(begin(request));
}

Result<RunOutcome> TrainingRun::resume(const ResumeRequest& request) {
    return withFailureRecorded(resumeStored(request));
}

// Without this a run that fails before its loop would stay "starting" in the database.
Result<RunOutcome> TrainingRun::withFailureRecorded(Result<RunOutcome> outcome) {
    if (!outcome && isLive(progress_.status())) segment_.recordFailure(outcome.error().text());
    return outcome;
}

Result<RunOutcome> TrainingRun::begin(const RunRequest& request) {
    state_.config = request.config;
    SEEDBED_TRY(setup_.create());
    if (!request.init_from.empty()) SEEDBED_TRY(setup_.initFrom(request.init_from));
    SEEDBED_TRY(createRow(request));
    SEEDBED_TRY(segment_.open(0, state_.session->plan(), state_.config.document));
    recordStart(request.preset, request.init_from);
    return work();
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
    row.devices = Json::array({config.run.device});
    row.auto_settings = autoSettings(plan, request.preset);
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
}

Result<RunOutcome> TrainingRun::resumeStored(const ResumeRequest& request) {
    state_.id = request.run;
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
    SEEDBED_ASSIGN(state_.config, changedConfig(details.config, request.settings));
    const Json changes = difference(details.config, state_.config.document);
    setup_.preferEngine(details.engine);
    state_.config.cache_folder = request.cache_folder;
    const Json inference = details.auto_settings.value("inference", Json());
    if (inference.is_object()) state_.config.recorded_auto = inference.value("choice", Json());

    CheckpointStore folder(files_, data_folder_, request.run);
    SEEDBED_ASSIGN(const auto complete, folder.list());
    const bool was_begun = !details.segments.empty() && (!complete.empty() || !details.checkpoints.empty());
    if (!was_begun) return startQueued(details);
    SEEDBED_ASSIGN(LoadedCheckpoint checkpoint, folder.load(request.selector));
    return resumeFrom(folder, std::move(checkpoint), std::move(details), changes);
}

Result<RunOutcome> TrainingRun::startQueued(const RunDetails& details) {
    SEEDBED_TRY(setup_.create());
    if (!details.init_from.empty()) SEEDBED_TRY(setup_.initFrom(details.init_from));
    SEEDBED_TRY(segment_.open(0, state_.session->plan(), state_.config.document));
    const std::string preset = details.auto_settings.value("preset", "");
    segment_.writer().setAuto(autoSettings(state_.session->plan(), preset),
                              Json::array({state_.config.run.device}));
    recordStart(preset, details.init_from);
    return work();
}

Result<RunOutcome> TrainingRun::resumeFrom(CheckpointStore& folder, LoadedCheckpoint checkpoint,
                                           RunDetails details, const Json& changes) {
    ResumeFacts facts{.step = checkpoint.info.step,
                      .made_by = checkpoint.data.info.value("made_by", Json()),
                      .damaged = checkpoint.notices,
                      .windows_missing = checkpoint.info.milestone && !hasFile(checkpoint, kWindowsFile),
                      .changes = changes};
    SEEDBED_TRY(setup_.create());
    SEEDBED_TRY(setup_.restoreFrom(std::move(checkpoint)));
    RunCounters& counters = state_.counters;
    const RunSettings& settings = state_.config.run;
    SEEDBED_TRY(checkTotalsAreAhead(changes, settings, counters, state_.id, state_.steps()));
    // A run that was killed between its goal and its last row is finished now.
    if (details.run.status == RunStatus::finished) {
        SEEDBED_TRY(checkGoalIsOpen(settings, counters, state_.id, state_.steps(), !changes.empty()));
        counters.target_reached = false;
    }
    counters.changeIntervals(state_.config, changes, state_.session->progress().steps);
    evaluations_.restored(std::move(details.evaluations));
    SEEDBED_TRY(segment_.openAfter(folder, facts.step, state_.session->plan(), state_.config.document));
    recordResume(facts, *state_.session, state_.id, notices_);
    return work();
}

Result<RunOutcome> TrainingRun::work() {
    SEEDBED_TRY(segment_.saver().begin());
    time_.start(state_.counters.trained_s);
    releaseFreeMemory();  // what the database used while the run was looked up
    raiseOomScore();
    steering_.open();
    notices_.started();
    progress_.setStatus(RunStatus::running);
    // Saved before the first update, so that there is always a state to resume from.
    if (state_.session->progress().updates == 0) {
        progress_.setPhase(RunPhase::saving);
        checkpoints_.saveFirst();
    }
    Result<> result = loop();
    while (!result) {
        SEEDBED_ASSIGN(const bool again, rollBack(result.error()));
        if (!again) break;
        result = loop();
    }
    SEEDBED_TRY(finish(std::move(result)));
    return std::move(outcome_);
}

Result<> TrainingRun::loop() {
    SEEDBED_TRY(evaluateIfDue());  // one that a stop request interrupted
    progress_.beginUpdate();
    while (!stop_.stop_requested() && !goalReached()) {
        const double begin = clock_.now();
        auto iterated = state_.session->iterate(stop_);
        progress_.setUpdateSeconds(clock_.now() - begin);
        if (!iterated && iterated.error().code == ErrorCode::interrupted) break;
        SEEDBED_ASSIGN(const IterationStats stats, std::move(iterated));
        recordUpdate(stats);
        SEEDBED_TRY(evaluateIfDue());
        checkpoints_.keepMilestoneIfDue(goalReached());
        checkpoints_.saveIfDue();
        notices_.collect();
        progress_.beginUpdate();
        progress_.report();
        steering_.publishParams(false);
        steering_.applyRequests();
        if (segment_.writer().isFull()) waitForRowQueue();
    }
    return {};
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
        notices_.notifyAndRecord(EventLevel::warning, "actors", notice);
    progress_.addSpeed();
}

Result<> TrainingRun::evaluateIfDue() {
    SEEDBED_ASSIGN(const bool is_best, evaluations_.runIfDue());
    // After all counters have been updated, since a resume may start from this state.
    if (is_best) checkpoints_.keepBest();
    return {};
}

// Rows that could not be saved fill their queue. Training waits here, between two updates, where requests are
// still applied; no row is dropped.
void TrainingRun::waitForRowQueue() {
    RunWriter& writer = segment_.writer();
    const WriterHealth health = writer.health();
    notices_.notifyAndRecord(EventLevel::warning, "saving",
                             "training waits until the rows of this run can be saved" +
                                 (health.saving ? "" : ": " + health.error.text()));
    const TrainingTime::Mark begin = time_.mark();
    while (writer.isFull() && !stop_.stop_requested()) {
        progress_.setPhase(RunPhase::waiting);
        writer.waitForRoom(kRowQueuePollInterval);
        notices_.collect();
        progress_.reportNow();
        steering_.applyRequests();
        time_.excludeSince(begin);  // with pauses in between
    }
    progress_.beginUpdate();
    notices_.notify("training continues");
}

// After non-finite numbers, once in a run: back to the last good checkpoint, with half the learning rate.
// False: another reason, a second time, or no checkpoint.
Result<bool> TrainingRun::rollBack(const Error& reason) {
    if (reason.code != kNonFinite || state_.counters.rollbacks > 0 || stop_.stop_requested()) return false;
    const std::int64_t failed_at = state_.steps();
    segment_.saver().wait();
    (void)segment_.writer().flush();
    const double trained_s = time_.trained();
    segment_.close();
    CheckpointStore folder(files_, data_folder_, state_.id);
    auto checkpoint = folder.load();
    if (!checkpoint) {
        SEEDBED_TRY(segment_.open(failed_at, state_.session->plan(), state_.config.document));
        SEEDBED_TRY(segment_.saver().begin());
        return false;
    }
    const std::int64_t step = checkpoint->info.step;
    SEEDBED_TRY(setup_.create());
    SEEDBED_TRY(setup_.restoreFrom(std::move(*checkpoint)));
    evaluations_.parametersChanged();
    ++state_.counters.rollbacks;
    time_.start(trained_s);
    SEEDBED_ASSIGN(const double rate, steering_.scaleLearningRate(kRollbackFactor));
    SEEDBED_TRY(segment_.openAfter(folder, step, state_.session->plan(), state_.config.document));
    SEEDBED_TRY(segment_.saver().begin());
    notices_.notifyAndRecord(EventLevel::warning, "rolled_back",
                             "after step " + std::to_string(failed_at) + ": " + reason.text() +
                                 "; returned to the checkpoint of step " + std::to_string(step) +
                                 " and halved the learning rate to " + formatNumber(rate) +
                                 " (only once; if it happens again, the run stops)",
                             {{"failed_at", failed_at}, {"step", step}, {"learning_rate", rate}});
    progress_.setStatus(RunStatus::running);
    // Saved now: this state counts the rollback, which must remain the only one after a kill, too.
    progress_.setPhase(RunPhase::saving);
    checkpoints_.saveFirst();
    return true;
}

Result<> TrainingRun::finish(Result<> result) {
    if (result) steering_.publishParams(true);
    if (stop_.stop_requested()) {
        progress_.setStatus(RunStatus::stopping);
        progress_.setPhase(RunPhase::stopping);
    }
    const double best_before = evaluations_.bestScoreBefore();
    if (result && !stop_.stop_requested()) result = evaluations_.runLast();
    outcome_.id = state_.id;
    outcome_.interrupted = stop_.stop_requested();
    outcome_.steps = state_.session->progress().steps;
    outcome_.target_reached = state_.counters.target_reached;
    outcome_.last_evaluation = state_.last_evaluation;
    outcome_.elapsed_s = time_.elapsed();
    outcome_.params_sha256 = state_.session->learner().params().sha256();
    if (!stop_.stop_requested()) progress_.setPhase(RunPhase::saving);
    // Before the next snapshot: two at a time would be the most memory that a run ever uses.
    segment_.saver().wait();
    // After a failure the last good checkpoint stays the newest one: the current state may be the cause.
    if (result) result = saveLast(state_.counters.best_score > best_before);
    segment_.saver().wait();
    outcome_.checkpoint_stalls_s = segment_.saver().stalls();
    recordEnd(result);
    const Result<> flushed = segment_.flushLast();
    progress_.reportNow(RunPhase::ended);
    notices_.ended(progress_.status(), result ? "" : result.error().text());
    return result ? flushed : result;
}

// While the disk is full, waits until there is room or a stop is requested: a long run is not lost because
// its last checkpoint does not fit.
Result<> TrainingRun::saveLast(bool is_best) {
    for (bool first = true;; first = false) {
        const Result<> saved = checkpoints_.saveLast(is_best);
        if (saved || saved.error().code != ErrorCode::disk_full || stop_.stop_requested()) return saved;
        if (first)
            notices_.notifyAndRecord(
                EventLevel::warning, "saving",
                "training has ended; waiting for disk space to save the last checkpoint: " +
                    saved.error().text());
        notices_.collect();
        progress_.reportNow(RunPhase::waiting);
        sleepFor(kFullDiskRetryInterval, stop_);
    }
}

void TrainingRun::recordEnd(const Result<>& result) {
    if (!result) {
        notices_.record(EventLevel::error, "failed", result.error().text());
        progress_.setStatus(RunStatus::failed, result.error().text());
    } else if (outcome_.interrupted) {
        progress_.setStatus(RunStatus::interrupted, control_.stopRequested() ? kStoppedOnRequest : "");
    } else {
        progress_.setStatus(RunStatus::finished);
    }
    notices_.collect();
}

}  // namespace seedbed
