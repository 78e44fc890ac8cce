// SPDX-License-Identifier: Apache-2.0
// The way of a run's rows into the database: a queue and one thread with a connection of its own. Training
// hands rows over and goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>

#include "core/base/error.hpp"
#include "core/store/records.hpp"
#include "core/store/run_lock.hpp"

namespace seedbed {

// Whether rows reach the database at the moment.
struct WriterHealth {
    bool saving = true;
    Error error;  // why not (disk full, I/O error, another program holds the database)
};

struct RunWriterOptions {
    System system = realSystem();
    std::chrono::milliseconds commit_interval{100};  // rows wait at most this long for their commit
    std::chrono::milliseconds sync_interval{
        1000};  // a power cut costs at most this much; a killed process never costs a committed row
    std::chrono::milliseconds retry_interval{1000};  // while saving fails
    std::chrono::milliseconds lock_timeout{
        35'000};  // for whoever holds the database; longer than people look at something
    std::chrono::milliseconds shutdown_timeout{
        5000};  // after a stop request, and in the destructor: tries this long to save what is queued
    std::size_t queue_bytes = std::size_t{64} << 20;  // more than this waits; nothing is ever dropped
    // Ends waiting for room in a full queue: what has no place after `shutdown_timeout` is given up, and
    // flush() says so.
    std::stop_token stop{};
    // Called on the writer's thread when saving begins to fail and when it works again: once each.
    std::function<void(const WriterHealth&)> on_health;
};

// One per run and process, for the newest segment. All calls but the destructor may come from any thread;
// they copy and return at once, unless the queue is full: then they wait for room. Rows are committed in the
// order of the calls; what is seen in the database is always a prefix.
class RunWriter {
public:
    struct Value {
        std::string_view name;  // for example "loss/policy"
        double value = 0;
    };

    // The caller owns the run (`lock` is kept alive by the caller) and has begun a segment.
    static Result<std::unique_ptr<RunWriter>> open(const std::filesystem::path& data_folder,
                                                   const RunLock& lock, RunWriterOptions options = {});
    // Commits what is queued (what cannot be saved in time is given up with a warning in the log), then
    // stops.
    ~RunWriter();

    // Several curves get a point each. Steps of a curve may not fall within a segment. Times are wall-clock
    // seconds.
    void metrics(std::int64_t step, double time, std::span<const Value> values);
    void episodes(std::span<const EpisodeRecord> episodes);
    // With the points of its step that belong to it: committed together.
    void evaluation(EvaluationRecord evaluation, std::span<const Value> values = {});
    // A checkpoint that is complete on disk. `best` moves the mark; a row of the same step is replaced.
    void checkpoint(CheckpointRecord checkpoint);
    // Folders of these steps were removed by retention.
    void checkpointsRemoved(std::span<const std::int64_t> steps);
    void event(EventRecord event);
    void status(RunStatus status, std::string_view text = "");
    // Newest counters; what `list` shows once it is committed. Cheap: only the newest of a commit is written.
    void progress(const RunProgress& progress);
    // What was measured and chosen on this machine.
    void setAuto(const Json& auto_settings, const Json& devices);

    // The settings in force from now on.
    void config(const Json& document);

    // Returns when all calls before it are committed and synced to disk (acknowledged). error: saving fails
    // at the moment; the rows stay queued.
    Result<> flush();
    WriterHealth health() const;
    // The queue is so full that one of the next calls would wait. Whoever asks may do something better than
    // wait there.
    bool isFull() const;
    // Returns when the queue is no longer full, after `longest`, or at a stop request.
    void waitForRoom(std::chrono::milliseconds longest);

private:
    struct Impl;
    explicit RunWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
