// SPDX-License-Identifier: Apache-2.0
// Writes the rows of a run asynchronously: a queue and a thread with its own connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/stop_grace.hpp"
#include "core/store/records.hpp"
#include "core/store/run_lock.hpp"

namespace seedbed {

// A value of a metric, for example "loss/policy".
struct MetricValue {
    std::string_view name;
    double value = 0;
};

// Whether rows can currently be saved.
struct WriterHealth {
    bool saving = true;
    Error error;  // if not saving: disk full, I/O error, database locked by another program
};

struct RunWriterOptions {
    System system = realSystem();
    // Longest time between a row and its commit.
    std::chrono::milliseconds commit_interval{100};
    // A power failure loses at most the rows of this interval; killing the process loses no committed row.
    std::chrono::milliseconds sync_interval{1000};
    // Interval between attempts while saving fails.
    std::chrono::milliseconds retry_interval{1000};
    // Time limit for waiting while the database is locked; long enough for a user to inspect it with another
    // program.
    std::chrono::milliseconds lock_timeout{35'000};
    // After a stop request, and in the destructor: time limit for saving queued rows.
    std::chrono::milliseconds shutdown_timeout{5000};
    // If set, limits shutdown_timeout and flushWithin() after a stop request. Must outlive the writer.
    const StopBudget* stop_budget = nullptr;
    // Calls wait while more than this is queued; rows are never dropped.
    std::size_t queue_bytes = std::size_t{64} << 20;
    // A stop request ends the wait for space in a full queue. Rows for which there is still no space after
    // shutdown_timeout are lost, and flush() fails.
    std::stop_token stop{};
    // Called on the caller's thread with every point, in order; must not throw.
    std::function<void(std::int64_t step, double time, std::span<const MetricValue> values)> on_points;
    // Called on the writer's thread when saving starts to fail and when it works again, once each.
    std::function<void(const WriterHealth&)> on_health;
};

// One per run and process, for the newest segment. Thread: any, except for the destructor. Calls copy their
// arguments and return immediately, or wait if the queue is full. Rows are committed in the order of the
// calls, so the database always contains a prefix of them. Failed attempts are repeated, even after an
// exception such as std::bad_alloc.
class RunWriter {
public:
    using Value = MetricValue;

    // The caller owns the run, keeps `lock` alive and has begun a segment.
    static Result<std::unique_ptr<RunWriter>> open(const std::filesystem::path& data_folder,
                                                   const RunLock& lock, RunWriterOptions options = {});
    // Commits the queued rows. Logs a warning if rows could not be written within shutdown_timeout.
    ~RunWriter();

    // Adds a point to each of several curves. The steps of a curve must not decrease within a segment. Times
    // are wall-clock seconds.
    void metrics(std::int64_t step, double time, std::span<const Value> values);
    void episodes(std::span<const EpisodeRecord> episodes);
    // Adds an evaluation and the points that belong to it, committed together.
    void evaluation(EvaluationRecord evaluation, std::span<const Value> values = {});
    // Adds a checkpoint that is complete on disk. A `best` checkpoint replaces the previous best one. A row
    // at the same step is replaced.
    void checkpoint(CheckpointRecord checkpoint);
    // Records that retention removed the folders of these steps.
    void checkpointsRemoved(std::span<const std::int64_t> steps);
    void event(EventRecord event);
    void status(RunStatus status, std::string_view text = "");
    // Sets the counters that `seedbed list` shows. Cheap: each commit writes only the newest counters.
    void progress(const RunProgress& progress);
    // Sets the settings that were measured and chosen on this machine.
    void setAuto(const Json& auto_settings, const Json& devices);

    // Sets new settings, and records the changes in the run's history of settings.
    void config(ConfigChange change);

    // Returns when the rows of all earlier calls are committed and synced to disk. error: saving currently
    // fails; the rows stay queued.
    Result<> flush();
    // Like flush(), but keeps waiting while saving fails. error: not saved within `timeout`, or before a stop
    // request.
    Result<> flushWithin(std::chrono::milliseconds timeout, const std::stop_token& stop = {});
    // The rows of all earlier calls that are not known to be on disk, for a checkpoint; empty if there are
    // none. They stay queued.
    std::vector<std::uint8_t> unsavedRows();
    // Queues the result of unsavedRows() of an earlier process, except for rows that the database already
    // has. Call this function before all others. Returns false if nothing is missing, or for rows of another
    // run or a superseded segment. error: the bytes are damaged, or the database is an older copy without the
    // rows' segment.
    Result<bool> addUnsavedRows(std::span<const std::uint8_t> bytes);
    WriterHealth health() const;
    // Whether the next call might wait. The caller can then do other work first.
    bool isFull() const;
    // Returns when the queue is no longer full, after `timeout`, or on a stop request.
    void waitForRoom(std::chrono::milliseconds timeout);

private:
    struct Impl;
    explicit RunWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
