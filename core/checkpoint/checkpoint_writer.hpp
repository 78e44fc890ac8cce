// SPDX-License-Identifier: Apache-2.0
// Checkpoints without a pause in training: a thread that saves snapshots, one at a time.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/base/error.hpp"
#include "core/checkpoint/checkpoint.hpp"

namespace seedbed {

struct CheckpointSaved {
    CheckpointInfo info;
    std::vector<std::int64_t> removed;    // steps removed by retention
    std::vector<CheckpointInfo> smaller;  // older milestones that retention has taken a file from
    double seconds = 0;                   // of work on the writer's thread
};

struct CheckpointJob {
    CheckpointData data;
    bool mark_best = false;
};

// Thread: calls by one owner; callbacks come on the writer's thread. An exception while saving is a failure
// like any other.
class CheckpointWriter {
public:
    // After every snapshot that was handed over: saved, or why not (disk full: earlier checkpoints are
    // untouched). The snapshot comes back, for whoever must not lose it.
    using OnDone = std::function<void(const Result<CheckpointSaved>&, CheckpointJob)>;
    // Before a snapshot is saved: makes sure that everything it must not be ahead of is safe. After an error
    // it is not saved.
    using BeforeSave = std::function<Result<>()>;

    CheckpointWriter(CheckpointStore store, Retention retention, OnDone on_done, BeforeSave before_save = {});
    ~CheckpointWriter();  // finishes the one in flight

    // Whether one is in flight; then trySubmit() would refuse.
    bool busy() const;
    // Takes the snapshot and returns at once; false when one is in flight. `mark_best` marks it after it is
    // saved.
    bool trySubmit(CheckpointData data, bool mark_best = false);
    // Waits for the one in flight, then saves this one; for the last one of a run.
    Result<CheckpointSaved> saveNow(CheckpointData data, bool mark_best = false);
    void wait();  // until none is in flight

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
