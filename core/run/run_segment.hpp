// SPDX-License-Identifier: Apache-2.0
// Storage of a run while this process trains it: its lock, the writer of its rows and the saver of its
// checkpoints.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/os/system.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/progress/writer_notices.hpp"
#include "core/run/run_clock.hpp"
#include "core/run/run_saver.hpp"
#include "core/run/tensorboard/live_events.hpp"
#include "core/session/session.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/run_writer.hpp"

namespace seedbed {

// Opens the segments of a run, one at a time; a rollback opens the next one. Thread: the run's.
class RunSegment {
public:
    // All references must outlive this object. `stop` limits the wait for a full row queue.
    RunSegment(std::filesystem::path data_folder, const System& system, RunClock& clock, std::stop_token stop,
               const StopBudget& stop_budget, std::size_t row_queue_bytes);

    const std::filesystem::path& dataFolder() const { return data_folder_; }
    const System& system() const { return system_; }

    // Takes ownership of a new run, whose row now exists.
    void own(RunId id, std::optional<RunLock> lock);
    // Takes ownership of a stored run and completes its rows first (catch_up.hpp). Waits up to a second for
    // its owner to release it. error: another process owns it.
    Result<> acquire(RunId id);

    // Begins the segment at the step of `begin` and opens its writers, after saving all rows of the current
    // segment and closing its writers. `document`: the current settings. error: the database could not be
    // written; the current segment, if any, remains open.
    Result<> open(const RunProgress& begin, const SessionPlan& plan, const Json& document);
    // Like open(), for a run that returns to the checkpoint of this step: newer checkpoints are superseded.
    // If the segment cannot begin, they are restored.
    Result<> openAfter(CheckpointStore& folder, const RunProgress& begin, const SessionPlan& plan,
                       const Json& document);
    bool isOpen() const { return saver_ != nullptr; }
    // Stops both writers after saving as much of their queues as possible.
    void close();

    // The writer and the saver exist while the segment is open.
    RunWriter& writer() { return *writer_; }
    RunSaver& saver() { return *saver_; }
    // Whether rows and checkpoints can currently be saved.
    bool isSaving() const { return !saver_->isFailing() && writer_->health().saving; }
    // User-facing notices about saving, collected since the last call.
    std::vector<std::string> takeNotices();

    // Closes the segment, then records the failure in the run's row, if there is one. If this fails, the
    // error is ignored and the run is shown as interrupted.
    void recordFailure(const std::string& text);

private:
    const std::filesystem::path data_folder_;
    const System system_;
    RunClock& clock_;
    const std::stop_token stop_;
    const StopBudget& stop_budget_;
    const std::size_t row_queue_bytes_;

    RunId id_ = 0;
    bool is_recorded_ = false;  // the run has a row with a live status
    WriterNotices writer_notices_;
    RealFileSystem event_files_{FileAccess::umask};
    LiveEvents events_;  // used by the writer
    std::optional<RunLock> lock_;
    std::unique_ptr<RunWriter> writer_;
    std::unique_ptr<RunSaver> saver_;  // destroyed before the writer, to which its thread adds rows
};

}  // namespace seedbed
