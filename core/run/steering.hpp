// SPDX-License-Identifier: Apache-2.0
// The requests that a run accepts while it is training: to pause, to save, to change settings, to publish its
// parameters; and the rules for other programs, which pause it or lower its priority.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/play/published_params.hpp"
#include "core/run/awake.hpp"
#include "core/run/checkpoint_policy.hpp"
#include "core/run/progress/progress_reporter.hpp"
#include "core/run/progress/run_notices.hpp"
#include "core/run/run_control.hpp"
#include "core/run/training_state.hpp"
#include "core/run/training_time.hpp"

namespace seedbed {

// Executes the requests received by RunControl between updates; requests that fail become notices. Needs an
// open segment. Thread: the run's.
class Steering {
public:
    // All of these must outlive this object. `stop` ends a pause.
    Steering(TrainingState& state, RunSegment& segment, RunControl& control, CheckpointPolicy& checkpoints,
             RunNotices& notices, ProgressReporter& progress, TrainingTime& time, const RunClock& clock,
             std::stop_token stop)
        : state_(state),
          segment_(segment),
          control_(control),
          checkpoints_(checkpoints),
          notices_(notices),
          progress_(progress),
          time_(time),
          clock_(clock),
          stop_(std::move(stop)) {}

    // Opens the control socket, and keeps the computer awake if run.keep_awake is set. Without a socket a run
    // can still be stopped by signals.
    void open();
    // Call after each update. Returns when the run is no longer paused or a stop was requested.
    void applyRequests();
    // Like applyRequests(), but returns whether the run is paused instead of waiting for the end of the
    // pause.
    bool applyWithoutWaiting();
    // Changes live settings, as a request does. A change that is not possible becomes a notice.
    void changeSettings(const std::vector<std::pair<std::string, std::string>>& settings);
    // For a rollback: multiplies the learning rate in the current settings and returns the new rate. error:
    // the new rate is not allowed.
    Result<double> scaleLearningRate(double factor);
    // Publishes the current parameters for players that follow the run, at most once per
    // PublishedParams::kInterval unless `at_once`.
    void publishParams(bool at_once);

private:
    void applyOnce(const RunControl::Requests& requests);
    void applyHold(const RunControl::Hold& hold);
    void enterPause(const std::string& reason);
    void leavePause();
    void setRunning();
    void waitInPause();
    void updateStayAwake();

    TrainingState& state_;
    RunSegment& segment_;
    RunControl& control_;
    CheckpointPolicy& checkpoints_;
    RunNotices& notices_;
    ProgressReporter& progress_;
    TrainingTime& time_;
    const RunClock& clock_;
    const std::stop_token stop_;

    PublishedParams* params_ = nullptr;  // owned by the control server; null before open()
    std::optional<StayAwake> awake_;
    std::string pause_reason_;   // of the latest pause; "": a client requested it
    std::string low_priority_;   // RunControl::Hold, as last recorded
    std::string rules_problem_;  // as last recorded
};

}  // namespace seedbed
