// SPDX-License-Identifier: Apache-2.0
#include "core/run/steering.hpp"

#include <chrono>
#include <memory>

#include "core/base/text.hpp"
#include "core/run/resume.hpp"

namespace seedbed {
namespace {

// Poll interval while a paused run waits for a checkpoint.
constexpr std::chrono::milliseconds kPausedPollInterval{500};

}  // namespace

void Steering::open() {
    updateStayAwake();
    auto params = std::make_unique<PublishedParams>(state_.session->plan().net,
                                                    state_.session->learner().networkPlan(0).param_floats);
    params_ = params.get();
    if (auto opened = control_.open(state_.id, state_.config, std::move(params)); !opened)
        notices_.notify("other programs cannot control this run: " + opened.error().text());
}

void Steering::applyRequests() {
    while (true) {
        applyOnce(control_.takeRequests());
        if (!control_.pauseRequested() || stop_.stop_requested()) break;
        if (progress_.status() != RunStatus::paused) enterPause();
        waitInPause();
    }
    leavePause();
}

bool Steering::applyWithoutWaiting() {
    applyOnce(control_.takeRequests());
    const bool is_paused = control_.pauseRequested() && !stop_.stop_requested();
    if (!is_paused) leavePause();
    else if (progress_.status() != RunStatus::paused) enterPause();
    return is_paused;
}

void Steering::leavePause() {
    if (progress_.status() != RunStatus::paused || stop_.stop_requested()) return;
    progress_.setStatus(RunStatus::running);
    progress_.beginUpdate();
    notices_.record(EventLevel::info, "continued", "training resumed after a pause");
    notices_.show("training resumed on request");
}

void Steering::enterPause() {
    progress_.setStatus(RunStatus::paused);
    progress_.setPhase(RunPhase::paused);
    notices_.record(EventLevel::info, "paused", "paused");
    const std::string id = std::to_string(state_.id);
    notices_.show("paused on request after step " + formatCount(state_.steps()) + "; 'seedbed resume " + id +
                  "' continues it, 'seedbed stop " + id + "' stops it");
}

void Steering::waitInPause() {
    progress_.reportNow();
    publishParams(true);
    const TrainingTime::Mark begin = time_.mark();
    const bool is_pending = checkpoints_.isPending();
    notices_.collect();  // reports problems with a checkpoint that was just saved, since the wait may be long
    control_.waitWhilePaused(stop_, is_pending ? std::optional(kPausedPollInterval) : std::nullopt);
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
    if (state_.config.run.keep_awake == awake_.has_value()) return;
    if (awake_) awake_.reset();
    else awake_.emplace("training run " + std::to_string(state_.id));
}

void Steering::publishParams(bool at_once) {
    if (params_ && (at_once || params_->wanted(clock_.now())))
        params_->publish(state_.session->learner().params(), state_.steps(), clock_.now());
}

}  // namespace seedbed
