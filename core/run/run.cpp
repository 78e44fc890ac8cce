// SPDX-License-Identifier: Apache-2.0
// The run loop: iterate, record, evaluate, save, until the goal or a stop request; begun afresh or resumed
// from a checkpoint.
#include "core/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/finite.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/run/build_info.hpp"
#include "core/run/init_weights.hpp"
#include "core/run/snapshot.hpp"
#include "core/run/training_run.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::milliseconds kPausedLook{
    500};                              // at a checkpoint that was asked for in a pause, until it is saved
constexpr double kRollbackRate = 0.5;  // of the learning rate, after not-a-number

}  // namespace

Result<RunId> TrainingRun::resolve(std::string_view name) const {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder_));
    return reader.resolveRun(name);
}

void TrainingRun::adopt(TrainingConfig config) {
    config.recorded_auto = config_.recorded_auto, config.cache_folder = config_.cache_folder;
    config_ = std::move(config);
}

Result<> TrainingRun::createSession() {
    TrainingConfig planned = config_;
    if (planned.run.engine == "auto" && !pinned_engine_.empty()) planned.run.engine = pinned_engine_;
    auto plan = Session::plan(planned);
    // What the run began with is not here any more: better another engine than none.
    if (!plan && plan.error().code == ErrorCode::device && planned.run.engine != config_.run.engine)
        plan = Session::plan(config_);
    if (!plan) return tl::unexpected<Error>(std::move(plan).error());
    session_.reset();
    SEEDBED_ASSIGN(session_, Session::create(std::move(*plan)));
    session_->setBeforeLearning([this] {
        if (phase_ == RunPhase::collecting) phase(RunPhase::learning);
    });
    // What was measured and chosen stays, should the run go back to a checkpoint.
    pinned_engine_ = session_->plan().engine.id;
    if (!session_->plan().auto_choice.is_null()) config_.recorded_auto = session_->plan().auto_choice;
    return {};
}

// Weights of another run or folder; everything else starts afresh.
Result<> TrainingRun::initFrom(const std::string& name) {
    SEEDBED_ASSIGN(
        const LoadedPolicy loaded,
        loadPolicy(files_, data_folder_, name, [this](std::string_view run) { return resolve(run); }));
    for (const std::string& notice : loaded.notices) announce(notice);
    return initWeights(loaded, name, *session_);
}

Result<> TrainingRun::createRow(const RunRequest& request) {
    const SessionPlan& plan = session_->plan();
    NewRun row;
    row.name = request.name, row.env = config_.env_id, row.algo = config_.algo_id;
    row.seed = static_cast<std::uint64_t>(settings().seed), row.engine = plan.engine.id;
    row.config = config_.document, row.init_from = request.init_from;
    row.devices = Json::array({settings().device});
    row.auto_settings = autoSettings(plan, request.preset);
    SEEDBED_ASSIGN(Store store, Store::open(data_folder_, {}, system_));
    SEEDBED_ASSIGN(OwnedRun owned, store.createRun(row));
    lock_ = std::move(owned.lock);
    outcome_.id = owned.id, begun_ = true;
    if (!owned.moved_checkpoints.empty())
        announce("the folder of run " + std::to_string(owned.id) +
                 " held checkpoints of a run that is not in the database; they are now in " +
                 owned.moved_checkpoints);
    return {};
}

// The next segment of the run begins at `step`; its writers are opened.
Result<> TrainingRun::openSegment(std::int64_t step) {
    SEEDBED_ASSIGN(Store store, Store::open(data_folder_, {}, system_));
    ProcessInfo process = processInfo(session_->plan().threads);
    process.other["engine"] = session_->plan().engine.id;
    SEEDBED_ASSIGN([[maybe_unused]] const SegmentRecord segment,
                   store.beginSegment(*lock_, step, process, config_.document));
    begun_ = true;

    RunWriterOptions options;
    options.system = system_, options.stop = stop_, options.queue_bytes = row_queue_bytes_;
    options.on_health = writer_notices_.listener();
    SEEDBED_ASSIGN(writer_, RunWriter::open(data_folder_, *lock_, options));
    saver_ = std::make_unique<RunSaver>(files_, time_, *writer_, data_folder_, outcome_.id);
    return {};
}

// The same, for a run that comes back to a checkpoint: what is newer belongs to what is superseded from now
// on. When the segment cannot begin, everything is as it was.
Result<> TrainingRun::openSegmentAt(CheckpointStore& folder, std::int64_t step) {
    SEEDBED_ASSIGN(const auto aside, folder.supersedeAfter(step));
    Result<> opened = openSegment(step);
    if (opened) return opened;
    if (auto back = folder.restoreSuperseded(aside); !back)
        opened.error().message +=
            "; newer checkpoints of the run stay put aside ('.superseded'): " + back.error().text();
    return opened;
}

Result<RunOutcome> TrainingRun::train(const RunRequest& request) {
    config_ = request.config, row_queue_bytes_ = request.row_queue_bytes;
    SEEDBED_TRY(createSession());
    if (!request.init_from.empty()) SEEDBED_TRY(initFrom(request.init_from));
    SEEDBED_TRY(createRow(request));
    SEEDBED_TRY(openSegment(0));
    memory_.begin(config_);
    say(EventLevel::info, "started", "training started", {{"preset", request.preset}});
    if (!request.init_from.empty())
        say(EventLevel::info, "init_from", "weights taken from " + request.init_from);
    return work();
}

Result<> TrainingRun::goBackTo(LoadedCheckpoint checkpoint) {
    for (const std::string& notice : checkpoint.notices) announce(notice);
    memory_ = RunCounters{};
    milestone_at_ = checkpoint.info.milestone ? checkpoint.info.step : -1;
    SEEDBED_TRY(restore(checkpoint, *session_, memory_));
    replays_.takeFrom(checkpoint.data);
    // Otherwise what was read would stay beside all that the run takes from here on.
    checkpoint = LoadedCheckpoint{};
    releaseFreeMemory();
    outcome_.last_evaluation.reset();
    if (!memory_.evaluation.empty())
        outcome_.last_evaluation = summariseEvaluation(memory_.evaluation, memory_.evaluation_decisions);
    return {};
}

Result<RunOutcome> TrainingRun::resume(const ResumeRequest& request) {
    outcome_.id = request.run;
    SEEDBED_ASSIGN(lock_, RunLock::acquire(data_folder_, request.run, system_));
    RunDetails details;
    {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder_));
        SEEDBED_ASSIGN(details, reader.details(request.run));
    }
    if (details.run.in_trash)
        return fail(ErrorCode::config, "run " + std::to_string(request.run) +
                                           " is in the bin; 'seedbed restore " + std::to_string(request.run) +
                                           "' takes it out");
    SEEDBED_ASSIGN(config_, changedConfig(details.config, request.settings));
    const Json changes = difference(details.config, config_.document);
    pinned_engine_ = details.engine;
    config_.cache_folder = request.cache_folder;
    const Json inference = details.auto_settings.value("inference", Json());
    if (inference.is_object()) config_.recorded_auto = inference.value("choice", Json());

    CheckpointStore folder(files_, data_folder_, request.run);
    SEEDBED_ASSIGN(const auto complete, folder.list());
    const bool begun = !details.segments.empty() && (!complete.empty() || !details.checkpoints.empty());
    if (!begun) {
        SEEDBED_TRY(createSession());
        if (!details.init_from.empty()) SEEDBED_TRY(initFrom(details.init_from));
        SEEDBED_TRY(openSegment(0));
        memory_.begin(config_);
        const std::string preset = details.auto_settings.value("preset", "");
        writer_->setAuto(autoSettings(session_->plan(), preset), Json::array({settings().device}));
        say(EventLevel::info, "started", "training started", {{"preset", preset}});
        if (!details.init_from.empty())
            say(EventLevel::info, "init_from", "weights taken from " + details.init_from);
        return work();
    }

    SEEDBED_ASSIGN(LoadedCheckpoint checkpoint, folder.load(request.selector));
    const std::int64_t step = checkpoint.info.step;
    const Json facts = checkpoint.data.info.value("made_by", Json());
    const std::vector<std::string> notices = checkpoint.notices;
    const bool without_windows = checkpoint.info.milestone && !holds(checkpoint, kWindowsFile);
    SEEDBED_TRY(createSession());
    SEEDBED_TRY(goBackTo(std::move(checkpoint)));
    SEEDBED_TRY(checkTotalsAreAhead(changes, settings(), memory_, outcome_.id, steps()));
    // A run that was killed between its goal and its last word is brought to its end.
    if (details.run.status == RunStatus::finished) {
        SEEDBED_TRY(checkGoalIsOpen(settings(), memory_, outcome_.id, steps(), !changes.empty()));
        memory_.target_reached = false;
    }
    adoptIntervals(changes);
    adoptRecordedEvaluation(std::move(details.evaluations));
    SEEDBED_TRY(openSegmentAt(folder, step));

    std::string inexact = inexactBecause(facts, exactnessFacts(session_->plan()));
    if (inexact.empty() && !session_->environmentsAreSaved())
        inexact = "this environment cannot save its state";
    std::string text = "resumed from the checkpoint of step " + formatCount(step);
    text += inexact.empty() ? "; it goes on bit for bit"
                            : "; going on bit for bit cannot be promised: " + inexact;
    say(EventLevel::info, "resumed", text,
        {{"step", step}, {"exact", inexact.empty()}, {"superseded_from", step}});
    announce("run " + std::to_string(outcome_.id) + " " + text);
    for (const std::string& notice : notices) say(EventLevel::warning, "damaged_checkpoint", notice);
    if (!session_->environmentsAreSaved())
        say(EventLevel::warning, "environments_restarted",
            "the environments cannot save their state: their episodes were begun anew");
    if (without_windows && session_->hasOpenWindows())
        say(EventLevel::warning, "windows_left_out",
            "this milestone holds no open windows: what was played after its last update is left out, the "
            "windows were begun anew");
    if (!changes.empty())
        say(EventLevel::info, "settings", "settings changed: " + changesText(changes), changes);
    return work();
}

Result<RunOutcome> TrainingRun::work() {
    if (auto begun = saver_->begin(); !begun) return tl::unexpected<Error>(std::move(begun).error());
    began_ = time_.now();
    releaseFreeMemory();  // that the database took while the run was looked up
    offerToOomKiller();
    keepAwake();
    openControl();
    observer_.started(outcome_.id, session_->plan());
    enter(RunStatus::running);
    // The state before the first update is saved, so that there is always something to come back to.
    if (session_->progress().updates == 0) {
        phase(RunPhase::saving);
        saver_->saveFirst(snapshot());
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

bool TrainingRun::goalReached() const {
    return memory_.target_reached || (settings().steps > 0 && steps() >= settings().steps) ||
           (settings().minutes > 0 && trainedSeconds() >= settings().minutes * 60);
}

Result<> TrainingRun::loop() {
    // One that a stop request cut short.
    SEEDBED_TRY(evaluateIfDue());
    phase(nextTurn());
    while (!stop_.stop_requested() && !goalReached()) {
        const double begin = time_.now();
        auto iterated = session_->iterate(stop_);
        iteration_s_ = time_.now() - begin;
        if (!iterated && iterated.error().code == ErrorCode::interrupted) break;
        SEEDBED_ASSIGN(const IterationStats stats, std::move(iterated));
        best_before_recorded_.reset();
        recordIteration(*writer_, memory_, session_->plan(), session_->progress(), stats, time_.rowTime(),
                        trainedSeconds());
        for (const std::string& notice : stats.notices) {
            announce(notice);
            say(EventLevel::warning, "actors", notice);
        }
        speed_.add(time_.now() - not_training_s_, session_->progress().steps);
        SEEDBED_TRY(evaluateIfDue());
        keepMilestoneIfDue();
        saveIfDue();
        watch();
        phase(nextTurn());
        report();
        showParams(false);
        obey();
        if (writer_->isFull()) waitForDisk();
    }
    return {};
}

// After not-a-number: once in a run's life back to the last good checkpoint, with half the learning rate.
// False: this was not the reason, or it happened before.
Result<bool> TrainingRun::rollBack(const Error& reason) {
    if (reason.code != kNonFinite || memory_.rollbacks > 0 || stop_.stop_requested()) return false;
    const std::int64_t failed_at = steps();
    saver_->wait();
    (void)writer_->flush();
    const double trained_s = trainedSeconds();
    saver_.reset(), writer_.reset();
    CheckpointStore folder(files_, data_folder_, outcome_.id);
    auto checkpoint = folder.load();
    // Nothing to go back to: the failure stands.
    if (!checkpoint) {
        SEEDBED_TRY(openSegment(failed_at));
        SEEDBED_TRY(saver_->begin());
        return false;
    }
    const std::int64_t step = checkpoint->info.step;
    SEEDBED_TRY(createSession());
    SEEDBED_TRY(goBackTo(std::move(*checkpoint)));
    ++memory_.rollbacks;
    memory_.trained_s = trained_s;
    began_ = time_.now(), not_training_s_ = 0;

    const double rate = config_.document["algo"].value("learning_rate", 0.0);
    SEEDBED_ASSIGN(
        TrainingConfig slower,
        changedConfig(config_.document, {{"algo.learning_rate", formatNumber(rate * kRollbackRate)}}));
    adopt(std::move(slower));
    session_->setLive(config_);
    // Before anybody asks for other settings on top of the old ones.
    if (control_) control_->inForce(config_);
    SEEDBED_TRY(openSegmentAt(folder, step));
    SEEDBED_TRY(saver_->begin());
    const std::string text = "after step " + std::to_string(failed_at) + ": " + reason.text() +
                             "; went back to the checkpoint of step " + std::to_string(step) +
                             " and halved the learning rate to " + formatNumber(rate * kRollbackRate) +
                             " (once; the next time the run stops)";
    say(EventLevel::warning, "rolled_back", text,
        {{"failed_at", failed_at}, {"step", step}, {"learning_rate", rate * kRollbackRate}});
    announce(text);
    enter(RunStatus::running);
    // At once, because it is this state that knows that it went back: "once" holds also when the process is
    // killed before the next one.
    phase(RunPhase::saving);
    saver_->saveFirst(snapshot());
    return true;
}

void TrainingRun::keepAwake() {
    if (settings().keep_awake == awake_.has_value()) return;
    if (awake_) awake_.reset();
    else awake_.emplace("training run " + std::to_string(outcome_.id));
}

void TrainingRun::enter(RunStatus state, const std::string& text) {
    SEEDBED_CHECK(mayFollow(state_, state), std::string(nameOf(state_)) + " -> " + nameOf(state));
    state_ = state;
    writer_->status(state, text);
}

// Without a socket the run can still be stopped by signals.
void TrainingRun::openControl() {
    followed_.emplace(session_->plan().net, session_->learner().networkPlan(0).param_floats);
    control_.emplace(data_folder_, outcome_.id, stop_source_, files_);
    if (auto opened = control_->open(config_, &*followed_); !opened) {
        control_.reset();
        announce("this run cannot be steered from outside: " + opened.error().text());
    }
}

// What was asked through the socket, at an update boundary; a pause is spent here.
void TrainingRun::obey() {
    if (!control_) return;
    while (true) {
        obeyOnce(control_->take());
        if (!control_->pauseAsked() || stop_.stop_requested()) break;
        if (state_ != RunStatus::paused) {
            enter(RunStatus::paused);
            phase(RunPhase::paused);
            say(EventLevel::info, "paused", "paused");
            const std::string id = std::to_string(outcome_.id);
            observer_.message("paused on request after step " + formatCount(steps()) + "; 'seedbed resume " +
                              id + "' lets it go on, 'seedbed stop " + id + "' ends it");
        }
        published_ = -1;
        report();
        showParams(true);
        const double begin = time_.now();
        control_->waitWhilePaused(
            stop_, save_asked_ || saver_->unsettled() ? std::optional(kPausedLook) : std::nullopt);
        not_training_s_ += time_.now() - begin;
        // What could not be saved is told and tried again, although nothing is trained.
        if (save_asked_ || saver_->unsettled()) saveIfDue();
        watch();
    }
    if (state_ != RunStatus::paused || stop_.stop_requested()) return;
    enter(RunStatus::running);
    phase(nextTurn());
    say(EventLevel::info, "continued", "training goes on after a pause");
    observer_.message("training goes on on request");
}

void TrainingRun::obeyOnce(RunControl::Asked asked) {
    if (!asked.settings.empty()) change(asked.settings);
    // While another one is being written (which may take as long as somebody holds the database), the next
    // update or look asks again.
    if (asked.checkpoint) save_asked_ = true, saveIfDue();
}

// Lays live settings over those in force.
void TrainingRun::change(const std::vector<std::pair<std::string, std::string>>& settings) {
    auto config = changedConfig(config_.document, settings);
    if (!config) {
        // They fitted when they were asked for; a rollback came in between.
        announce("the settings stay as they are: " + config.error().text());
        return;
    }
    const Json changes = difference(config_.document, config->document);
    adopt(std::move(*config));
    control_->inForce(config_);
    session_->setLive(config_);
    adoptIntervals(changes);
    keepAwake();
    writer_->config(config_.document);
    if (!changes.empty())
        say(EventLevel::info, "settings", "settings changed: " + changesText(changes), changes);
}

void TrainingRun::announce(const std::string& text) {
    observer_.message(text);
    if (control_) control_->tell({{"event", "message"}, {"text", text}});
}

void TrainingRun::say(EventLevel level, const std::string& kind, const std::string& text, Json data) {
    writer_->event({.step = steps(),
                    .time = time_.rowTime(),
                    .level = level,
                    .kind = kind,
                    .text = text,
                    .data = std::move(data)});
}

// What the writers' threads, the power switch and the clock have to tell.
void TrainingRun::watch() {
    std::vector<std::string> notices = saver_->takeNotices();
    for (std::string& text : writer_notices_.take()) notices.push_back(std::move(text));
    for (const std::string& notice : notices) {
        announce(notice);
        say(EventLevel::warning, "saving", notice);
    }
    if (const auto slept = time_.slept()) {
        const std::string text = "the computer slept for " + formatDuration(*slept) + "; training goes on";
        announce(text);
        say(EventLevel::info, "slept", text, {{"seconds", *slept}});
    }
    if (const auto jump = time_.jumped())
        say(EventLevel::info, "clock",
            "the computer's clock was set by " + formatNumber(std::round(*jump)) +
                " s; times of this run go on evenly",
            {{"seconds", *jump}});
}

void TrainingRun::report() {
    const ProgressReport p = progressNow();
    observer_.progress(p);
    publish(p);
}

// Told at once, however short ago the last status was; what is soon over is not seen by those who ask for a
// status now and then.
void TrainingRun::phase(RunPhase phase) {
    if (std::exchange(phase_, phase) == phase) return;
    const ProgressReport p = progressNow();
    published_ = -1;
    publish(p);
    observer_.phase(p);
}

ProgressReport TrainingRun::progressNow() const {
    ProgressReport p;
    p.phase = phase_;
    p.steps = session_->progress().steps, p.updates = session_->progress().updates;
    p.goal_steps = static_cast<std::uint64_t>(settings().steps);
    p.steps_per_s = speed_.mean();
    if (!memory_.returns.empty()) p.mean_return = memory_.meanReturn();
    if (outcome_.last_evaluation) p.last_evaluation = outcome_.last_evaluation->summary.mean;
    p.elapsed_s = time_.now() - began_;
    if (const auto [slow, fast] = speed_.range(); p.goal_steps > p.steps && slow > 0)
        p.eta_s = {static_cast<double>(p.goal_steps - p.steps) / fast,
                   static_cast<double>(p.goal_steps - p.steps) / slow};
    p.next_checkpoint_s = saver_->secondsUntilDue(config_.checkpoint);
    return p;
}

void TrainingRun::publish(const ProgressReport& p) {
    constexpr double kFastest = 0.05;
    if (!control_ || time_.now() - published_ < kFastest) return;
    published_ = time_.now();
    const bool saving = !saver_->failing() && writer_->health().saving;
    control_->publish(statusJson(p, state_, outcome_.id, trainedSeconds(), saving));
}

// The parameters of this update, for players that follow; `at_once`: however short ago the last ones were.
void TrainingRun::showParams(bool at_once) {
    if (followed_ && (at_once || followed_->wanted(time_.now())))
        followed_->publish(session_->learner().params(), steps(), time_.now());
}

Result<RunOutcome> trainRun(const RunRequest& request, RunObserver& observer, std::stop_token stop,
                            FileSystem& files, const Clock& clock) {
    TrainingRun run(request.data_folder, observer, std::move(stop), files, clock);
    return run.told(run.train(request));
}

Result<RunOutcome> resumeRun(const ResumeRequest& request, RunObserver& observer, std::stop_token stop,
                             FileSystem& files, const Clock& clock) {
    TrainingRun run(request.data_folder, observer, std::move(stop), files, clock);
    return run.told(run.resume(request));
}

}  // namespace seedbed
