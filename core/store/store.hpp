// SPDX-License-Identifier: Apache-2.0
// Opens the database of a data folder and changes runs and the queue. RunWriter writes the rows of a run,
// StoreReader answers queries. SCHEMA.md documents tables and views.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/system.hpp"
#include "core/store/copied_checkpoints.hpp"
#include "core/store/import.hpp"
#include "core/store/records.hpp"
#include "core/store/run_lock.hpp"

namespace seedbed {

class PopulationStore;
class StagedImport;

// A run and the lock of its owner.
struct OwnedRun {
    RunId id = 0;
    std::optional<RunLock> lock;    // none for a queued run
    std::string moved_checkpoints;  // new path if a folder of another database was moved out of the way,
                                    // or ""
};

// Changes by the user; fields that are not set remain unchanged.
struct RunEdit {
    std::optional<std::string> name;  // "" removes it
    std::optional<std::string> notes;
    std::optional<bool> star;
    std::optional<bool> archived;
    std::optional<bool> in_trash;
    std::vector<std::string> add_tags;
    std::vector<std::string> remove_tags;
};

// A name has 1 to 100 printable characters without '/' and ':', is not a whole number,
// and does not begin with '.', '-' or a space.
// error: config.
Result<> checkRunName(std::string_view name);

// Thread: one owner at a time. Calls take milliseconds; while another program writes to the database they
// wait up to 30 s, then fail. Errors are one sentence for the user (not writable, disk full, damaged, from a
// newer version, not a Seedbed database); after any of them the database is unchanged.
class Store {
public:
    // Creates the folder and the database if they are missing, and migrates an older version after backing it
    // up (seedbed.db.v<N>.backup). `keep_waiting` applies to all calls, as in StoreReader::open().
    static Result<Store> open(const std::filesystem::path& data_folder,
                              std::function<bool(std::chrono::milliseconds)> keep_waiting = {},
                              const System& system = realSystem());
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    const std::filesystem::path& folder() const;

    // The caller owns the run before it becomes visible, unless it is queued. error: config if the name is
    // taken or not allowed.
    Result<OwnedRun> createRun(const NewRun& run);
    // For the queue's scheduler; a running job reports its status through RunWriter. error: a process owns
    // the run.
    Result<> setStatus(RunId run, RunStatus status, std::string_view text = "");
    Result<> edit(RunId run, const RunEdit& edit);
    // Records a file made from a run, for example an export.
    Result<> addArtifact(RunId run, const ArtifactRecord& artifact);

    // --- the queue; StoreReader::queue() reads it ---
    // Appends new runs: all of them or none.
    Result<std::vector<RunId>> enqueue(const std::vector<NewRun>& runs);
    // Appends a run that was stopped or has failed; the scheduler will resume it. A queued run keeps its
    // position.
    Result<> requeue(RunId run);
    // `position` counts from 1; a position beyond the last one means the end of the queue. error (also for
    // the next two functions): config if the run is not queued.
    Result<> moveInQueue(RunId run, std::int64_t position);
    Result<> pauseInQueue(RunId run, bool paused);
    // A run that never started moves to the trash.
    Result<> removeFromQueue(RunId run);
    // For the scheduler, which is about to start the run. `attempt`: the number of this attempt since the run
    // last made progress; 0 if it could not be started.
    Result<> markStartedInQueue(RunId run, std::int64_t attempt);
    Result<> setQueue(std::optional<int> at_a_time, std::optional<bool> paused);

    // Implements importDatabase() (import.hpp).
    Result<std::vector<ImportedRun>> import(const std::filesystem::path& file,
                                            const CheckpointCopier& copier = {},
                                            const std::stop_token& stop = {},
                                            std::chrono::nanoseconds step_limit = kImportStepLimit,
                                            std::vector<ImportedLeague>* leagues = nullptr);

    // Begins the next segment of a run, which the caller owns, at the step of the loaded checkpoint: the
    // run's totals are set to `step` and `progress`, and no reader returns rows beyond it. Take a checkpoint
    // after passing all rows of its step to the writer. `config`: the new settings (null: unchanged); removes
    // changes from `step` on.
    Result<SegmentRecord> beginSegment(const RunLock& lock, std::int64_t step, const ProcessInfo& process,
                                       const Json& config = Json(),
                                       SettingSource source = SettingSource::resume,
                                       const std::optional<RunProgress>& progress = {});

private:
    friend class PopulationStore;
    friend class StagedImport;
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
