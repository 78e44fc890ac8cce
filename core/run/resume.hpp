// SPDX-License-Identifier: Apache-2.0
// What a run resumes from: its record, its checkpoint, its configuration with changed settings, and whether
// bits can be promised.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/checkpoint/checkpoint.hpp"
#include "core/run/run_counters.hpp"
#include "core/session/session.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {

// Names of the files in a checkpoint.
inline constexpr const char* kSessionFile = "session.bin";
// What was played and is not learned from yet (async schedule); milestones go without it.
inline constexpr const char* kWindowsFile = "windows.bin";
inline constexpr const char* kMemoryFile = "run.bin";

bool holds(const LoadedCheckpoint& checkpoint, const std::string& file);

// The configuration of a stored run with `settings` laid over it. error: config for one that may not change
// in a run.
Result<TrainingConfig> changedConfig(const Json& document,
                                     const std::vector<std::pair<std::string, std::string>>& settings);

// What decides about bits, as it is stored with a checkpoint: build, instruction set, engine, device,
// schedule.
Json exactnessFacts(const SessionPlan& plan);
// Why the run cannot be promised to go on bit for bit; "" when it can.
std::string inexactBecause(const Json& facts_then, const Json& facts_now);

// Puts parameters, session and memory back. The session was made from the same configuration (but for live
// settings). The checkpoint's bytes are consumed. error: the checkpoint does not fit.
Result<> restore(LoadedCheckpoint& checkpoint, Session& session, RunCounters& memory);

}  // namespace seedbed
