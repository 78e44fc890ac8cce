// SPDX-License-Identifier: Apache-2.0
// The state of a run between two updates as a value, for the thread that writes checkpoints.
#pragma once

#include <cstddef>
#include <optional>

#include "core/policy/checkpoint.hpp"
#include "core/run/run_memory.hpp"
#include "core/run/session.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Parameters are shared, everything else is copied once. `memory`: of the run, its training time included.
// `evaluation`: the newest one. `session_bytes`: of the state before; room is made for it at once. error: the
// actors cannot be held still.
Result<CheckpointData> takeSnapshot(RunId id, Session& session, const TrainingConfig& config,
                                    RunMemory memory, const std::optional<EvaluationResult>& evaluation,
                                    std::size_t& session_bytes);

}  // namespace seedbed
