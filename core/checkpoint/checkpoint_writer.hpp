// SPDX-License-Identifier: Apache-2.0
// Saves checkpoints on a separate thread, one at a time, while training continues.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/base/error.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_store.hpp"

namespace seedbed {

struct CheckpointSaved {
    CheckpointInfo info;
    std::vector<std::int64_t> removed;  // steps removed by retention
    double seconds = 0;                 // time on the writer's thread, excluding the preparation
};

struct CheckpointJob {
    CheckpointData data;
    bool mark_best = false;
};

// Thread: one owner; callbacks run on the writer's thread. Exceptions while saving are reported as errors.
class CheckpointWriter {
public:
    // Called after every snapshot with the result (after an error, earlier checkpoints are unchanged) and the
    // snapshot itself, which the owner can save again.
    using OnDone = std::function<void(const Result<CheckpointSaved>&, CheckpointJob)>;
    // Called before a snapshot is saved, to add data that is known only then, such as rows that are not in
    // the database yet.
    using Prepare = std::function<void(CheckpointData&)>;

    CheckpointWriter(CheckpointStore store, Retention retention, OnDone on_done, Prepare prepare = {});
    ~CheckpointWriter();  // waits for the snapshot that is being saved

    // Whether a snapshot is being saved; trySubmit() would return false.
    bool busy() const;
    // Accepts the snapshot and returns immediately; false if another one is being saved. `mark_best` marks it
    // once it is saved.
    bool trySubmit(CheckpointData data, bool mark_best = false);
    // Waits for the snapshot that is being saved, then saves this one; for a run's last snapshot.
    Result<CheckpointSaved> saveNow(CheckpointData data, bool mark_best = false);
    void wait();  // returns when no snapshot is being saved

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
