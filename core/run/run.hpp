// SPDX-License-Identifier: Apache-2.0
// Trains a run that is recorded, saved and controllable, as `seedbed train` and `seedbed resume` do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/os/clock.hpp"
#include "core/base/os/files.hpp"
#include "core/run/progress/run_phase.hpp"
#include "core/session/evaluation.hpp"
#include "core/session/session.hpp"

namespace seedbed {

// Progress of a run, for the progress line in a terminal and for status streams.
struct ProgressReport {
    RunPhase phase = RunPhase::starting;
    std::uint64_t steps = 0;
    std::uint64_t goal_steps = 0;  // 0: no goal in steps
    std::uint64_t updates = 0;
    double steps_per_s = 0;                 // average over the last ten seconds
    std::optional<double> mean_return;      // last 100 training episodes
    std::optional<double> last_evaluation;  // mean return
    double elapsed_s = 0;
    std::optional<std::pair<double, double>> eta_s;  // shortest and longest estimate at recent speeds
    double next_checkpoint_s = 0;
    std::string reason;  // why training waits, is paused by a rule or has low priority; else ""
};

// Receives the reports of a run. Called on the run's own thread; must return quickly.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    // Called once, before the first update.
    virtual void started(std::int64_t id, const SessionPlan& plan) = 0;
    virtual void progress(const ProgressReport& progress) = 0;  // called after every update
    // Called when a new phase has begun, except for the many short phases of fast updates.
    virtual void phase(const ProgressReport& /*progress*/) {}
    virtual void evaluated(std::uint64_t steps, const EvaluationResult& result) = 0;
    virtual void message(const std::string& text) = 0;  // shows a message to the user
    // A message that reports no problem.
    virtual void info(const std::string& text) { message(text); }
};

struct RunRequest {
    TrainingConfig config;
    std::string name;    // may be empty
    std::string preset;  // name of the preset it came from; may be empty
    std::filesystem::path data_folder;
    std::string init_from;  // RUN, RUN:best, RUN:STEP or a folder; empty: new parameters
    std::vector<std::string> tags{};
    // Limit of the queue of rows that cannot be saved yet; training waits while it is full.
    std::size_t row_queue_bytes = std::size_t{64} << 20;
    std::shared_ptr<RankLink> ranks{};  // null: this process trains alone
};

struct ResumeRequest {
    std::int64_t run = 0;
    std::filesystem::path data_folder;
    std::filesystem::path cache_folder;  // stores measurements (TrainingConfig); may be empty
    std::string selector;                // the checkpoint: "" (newest), "best" or a step
    // Changed settings by key, as on the command line. Only live settings and those of the machine may change
    // (run.threads, run.device, run.engine, run.inference, run.tensorboard, actor.threads).
    std::vector<std::pair<std::string, std::string>> settings;
    // Stops after the first update that reaches this many steps, as on a stop request; 0: no limit.
    std::int64_t pause_at = 0;
    std::shared_ptr<RemoteEnvs> remote{};  // TrainingConfig::remote
    // Continues with the parameters and optimisers of this checkpoint of another run (0: none).
    std::int64_t learner_run = 0, learner_step = 0;
    std::shared_ptr<RankLink> ranks{};  // null: this process trains alone
};

struct RunOutcome {
    std::int64_t id = 0;
    bool interrupted = false;
    bool stopped_on_request = false;  // stopped by a user's request, not by a signal
    bool target_reached = false;
    std::optional<double> missed_target;  // the target return of a run that finished without reaching it
    std::uint64_t steps = 0;
    std::optional<EvaluationResult> last_evaluation;
    std::string params_sha256;
    double elapsed_s = 0;
    std::vector<double> checkpoint_stalls_s;  // how long each checkpoint delayed training
};

// Trains until the goal is reached, a stop is requested or the run fails, and records the outcome in the
// run's row. The last state is saved, except after a failure, when the last good checkpoint remains the
// newest. error: the reason for the failure; config, device or out_of_memory before anything is recorded.
Result<RunOutcome> trainRun(const RunRequest& request, RunObserver& observer, std::stop_token stop,
                            FileSystem& files, const Clock& clock);

// Resumes a run from a checkpoint or, if it has none, starts it. In the sync schedule, with the same build
// and instruction set, results are those of an uninterrupted run, bit for bit. error: config if the run has
// reached its goal or a setting may not change; failure if another process owns it or no checkpoint is
// usable.
Result<RunOutcome> resumeRun(const ResumeRequest& request, RunObserver& observer, std::stop_token stop,
                             FileSystem& files, const Clock& clock);

}  // namespace seedbed
