// SPDX-License-Identifier: Apache-2.0
// The run loop: iterate, record, evaluate, save, until the goal or a stop request; begun afresh or resumed from a checkpoint.
#include "core/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/memory.hpp"
#include "core/base/not_a_number.hpp"
#include "core/base/text.hpp"
#include "core/run/awake.hpp"
#include "core/run/init_weights.hpp"
#include "core/run/kept_replays.hpp"
#include "core/run/machine.hpp"
#include "core/run/published_params.hpp"
#include "core/run/resume.hpp"
#include "core/run/run_clock.hpp"
#include "core/run/run_control.hpp"
#include "core/run/run_facts.hpp"
#include "core/run/run_recorder.hpp"
#include "core/run/run_saver.hpp"
#include "core/run/snapshot.hpp"
#include "core/run/writer_notices.hpp"
#include "core/store/store.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::milliseconds kWaitingLook{200};  // at what is asked, while training waits for the disk
constexpr std::chrono::milliseconds kPausedLook{500};   // at a checkpoint that was asked for in a pause, until it is saved
constexpr double kRollbackRate = 0.5;                   // of the learning rate, after not-a-number

// One run by one process, from its row in the database to its last checkpoint. Thread: the caller of trainRun or resumeRun.
class Run {
public:
    Run(std::filesystem::path data_folder, RunObserver& observer, std::stop_token stop, FileSystem& files, const Clock& clock)
        : data_folder_(std::move(data_folder)),
          observer_(observer),
          stop_from_outside_(std::move(stop), [this] { stop_source_.request_stop(); }),
          system_{&files, &clock} {}

    Result<RunOutcome> train(const RunRequest& request);
    Result<RunOutcome> resume(const ResumeRequest& request);
    // The last call: an error that the run could not note itself stands in its row, which does not stay "starting" for ever.
    Result<RunOutcome> told(Result<RunOutcome> outcome);

private:
    Result<RunId> resolve(std::string_view name) const;
    // Takes changed settings over; what was chosen for the machine stays.
    void adopt(TrainingConfig config);
    Result<> createSession();
    Result<> initFrom(const std::string& name);
    Result<> createRow(const RunRequest& request);
    Result<> goBackTo(LoadedCheckpoint checkpoint);
    Result<> openSegment(std::int64_t step);
    Result<> openSegmentAt(CheckpointStore& folder, std::int64_t step);
    Result<RunOutcome> work();
    Result<> loop();
    Result<bool> rollBack(const Error& reason);
    Result<bool> evaluateNow(int episodes);  // false: interrupted
    void adoptRecordedEvaluation(std::vector<EvaluationRecord> recorded);
    Result<> evaluateIfDue();
    bool evaluationDue() const;
    // Keeps these episodes apart from those that `seedbed eval` plays with the same small seeds.
    std::uint64_t evaluationSeed() const { return ~static_cast<std::uint64_t>(settings().seed); }
    bool reachesTarget(double mean) const { return settings().target_return > RunSettings::kNoTarget && mean >= settings().target_return; }
    bool goalReached() const;
    Result<CheckpointData> snapshot();  // error: the actors cannot be held still
    void saveIfDue();
    Result<> finish(Result<> result);
    void enter(RunStatus state, const std::string& text = "");
    void openControl();
    void obey();
    void obeyOnce(RunControl::Asked asked);
    void change(const std::vector<std::pair<std::string, std::string>>& settings);
    void waitForDisk();
    void announce(const std::string& text);
    void report();
    void publish(const ProgressReport& progress);
    void showParams(bool at_once);
    void watch();
    void say(EventLevel level, const std::string& kind, const std::string& text, Json data = Json::object());
    double trainedSeconds() const { return memory_.trained_s + (time_.now() - began_ - not_training_s_); }
    std::int64_t steps() const { return static_cast<std::int64_t>(session_->progress().steps); }
    const RunSettings& settings() const { return config_.run; }

    const std::filesystem::path data_folder_;
    RunObserver& observer_;
    std::stop_source stop_source_;
    const std::stop_token stop_ = stop_source_.get_token();
    std::stop_callback<std::function<void()>> stop_from_outside_;
    const System system_;
    FileSystem& files_ = *system_.files;
    RunClock time_{*system_.clock};

    TrainingConfig config_;
    std::string pinned_engine_;  // what the run began with, where the configuration leaves it open
    std::unique_ptr<Session> session_;
    RunMemory memory_;
    KeptReplays replays_;
    std::optional<RunLock> lock_;
    std::unique_ptr<RunWriter> writer_;
    std::unique_ptr<RunSaver> saver_;  // after the writer: its thread hands rows over
    RunStatus state_ = RunStatus::starting;
    bool begun_ = false;                       // its row says that it is alive
    std::optional<PublishedParams> followed_;  // by players
    std::optional<RunControl> control_;        // none where sockets are not possible
    bool save_asked_ = false;
    std::optional<double> best_before_recorded_;  // best score before the recorded evaluation of the state that a resume loaded
    double published_ = -1;

    WriterNotices writer_notices_;
    std::size_t row_queue_bytes_ = RunWriterOptions{}.queue_bytes;

    RunOutcome outcome_;
    double began_ = 0, not_training_s_ = 0;  // evaluations and pauses since `began_`
    Speedometer speed_;
};

Result<RunId> Run::resolve(std::string_view name) const {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder_));
    return reader.resolveRun(name);
}

void Run::adopt(TrainingConfig config) {
    config.recorded_auto = config_.recorded_auto, config.cache_folder = config_.cache_folder;
    config_ = std::move(config);
}

Result<> Run::createSession() {
    TrainingConfig planned = config_;
    if (planned.run.engine == "auto" && !pinned_engine_.empty()) planned.run.engine = pinned_engine_;
    auto plan = Session::plan(planned);
    // What the run began with is not here any more: better another engine than none.
    if (!plan && plan.error().code == ErrorCode::device && planned.run.engine != config_.run.engine) plan = Session::plan(config_);
    if (!plan) return tl::unexpected<Error>(std::move(plan).error());
    session_.reset();
    SEEDBED_ASSIGN(session_, Session::create(std::move(*plan)));
    // What was measured and chosen stays, should the run go back to a checkpoint.
    pinned_engine_ = session_->plan().engine.id;
    if (!session_->plan().auto_choice.is_null()) config_.recorded_auto = session_->plan().auto_choice;
    return {};
}

// Weights of another run or folder; everything else starts afresh.
Result<> Run::initFrom(const std::string& name) {
    SEEDBED_ASSIGN(const LoadedPolicy loaded,
                   loadPolicy(files_, data_folder_, name, [this](std::string_view run) { return resolve(run); }));
    for (const std::string& notice : loaded.notices) announce(notice);
    return initWeights(loaded, name, *session_);
}

Result<> Run::createRow(const RunRequest& request) {
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
    if (!owned.put_aside.empty())
        announce("the folder of run " + std::to_string(owned.id) +
                 " held checkpoints of a run that is not in the database; they are now in " + owned.put_aside);
    return {};
}

// The next segment of the run begins at `step`; its writers are opened.
Result<> Run::openSegment(std::int64_t step) {
    SEEDBED_ASSIGN(Store store, Store::open(data_folder_, {}, system_));
    ProcessInfo process = processInfo(session_->plan().threads);
    process.other["engine"] = session_->plan().engine.id;
    SEEDBED_ASSIGN([[maybe_unused]] const SegmentRecord segment, store.beginSegment(*lock_, step, process, config_.document));
    begun_ = true;

    RunWriterOptions options;
    options.system = system_, options.stop = stop_, options.queue_bytes = row_queue_bytes_;
    options.on_health = writer_notices_.listener();
    SEEDBED_ASSIGN(writer_, RunWriter::open(data_folder_, *lock_, options));
    saver_ = std::make_unique<RunSaver>(files_, time_, *writer_, data_folder_, outcome_.id);
    return {};
}

// The same, for a run that comes back to a checkpoint: what is newer belongs to what is superseded from now on. When the segment cannot
// begin, everything is as it was.
Result<> Run::openSegmentAt(CheckpointStore& folder, std::int64_t step) {
    SEEDBED_ASSIGN(const auto aside, folder.putAsideAfter(step));
    Result<> opened = openSegment(step);
    if (opened) return opened;
    if (auto back = folder.bringBack(aside); !back)
        opened.error().message += "; newer checkpoints of the run stay put aside ('.superseded'): " + back.error().text();
    return opened;
}

Result<RunOutcome> Run::train(const RunRequest& request) {
    config_ = request.config, row_queue_bytes_ = request.row_queue_bytes;
    SEEDBED_TRY(createSession());
    if (!request.init_from.empty()) SEEDBED_TRY(initFrom(request.init_from));
    SEEDBED_TRY(createRow(request));
    SEEDBED_TRY(openSegment(0));
    memory_.begin(config_);
    say(EventLevel::info, "started", "training started", {{"preset", request.preset}});
    if (!request.init_from.empty()) say(EventLevel::info, "init_from", "weights taken from " + request.init_from);
    return work();
}

Result<> Run::goBackTo(LoadedCheckpoint checkpoint) {
    for (const std::string& notice : checkpoint.notices) announce(notice);
    memory_ = RunMemory{};
    SEEDBED_TRY(restore(checkpoint, *session_, memory_));
    replays_.takeFrom(checkpoint.data);
    // Otherwise what was read would stay beside all that the run takes from here on.
    checkpoint = LoadedCheckpoint{};
    giveMemoryBack();
    outcome_.last_evaluation.reset();
    if (!memory_.evaluation.empty()) outcome_.last_evaluation = summariseEvaluation(memory_.evaluation, memory_.evaluation_decisions);
    return {};
}

Result<RunOutcome> Run::resume(const ResumeRequest& request) {
    outcome_.id = request.run;
    SEEDBED_ASSIGN(lock_, RunLock::acquire(data_folder_, request.run, system_));
    RunDetails details;
    {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder_));
        SEEDBED_ASSIGN(details, reader.details(request.run));
    }
    if (details.run.in_bin)
        return fail(ErrorCode::config, "run " + std::to_string(request.run) + " is in the bin; 'seedbed restore " +
                                           std::to_string(request.run) + "' takes it out");
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
        if (!details.init_from.empty()) say(EventLevel::info, "init_from", "weights taken from " + details.init_from);
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
    adoptRecordedEvaluation(std::move(details.evaluations));
    SEEDBED_TRY(openSegmentAt(folder, step));

    std::string inexact = inexactBecause(facts, exactnessFacts(session_->plan()));
    if (inexact.empty() && !session_->environmentsAreSaved()) inexact = "this environment cannot save its state";
    std::string text = "resumed from the checkpoint of step " + formatCount(step);
    text += inexact.empty() ? "; it goes on bit for bit" : "; going on bit for bit cannot be promised: " + inexact;
    say(EventLevel::info, "resumed", text, {{"step", step}, {"exact", inexact.empty()}, {"superseded_from", step}});
    announce("run " + std::to_string(outcome_.id) + " " + text);
    for (const std::string& notice : notices) say(EventLevel::warning, "damaged_checkpoint", notice);
    if (!session_->environmentsAreSaved())
        say(EventLevel::warning, "environments_restarted", "the environments cannot save their state: their episodes were begun anew");
    if (without_windows && session_->hasOpenWindows())
        say(EventLevel::warning, "windows_left_out",
            "this milestone holds no open windows: what was played after its last update is left out, the windows were begun anew");
    if (!changes.empty()) say(EventLevel::info, "settings", "settings changed: " + changesText(changes), changes);
    return work();
}

Result<RunOutcome> Run::work() {
    if (auto begun = saver_->begin(); !begun) return tl::unexpected<Error>(std::move(begun).error());
    began_ = time_.now();
    giveMemoryBack();  // that the database took while the run was looked up
    offerToOomKiller();
    std::optional<StayAwake> awake;
    if (settings().keep_awake) awake.emplace("training run " + std::to_string(outcome_.id));
    openControl();
    observer_.started(outcome_.id, session_->plan());
    enter(RunStatus::running);
    // The state before the first update is saved, so that there is always something to come back to.
    if (session_->progress().updates == 0) saver_->saveFirst(snapshot());
    Result<> result = loop();
    while (!result) {
        SEEDBED_ASSIGN(const bool again, rollBack(result.error()));
        if (!again) break;
        result = loop();
    }
    SEEDBED_TRY(finish(std::move(result)));
    return std::move(outcome_);
}

bool Run::goalReached() const {
    return memory_.target_reached || (settings().steps > 0 && steps() >= settings().steps) ||
           (settings().minutes > 0 && trainedSeconds() >= settings().minutes * 60);
}

Result<> Run::loop() {
    // One that a stop request cut short.
    SEEDBED_TRY(evaluateIfDue());
    while (!stop_.stop_requested() && !goalReached()) {
        auto iterated = session_->iterate(stop_);
        if (!iterated && iterated.error().code == ErrorCode::interrupted) break;
        SEEDBED_ASSIGN(const IterationStats stats, std::move(iterated));
        best_before_recorded_.reset();
        recordIteration(*writer_, memory_, session_->plan(), session_->progress(), stats, time_.rowTime(), trainedSeconds());
        for (const std::string& notice : stats.notices) {
            announce(notice);
            say(EventLevel::warning, "actors", notice);
        }
        speed_.add(time_.now() - not_training_s_, session_->progress().steps);
        SEEDBED_TRY(evaluateIfDue());
        saveIfDue();
        watch();
        report();
        showParams(false);
        obey();
        if (writer_->isFull()) waitForDisk();
    }
    return {};
}

// Nothing has been saved for so long that rows fill their queue: training rests here, where requests are still obeyed, and not in the midst
// of an update. Nothing is dropped.
void Run::waitForDisk() {
    const WriterHealth health = writer_->health();
    const std::string text = "training waits until the rows of this run can be saved" + (health.saving ? "" : ": " + health.error.text());
    announce(text);
    say(EventLevel::warning, "saving", text);
    const double begin = time_.now(), not_training = not_training_s_;
    while (writer_->isFull() && !stop_.stop_requested()) {
        writer_->waitForRoom(kWaitingLook);
        watch();
        published_ = -1;
        report();
        obey();
        not_training_s_ = not_training + (time_.now() - begin);  // with the pauses meanwhile
    }
    announce("training goes on");
}

// After not-a-number: once in a run's life back to the last good checkpoint, with half the learning rate. False: this was not the reason,
// or it happened before.
Result<bool> Run::rollBack(const Error& reason) {
    if (reason.code != kNotANumber || memory_.rollbacks > 0 || stop_.stop_requested()) return false;
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
    SEEDBED_ASSIGN(TrainingConfig slower, changedConfig(config_.document, {{"algo.learning_rate", formatNumber(rate * kRollbackRate)}}));
    adopt(std::move(slower));
    session_->setLive(config_);
    // Before anybody asks for other settings on top of the old ones.
    if (control_) control_->inForce(config_);
    SEEDBED_TRY(openSegmentAt(folder, step));
    SEEDBED_TRY(saver_->begin());
    const std::string text = "after step " + std::to_string(failed_at) + ": " + reason.text() + "; went back to the checkpoint of step " +
                             std::to_string(step) + " and halved the learning rate to " + formatNumber(rate * kRollbackRate) +
                             " (once; the next time the run stops)";
    say(EventLevel::warning, "rolled_back", text, {{"failed_at", failed_at}, {"step", step}, {"learning_rate", rate * kRollbackRate}});
    announce(text);
    enter(RunStatus::running);
    // At once, because it is this state that knows that it went back: "once" holds also when the process is killed before the next one.
    saver_->saveFirst(snapshot());
    return true;
}

bool Run::evaluationDue() const {
    if (session_->progress().steps >= memory_.next_evaluation) return true;
    // The training returns reached the target: an evaluation decides whether the run is done.
    return settings().target_return > RunSettings::kNoTarget && memory_.episodes_since_evaluation >= RunMemory::kReturnWindow &&
           memory_.meanReturn() >= settings().target_return;
}

Result<> Run::evaluateIfDue() {
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
    const auto every = config_.eval.every_steps > 0 ? static_cast<std::uint64_t>(config_.eval.every_steps) : memory_.evaluation_every;
    memory_.next_evaluation = (session_->progress().steps / every + 1) * every;
    // Taken when all counters stand as after this update, since a resume may come back to it.
    if (memory_.best_score > best_before) saver_->keepBest(snapshot());
    return {};
}

// An evaluation of the loaded state that was recorded after its checkpoint: it is not made again.
void Run::adoptRecordedEvaluation(std::vector<EvaluationRecord> recorded) {
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

Result<bool> Run::evaluateNow(int episodes) {
    if (episodes <= 0) return true;
    const double begin = time_.now();
    const Selection selection = config_.eval.greedy ? Selection::greedy : Selection::sample;
    EvaluationRequest request = session_->evaluationRequest(episodes, selection, evaluationSeed());
    request.record = true;
    auto result = session_->evaluate(request, stop_);
    not_training_s_ += time_.now() - begin;
    if (!result && result.error().code == ErrorCode::interrupted) return false;  // half an evaluation is none
    if (!result) return tl::unexpected<Error>(std::move(result).error());
    replays_.keep(request, *result, {{"run", outcome_.id}, {"step", steps()}, {"greedy", config_.eval.greedy}, {"build", buildText()}});
    const Summary& s = result->summary;
    EvaluationRecord record = evaluationRecord(*result);
    record.step = steps(), record.time = time_.rowTime(), record.seed = evaluationSeed(), record.greedy = config_.eval.greedy;
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

Result<CheckpointData> Run::snapshot() {
    RunMemory memory = memory_;
    memory.trained_s = trainedSeconds();
    SEEDBED_ASSIGN(CheckpointData data, takeSnapshot(outcome_.id, *session_, config_, std::move(memory), outcome_.last_evaluation));
    replays_.addTo(data);
    return data;
}

void Run::saveIfDue() {
    const auto every = static_cast<std::uint64_t>(config_.checkpoint.milestone_steps);
    const bool milestone = every > 0 && session_->progress().steps >= memory_.next_milestone;
    const auto due = memory_.next_milestone;
    const auto taken = saver_->saveIfDue(config_.checkpoint, milestone || save_asked_, [&] {
        // Before the snapshot, which remembers it.
        if (milestone) memory_.next_milestone = (session_->progress().steps / every + 1) * every;
        Result<CheckpointData> data = snapshot();
        if (data) data->milestone = milestone;
        else memory_.next_milestone = due;
        return data;
    });
    // Asked for was the state now, not one that waited.
    if (taken == RunSaver::Taken::snapshot) save_asked_ = false;
}

void Run::enter(RunStatus state, const std::string& text) {
    SEEDBED_CHECK(mayFollow(state_, state), std::string(nameOf(state_)) + " -> " + nameOf(state));
    state_ = state;
    writer_->status(state, text);
}

// Without a socket the run can still be stopped by signals.
void Run::openControl() {
    followed_.emplace(session_->plan().net, session_->learner().networkPlan(0).param_floats);
    control_.emplace(data_folder_, outcome_.id, stop_source_, files_);
    if (auto opened = control_->open(config_, &*followed_); !opened) {
        control_.reset();
        announce("this run cannot be steered from outside: " + opened.error().text());
    }
}

// What was asked through the socket, at an update boundary; a pause is spent here.
void Run::obey() {
    if (!control_) return;
    while (true) {
        obeyOnce(control_->take());
        if (!control_->pauseAsked() || stop_.stop_requested()) break;
        if (state_ != RunStatus::paused) {
            enter(RunStatus::paused);
            say(EventLevel::info, "paused", "paused");
            const std::string id = std::to_string(outcome_.id);
            observer_.message("paused on request after step " + formatCount(steps()) + "; 'seedbed resume " + id +
                              "' lets it go on, 'seedbed stop " + id + "' ends it");
        }
        published_ = -1;
        report();
        showParams(true);
        const double begin = time_.now();
        control_->waitWhilePaused(stop_, saver_->unsettled() ? std::optional(kPausedLook) : std::nullopt);
        not_training_s_ += time_.now() - begin;
        // What could not be saved is told and tried again, although nothing is trained.
        if (save_asked_ || saver_->unsettled()) saveIfDue();
        watch();
    }
    if (state_ != RunStatus::paused || stop_.stop_requested()) return;
    enter(RunStatus::running);
    say(EventLevel::info, "continued", "training goes on after a pause");
    observer_.message("training goes on on request");
}

void Run::obeyOnce(RunControl::Asked asked) {
    if (!asked.settings.empty()) change(asked.settings);
    if (!asked.checkpoint) return;
    save_asked_ = true;
    // The state of the best evaluation may have waited, and goes first.
    for (int turn = 0; turn < 2 && save_asked_; ++turn) {
        saver_->wait();
        saveIfDue();
    }
}

// Lays live settings over those in force.
void Run::change(const std::vector<std::pair<std::string, std::string>>& settings) {
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
    writer_->config(config_.document);
    if (!changes.empty()) say(EventLevel::info, "settings", "settings changed: " + changesText(changes), changes);
}

void Run::announce(const std::string& text) {
    observer_.message(text);
    if (control_) control_->tell({{"event", "message"}, {"text", text}});
}

void Run::say(EventLevel level, const std::string& kind, const std::string& text, Json data) {
    writer_->event({.step = steps(), .time = time_.rowTime(), .level = level, .kind = kind, .text = text, .data = std::move(data)});
}

// What the writers' threads, the power switch and the clock have to tell.
void Run::watch() {
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
            "the computer's clock was set by " + formatNumber(std::round(*jump)) + " s; times of this run go on evenly",
            {{"seconds", *jump}});
}

void Run::report() {
    ProgressReport p;
    p.steps = session_->progress().steps, p.updates = session_->progress().updates;
    p.goal_steps = static_cast<std::uint64_t>(settings().steps);
    p.steps_per_s = speed_.mean();
    if (!memory_.returns.empty()) p.mean_return = memory_.meanReturn();
    if (outcome_.last_evaluation) p.last_evaluation = outcome_.last_evaluation->summary.mean;
    p.elapsed_s = time_.now() - began_;
    if (const auto [slow, fast] = speed_.range(); p.goal_steps > p.steps && slow > 0)
        p.eta_s = {static_cast<double>(p.goal_steps - p.steps) / fast, static_cast<double>(p.goal_steps - p.steps) / slow};
    p.next_checkpoint_s = saver_->secondsUntilDue(config_.checkpoint);
    observer_.progress(p);
    publish(p);
}

void Run::publish(const ProgressReport& p) {
    constexpr double kFastest = 0.05;
    if (!control_ || time_.now() - published_ < kFastest) return;
    published_ = time_.now();
    const bool saving = !saver_->failing() && writer_->health().saving;
    control_->publish(statusJson(p, state_, outcome_.id, trainedSeconds(), saving));
}

// The parameters of this update, for players that follow; `at_once`: however short ago the last ones were.
void Run::showParams(bool at_once) {
    if (followed_ && (at_once || followed_->wanted(time_.now()))) followed_->publish(session_->learner().params(), steps(), time_.now());
}

Result<> Run::finish(Result<> result) {
    if (result) showParams(true);
    if (stop_.stop_requested()) enter(RunStatus::stopping);
    const bool evaluated = outcome_.last_evaluation && memory_.evaluated_version == session_->learner().params().version() &&
                           static_cast<int>(outcome_.last_evaluation->episodes.size()) >= config_.eval.final_episodes;
    const double best_before = best_before_recorded_.value_or(memory_.best_score);
    if (result && !stop_.stop_requested() && !evaluated)
        if (auto done = evaluateNow(config_.eval.final_episodes); !done) result = tl::unexpected<Error>(std::move(done).error());
    outcome_.interrupted = stop_.stop_requested();
    outcome_.steps = session_->progress().steps;
    outcome_.target_reached = memory_.target_reached;
    outcome_.elapsed_s = time_.now() - began_;
    outcome_.params_sha256 = session_->learner().params().sha256();
    // One snapshot at a time: while the newest is being written, another one would be the most memory a run ever takes.
    saver_->wait();
    // After a failure the last good checkpoint stays the newest one: the state now may be what made it fail.
    if (result) {
        Result<CheckpointData> last = snapshot();
        result =
            last ? saver_->saveLast(std::move(*last), memory_.best_score > best_before) : tl::unexpected<Error>(std::move(last).error());
    }
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
    auto flushed = writer_->flush();
    published_ = -1;
    report();
    if (control_) control_->tell({{"event", "ended"}, {"state", nameOf(state_)}, {"text", result ? "" : result.error().text()}});
    return result ? flushed : result;
}

// Nothing more can be done when the store refuses this too: the run is then shown as interrupted.
Result<RunOutcome> Run::told(Result<RunOutcome> outcome) {
    if (outcome || !begun_ || !isLive(state_)) return outcome;
    saver_.reset(), writer_.reset(), lock_.reset();  // but by its writer, a run that is owned is not changed
    if (auto store = Store::open(data_folder_, {}, system_)) (void)store->setStatus(outcome_.id, RunStatus::failed, outcome.error().text());
    return outcome;
}

}  // namespace

Result<RunOutcome> trainRun(const RunRequest& request, RunObserver& observer, std::stop_token stop, FileSystem& files, const Clock& clock) {
    Run run(request.data_folder, observer, std::move(stop), files, clock);
    return run.told(run.train(request));
}

Result<RunOutcome> resumeRun(const ResumeRequest& request, RunObserver& observer, std::stop_token stop, FileSystem& files,
                             const Clock& clock) {
    Run run(request.data_folder, observer, std::move(stop), files, clock);
    return run.told(run.resume(request));
}

}  // namespace seedbed
