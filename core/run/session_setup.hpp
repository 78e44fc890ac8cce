// SPDX-License-Identifier: Apache-2.0
// Creates the session of a run with new weights, weights of another run, or the state of a checkpoint.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "core/base/os/files.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/run/progress/progress_reporter.hpp"
#include "core/run/progress/run_notices.hpp"
#include "core/run/training_state.hpp"

namespace seedbed {

// Thread: the run's.
class SessionSetup {
public:
    // All references must outlive this object.
    SessionSetup(std::filesystem::path data_folder, FileSystem& files, TrainingState& state,
                 RunNotices& notices, ProgressReporter& progress, std::stop_token stop,
                 const StopBudget& stop_budget)
        : data_folder_(std::move(data_folder)),
          files_(files),
          state_(state),
          notices_(notices),
          progress_(progress),
          stop_(std::move(stop)),
          stop_budget_(stop_budget) {}

    // Sets the engine to prefer if the settings name none: the one that the run started with.
    void preferEngine(std::string id) { preferred_engine_ = std::move(id); }
    // The ranks that train with this process; `stop` is called when another rank has received a stop
    // request.
    void setRanks(std::shared_ptr<RankLink> link, std::function<void()> stop) {
        link_ = std::move(link);
        stop_run_ = std::move(stop);
    }
    // Replaces the session with one created from the state's settings; stores the new session's measurements
    // and choices. An old session whose environments hang is kept alive for its threads. error: config,
    // device, out_of_memory, stalled, interrupted; the state then has no session.
    Result<> create();
    // Like create(), for a run without checkpoints: also loads the policies of self_play.rivals, and copies
    // the weights of `init_from` (RUN, RUN:best, RUN:STEP or a folder) unless it is empty. error: also a
    // policy that is not found, damaged, or of a different network.
    Result<> createNew(const std::string& init_from);
    // Restores the whole state into a new session from create(). error: the checkpoint belongs to a
    // different configuration.
    Result<> restoreFrom(LoadedCheckpoint checkpoint);
    // Restores a session from create() after the loss of a rank.
    Result<> restoreSurvived(const Survived& survived);
    // Continues with the learner of a checkpoint of another run. error: there is no such checkpoint, or its
    // networks differ.
    Result<> takeLearner(RunId run, std::int64_t step);

private:
    Result<> initFrom(const std::string& name);
    Result<> loadRivals();
    RunResolver resolver() const;

    const std::filesystem::path data_folder_;
    FileSystem& files_;
    TrainingState& state_;
    RunNotices& notices_;
    ProgressReporter& progress_;
    const std::stop_token stop_;
    const StopBudget& stop_budget_;
    std::string preferred_engine_;
    std::shared_ptr<RankLink> link_;
    std::function<void()> stop_run_;
};

}  // namespace seedbed
