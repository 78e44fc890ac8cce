// SPDX-License-Identifier: Apache-2.0
#include "core/run/steering.hpp"

#include <chrono>
#include <memory>

#include "core/base/text.hpp"
#include "core/infer/joined_params.hpp"
#include "core/run/resume.hpp"

namespace seedbed {
namespace {

// Poll interval while a paused run waits for a checkpoint.
constexpr std::chrono::milliseconds kPausedPollInterval{500};

}  // namespace

void Steering::open() {
    updateStayAwake();
    const SessionPlan& plan = state_.session->plan();
    const std::size_t floats = state_.session->learner().networkPlan(0).param_floats * plan.policyCount();
    auto params = std::make_unique<PublishedParams>(plan.net, floats);
    params_ = params.get();
    if (auto opened = control_.open(state_.id, state_.config, std::move(params)); !opened)
        notices_.notify("other programs cannot control this run: " + opened.error().text());
}

void Steering::applyRequests() {
    while (true) {
        applyOnce(control_.takeRequests());
        const RunControl::Hold hold = control_.hold();
        applyHold(hold);
        if (!hold.pause || stop_.stop_requested()) break;
        waitInPause();
    }
    leavePause();
}

bool Steering::applyWithoutWaiting() {
    applyOnce(control_.takeRequests());
    const RunControl::Hold hold = control_.hold();
    applyHold(hold);
    const bool is_paused = hold.pause && !stop_.stop_requested();
    if (!is_paused) leavePause();
    return is_paused;
}

// Begins a pause, and records changes of the priority.
void Steering::applyHold(const RunControl::Hold& hold) {
    if (stop_.stop_requested()) return;
    if (hold.problem != rules_problem_) {
        rules_problem_ = hold.problem;
        if (!hold.problem.empty()) notices_.notifyAndRecord(EventLevel::warning, "rules", hold.problem);
    }
    if (hold.low_priority != low_priority_) {
        low_priority_ = hold.low_priority;
        notices_.record(EventLevel::info, "priority",
                        low_priority_.empty() ? "normal priority" : "low priority: " + low_priority_,
                        {{"reason", low_priority_}});
        if (progress_.status() == RunStatus::running) setRunning();
    }
    if (hold.pause && (progress_.status() != RunStatus::paused || hold.reason != pause_reason_))
        enterPause(hold.reason);
}

void Steering::setRunning() {
    progress_.setStatus(RunStatus::running, low_priority_.empty() ? "" : "low priority: " + low_priority_);
}

void Steering::leavePause() {
    if (progress_.status() != RunStatus::paused || stop_.stop_requested()) return;
    setRunning();
    updateStayAwake();
    progress_.beginUpdate();
    notices_.record(EventLevel::info, "continued", "training resumed after a pause");
    notices_.show(pause_reason_.empty() ? "training resumed on request" : "training resumed");
}

void Steering::enterPause(const std::string& reason) {
    pause_reason_ = reason;
    progress_.setStatus(RunStatus::paused, reason);
    progress_.setPhase(RunPhase::paused);
    updateStayAwake();
    const std::string id = std::to_string(state_.id);
    if (reason.empty()) {
        notices_.record(EventLevel::info, "paused", "paused");
        notices_.show("paused on request after step " + formatCount(state_.steps()) + "; 'seedbed resume " +
                      id + "' continues it, 'seedbed stop " + id + "' stops it");
        return;
    }
    notices_.record(EventLevel::info, "paused", "paused: " + reason, {{"reason", reason}});
    notices_.show("paused after step " + formatCount(state_.steps()) + ": " + reason +
                  "; training resumes by itself, or with 'seedbed resume " + id +
                  "'; 'seedbed rules' shows when runs pause");
}

void Steering::waitInPause() {
    progress_.reportNow();
    publishParams(true);
    const TrainingTime::Mark begin = time_.mark();
    const bool is_pending = checkpoints_.isPending();
    notices_.collect();  // reports problems with a checkpoint that was just saved, since the wait may be long
    control_.waitWhilePaused(pause_reason_, stop_,
                             is_pending ? std::optional(kPausedPollInterval) : std::nullopt);
    time_.excludeSince(begin);
    // Failed checkpoints are also retried during a pause.
    if (checkpoints_.isPending()) checkpoints_.saveIfDue();
    notices_.collect();
}

void Steering::applyOnce(const RunControl::Requests& requests) {
    if (!requests.settings.empty()) changeSettings(requests.settings);
    if (requests.checkpoint) checkpoints_.saveOnRequest();
}

void Steering::changeSettings(const std::vector<std::pair<std::string, std::string>>& settings) {
    auto config = changedConfig(state_.config.document, settings);
    if (!config) {
        // The settings were valid when requested, but a rollback has happened since.
        notices_.notify("the settings were not changed: " + config.error().text());
        return;
    }
    const Json changes = difference(state_.config.document, config->document);
    state_.setConfig(std::move(*config));
    control_.setConfig(state_.config);
    state_.session->setLive(state_.config);
    state_.counters.changeIntervals(state_.config, changes, state_.session->progress().steps);
    updateStayAwake();
    segment_.writer().config({state_.steps(), clock_.rowTime(), state_.config.document, SettingSource::live});
    if (changes.empty()) return;
    notices_.record(EventLevel::info, "settings", "settings changed: " + changesText(changes), changes);
    if (!changes.contains("run.steps")) return;
    if (auto warning = checkSchedule(state_.config, state_.id))
        notices_.notifyAndRecord(EventLevel::warning, "schedule_ends", warning->text,
                                 std::move(warning->data));
}

Result<double> Steering::scaleLearningRate(double factor) {
    const double rate = state_.config.document["algo"].value("learning_rate", 0.0) * factor;
    SEEDBED_ASSIGN(TrainingConfig config,
                   changedConfig(state_.config.document, {{"algo.learning_rate", formatNumber(rate)}}));
    state_.setConfig(std::move(config));
    state_.session->setLive(state_.config);
    control_.setConfig(state_.config);
    segment_.writer().config(
        {state_.steps(), clock_.rowTime(), state_.config.document, SettingSource::rollback});
    return rate;
}

void Steering::updateStayAwake() {
    // While a rule pauses the run, the computer may sleep.
    const bool is_held = progress_.status() == RunStatus::paused && !pause_reason_.empty();
    if ((state_.config.run.keep_awake && !is_held) == awake_.has_value()) return;
    if (awake_) awake_.reset();
    else awake_.emplace("training run " + std::to_string(state_.id));
}

void Steering::publishParams(bool at_once) {
    if (!params_ || !(at_once || params_->wanted(clock_.now()))) return;
    Learner& learner = state_.session->learner();
    const std::vector<Params> others = otherParams(state_.session->plan().policies, learner);
    params_->publish(joinParams(learner.params(), others), state_.steps(), clock_.now());
}

}  // namespace seedbed
