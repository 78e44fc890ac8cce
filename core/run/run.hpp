// SPDX-License-Identifier: Apache-2.0
// A run: a session with a clock, a store and checkpoints around it. What `seedbed train` and `seedbed resume`
// execute.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/clock.hpp"
#include "core/base/files.hpp"
#include "core/run/run_phase.hpp"
#include "core/session/evaluation.hpp"
#include "core/session/session.hpp"

namespace seedbed {

// How far a run is; for the line on a terminal, and for status streams.
struct ProgressReport {
    RunPhase phase = RunPhase::starting;
    std::uint64_t steps = 0;
    std::uint64_t goal_steps = 0;  // 0: no limit
    std::uint64_t updates = 0;
    double steps_per_s = 0;                 // over the last seconds
    std::optional<double> mean_return;      // last 100 training episodes
    std::optional<double> last_evaluation;  // mean return
    double elapsed_s = 0;
    std::optional<std::pair<double, double>> eta_s;  // shortest and longest at recent speeds
    double next_checkpoint_s = 0;
};

// Who watches a run. Called on the run's own thread; must return quickly.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    // Also after a rollback; the id stays.
    virtual void started(std::int64_t id, const SessionPlan& plan) = 0;
    virtual void progress(const ProgressReport& progress) = 0;  // after every update
    // The run does something else than `progress` said last; told when a phase begins that can be seen, not
    // at each of many short ones.
    virtual void phase(const ProgressReport& /*progress*/) {}
    virtual void evaluated(std::uint64_t steps, const EvaluationResult& result) = 0;
    virtual void message(const std::string& text) = 0;  // events people should read
};

struct RunRequest {
    TrainingConfig config;
    std::string name;    // empty: none
    std::string preset;  // name of the preset it came from; empty: none
    std::filesystem::path data_folder;
    std::string init_from;  // RUN, RUN:best, RUN:STEP or a folder; empty: fresh parameters
    std::size_t row_queue_bytes =
        std::size_t{64} << 20;  // rows that cannot be saved wait in so much memory, then training waits
};

struct ResumeRequest {
    std::int64_t run = 0;
    std::filesystem::path data_folder;
    std::filesystem::path cache_folder;  // of measurements (TrainingConfig); empty: none
    std::string selector;                // of the checkpoint to go back to: "" (newest), "best" or a step
    // Changed settings as on the command line, by their key. Live ones may change, and where the run is
    // worked on (run.threads, run.device, run.engine, run.inference).
    std::vector<std::pair<std::string, std::string>> settings;
};

struct RunOutcome {
    std::int64_t id = 0;
    bool interrupted = false;
    bool target_reached = false;
    std::uint64_t steps = 0;
    std::optional<EvaluationResult> last_evaluation;
    std::string params_sha256;
    double elapsed_s = 0;
    std::vector<double> checkpoint_stalls_s;  // how long each checkpoint kept training from its work
};

// Trains until the goal, the stop request or a failure; the newest state is saved in each case, and the run's
// row says how it ended. error: what made it fail (the last good checkpoint is kept); nothing is started when
// the configuration, device, memory or folder does not do.
Result<RunOutcome> trainRun(const RunRequest& request, RunObserver& observer, std::stop_token stop,
                            FileSystem& files, const Clock& clock);

// Goes on with a run from a checkpoint, as if it had never been interrupted: bit for bit in the sync schedule
// on the same build and instruction set (a message says when that cannot be promised). A run without
// checkpoints, for example a queued one, begins at step 0. Rows beyond the checkpoint become superseded.
// error: config when the run has reached its goal, or for a setting that may not change; failure when another
// process owns the run, or no checkpoint of it can be used.
Result<RunOutcome> resumeRun(const ResumeRequest& request, RunObserver& observer, std::stop_token stop,
                             FileSystem& files, const Clock& clock);

}  // namespace seedbed
