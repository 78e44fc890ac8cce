// SPDX-License-Identifier: Apache-2.0
// The run loop: iterate, record, evaluate, save, until the goal or a stop request.
#include "core/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>

#include "core/base/log.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/policy/checkpoint_writer.hpp"
#include "core/run/machine.hpp"
#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {
namespace {

constexpr double kSpeedWindowSeconds = 10;
constexpr std::size_t kReturnWindow = 100;  // training episodes that the shown mean covers
constexpr int kDefaultEvaluations = 10;     // within the budget of steps, when eval.every_steps is 0

double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

// Steps per second over the last seconds, and how much it varied: the range of the ETA.
class Speedometer {
public:
    void add(double time, std::uint64_t steps) {
        points_.push_back({time, steps});
        while (points_.size() > 2 && time - points_.front().time > kSpeedWindowSeconds) points_.pop_front();
    }
    double mean() const { return rate(0, points_.size() - 1); }
    // Slowest and fastest of the four quarters of the window.
    std::pair<double, double> range() const {
        double low = mean(), high = low;
        const std::size_t quarter = points_.size() / 4;
        for (std::size_t q = 0; quarter > 0 && q < 4; ++q) {
            const double r = rate(q * quarter, std::min((q + 1) * quarter, points_.size() - 1));
            low = std::min(low, r), high = std::max(high, r);
        }
        return {low, high};
    }

private:
    struct Point {
        double time;
        std::uint64_t steps;
    };
    double rate(std::size_t a, std::size_t b) const {
        if (points_.size() < 2 || points_[b].time <= points_[a].time) return 0;
        return static_cast<double>(points_[b].steps - points_[a].steps) / (points_[b].time - points_[a].time);
    }
    std::deque<Point> points_;
};

// The parts of two networks that are not the same: "spaces, hidden".
std::string differentParts(const NetSpec& left, const NetSpec& right) {
    const Json l = toJson(left), r = toJson(right);
    std::vector<std::string> names;
    for (const auto& [name, value] : l.items())
        if (!r.contains(name) || r.at(name) != value) names.push_back(name);
    return join(names, ", ");
}

// One run from its row in the database to its last checkpoint. Thread: the caller of trainRun.
class Run {
public:
    Run(const RunRequest& request, RunObserver& observer, std::stop_token stop, FileSystem& files, const Clock& clock)
        : request_(request), observer_(observer), stop_(std::move(stop)), files_(files), clock_(clock), settings_(request.config.run) {}

    Result<RunOutcome> execute();

private:
    Result<> initFrom(Session& session);
    Result<> openStore();
    Result<> putAsideForeignCheckpoints();
    Result<> loop();
    void recordIteration(const IterationStats& stats);
    Result<> evaluateNow(int episodes);
    bool evaluationDue() const;
    // Keeps these episodes apart from those that `seedbed eval` plays with the same small seeds.
    std::uint64_t evaluationSeed() const { return ~static_cast<std::uint64_t>(settings_.seed); }
    bool goalReached() const;
    CheckpointData snapshot();
    void checkpointIfDue();
    double checkpointInterval();
    Result<> finish(const Result<>& loop_result);
    void report();
    double now() const { return seconds(clock_.monotonicNs()); }
    double wall() const { return seconds(clock_.wallNs()); }
    std::int64_t steps() const { return static_cast<std::int64_t>(session_->progress().steps); }

    const RunRequest& request_;
    RunObserver& observer_;
    std::stop_token stop_;
    FileSystem& files_;
    const Clock& clock_;
    const RunSettings& settings_;

    std::unique_ptr<Session> session_;
    std::optional<RunLock> lock_;
    // What the writers' threads tell the run's; outlives both writers, and is never held while calling one of them.
    std::mutex notices_mutex_;
    std::vector<std::string> notices_;
    double checkpoint_cost_ = 0;
    std::unique_ptr<RunWriter> writer_;
    std::unique_ptr<CheckpointWriter> checkpoints_;

    RunOutcome outcome_;
    double began_ = 0, last_checkpoint_ = 0, evaluation_s_ = 0;
    std::uint64_t next_evaluation_ = 0, evaluation_every_ = 0;
    std::uint64_t next_milestone_ = 0;
    std::deque<double> returns_;
    double return_sum_ = 0;
    std::size_t episodes_since_evaluation_ = 0;
    std::uint64_t evaluated_version_ = ~std::uint64_t{0};
    double best_score_ = -INFINITY;
    std::optional<CheckpointData> best_;  // the state that the best evaluation so far was made with, until it is handed over
    bool target_reached_ = false;
    std::string last_notice_;
    Speedometer speed_;
};

// Weights of another run or folder; everything else starts afresh.
Result<> Run::initFrom(Session& session) {
    const RunResolver resolve = [this](std::string_view name) -> Result<std::int64_t> {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(request_.data_folder));
        return reader.resolveRun(name);
    };
    SEEDBED_ASSIGN(const LoadedPolicy loaded, loadPolicy(files_, request_.data_folder, request_.init_from, resolve));
    for (const std::string& notice : loaded.notices) observer_.message(notice);
    const NamedNetwork& network = loaded.bundle.network;
    if (!(network.spec == session.plan().net))
        return fail(ErrorCode::config, "'" + request_.init_from + "' (" + loaded.bundle.provenance.env +
                                           ") has another network than this configuration: " + "different are " +
                                           differentParts(network.spec, session.plan().net));
    for (std::size_t i = 0; i < session.learner().networkCount(); ++i)
        if (session.learner().networkPlan(i).spec == network.spec)
            session.learner().setParams(i, Params(std::vector<float>(network.params.blob().begin(), network.params.blob().end()), 0));
    return {};
}

// A new run has no checkpoints. What lies in its folder belonged to a run of a database that is gone, and must not be taken for its own.
Result<> Run::putAsideForeignCheckpoints() {
    const Path folder = checkpointsFolder(request_.data_folder, outcome_.id);
    SEEDBED_ASSIGN(const std::optional<FileInfo> found, files_.info(folder));
    if (!found) return {};
    const Path aside = folder.string() + ".before-" + std::to_string(clock_.wallNs() / 1'000'000'000);
    SEEDBED_TRY(files_.rename(folder, aside));
    observer_.message("the folder of run " + std::to_string(outcome_.id) +
                      " held checkpoints of a run that is not in the database; they are now in " + aside.string());
    return {};
}

Result<> Run::openStore() {
    SEEDBED_ASSIGN(Store store, Store::open(request_.data_folder));
    const SessionPlan& plan = session_->plan();
    NewRun row;
    row.name = request_.name, row.env = request_.config.env_id, row.algo = request_.config.algo_id;
    row.seed = static_cast<std::uint64_t>(settings_.seed), row.engine = plan.engine.id;
    row.config = request_.config.document, row.init_from = request_.init_from;
    row.devices = Json::array({settings_.device});
    row.auto_settings = {
        {"engine", {{"value", plan.engine.id}, {"why", plan.engine.why}}},
        {"groups",
         {{"value", plan.groups},
          {"why", request_.config.actor.groups > 0 ? "asked for" : "by the number of environments, and what was measured for inference"}}},
        {"threads", {{"value", plan.threads}, {"why", settings_.threads > 0 ? "asked for" : "one per core"}}},
        {"inference",
         {{"value", plan.config.run.inference},
          {"why", plan.auto_choice.is_null() ? Json("asked for") : plan.auto_choice.at("why")},
          {"choice", plan.auto_choice}}},
        {"preset", request_.preset}};
    SEEDBED_ASSIGN(OwnedRun owned, store.createRun(row));
    lock_ = std::move(owned.lock);
    outcome_.id = owned.id;
    SEEDBED_ASSIGN([[maybe_unused]] const SegmentRecord segment, store.beginSegment(*lock_, 0, processInfo(plan.threads)));

    RunWriterOptions options;
    options.on_health = [this](const WriterHealth& health) {
        const std::scoped_lock guard(notices_mutex_);
        notices_.push_back(health.saving ? "saving works again" : "saving is paused, training goes on: " + health.error.text());
    };
    SEEDBED_ASSIGN(writer_, RunWriter::open(request_.data_folder, *lock_, options));
    SEEDBED_TRY(putAsideForeignCheckpoints());
    CheckpointStore folder(files_, request_.data_folder, owned.id);
    SEEDBED_TRY(folder.clean());
    checkpoints_ = std::make_unique<CheckpointWriter>(std::move(folder), Retention{}, [this](const Result<CheckpointSaved>& saved) {
        {
            const std::scoped_lock guard(notices_mutex_);
            if (!saved) {
                notices_.push_back("a checkpoint could not be saved, earlier ones are untouched: " + saved.error().text());
                return;
            }
            checkpoint_cost_ = saved->seconds;
        }
        writer_->checkpoint(CheckpointRecord{.step = saved->info.step,
                                             .time = saved->info.time,
                                             .updates = saved->info.updates,
                                             .folder = saved->info.folder.lexically_relative(request_.data_folder).string(),
                                             .bytes = static_cast<std::int64_t>(saved->info.bytes),
                                             .params_sha256 = saved->info.params_sha256,
                                             .score = saved->info.score,
                                             .best = saved->info.best,
                                             .milestone = saved->info.milestone});
        if (!saved->removed.empty()) writer_->checkpointsRemoved(saved->removed);
    });
    return {};
}

Result<RunOutcome> Run::execute() {
    SEEDBED_ASSIGN(SessionPlan plan, Session::plan(request_.config));
    SEEDBED_ASSIGN(session_, Session::create(std::move(plan)));
    if (!request_.init_from.empty()) SEEDBED_TRY(initFrom(*session_));
    SEEDBED_TRY(openStore());
    began_ = last_checkpoint_ = now();
    observer_.started(outcome_.id, session_->plan());
    writer_->status(RunStatus::running);
    writer_->event({.step = 0, .time = wall(), .kind = "started", .text = "training started", .data = {{"preset", request_.preset}}});
    if (!request_.init_from.empty())
        writer_->event({.step = 0, .time = wall(), .kind = "init_from", .text = "weights taken from " + request_.init_from});

    // The budget of steps sets how often to evaluate; without one, the horizon is unknown and time decides by a fixed number of steps.
    const auto budget = static_cast<std::uint64_t>(settings_.steps);
    evaluation_every_ = static_cast<std::uint64_t>(request_.config.eval.every_steps);
    if (evaluation_every_ == 0) evaluation_every_ = budget > 0 ? std::max<std::uint64_t>(1, budget / kDefaultEvaluations) : 100'000;
    next_evaluation_ = evaluation_every_;
    next_milestone_ = static_cast<std::uint64_t>(request_.config.checkpoint.milestone_steps);

    SEEDBED_TRY(finish(loop()));
    return std::move(outcome_);
}

bool Run::goalReached() const {
    const double trained_s = now() - began_ - evaluation_s_;
    return target_reached_ || (settings_.steps > 0 && session_->progress().steps >= static_cast<std::uint64_t>(settings_.steps)) ||
           (settings_.minutes > 0 && trained_s >= settings_.minutes * 60);
}

Result<> Run::loop() {
    // The state before the first update is saved, so that there is always something to come back to.
    checkpoints_->trySubmit(snapshot());
    while (!stop_.stop_requested() && !goalReached()) {
        auto iterated = session_->iterate(stop_);
        if (!iterated && iterated.error().code == ErrorCode::interrupted) break;
        SEEDBED_ASSIGN(const IterationStats stats, std::move(iterated));
        recordIteration(stats);
        if (evaluationDue()) {
            SEEDBED_TRY(evaluateNow(request_.config.eval.episodes));
            // A target is reached when the evaluation that ends the run says so too.
            if (target_reached_ && request_.config.eval.final_episodes > request_.config.eval.episodes)
                SEEDBED_TRY(evaluateNow(request_.config.eval.final_episodes));
            next_evaluation_ = (session_->progress().steps / evaluation_every_ + 1) * evaluation_every_;
        }
        checkpointIfDue();
        report();
    }
    return {};
}

void Run::recordIteration(const IterationStats& stats) {
    const double time = wall();
    std::vector<EpisodeRecord> episodes;
    double sum = 0, length = 0;
    for (const EpisodeEnd& end : stats.episodes) {
        episodes.push_back(
            {.step = steps(), .time = time, .episode_return = end.episode_return, .length = end.length, .column = end.column});
        sum += end.episode_return, length += end.length;
        ++episodes_since_evaluation_;
        returns_.push_back(end.episode_return);
        return_sum_ += end.episode_return;
        if (returns_.size() > kReturnWindow) return_sum_ -= returns_.front(), returns_.pop_front();
    }
    writer_->episodes(episodes);

    std::vector<RunWriter::Value> values;
    for (const auto& [name, value] : stats.update.metrics) values.push_back({name, value});
    for (const auto& [name, value] : stats.metrics) values.push_back({name, value});
    for (const std::string& notice : stats.notices) {
        observer_.message(notice);
        writer_->event({.step = steps(), .time = time, .level = EventLevel::warning, .kind = "actors", .text = notice});
    }
    const double n = static_cast<double>(stats.episodes.size());
    if (n > 0) values.push_back({"episode/return", sum / n}), values.push_back({"episode/length", length / n});
    const double wall_s = stats.rollout_s + stats.learn_s;
    const double rate = static_cast<double>(stats.decisions) / wall_s;
    values.push_back({"speed/env_steps_per_s", rate});
    values.push_back({"speed/frames_per_s", rate * session_->plan().env.frames_per_step});
    values.push_back({"speed/updates_per_s", 1 / wall_s});
    const auto times = stats.times.metrics();  // values refer to the names
    for (const auto& [name, value] : times) values.push_back({name, value});
    writer_->metrics(steps(), time, values);
    writer_->progress({.steps = steps(),
                       .frames = steps() * session_->plan().env.frames_per_step,
                       .updates = static_cast<std::int64_t>(session_->progress().updates),
                       .train_seconds = now() - began_ - evaluation_s_});
    speed_.add(now() - evaluation_s_, session_->progress().steps);
}

bool Run::evaluationDue() const {
    if (session_->progress().steps >= next_evaluation_) return true;
    // The training returns reached the target: an evaluation decides whether the run is done.
    return settings_.target_return > RunSettings::kNoTarget && episodes_since_evaluation_ >= kReturnWindow &&
           return_sum_ / static_cast<double>(returns_.size()) >= settings_.target_return;
}

Result<> Run::evaluateNow(int episodes) {
    if (episodes <= 0) return {};
    const double begin = now();
    const Selection selection = request_.config.eval.greedy ? Selection::greedy : Selection::sample;
    auto result = session_->evaluate(episodes, selection, evaluationSeed(), stop_);
    evaluation_s_ += now() - begin;
    if (!result && result.error().code == ErrorCode::interrupted) return {};  // half an evaluation is none
    if (!result) return tl::unexpected<Error>(std::move(result).error());
    const Summary& s = result->summary;
    EvaluationRecord record{.step = steps(),
                            .time = wall(),
                            .seed = evaluationSeed(),
                            .greedy = request_.config.eval.greedy,
                            .params_version = static_cast<std::int64_t>(session_->learner().params().version()),
                            .mean = s.mean,
                            .std = s.std,
                            .iqm = s.iqm,
                            .ci95_low = s.ci_low,
                            .ci95_high = s.ci_high,
                            .min = s.min,
                            .max = s.max,
                            .episodes = {}};
    for (const EpisodeResult& e : result->episodes) record.episodes.push_back({e.episode_return, e.length});
    writer_->evaluation(std::move(record));
    const RunWriter::Value value{"eval/return", s.mean};
    writer_->metrics(steps(), wall(), std::span(&value, 1));
    evaluated_version_ = session_->learner().params().version();
    episodes_since_evaluation_ = 0;
    target_reached_ = settings_.target_return > RunSettings::kNoTarget && s.mean >= settings_.target_return;
    observer_.evaluated(session_->progress().steps, *result);
    outcome_.last_evaluation = std::move(*result);
    if (s.mean > best_score_) {
        best_score_ = s.mean;
        best_ = snapshot();
    }
    return {};
}

CheckpointData Run::snapshot() {
    CheckpointData data;
    data.step = steps(), data.updates = static_cast<std::int64_t>(session_->progress().updates);
    Learner& learner = session_->learner();
    for (std::size_t i = 0; i < learner.networkCount(); ++i)
        data.networks.push_back({learner.network(i).name, learner.networkPlan(i).spec, learner.params(i)});
    data.squash = request_.config.network.squash;
    data.provenance = {.env = request_.config.env_id,
                       .env_params = request_.config.env_params,
                       .algo = request_.config.algo_id,
                       .config = request_.config.document,
                       .run = std::to_string(outcome_.id),
                       .steps = data.step,
                       .updates = data.updates,
                       .build = buildText(),
                       .evaluation = Json()};
    if (outcome_.last_evaluation && evaluated_version_ == learner.params().version()) {
        const Summary& s = outcome_.last_evaluation->summary;
        data.score = s.mean;
        data.provenance.evaluation = {{"n", s.n}, {"mean", s.mean}, {"std", s.std}, {"iqm", s.iqm}, {"ci95", {s.ci_low, s.ci_high}}};
    }
    Archive archive = Archive::saving();
    const auto saved = session_->archive(archive);
    SEEDBED_CHECK(saved.has_value(), "saving into memory");
    data.files.push_back({"session.bin", archive.bytes()});
    return data;
}

double Run::checkpointInterval() {
    // As often as one per cent of the time allows, but at least every every_s seconds.
    const std::scoped_lock guard(notices_mutex_);
    return std::min(request_.config.checkpoint.every_s, std::max(1.0, checkpoint_cost_ * 100));
}

void Run::checkpointIfDue() {
    const bool milestone = next_milestone_ > 0 && session_->progress().steps >= next_milestone_;
    if (!milestone && !best_ && now() - last_checkpoint_ < checkpointInterval()) return;
    if (checkpoints_->busy()) return;  // one at a time; the next update asks again
    const bool best = best_.has_value();
    CheckpointData data = best ? std::move(*best_) : snapshot();
    best_.reset();
    data.milestone = milestone;
    if (!checkpoints_->trySubmit(std::move(data), best)) return;
    const auto every = static_cast<std::uint64_t>(request_.config.checkpoint.milestone_steps);
    if (milestone) next_milestone_ = (session_->progress().steps / every + 1) * every;
    last_checkpoint_ = now();
}

void Run::report() {
    std::vector<std::string> notices;
    {
        const std::scoped_lock guard(notices_mutex_);
        notices.swap(notices_);
    }
    for (const std::string& notice : notices) {
        // A disk that stays full says the same again with every attempt.
        if (notice == last_notice_) continue;
        last_notice_ = notice;
        observer_.message(notice);
        writer_->event({.step = steps(), .time = wall(), .level = EventLevel::warning, .kind = "saving", .text = notice});
    }
    ProgressReport p;
    p.steps = session_->progress().steps, p.updates = session_->progress().updates;
    p.goal_steps = static_cast<std::uint64_t>(settings_.steps);
    p.steps_per_s = speed_.mean();
    if (!returns_.empty()) p.mean_return = return_sum_ / static_cast<double>(returns_.size());
    if (outcome_.last_evaluation) p.last_evaluation = outcome_.last_evaluation->summary.mean;
    p.elapsed_s = now() - began_;
    const auto [slow, fast] = speed_.range();
    if (p.goal_steps > p.steps && slow > 0) {
        const double left = static_cast<double>(p.goal_steps - p.steps);
        p.eta_s = {left / fast, left / slow};
    }
    p.next_checkpoint_s = std::max(0.0, checkpointInterval() - (now() - last_checkpoint_));
    observer_.progress(p);
}

Result<> Run::finish(const Result<>& loop_result) {
    Result<> result = loop_result;
    const bool evaluated = outcome_.last_evaluation && evaluated_version_ == session_->learner().params().version() &&
                           static_cast<int>(outcome_.last_evaluation->episodes.size()) >= request_.config.eval.final_episodes;
    if (result && !stop_.stop_requested() && !evaluated) result = evaluateNow(request_.config.eval.final_episodes);
    outcome_.interrupted = stop_.stop_requested();
    outcome_.steps = session_->progress().steps;
    outcome_.target_reached = target_reached_;
    outcome_.elapsed_s = now() - began_;
    outcome_.params_sha256 = session_->learner().params().sha256();
    // After a failure the last good checkpoint stays the newest one: the state now may be what made it fail.
    if (result) {
        // The best state may be an older one that waited for its turn.
        const bool best_is_newest = best_ && best_->step == steps();
        if (best_ && !best_is_newest) {
            if (auto saved = checkpoints_->saveNow(std::move(*best_), true); !saved)
                result = tl::unexpected<Error>(std::move(saved).error());
        }
        auto saved = checkpoints_->saveNow(snapshot(), best_is_newest);
        if (!saved) result = tl::unexpected<Error>(std::move(saved).error());
    }
    checkpoints_->wait();
    if (!result) {
        writer_->event({.step = steps(), .time = wall(), .level = EventLevel::error, .kind = "failed", .text = result.error().text()});
        writer_->status(RunStatus::failed, result.error().text());
    } else {
        writer_->status(outcome_.interrupted ? RunStatus::interrupted : RunStatus::finished);
    }
    auto flushed = writer_->flush();
    report();
    if (!result) return result;
    return flushed;
}

}  // namespace

Result<RunOutcome> trainRun(const RunRequest& request, RunObserver& observer, std::stop_token stop, FileSystem& files, const Clock& clock) {
    return Run(request, observer, std::move(stop), files, clock).execute();
}

}  // namespace seedbed
