// SPDX-License-Identifier: Apache-2.0
// The state of a run between two updates as a value, for the thread that writes checkpoints.
#pragma once

#include <cstddef>
#include <optional>

#include "core/checkpoint/checkpoint.hpp"
#include "core/run/run_counters.hpp"
#include "core/session/session.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Parameters are shared, everything else is copied. `counters`: with the training time until now.
// `evaluation`: the newest one. `session_bytes`: size of the previous session state, to allocate once;
// updated. error: the actors cannot be stopped between two rows.
Result<CheckpointData> takeSnapshot(RunId id, Session& session, const TrainingConfig& config,
                                    RunCounters counters, const std::optional<EvaluationResult>& evaluation,
                                    std::size_t& session_bytes);

}  // namespace seedbed
