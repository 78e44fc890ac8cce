// SPDX-License-Identifier: Apache-2.0
#include "core/store/import_staged.hpp"

#include <map>
#include <utility>

#include "core/store/league/import_leagues.hpp"

namespace seedbed {
namespace {

// The longest prefix of a UTF-8 text that has at most `bytes` bytes.
std::string utf8Prefix(const std::string& text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
    return text.substr(0, bytes);
}

// ?1: id of the staged run, ?2: id of the run, ?3 and ?4: offsets of the ids of curves and blocks.
constexpr const char* kMoves[] = {
    "INSERT INTO segments (run_id, number, begin_step, started, pid, host, build, threads, other) "
    "SELECT ?2, number, begin_step, started, pid, host, build, threads, other FROM staged.segments WHERE "
    "run_id = ?1",
    "INSERT INTO setting_rows (run_id, step, time, key, old_value, new_value, source) SELECT ?2, step, time, "
    "key, old_value, new_value, source FROM staged.setting_rows WHERE run_id = ?1 ORDER BY id",
    "INSERT INTO run_tags (run_id, tag) SELECT ?2, tag FROM staged.run_tags WHERE run_id = ?1",
    "INSERT INTO checkpoint_rows (run_id, step, segment, superseded_by, time, updates, bytes, params_sha256, "
    "score, best, milestone, "
    "removed, folder) SELECT ?2, step, segment, superseded_by, time, updates, bytes, params_sha256, score, "
    "best, milestone, removed, "
    "'checkpoints/' || ?2 || '/' || folder FROM staged.checkpoint_rows WHERE run_id = ?1",
    "INSERT INTO episode_rows (run_id, number, segment, superseded_by, step, time, episode_return, length, "
    "agent_slot) SELECT ?2, number, segment, superseded_by, step, time, episode_return, length, agent_slot "
    "FROM staged.episode_rows WHERE run_id = ?1",
    "INSERT INTO evaluation_rows (run_id, segment, superseded_by, step, time, seed, greedy, params_version, "
    "n, mean, std, iqm, ci95_low, "
    "ci95_high, min, max, episodes) SELECT ?2, segment, superseded_by, step, time, seed, greedy, "
    "params_version, n, mean, std, iqm, "
    "ci95_low, ci95_high, min, max, episodes FROM staged.evaluation_rows WHERE run_id = ?1 ORDER BY id",
    "INSERT INTO event_rows (run_id, segment, superseded_by, step, time, level, kind, text, data) "
    "SELECT ?2, segment, superseded_by, step, time, level, kind, text, data FROM staged.event_rows "
    "WHERE run_id = ?1 ORDER BY id",
    "INSERT INTO artifact_rows (run_id, superseded_by, step, time, kind, path, bytes, sha256, data) "
    "SELECT ?2, superseded_by, step, time, kind, path, bytes, sha256, data FROM staged.artifact_rows "
    "WHERE run_id = ?1 ORDER BY id",
    "INSERT INTO metric_series (id, run_id, name, points, last_step, last_value, min, max) "
    "SELECT id + ?3, ?2, name, points, last_step, last_value, min, max FROM staged.metric_series WHERE "
    "run_id = ?1",
    "INSERT INTO metric_tail (series_id, ordinal, segment, step, time, value) "
    "SELECT t.series_id + ?3, t.ordinal, t.segment, t.step, t.time, t.value "
    "FROM staged.metric_series s JOIN staged.metric_tail t ON t.series_id = s.id WHERE s.run_id = ?1",
    "INSERT INTO metric_blocks (id, series_id, ordinal, segment, superseded_by, points, first_step, "
    "last_step, first_time, last_time, min, "
    "max, mean, data) SELECT b.id + ?4, b.series_id + ?3, b.ordinal, b.segment, b.superseded_by, b.points, "
    "b.first_step, b.last_step, b.first_time, b.last_time, b.min, b.max, b.mean, b.data "
    "FROM staged.metric_series s JOIN staged.metric_blocks b ON b.series_id = s.id WHERE s.run_id = ?1",
    "INSERT INTO metric_buckets (block_id, number, points, first_step, last_step, first_time, last_time, "
    "min, max, mean) "
    "SELECT k.block_id + ?4, k.number, k.points, k.first_step, k.last_step, k.first_time, k.last_time, "
    "k.min, k.max, k.mean FROM staged.metric_series s JOIN staged.metric_blocks b ON b.series_id = s.id "
    "JOIN staged.metric_buckets k ON k.block_id = b.id WHERE s.run_id = ?1"};

}  // namespace

Result<> findByUid(Database& database, const std::string& uid, ImportedRun& run) {
    SEEDBED_ASSIGN(Statement find, database.prepare("SELECT id, coalesce(name, '') FROM runs WHERE uid = ?"));
    return find.each(
        [&] {
            run.id = find.integer(0);
            run.name = find.text(1);
            run.existed = true;
        },
        uid);
}

Result<std::string> freeName(const std::string& name, Statement& is_taken) {
    std::string free = name;
    for (int copy = 2;; ++copy) {
        bool taken = false;
        SEEDBED_TRY(is_taken.each([&] { taken = true; }, free));
        if (!taken) return free;
        free = utf8Prefix(name, 80) + " (" + std::to_string(copy) + ")";
    }
}

Result<> StagedImport::run(const StagedRuns& staged, std::vector<ImportedRun>& runs,
                           std::vector<ImportedLeague>& leagues) {
    {
        SEEDBED_ASSIGN(Statement attach, store_.database->prepare("ATTACH ? AS staged"));
        SEEDBED_TRY(attach.run(staged.file().string()));
    }
    store_.database->stopWhen(stop_);
    Result<> done;
    for (ImportedRun& run : runs)
        if (done) done = importRun(run);
    if (done) done = importLeagues(runs, leagues);
    store_.database->stopWhen({});
    const Result<> detached = store_.database->execute("DETACH staged");
    if (!done && stop_.stop_requested())
        return fail(ErrorCode::interrupted, has_written_
                                                ? "interrupted; importing again adds the missing parts"
                                                : "interrupted; nothing was written");
    return done ? detached : done;
}

Result<> StagedImport::importRun(ImportedRun& run) {
    std::optional<RunLock> owner;
    if (!run.existed) SEEDBED_TRY(moveRun(run, owner));
    if (!copier_) return {};
    if (!owner) {
        auto acquired = RunLock::acquire(store_.folder, run.id, store_.system);
        // Skipped, because a run that is being trained has newer checkpoints.
        if (!acquired && RunLock::isHeld(store_.folder, run.id)) return {};
        if (!acquired) return tl::unexpected<Error>(std::move(acquired).error());
        owner = std::move(*acquired);
    }
    Result<> copied = copyCheckpoints(run);
    if (!copied)
        copied.error().message += "; the rows of run " + std::to_string(run.id) +
                                  " are imported; importing again adds its missing checkpoints";
    return copied;
}

Result<> StagedImport::importLeagues(const std::vector<ImportedRun>& runs,
                                     std::vector<ImportedLeague>& leagues) {
    std::map<RunId, RunId> ids;
    for (const ImportedRun& run : runs) ids[run.source_id] = run.id;
    Result<> moved = LeagueMove(*store_.database, store_.lock, ids).run(leagues);
    has_written_ = has_written_ || !leagues.empty();
    return moved;
}

Result<> StagedImport::moveRun(ImportedRun& run, std::optional<RunLock>& owner) {
    const RunId staged_id = run.id;
    Database& database = *store_.database;
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(database, store_.lock));
    SEEDBED_TRY(findStaged(staged_id, run));
    if (run.existed) return {};
    SEEDBED_TRY(insertRow(staged_id, run));
    SEEDBED_ASSIGN(const std::int64_t series_offset,
                   database.integer("SELECT coalesce(max(id), 0) FROM main.metric_series"));
    SEEDBED_ASSIGN(const std::int64_t block_offset,
                   database.integer("SELECT coalesce(max(id), 0) FROM main.metric_blocks"));
    for (const char* move : kMoves) {
        SEEDBED_ASSIGN(Statement statement, database.prepare(move));
        SEEDBED_TRY(statement.run(staged_id, run.id, series_offset, block_offset));
    }
    SEEDBED_ASSIGN(run.moved_checkpoints, store_.moveForeignCheckpoints(run.id));
    // Acquired before the commit, so that no other process resumes the run before its checkpoints are copied.
    SEEDBED_ASSIGN(owner, RunLock::acquire(store_.folder, run.id, store_.system));
    SEEDBED_TRY(transaction.commit());
    has_written_ = true;
    return {};
}

Result<> StagedImport::findStaged(RunId staged_id, ImportedRun& run) {
    SEEDBED_ASSIGN(Statement find, store_.database->prepare("SELECT uid FROM staged.runs WHERE id = ?"));
    std::string uid;
    SEEDBED_TRY(find.each([&] { uid = find.text(0); }, staged_id));
    return findByUid(*store_.database, uid, run);
}

Result<> StagedImport::insertRow(RunId staged_id, ImportedRun& run) {
    SEEDBED_ASSIGN(Statement taken, store_.database->prepare("SELECT 1 FROM main.runs WHERE name = ?"));
    SEEDBED_ASSIGN(run.name, freeName(run.name, taken));
    SEEDBED_ASSIGN(
        Statement insert,
        store_.database->prepare(
            "INSERT INTO runs (uid, name, env, algo, seed, engine, config, devices, auto_settings, "
            "init_from, "
            "status, status_text, steps, frames, updates, train_seconds, created, updated, notes, star, "
            "archived, in_bin) SELECT uid, nullif(?2, ''), env, algo, seed, engine, config, devices, "
            "auto_settings, init_from, status, status_text, steps, frames, updates, train_seconds, created, "
            "updated, notes, star, archived, in_bin FROM staged.runs WHERE id = ?1"));
    SEEDBED_TRY(insert.run(staged_id, run.name));
    SEEDBED_ASSIGN(run.id, store_.database->integer("SELECT last_insert_rowid()"));
    return {};
}

Result<> StagedImport::copyCheckpoints(const ImportedRun& run) {
    SEEDBED_ASSIGN(const auto before, checkpointRowsOf(*store_.database, run.id));
    auto after = before;
    has_written_ = true;
    SEEDBED_TRY(copier_({run.source_id, run.id, run.existed}, after));
    if (after == before) return {};
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*store_.database, store_.lock));
    SEEDBED_TRY(updateRemovedFlags(*store_.database, before, after));
    return transaction.commit();
}

}  // namespace seedbed
