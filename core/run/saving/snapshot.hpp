// SPDX-License-Identifier: Apache-2.0
// The state of a run between two updates as a value, for the thread that writes checkpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/checkpoint/checkpoint.hpp"
#include "core/run/run_counters.hpp"
#include "core/session/session.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Memory of an earlier snapshot, which is reused because training waits for the copy, and writing to mapped
// memory is several times faster than writing to new memory.
struct SnapshotBuffers {
    std::vector<std::uint8_t> session, windows;
};

// Parameters are shared; everything else is copied, into `buffers` if they are large enough. `counters`
// include the training time so far. `evaluation`: the latest one. error: the actors cannot be stopped between
// two rows.
Result<CheckpointData> takeSnapshot(RunId id, Session& session, const TrainingConfig& config,
                                    RunCounters counters, const std::optional<EvaluationResult>& evaluation,
                                    SnapshotBuffers buffers = {});

}  // namespace seedbed
