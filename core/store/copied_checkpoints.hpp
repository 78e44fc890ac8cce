// SPDX-License-Identifier: Apache-2.0
// Checkpoint rows of runs that are copied between data folders.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/records.hpp"

namespace seedbed {

class Database;

// A checkpoint row of a copied run.
struct CopiedCheckpoint {
    RunId run = 0;
    std::int64_t step = 0, segment = 0;
    std::string name;  // folder name, relative to the run's checkpoint folder
    std::string params_sha256;
    bool superseded = false;  // superseded by a later segment of its run
    bool milestone = false;
    bool removed = false;  // true if its folder does not exist

    bool operator==(const CopiedCheckpoint&) const = default;
};

struct CopiedRun {
    RunId source_id = 0;   // id in the source data folder
    RunId id = 0;          // id in the copy
    bool existed = false;  // whether its rows were already in the target; if so, only missing folders
                           // are copied
};

// Copies the checkpoint folders that the rows of a run refer to, and updates `removed` for the copy.
using CheckpointCopier = std::function<Result<>(const CopiedRun& run, std::vector<CopiedCheckpoint>& rows)>;

// The checkpoint rows of a run, ordered by step and segment.
Result<std::vector<CopiedCheckpoint>> checkpointRowsOf(Database& database, RunId run);
// Updates `removed` in the rows in which `after` differs from `before`. Call within a transaction.
Result<> updateRemovedFlags(Database& database, const std::vector<CopiedCheckpoint>& before,
                            const std::vector<CopiedCheckpoint>& after);

}  // namespace seedbed
