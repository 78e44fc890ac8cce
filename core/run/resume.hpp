// SPDX-License-Identifier: Apache-2.0
// Resuming a run: its settings with changes, its state, and whether the results will be bit for bit the same.
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
// Experience that is not learned from yet (async schedule); older milestones omit it.
inline constexpr const char* kWindowsFile = "windows.bin";
inline constexpr const char* kCountersFile = "run.bin";

bool hasFile(const LoadedCheckpoint& checkpoint, const std::string& file);

// The configuration `document` of a run with changed `settings`. error: config for one that may not change.
Result<TrainingConfig> changedConfig(const Json& document,
                                     const std::vector<std::pair<std::string, std::string>>& settings);

// Changed settings, {key: [before, after]}, as text: "run.steps 1000 -> 2000".
std::string changesText(const Json& changes);

// Everything that the bits of a result depend on, for the checkpoint: build, instruction set, engine, device,
// schedule.
Json exactnessFacts(const SessionPlan& plan);
// Why the results of a resumed run may differ from those of an uninterrupted one; "" if they cannot.
std::string inexactReason(const Json& facts_then, const Json& facts_now);

// Restores parameters, session and counters. The session was created with the same configuration (except live
// settings). Consumes the checkpoint's bytes. error: the checkpoint does not fit.
Result<> restore(LoadedCheckpoint& checkpoint, Session& session, RunCounters& counters);

}  // namespace seedbed
