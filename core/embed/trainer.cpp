// SPDX-License-Identifier: Apache-2.0
#include "core/embed/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/sleep.hpp"
#include "core/base/text.hpp"
#include "core/embed/configuration.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/reward_view_of.hpp"
#include "core/run/build_info.hpp"
#include "core/run/resume.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kReturnWindow = 100;                 // episodes in the mean return
constexpr std::chrono::milliseconds kOwnThreadBudget{20};  // between two checks for stop requests
constexpr double kHeldInterval = 0.02;                     // seconds between checks while training is held

const TimeBudget kOnePiece(std::chrono::nanoseconds(0));

}  // namespace

Result<std::unique_ptr<Trainer>> Trainer::create(TrainerRequest request) {
    std::unique_ptr<Trainer> trainer(new Trainer(std::move(request)));
    SEEDBED_TRY(trainer->prepare());
    return trainer;
}

Trainer::~Trainer() {
    thread_.requestStop();
    thread_.join();
    const WorkingScope working(*this);
    training_.reset();
}

// Checks everything that can be checked before the session exists.
Result<> Trainer::prepare() {
    const WorkingScope working(*this);
    if (request_.resume != 0 && !request_.data_folder)
        return fail(ErrorCode::config, "resuming a run needs its data folder");
    if (request_.host != nullptr) {
        SEEDBED_ASSIGN(registration_, registerHostEnv(request_.env, request_.host));
    }
    SEEDBED_ASSIGN(config_, trainerConfig(request_));
    SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(config_));
    if (request_.memory_bytes > 0 && plan.memory.total() > request_.memory_bytes)
        return fail(ErrorCode::out_of_memory,
                    "training needs about " + formatBytes(plan.memory.total()) +
                        " of memory, more than the " + formatBytes(request_.memory_bytes) +
                        " that the host allows; fewer columns, a shorter rollout (algo.rollout_length) or a "
                        "smaller replay (algo.replay_size) reduce it");
    {
        const MutexLock lock(mutex_);
        document_ = config_.document;
        progress_.mean_return = std::numeric_limits<double>::quiet_NaN();
    }
    // Without callbacks, the first observations are not known yet.
    if (request_.host != nullptr && !request_.host->hasCallbacks()) return {};
    return createTraining();
}

Result<> Trainer::createTraining() {
    if (!request_.data_folder) {
        SEEDBED_ASSIGN(training_, trainInMemory(config_, request_.init_from));
    } else {
        Settings settings = request_.settings;
        if (request_.resume != 0) {
            settings.emplace_back("run.inference", "inline");
            settings.emplace_back("run.threads", std::to_string(request_.threads));
        }
        SEEDBED_ASSIGN(training_, trainStored({.config = config_,
                                               .data_folder = *request_.data_folder,
                                               .name = request_.name,
                                               .init_from = request_.init_from,
                                               .resume = request_.resume,
                                               .settings = std::move(settings)}));
    }
    {
        const MutexLock lock(mutex_);
        document_ = training_->config().document;
    }
    publish(nullptr);
    return {};
}

Result<> Trainer::requireTraining() const {
    if (failed_) return tl::unexpected<Error>(*failed_);
    if (training_ == nullptr)
        return fail(ErrorCode::usage, "call seedbed_begin() with the first observations before");
    return {};
}

// --- pieces
// --------------------------------------------------------------------------------

// Takes the outcome of a piece; returns whether an update was completed. Errors of the host can be repaired,
// others end training.
Result<bool> Trainer::finishPiece(Result<std::optional<IterationStats>> pumped) {
    const bool is_update = pumped && *pumped;
    if (is_update || !pumped) pumped = training_->after(std::move(pumped));
    if (!pumped) {
        const bool is_of_host = request_.host != nullptr && request_.host->hasFailed();
        if (!is_of_host) failed_ = pumped.error();
        return tl::unexpected<Error>(std::move(pumped).error());
    }
    if (is_update && *pumped) publish(&**pumped);
    return is_update;
}

Result<bool> Trainer::piece(const TimeBudget& budget) {
    SEEDBED_TRY(applySettings());
    return finishPiece(training_->session().pump(budget));
}

Result<bool> Trainer::learnPiece(const TimeBudget& budget) {
    return finishPiece(training_->session().learn(budget));
}

Result<> Trainer::collectFailed(Error error) {
    SEEDBED_ASSIGN([[maybe_unused]] const bool updated, finishPiece(tl::unexpected<Error>(std::move(error))));
    return {};
}

Result<> Trainer::applySettings() {
    if (training_->session().isLearning()) return {};
    Settings changes;
    {
        const MutexLock lock(mutex_);
        if (changes_.empty()) return {};
        changes.swap(changes_);
    }
    return training_->change(changes);
}

bool Trainer::goalReached() const {
    if (training_->goalReached()) return true;
    const double target = training_->config().run.target_return;
    if (target <= RunSettings::kNoTarget || returns_.size() < kReturnWindow) return false;
    // A run in a data folder confirms its target by an evaluation, which a host's environment does not have.
    if (request_.host == nullptr && request_.data_folder) return false;
    return std::accumulate(returns_.begin(), returns_.end(), 0.0) / static_cast<double>(returns_.size()) >=
           target;
}

// Makes the newest numbers visible to other threads.
void Trainer::publish(const IterationStats* stats) {
    Session& session = training_->session();
    for (std::size_t i = 0; stats != nullptr && i < stats->episodes.size(); ++i) {
        returns_.push_back(stats->episodes[i].episode_return);
        if (returns_.size() > kReturnWindow) returns_.pop_front();
        ++episodes_;
    }
    TrainerProgress now{.run = training_->run(),
                        .steps = static_cast<std::int64_t>(session.progress().steps),
                        .updates = static_cast<std::int64_t>(session.progress().updates),
                        .episodes = episodes_,
                        .mean_return = std::numeric_limits<double>::quiet_NaN(),
                        .is_learning = session.isLearning(),
                        .goal_reached = goalReached()};
    if (!returns_.empty())
        now.mean_return =
            std::accumulate(returns_.begin(), returns_.end(), 0.0) / static_cast<double>(returns_.size());
    std::vector<std::pair<std::string, double>> metrics;
    if (stats != nullptr) {
        metrics = stats->update.metrics;
        metrics.insert(metrics.end(), stats->metrics.begin(), stats->metrics.end());
    }
    Learner& learner = session.learner();
    const MutexLock lock(mutex_);
    progress_ = now;
    if (stats != nullptr) metrics_ = std::move(metrics);
    if (!network_) network_ = NamedNetwork{learner.network(0).name, learner.networkPlan(0).spec, {}};
    network_->params = learner.params();
}

// A goal by time is reached between two updates, or in the middle of one, which then stays incomplete.
void Trainer::publishGoal() {
    const bool is_reached = goalReached();
    const MutexLock lock(mutex_);
    progress_.goal_reached = is_reached;
}

// --- the host's thread
// --------------------------------------------------------------------------------

Result<> Trainer::train(std::int64_t steps) {
    const WorkingScope working(*this);
    SEEDBED_TRY(requireTraining());
    if (request_.host != nullptr && !request_.host->hasCallbacks())
        return fail(ErrorCode::usage, "seedbed_train() needs an environment with callbacks");
    const auto end = training_->session().progress().steps + static_cast<std::uint64_t>(steps);
    while (training_->session().progress().steps < end && !goalReached()) {
        if (!training_->mayContinue()) {
            if (training_->isStopped())
                return fail(ErrorCode::interrupted, "another program stopped the run");
            sleepFor(kHeldInterval, {});
            continue;
        }
        SEEDBED_ASSIGN([[maybe_unused]] const bool updated, piece(TimeBudget::unlimited()));
    }
    publishGoal();
    return {};
}

Result<> Trainer::pump(const TimeBudget& budget) {
    const WorkingScope working(*this);
    SEEDBED_TRY(requireTraining());
    do {
        if (training_->isStopped()) return fail(ErrorCode::interrupted, "another program stopped the run");
        if (goalReached() || !training_->mayContinue()) {
            publishGoal();
            return {};
        }
        SEEDBED_ASSIGN(const bool updated, piece(budget));
        if (!updated) return {};
    } while (budget.isLimited() && budget.fits(std::chrono::nanoseconds(0)));
    return {};
}

Result<> Trainer::completeUpdate() {
    const WorkingScope working(*this);
    SEEDBED_TRY(requireTraining());
    if (!training_->session().isLearning()) return {};
    SEEDBED_ASSIGN([[maybe_unused]] const bool updated, learnPiece(TimeBudget::unlimited()));
    return {};
}

Result<> Trainer::begin(const void* const* observations, const unsigned char* mask) {
    const WorkingScope working(*this);
    if (failed_) return tl::unexpected<Error>(*failed_);
    if (request_.host == nullptr || request_.host->hasCallbacks())
        return fail(ErrorCode::usage, "seedbed_begin() is for an environment without callbacks");
    if (Result<> offered = request_.host->offer(observations, mask); !offered)
        return request_.host->failure(std::move(offered).error().message);
    if (training_ == nullptr) return createTraining();
    training_->session().restartEnvironments();
    return {};
}

Result<> Trainer::act(float* actions, unsigned char* restart) {
    const WorkingScope working(*this);
    SEEDBED_TRY(requireTraining());
    HostEnv* const host = request_.host.get();
    if (host == nullptr || host->hasCallbacks())
        return fail(ErrorCode::usage, "seedbed_act() is for an environment without callbacks");
    SEEDBED_TRY(applySettings());
    while (!host->isAsking() || training_->session().needsRestart()) {
        const auto collected = training_->session().collect(TimeBudget::unlimited());
        if (!collected) return collectFailed(collected.error());
        if (*collected != Collected::all) continue;
        // The rollout is complete, or the next one too if an update has begun: then it must end first.
        const bool is_learning = training_->session().isLearning();
        SEEDBED_ASSIGN([[maybe_unused]] const bool updated,
                       learnPiece(is_learning ? TimeBudget::unlimited() : kOnePiece));
    }
    const auto words = static_cast<std::size_t>(host->spec().spaces.actionWords());
    std::copy_n(host->actions(), static_cast<std::size_t>(host->columns()) * words, actions);
    for (int column = 0; column < host->columns() && restart != nullptr; ++column)
        restart[column] = host->command(column) == EnvCommand::reset ? 1 : 0;
    return {};
}

Result<> Trainer::report(const HostOutcome& outcome) {
    const WorkingScope working(*this);
    SEEDBED_TRY(requireTraining());
    HostEnv* const host = request_.host.get();
    if (host == nullptr || host->hasCallbacks() || !host->isAsking() || training_->session().needsRestart())
        return fail(ErrorCode::usage, "seedbed_report() must follow seedbed_act()");
    if (Result<> reported = host->report(outcome); !reported)
        return host->failure(std::move(reported).error().message);
    const auto collected = training_->session().collect(kOnePiece);
    return collected ? Result<>() : collectFailed(collected.error());
}

Result<> Trainer::start() {
    SEEDBED_TRY(requireTraining());
    if (request_.host != nullptr && !request_.host->hasCallbacks())
        return fail(ErrorCode::usage, "a separate thread needs an environment with callbacks");
    if (has_thread_.exchange(true)) return fail(ErrorCode::usage, "the trainer's thread is running");
    thread_result_ = {};
    thread_ = NamedThread(
        "trainer",
        [this](const std::stop_token& stop) -> Result<> {
            Result<> result;
            while (result && !stop.stop_requested() && !goalReached()) {
                if (training_->isStopped()) break;
                if (training_->mayContinue()) result = pump(TimeBudget(kOwnThreadBudget));
                else sleepFor(kHeldInterval, stop);
            }
            publishGoal();
            thread_result_ = std::move(result);
            return {};
        },
        nullptr);
    return {};
}

Result<> Trainer::stop() {
    if (!has_thread_) return fail(ErrorCode::usage, "the trainer has no thread of its own");
    thread_.requestStop();
    thread_.join();
    has_thread_ = false;
    return std::exchange(thread_result_, {});
}

Result<> Trainer::save() {
    SEEDBED_TRY(completeUpdate());
    const WorkingScope working(*this);
    return training_->save();
}

Result<> Trainer::end() {
    if (training_ == nullptr) return {};
    Result<> completed = failed_ ? Result<>() : completeUpdate();
    const WorkingScope working(*this);
    Result<> result;
    if (failed_) result = tl::unexpected<Error>(*failed_);
    Result<> ended = training_->end(std::move(result));
    return completed ? ended : completed;
}

// --- any thread
// --------------------------------------------------------------------------------

Result<> Trainer::set(const std::string& key, const std::string& value) {
    const MutexLock lock(mutex_);
    SEEDBED_ASSIGN(const TrainingConfig changed, changedConfig(document_, {{key, value}}));
    SEEDBED_TRY(runConfigSchema().checkLiveChanges(document_, changed.document));
    document_ = changed.document;
    changes_.emplace_back(key, value);
    return {};
}

TrainerProgress Trainer::progress() const {
    const MutexLock lock(mutex_);
    return progress_;
}

std::optional<double> Trainer::metric(const std::string& name) const {
    const MutexLock lock(mutex_);
    for (const auto& [known, value] : metrics_)
        if (known == name) return value;
    return std::nullopt;
}

std::string Trainer::metricsText() const {
    Json all = Json::object();
    const MutexLock lock(mutex_);
    for (const auto& [name, value] : metrics_) all[name] = std::isfinite(value) ? Json(value) : Json();
    return all.dump();
}

Result<PolicyBundle> Trainer::policy() const {
    if (!config_.policies.seats.empty())
        return fail(ErrorCode::config,
                    "this trainer has several policies (policies.seats=" + config_.policies.seats +
                        "), which it cannot save or export; 'seedbed export --policy NAME' "
                        "exports one of a recorded run");
    const MutexLock lock(mutex_);
    if (!network_) return fail(ErrorCode::usage, "call seedbed_begin() with the first observations before");
    PolicyBundle bundle{.network = *network_,
                        .squash = config_.network.squash,
                        .provenance = {.env = config_.env_id,
                                       .env_params = config_.env_params,
                                       .algo = config_.algo_id,
                                       .config = document_,
                                       .run = std::to_string(progress_.run),
                                       .steps = progress_.steps,
                                       .updates = progress_.updates,
                                       .build = buildText(),
                                       .evaluation = Json()}};
    SEEDBED_ASSIGN(const EnvEntry* env, findEnv(config_.env_id));
    SEEDBED_ASSIGN(bundle.reward, rewardViewOf(*env, config_.env_params));
    return bundle;
}

}  // namespace seedbed
