// SPDX-License-Identifier: Apache-2.0
// Resumes a run: its settings with changes, its state, and whether the results will be the same, bit for bit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/run_counters.hpp"
#include "core/session/session.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {

// Names of the files in a checkpoint.
inline constexpr const char* kSessionFile = "session.bin";
// Experience not yet used for learning (async schedule); milestones omit it.
inline constexpr const char* kWindowsFile = "windows.bin";
// Rows that the database did not accept before the checkpoint was saved; see catch_up.hpp.
inline constexpr const char* kRowsFile = "rows.bin";
inline constexpr const char* kCountersFile = "run.bin";

// Whether a file of a checkpoint belongs to the training state, which is needed only for resuming and is not
// part of a policy.
bool isState(std::string_view file);

bool hasFile(const LoadedCheckpoint& checkpoint, const std::string& file);

// The configuration `document` of a run with changed `settings`. error: config for a setting that may not
// change.
// The configuration of a stored run with the settings that its version did not have. error: config.
Result<Json> storedConfig(Json document);

Result<TrainingConfig> changedConfig(const Json& document,
                                     const std::vector<std::pair<std::string, std::string>>& settings);

// Changed settings, {key: [before, after]}, as text: "run.steps 1000 -> 2000".
std::string changesText(const Json& changes);

// The settings that affect learning and differ from the checkpoint's, as text; "" if there are none. A resume
// uses the latest settings of the run, some of which may have changed earlier. `since_checkpoint`: all that
// differ; `changes`: those changed by this resume; both in the form of difference().
std::string differentSettingsText(const Json& since_checkpoint, const Json& changes);

// The facts that must be the same for results to be equal bit for bit, stored in the checkpoint: build,
// instruction set, engine, device, schedule.
Json exactnessFacts(const SessionPlan& plan);
// The reason why results of a resumed run may differ from those of an uninterrupted one; "" if they cannot.
std::string inexactReason(const Json& facts_then, const Json& facts_now);

// Checks that the checkpoint of `run` contains training state. error: config, with a remedy.
Result<> checkHasState(const LoadedCheckpoint& checkpoint, std::int64_t run);

// Adds an older checkpoint to the message of an error about the checkpoint of `run` at `step`, whose state is
// invalid.
Error withOlderCheckpoint(Error error, const CheckpointStore& folder, std::int64_t run, std::int64_t step);

// The checkpoint for a rollback after `updates` updates: the newest one. If no update after it succeeded,
// training from it would fail again, so an older one is used if available.
Result<LoadedCheckpoint> checkpointToReturnTo(const CheckpointStore& folder, std::uint64_t updates);

// Restores parameters, session and counters. The session was created with the same configuration (except live
// settings). Consumes the checkpoint's bytes. error: the checkpoint belongs to a different configuration.
Result<> restore(LoadedCheckpoint& checkpoint, Session& session, RunCounters& counters);

// Continues the session with the parameters and the optimisers of another run's checkpoint; everything else
// is kept. Consumes the checkpoint's bytes. error: the networks differ.
Result<> takeLearner(LoadedCheckpoint& checkpoint, Session& session);

// Warns of a goal beyond the end of the linear learning-rate schedule, where training has little or no
// effect.
struct ScheduleWarning {
    std::string text;  // one sentence, with the setting that changes it
    Json data;         // {"lr_horizon", "goal_steps", "final_learning_rate"}
};

// Set if run.steps is beyond algo.lr_horizon and the learning rate falls linearly up to that step. `run`: 0
// for a new run.
std::optional<ScheduleWarning> checkSchedule(const TrainingConfig& config, std::int64_t run);

}  // namespace seedbed
