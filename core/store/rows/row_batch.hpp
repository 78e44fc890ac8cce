// SPDX-License-Identifier: Apache-2.0
// A batch of rows and the connection that writes it. Internal to core/store.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/store/database.hpp"
#include "core/store/metric_log.hpp"
#include "core/store/records.hpp"
#include "core/store/write_lock.hpp"

namespace seedbed {

// The rows of one transaction of RunWriter.
struct RowBatch {
    struct Point {
        std::size_t name = 0;  // index of RunWriter's names
        MetricPoint point;
    };

    std::vector<Point> points;
    std::vector<EpisodeRecord> episodes;
    std::vector<EvaluationRecord> evaluations;
    std::vector<CheckpointRecord> checkpoints;
    std::vector<std::int64_t> removed_checkpoints;
    std::vector<EventRecord> events;
    std::optional<std::pair<RunStatus, std::string>> status;
    std::optional<RunProgress> progress;
    std::optional<std::pair<Json, Json>> auto_settings;  // auto settings and devices
    std::vector<ConfigChange> configs;
    std::size_t bytes = 0;  // estimated

    bool empty() const {
        return points.empty() && episodes.empty() && evaluations.empty() && checkpoints.empty() &&
               removed_checkpoints.empty() && events.empty() && !status && !progress && !auto_settings &&
               configs.empty();
    }
};

// Identifies the part of a run that a writer writes.
struct SegmentKey {
    std::string uid;  // unique id of the run
    std::int64_t segment = 0;

    bool operator==(const SegmentKey&) const = default;
};

// The connection of a writer and its prepared statements. After an error, discard it and open a new one.
class RowSink {
public:
    // error: for example if the run has no segment yet, or the file was moved.
    static Result<std::unique_ptr<RowSink>> open(const std::filesystem::path& data_folder, RunId run,
                                                 std::function<bool(std::chrono::milliseconds)> keep_waiting,
                                                 const System& system);

    // The segment that the rows belong to.
    const SegmentKey& key() const { return key_; }
    // Writes a batch as one transaction. `number` counts the batches of the run, so that a batch that was
    // committed despite a reported error is not written twice. `names`: the curves by index. `sync`: return
    // only once the batch would survive a power failure.
    Result<> write(const RowBatch& batch, std::int64_t number, const std::vector<std::string>& names,
                   bool sync);
    // Number of the newest batch in the tables.
    Result<std::int64_t> batches();
    // Moves the log into the database file, at the end of a run.
    void checkpointLog();
    // See Database: a new sink inherits the file error of the one that it replaces.
    bool hadFileError() const { return database_->hadFileError(); }
    void setFileError() { database_->setFileError(); }

private:
    RowSink(WriteLockFile lock, std::unique_ptr<Database> database, RunId run, const System& system)
        : system_(system), lock_(std::move(lock)), database_(std::move(database)), run_(run) {}
    Result<> prepare();
    Result<> writeRows(const RowBatch& batch, const std::vector<std::string>& names);
    Result<> writeEpisodes(const RowBatch& batch);
    Result<> writeCheckpoints(const RowBatch& batch);
    Result<> writeRun(const RowBatch& batch, std::int64_t number);

    System system_;
    WriteLockFile lock_;
    std::unique_ptr<Database> database_;
    RunId run_;
    SegmentKey key_;
    std::int64_t next_episode_ = 1;
    bool synchronous_ = false;
    std::optional<MetricLog> metrics_;
    std::vector<std::size_t> series_;  // curve of each name, by index
    Statement episode_, evaluation_, checkpoint_, replaced_, unmark_best_, removed_, event_, batches_,
        status_, progress_, auto_, touch_;
};

}  // namespace seedbed
