// SPDX-License-Identifier: Apache-2.0
#include "core/store/rows/row_batch.hpp"

#include "core/store/schema.hpp"
#include "core/store/store_impl.hpp"

namespace seedbed {

Result<std::unique_ptr<RowSink>> RowSink::open(const std::filesystem::path& data_folder, RunId run,
                                               std::function<bool(std::chrono::milliseconds)> keep_waiting,
                                               const System& system) {
    const auto file = data_folder / kDatabaseName;
    SEEDBED_ASSIGN(const auto existing, system.files->info(file));
    if (!existing)
        return fail("the database '" + file.string() +
                    "' was moved or deleted; put it back to save the rows that are waiting");
    SEEDBED_ASSIGN(WriteLockFile lock, WriteLockFile::open(data_folder, system));
    SEEDBED_ASSIGN(auto database,
                   openExisting(data_folder, Database::Access::write, storeMigrations(), {}, system));
    std::unique_ptr<RowSink> sink(new RowSink(std::move(lock), std::move(database), run, system));
    sink->database_->waitForLocksWhile(std::move(keep_waiting));
    SEEDBED_TRY(sink->database_->execute("PRAGMA synchronous=NORMAL"));
    SEEDBED_TRY(sink->prepare());
    return sink;
}

Result<> RowSink::prepare() {
    Database& db = *database_;
    const std::string run = std::to_string(run_);
    SEEDBED_ASSIGN(Statement uid, db.prepare("SELECT uid FROM runs WHERE id = ?"));
    SEEDBED_TRY(uid.each([&] { key_.uid = uid.text(0); }, run_));
    if (key_.uid.empty()) return fail("run " + run + " is not in the database '" + db.file().string() + "'");
    SEEDBED_ASSIGN(key_.segment, db.integer("SELECT max(number) FROM segments WHERE run_id = " + run));
    if (key_.segment == 0) return fail("run " + run + " has not started: it has no segment in the database");
    SEEDBED_ASSIGN(next_episode_,
                   db.integer("SELECT coalesce(max(number), 0) + 1 FROM episode_rows WHERE run_id = " + run));
    SEEDBED_ASSIGN(metrics_, MetricLog::open(db, run_, key_.segment));
    SEEDBED_ASSIGN(
        episode_,
        db.prepare("INSERT INTO episode_rows (run_id, number, segment, step, time, episode_return, length, "
                   "agent_slot) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
    SEEDBED_ASSIGN(
        evaluation_,
        db.prepare(
            "INSERT INTO evaluation_rows (run_id, segment, step, time, seed, greedy, params_version, n, "
            "mean, std, iqm, ci95_low, ci95_high, min, max, "
            "episodes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    SEEDBED_ASSIGN(unmark_best_,
                   db.prepare("UPDATE checkpoint_rows SET best = 0 WHERE run_id = ? AND best = 1"));
    SEEDBED_ASSIGN(
        checkpoint_,
        db.prepare(
            "INSERT OR REPLACE INTO checkpoint_rows (run_id, step, segment, time, updates, folder, bytes, "
            "params_sha256, score, best, milestone, "
            "removed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
            "max(?10, (SELECT coalesce(max(best), 0) FROM checkpoint_rows WHERE run_id = ?1 AND step = ?2 "
            "AND superseded_by = 0)), ?11, ?12)"));
    SEEDBED_ASSIGN(replaced_, db.prepare("DELETE FROM checkpoint_rows WHERE run_id = ? AND step = ? AND "
                                         "segment <> ? AND superseded_by = 0"));
    SEEDBED_ASSIGN(removed_,
                   db.prepare("UPDATE checkpoint_rows SET removed = 1 WHERE run_id = ? AND step = ?"));
    SEEDBED_ASSIGN(event_, db.prepare("INSERT INTO event_rows (run_id, segment, step, time, level, kind, "
                                      "text, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
    SEEDBED_ASSIGN(batches_, db.prepare("SELECT batches FROM runs WHERE id = ?"));
    SEEDBED_ASSIGN(status_, db.prepare("UPDATE runs SET status = ?, status_text = ? WHERE id = ?"));
    SEEDBED_ASSIGN(
        progress_,
        db.prepare("UPDATE runs SET steps = ?, frames = ?, updates = ?, train_seconds = ? WHERE id = ?"));
    SEEDBED_ASSIGN(auto_, db.prepare("UPDATE runs SET auto_settings = ?, devices = ? WHERE id = ?"));
    SEEDBED_ASSIGN(touch_, db.prepare("UPDATE runs SET batches = ?, updated = ? WHERE id = ?"));
    return {};
}

Result<std::int64_t> RowSink::batches() {
    std::int64_t number = -1;
    SEEDBED_TRY(batches_.each([&] { number = batches_.integer(0); }, run_));
    if (number < 0) return fail("run " + std::to_string(run_) + " is no longer in the database");
    return number;
}

Result<> RowSink::write(const RowBatch& batch, std::int64_t number, const std::vector<std::string>& names,
                        bool sync) {
    if (sync != synchronous_) {
        SEEDBED_TRY(database_->execute(sync ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL"));
        synchronous_ = sync;
    }
    // Rows written to a file that was moved, deleted or replaced would be lost without an error.
    if (database_->hasMoved())
        return fail("the database '" + database_->file().string() +
                    "' was moved, deleted or replaced while in use; put it back to save the rows that are "
                    "waiting");
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*database_, lock_));
    SEEDBED_ASSIGN(const std::int64_t newest, batches());
    if (newest < number) SEEDBED_TRY(writeRows(batch, names));
    // Commits even without rows, because syncing this commit syncs all earlier ones.
    SEEDBED_TRY(writeRun(newest < number ? batch : RowBatch{}, number));
    return transaction.commit();
}

Result<> RowSink::writeRows(const RowBatch& batch, const std::vector<std::string>& names) {
    for (std::size_t i = series_.size(); i < names.size(); ++i) {
        SEEDBED_ASSIGN(const std::size_t series, metrics_->series(names[i]));
        series_.push_back(series);
    }
    for (const auto& point : batch.points) metrics_->append(series_[point.name], point.point);
    SEEDBED_TRY(metrics_->write());
    SEEDBED_TRY(writeEpisodes(batch));
    SEEDBED_TRY(writeCheckpoints(batch));
    for (const auto& event : batch.events)
        SEEDBED_TRY(event_.run(run_, key_.segment, event.step, event.time, nameOf(event.level), event.kind,
                               event.text, jsonText(event.data)));
    return {};
}

Result<> RowSink::writeEpisodes(const RowBatch& batch) {
    for (const auto& episode : batch.episodes)
        SEEDBED_TRY(episode_.run(run_, next_episode_++, key_.segment, episode.step, episode.time,
                                 episode.episode_return, episode.length, episode.column));
    for (const auto& evaluation : batch.evaluations) {
        Json list = Json::array();
        for (const auto& episode : evaluation.episodes)
            list.push_back(Json{{"return", episode.episode_return}, {"length", episode.length}});
        SEEDBED_TRY(evaluation_.run(run_, key_.segment, evaluation.step, evaluation.time, evaluation.seed,
                                    evaluation.greedy, evaluation.params_version,
                                    static_cast<std::int64_t>(evaluation.episodes.size()), evaluation.mean,
                                    evaluation.std, evaluation.iqm, evaluation.ci95_low, evaluation.ci95_high,
                                    evaluation.min, evaluation.max, jsonText(list)));
    }
    return {};
}

Result<> RowSink::writeCheckpoints(const RowBatch& batch) {
    for (const auto& row : batch.checkpoints) {
        if (row.best) SEEDBED_TRY(unmark_best_.run(run_));
        SEEDBED_TRY(checkpoint_.run(run_, row.step, key_.segment, row.time, row.updates, row.folder,
                                    row.bytes, row.params_sha256, row.score, row.best, row.milestone,
                                    row.removed));
        SEEDBED_TRY(replaced_.run(run_, row.step, key_.segment));
    }
    for (const std::int64_t step : batch.removed_checkpoints) SEEDBED_TRY(removed_.run(run_, step));
    return {};
}

Result<> RowSink::writeRun(const RowBatch& batch, std::int64_t number) {
    if (batch.status) SEEDBED_TRY(status_.run(nameOf(batch.status->first), batch.status->second, run_));
    if (batch.auto_settings)
        SEEDBED_TRY(
            auto_.run(jsonText(batch.auto_settings->first), jsonText(batch.auto_settings->second), run_));
    for (const ConfigChange& change : batch.configs) SEEDBED_TRY(changeConfig(*database_, run_, change));
    if (const auto& progress = batch.progress)
        SEEDBED_TRY(progress_.run(progress->steps, progress->frames, progress->updates,
                                  progress->train_seconds, run_));
    return touch_.run(number, system_.wallSeconds(), run_);
}

void RowSink::checkpointLog() {
    // Optional work: skipped if another process holds the lock.
    if (!lock_.tryLock()) return;
    database_->checkpointLog(true);
    lock_.unlock();
}

}  // namespace seedbed
