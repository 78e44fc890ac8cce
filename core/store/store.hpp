// SPDX-License-Identifier: Apache-2.0
// The database of a data folder: made, checked and migrated here; runs are created and edited here. Rows of a
// run go through RunWriter, questions through StoreReader. Tables and views are documented in SCHEMA.md.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/system.hpp"
#include "core/store/records.hpp"
#include "core/store/run_lock.hpp"

namespace seedbed {

struct ImportedRun;
struct CopiedRun;
struct CopiedCheckpoint;
using CheckpointCopier =
    std::function<Result<>(const CopiedRun& run, std::vector<CopiedCheckpoint>& rows)>;  // maintenance.hpp

// A run and the right to work on it.
struct OwnedRun {
    RunId id = 0;
    std::optional<RunLock> lock;    // none when it was created as queued
    std::string moved_checkpoints;  // where checkpoints went that lay in its folder: of a run of a database
                                    // that is gone; "" mostly
};

// What a user may change at any time; fields that are not set stay.
struct RunEdit {
    std::optional<std::string> name;  // "" takes it away
    std::optional<std::string> notes;
    std::optional<bool> star;
    std::optional<bool> archived;
    std::optional<bool> in_trash;
    std::vector<std::string> add_tags;
    std::vector<std::string> remove_tags;
};

// A name is 1 to 100 printable characters, not a whole number, without '/' and ':', not beginning with '.' or
// '-'. error: config.
Result<> checkRunName(std::string_view name);

// Thread: one owner at a time. Calls take milliseconds; while another program writes to the database they
// wait for it, up to 30 s, then fail. Errors are one sentence for the user: not writable, disk full, damaged,
// from a newer version, not a database of this program. Nothing is overwritten in any of these cases.
class Store {
public:
    // Makes the folder and the database when missing; checks the database (within 0.3 s), and brings one of
    // an older version up to date after a backup beside it (seedbed.db.v<N>.backup). `keep_waiting`: as for
    // StoreReader::open, at this call and all later ones.
    static Result<Store> open(const std::filesystem::path& data_folder,
                              std::function<bool(std::chrono::milliseconds)> keep_waiting = {},
                              const System& system = realSystem());
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    const std::filesystem::path& folder() const;

    // The run is owned by the caller from the moment it can be seen, unless it is queued. error: config for a
    // name that is taken or not allowed.
    Result<OwnedRun> createRun(const NewRun& run);
    // For states that are not reported by a RunWriter: queue and supervision. error: a process works on the
    // run, and says itself how it is.
    Result<> setStatus(RunId run, RunStatus status, std::string_view text = "");
    Result<> edit(RunId run, const RunEdit& edit);
    // A file that belongs to a run: an export, a recording.
    Result<> addArtifact(RunId run, const ArtifactRecord& artifact);

    // --- the queue; StoreReader::queue() shows it ---
    // New runs at the end of the queue: all of them or none.
    Result<std::vector<RunId>> enqueue(const std::vector<NewRun>& runs);
    // A run that was stopped or has failed goes on when its turn comes; one that is in the queue stays where
    // it is.
    Result<> requeue(RunId run);
    // `place` counts from 1; beyond the ends means at the end. error of these: config when the run is not in
    // the queue.
    Result<> moveInQueue(RunId run, std::int64_t place);
    Result<> pauseInQueue(RunId run, bool paused);
    // A run that never began goes into the bin.
    Result<> removeFromQueue(RunId run);
    // For the scheduler: it starts the run now. `attempt`: which one since the run last went forward; 0: it
    // was not started after all.
    Result<> markStartedInQueue(RunId run, std::int64_t attempt);
    Result<> setQueue(std::optional<int> at_a_time, std::optional<bool> paused);

    // importDatabase() of maintenance.hpp.
    Result<std::vector<ImportedRun>> import(const std::filesystem::path& file,
                                            const CheckpointCopier& copier = {});

    // Begins the next segment of a run: the first one at step 0, or after a restart at the step of the
    // checkpoint that was loaded. Rows of the run beyond `step` become superseded: they stay in the tables,
    // appear in no view and in no reader. The checkpoint of a step must be taken after all rows of that step
    // were handed to the writer. The caller owns the run (`lock`). `config`: the settings from now on; null
    // leaves them.
    Result<SegmentRecord> beginSegment(const RunLock& lock, std::int64_t step, const ProcessInfo& process,
                                       const Json& config = Json());

private:
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
