// SPDX-License-Identifier: Apache-2.0
// The state of a run between two updates, which a checkpoint saves and a resume restores.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/run/checkpoint_replays.hpp"
#include "core/run/env_file.hpp"
#include "core/run/run_counters.hpp"
#include "core/session/session.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Shared by the parts of a run; changes only between updates. Thread: the run's.
struct TrainingState {
    RunId id = 0;
    TrainingConfig config;             // the current settings; live ones may change
    std::unique_ptr<Session> session;  // a rollback replaces it
    std::optional<EnvFile> env_file;   // the file that defines its environments
    RunCounters counters;
    CheckpointReplays replays;                        // replays of the latest evaluation
    std::optional<EvaluationResult> last_evaluation;  // without recorded actions

    // Destroys the session. Returns false if an environment does not return; its thread then keeps the
    // session.
    bool endSession();
    std::int64_t steps() const { return static_cast<std::int64_t>(session->progress().steps); }
    // Parameters of the acting network.
    std::uint64_t paramsVersion() const { return session->learner().params().version(); }
    // Replaces the settings, except those that were chosen by measurements on this machine.
    void setConfig(TrainingConfig changed) {
        changed.recorded_auto = config.recorded_auto;
        changed.cache_folder = config.cache_folder;
        changed.remote = config.remote;
        config = std::move(changed);
    }
};

}  // namespace seedbed
