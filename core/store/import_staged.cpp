// SPDX-License-Identifier: Apache-2.0
#include "core/store/import_staged.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/store/remove_run.hpp"

namespace seedbed {
namespace {

// Rows per transaction.
constexpr int kBlocksAtOnce = 128;   // blocks of up to 512 points, with their buckets
constexpr int kRowsAtOnce = 10'000;  // rows of other tables
constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

// The longest prefix of a UTF-8 text that has at most `bytes` bytes.
std::string utf8Prefix(const std::string& text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
    return text.substr(0, bytes);
}

// Tables with few rows per run. ?1: staged run, ?2: run, ?3: offset of curve ids.
constexpr const char* kSmallMoves[] = {
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
    "INSERT INTO metric_series (id, run_id, name, points, last_step, last_value, min, max) "
    "SELECT id + ?3, ?2, name, points, last_step, last_value, min, max FROM staged.metric_series WHERE "
    "run_id = ?1",
    "INSERT INTO metric_tail (series_id, ordinal, segment, step, time, value) "
    "SELECT t.series_id + ?3, t.ordinal, t.segment, t.step, t.time, t.value "
    "FROM staged.metric_series s JOIN staged.metric_tail t ON t.series_id = s.id WHERE s.run_id = ?1"};

// Tables with many rows per run. `next` selects the first row of the next part: ?3 rows after row ?2 of
// staged run ?1. `move` copies rows [?3, ?4) of staged run ?1 to run ?2.
struct LargeMove {
    const char* next;
    const char* move;
};
constexpr LargeMove kLargeMoves[] = {
    {"SELECT number FROM staged.episode_rows WHERE run_id = ?1 AND number >= ?2 ORDER BY number LIMIT 1 "
     "OFFSET ?3",
     "INSERT INTO episode_rows (run_id, number, segment, superseded_by, step, time, episode_return, length, "
     "agent_slot) "
     "SELECT ?2, number, segment, superseded_by, step, time, episode_return, length, agent_slot FROM "
     "staged.episode_rows "
     "WHERE run_id = ?1 AND number >= ?3 AND number < ?4"},
    {"SELECT id FROM staged.evaluation_rows WHERE run_id = ?1 AND id >= ?2 ORDER BY id LIMIT 1 OFFSET ?3",
     "INSERT INTO evaluation_rows (run_id, segment, superseded_by, step, time, seed, greedy, params_version, "
     "n, mean, std, iqm, ci95_low, "
     "ci95_high, min, max, episodes) SELECT ?2, segment, superseded_by, step, time, seed, greedy, "
     "params_version, n, mean, std, iqm, "
     "ci95_low, ci95_high, min, max, episodes FROM staged.evaluation_rows WHERE run_id = ?1 AND id >= ?3 AND "
     "id < ?4 ORDER BY id"},
    {"SELECT id FROM staged.event_rows WHERE run_id = ?1 AND id >= ?2 ORDER BY id LIMIT 1 OFFSET ?3",
     "INSERT INTO event_rows (run_id, segment, superseded_by, step, time, level, kind, text, data) "
     "SELECT ?2, segment, superseded_by, step, time, level, kind, text, data FROM staged.event_rows "
     "WHERE run_id = ?1 AND id >= ?3 AND id < ?4 ORDER BY id"},
    {"SELECT id FROM staged.artifact_rows WHERE run_id = ?1 AND id >= ?2 ORDER BY id LIMIT 1 OFFSET ?3",
     "INSERT INTO artifact_rows (run_id, superseded_by, step, time, kind, path, bytes, sha256, data) "
     "SELECT ?2, superseded_by, step, time, kind, path, bytes, sha256, data FROM staged.artifact_rows "
     "WHERE run_id = ?1 AND id >= ?3 AND id < ?4 ORDER BY id"}};

// Blocks [?1, ?2) of the staged database; ?3 and ?4: offsets of curve and block ids.
constexpr const char* kBlockMoves[] = {
    "INSERT INTO metric_blocks (id, series_id, ordinal, segment, superseded_by, points, first_step, "
    "last_step, first_time, last_time, min, "
    "max, mean, data) SELECT id + ?4, series_id + ?3, ordinal, segment, superseded_by, points, first_step, "
    "last_step, first_time, "
    "last_time, min, max, mean, data FROM staged.metric_blocks WHERE id >= ?1 AND id < ?2",
    "INSERT INTO metric_buckets (block_id, number, points, first_step, last_step, first_time, last_time, "
    "min, max, mean) "
    "SELECT block_id + ?4, number, points, first_step, last_step, first_time, last_time, min, max, mean FROM "
    "staged.metric_buckets "
    "WHERE block_id >= ?1 AND block_id < ?2"};

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

Result<> StagedImport::run(const StagedRuns& staged, std::vector<ImportedRun>& runs) {
    SEEDBED_TRY(removeHiddenRuns(store_.folder, *store_.database, store_.lock, store_.system));
    {
        SEEDBED_ASSIGN(Statement attach, store_.database->prepare("ATTACH ? AS staged"));
        SEEDBED_TRY(attach.run(staged.file().string()));
    }
    Result<> done;
    for (ImportedRun& run : runs) {
        if (done && !run.existed) done = importRun(run);
        if (done && run.existed && copier_) done = addMissingCheckpoints(run);
    }
    const Result<> detached = store_.database->execute("DETACH staged");
    return done ? detached : done;
}

Result<> StagedImport::importRun(ImportedRun& run) {
    std::optional<RunLock> owner;
    const RunId staged_id = run.id;
    const Result<> done = importOwned(staged_id, run, owner);
    // Removes an incomplete run now; if that fails, the next import does it.
    if (owner && (!done || run.existed))
        (void)removeHiddenRun(*owner, store_.folder, *store_.database, store_.lock, store_.system);
    return done;
}

Result<> StagedImport::importOwned(RunId staged_id, ImportedRun& run, std::optional<RunLock>& owner) {
    SEEDBED_TRY(insertHiddenRun(staged_id, run, owner));
    if (run.existed) return {};
    SEEDBED_TRY(moveRows(staged_id, run.id));
    // Under the run's lock and before the run becomes visible, so that a visible run always has its
    // checkpoints.
    SEEDBED_ASSIGN(const auto before, checkpointRowsOf(*store_.database, run.id));
    auto after = before;
    if (copier_) SEEDBED_TRY(copier_({run.source_id, run.id, false}, after));
    return publish(staged_id, run, before, after);
}

Result<> StagedImport::addMissingCheckpoints(const ImportedRun& run) {
    const auto owner = RunLock::acquire(store_.folder, run.id, store_.system);
    // A run that is being trained has newer checkpoints.
    if (!owner && RunLock::isHeld(store_.folder, run.id)) return {};
    if (!owner) return tl::unexpected<Error>(owner.error());
    SEEDBED_ASSIGN(const auto before, checkpointRowsOf(*store_.database, run.id));
    auto after = before;
    SEEDBED_TRY(copier_({run.source_id, run.id, true}, after));
    if (after == before) return {};
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*store_.database, store_.lock));
    SEEDBED_TRY(updateRemovedFlags(*store_.database, before, after));
    return transaction.commit();
}

Result<> StagedImport::insertHiddenRun(RunId staged_id, ImportedRun& run, std::optional<RunLock>& owner) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*store_.database, store_.lock));
    SEEDBED_TRY(findStaged(staged_id, run));
    if (run.existed) return {};
    SEEDBED_ASSIGN(Statement insert, store_.database->prepare(
                                         "INSERT INTO runs (uid, env, algo, seed, engine, config, devices, "
                                         "auto_settings, init_from, status, status_text, created, updated, "
                                         "in_bin) SELECT ?2 || lower(hex(randomblob(8))), env, algo, seed, "
                                         "engine, config, devices, auto_settings, init_from, 'interrupted', "
                                         "?3, created, updated, 1 FROM staged.runs WHERE id = ?1"));
    SEEDBED_TRY(insert.run(staged_id, kHiddenUidPrefix, "is being imported"));
    SEEDBED_ASSIGN(run.id, store_.database->integer("SELECT last_insert_rowid()"));
    SEEDBED_ASSIGN(run.moved_checkpoints, store_.moveForeignCheckpoints(run.id));
    // Before the commit, so that the row never exists without an owner.
    SEEDBED_ASSIGN(owner, RunLock::acquire(store_.folder, run.id, store_.system));
    return transaction.commit();
}

Result<> StagedImport::findStaged(RunId staged_id, ImportedRun& run) {
    SEEDBED_ASSIGN(Statement find, store_.database->prepare("SELECT uid FROM staged.runs WHERE id = ?"));
    std::string uid;
    SEEDBED_TRY(find.each([&] { uid = find.text(0); }, staged_id));
    return findByUid(*store_.database, uid, run);
}

Result<> StagedImport::moveRows(RunId staged_id, RunId id) {
    std::int64_t series_offset = 0;
    {
        SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*store_.database, store_.lock));
        SEEDBED_ASSIGN(series_offset,
                       store_.database->integer("SELECT coalesce(max(id), 0) FROM main.metric_series"));
        for (const char* move : kSmallMoves) {
            SEEDBED_ASSIGN(Statement statement, store_.database->prepare(move));
            SEEDBED_TRY(statement.run(staged_id, id, series_offset));
        }
        SEEDBED_TRY(transaction.commit());
    }
    for (const LargeMove& large : kLargeMoves) {
        SEEDBED_ASSIGN(Statement next, store_.database->prepare(large.next));
        SEEDBED_ASSIGN(Statement move, store_.database->prepare(large.move));
        for (std::int64_t from = 0, to = 0; to != kEnd; from = to) {
            to = kEnd;
            SEEDBED_TRY(next.each([&] { to = next.integer(0); }, staged_id, from, kRowsAtOnce));
            SEEDBED_ASSIGN(WriteTransaction transaction,
                           WriteTransaction::begin(*store_.database, store_.lock));
            SEEDBED_TRY(move.run(staged_id, id, from, to));
            SEEDBED_TRY(transaction.commit());
        }
    }
    return moveBlocks(staged_id, series_offset);
}

// The staged blocks of a run have consecutive ids. Other writers insert blocks between two parts, so each
// part starts after the newest id.
Result<> StagedImport::moveBlocks(RunId staged_id, std::int64_t series_offset) {
    SEEDBED_ASSIGN(Statement range,
                   store_.database->prepare(
                       "SELECT coalesce(min(b.id), 0), coalesce(max(b.id), -1) FROM staged.metric_series s "
                       "JOIN staged.metric_blocks b ON b.series_id = s.id WHERE s.run_id = ?"));
    std::int64_t first = 0, last = -1;
    SEEDBED_TRY(range.each(
        [&] {
            first = range.integer(0);
            last = range.integer(1);
        },
        staged_id));
    for (std::int64_t from = first; from <= last; from += kBlocksAtOnce) {
        const std::int64_t to = std::min(from + kBlocksAtOnce, last + 1);
        SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*store_.database, store_.lock));
        SEEDBED_ASSIGN(const std::int64_t newest,
                       store_.database->integer("SELECT coalesce(max(id), 0) FROM main.metric_blocks"));
        for (const char* move : kBlockMoves) {
            SEEDBED_ASSIGN(Statement statement, store_.database->prepare(move));
            SEEDBED_TRY(statement.run(from, to, series_offset, newest + 1 - from));
        }
        SEEDBED_TRY(transaction.commit());
    }
    return {};
}

Result<> StagedImport::publish(RunId staged_id, ImportedRun& run, const std::vector<CopiedCheckpoint>& before,
                               const std::vector<CopiedCheckpoint>& after) {
    const RunId id = run.id;
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*store_.database, store_.lock));
    SEEDBED_TRY(findStaged(staged_id, run));
    if (run.existed) return {};
    SEEDBED_TRY(updateRemovedFlags(*store_.database, before, after));
    const std::string name = run.name;
    for (int copy = 2; !run.name.empty() && !store_.checkNameIsFree(run.name, 0); ++copy)
        run.name = utf8Prefix(name, 80) + " (" + std::to_string(copy) + ")";
    SEEDBED_ASSIGN(
        Statement update,
        store_.database->prepare("UPDATE runs SET uid = s.uid, name = nullif(?3, ''), status = s.status, "
                                 "status_text = s.status_text, "
                                 "steps = s.steps, frames = s.frames, updates = s.updates, train_seconds "
                                 "= s.train_seconds, notes = s.notes, "
                                 "star = s.star, archived = s.archived, in_bin = s.in_bin FROM "
                                 "staged.runs s WHERE runs.id = ?2 AND s.id = ?1"));
    SEEDBED_TRY(update.run(staged_id, id, run.name));
    return transaction.commit();
}

}  // namespace seedbed
