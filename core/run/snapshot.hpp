// SPDX-License-Identifier: Apache-2.0
// The state of a run between two updates as a value, for the thread that writes checkpoints.
#pragma once

#include <optional>

#include "core/policy/checkpoint.hpp"
#include "core/run/run_memory.hpp"
#include "core/run/session.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Parameters are shared, everything else is copied. `memory`: of the run, its training time included. `evaluation`: the newest one.
// error: the actors cannot be held still.
Result<CheckpointData> takeSnapshot(RunId id, Session& session, const TrainingConfig& config, RunMemory memory,
                                    const std::optional<EvaluationResult>& evaluation);

}  // namespace seedbed
