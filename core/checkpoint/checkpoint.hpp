// SPDX-License-Identifier: Apache-2.0
// Checkpoints as values: the data that a run saves, and the data that is loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/os/files.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

// Opaque state of a part of the run: optimiser, schedules and counters, random streams, environments,
// windows.
struct CheckpointFile {
    std::string name;  // "optimiser.bin": [a-z0-9_.]+, except for the names of a checkpoint's own files
    std::vector<std::uint8_t> bytes;
};

// A snapshot. Parameters are immutable and shared; everything else is copied.
struct CheckpointData {
    std::int64_t step = 0;
    std::int64_t updates = 0;
    std::vector<NamedNetwork> networks;  // the first one selects actions
    bool squash = false;
    RewardView reward{};
    Provenance provenance;
    SeatPolicies policies{};  // of a run with several
    std::vector<CheckpointFile> files;
    Json info = Json::object();   // small values for the caller's use
    bool milestone = false;       // never removed by retention
    std::optional<double> score;  // mean of the evaluation of these parameters
};

// Metadata of a checkpoint folder, from its manifest.
struct CheckpointInfo {
    Path folder;
    std::int64_t step = 0;
    std::int64_t updates = 0;
    double time = 0;  // wall-clock seconds since 1970 UTC
    std::uint64_t bytes = 0;
    std::string params_sha256;  // hash of the acting network's parameters
    bool milestone = false;
    bool best = false;
    std::optional<double> score;
};

struct LoadedCheckpoint {
    CheckpointData data;
    CheckpointInfo info;
    std::vector<std::string> notices;  // one sentence for each newer checkpoint that was skipped as damaged
};

// The acting network of a checkpoint.
struct LoadedPolicy {
    PolicyBundle bundle;
    CheckpointInfo info;
    std::vector<std::string> notices;
};

struct Retention {
    int generations = 3;  // newest checkpoints to keep, in addition to the best one and milestones
};

}  // namespace seedbed
