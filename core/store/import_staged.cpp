// SPDX-License-Identifier: Apache-2.0
// The second half of an import: runs that were checked move into our tables as they are, only their numbers
// change. In many short transactions, so that runs that are going need not wait long for a large one: first
// as a run that nobody sees, in the end it is shown.
#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/temporary_files.hpp"
#include "core/store/maintenance.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/schema.hpp"
#include "core/store/staged_runs.hpp"
#include "core/store/store.hpp"
#include "core/store/store_impl.hpp"

namespace seedbed {
namespace {

constexpr int kBlocksAtOnce = 128;   // of up to 512 points each, with their buckets
constexpr int kRowsAtOnce = 10'000;  // of other tables
constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

// Whole letters of a UTF-8 text, in at most so many bytes.
std::string beginOf(const std::string& text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
    return text.substr(0, bytes);
}

// What is small. ?1 the run there, ?2 the run here, ?3 what is added to the numbers of curves.
constexpr const char* kSmallMoves[] = {
    "INSERT INTO segments (run_id, number, begin_step, started, pid, host, build, threads, other) "
    "SELECT ?2, number, begin_step, started, pid, host, build, threads, other FROM staged.segments WHERE "
    "run_id = ?1",
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

// What may be large. `next`: the row that ?3 rows after ?2 begin a new part of run ?1. `move`: rows of run ?1
// from ?3 up to and without ?4 become those of run ?2.
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

// ?1 the first block there and ?2 the one after the last, ?3 and ?4 what is added to the numbers of curves
// and blocks.
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

Result<StagedRuns> StagedRuns::create(const std::filesystem::path& data_folder, FileSystem& files) {
    StagedRuns staged(temporaryPathFor(data_folder / "import.db"), files);
    SEEDBED_ASSIGN(staged.database_, Database::open(staged.file_, Database::Access::create));
    // A crash leaves a file that nobody uses.
    SEEDBED_TRY(staged.database_->execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF"));
    SEEDBED_TRY(staged.database_->execute("BEGIN"));
    for (const char* migration : storeMigrations()) SEEDBED_TRY(staged.database_->execute(migration));
    return staged;
}

StagedRuns::StagedRuns(StagedRuns&& other) noexcept
    : file_(std::exchange(other.file_, std::filesystem::path())),
      files_(other.files_),
      database_(std::move(other.database_)) {}

StagedRuns::~StagedRuns() {
    database_.reset();
    if (file_.empty()) return;
    (void)files_->remove(file_);
}

Result<> StagedRuns::finish() {
    SEEDBED_TRY(database_->execute("COMMIT"));
    database_.reset();
    return {};
}

Result<> Store::Impl::findKnown(const std::string& uid, ImportedRun& run) {
    SEEDBED_ASSIGN(Statement known,
                   database->prepare("SELECT id, coalesce(name, '') FROM runs WHERE uid = ?"));
    return known.each([&] { run.here = known.integer(0), run.name = known.text(1), run.known = true; }, uid);
}

Result<> Store::Impl::importStagedRuns(const StagedRuns& staged, std::vector<ImportedRun>& runs,
                                       const CheckpointCopier& copier) {
    SEEDBED_TRY(removeHiddenRuns(folder, *database, lock, system));
    {
        SEEDBED_ASSIGN(Statement attach, database->prepare("ATTACH ? AS staged"));
        SEEDBED_TRY(attach.run(staged.file().string()));
    }
    Result<> done;
    for (ImportedRun& run : runs) {
        if (done && !run.known) done = importStagedRun(run, copier);
        if (done && run.known && copier) done = addMissingCheckpoints(run, copier);
    }
    const Result<> detached = database->execute("DETACH staged");
    return done ? detached : done;
}

Result<> Store::Impl::importStagedRun(ImportedRun& run, const CheckpointCopier& copier) {
    std::optional<RunLock> owner;
    const RunId there = run.here;
    const auto one = [&]() -> Result<> {
        SEEDBED_TRY(begin(there, run, owner));
        if (run.known) return {};
        SEEDBED_TRY(moveRows(there, run.here));
        // Under its lock and before it appears: whoever sees the run sees what it can go on from.
        SEEDBED_ASSIGN(const auto before, checkpointRowsOf(*database, run.here));
        auto after = before;
        if (copier) SEEDBED_TRY(copier({run.there, run.here, false}, after));
        return show(there, run, before, after);
    };
    const Result<> done = one();
    // What is left of it otherwise goes now, or with the next import.
    if (owner && (!done || run.known)) {
        (void)removeRun(*owner, folder, *database, lock, system);
    }
    return done;
}

Result<> Store::Impl::addMissingCheckpoints(const ImportedRun& run, const CheckpointCopier& copier) {
    const auto owner = RunLock::acquire(folder, run.here, system);
    if (!owner && RunLock::isHeld(folder, run.here)) return {};  // it is trained, and has newer ones
    if (!owner) return tl::unexpected<Error>(owner.error());
    SEEDBED_ASSIGN(const auto before, checkpointRowsOf(*database, run.here));
    auto after = before;
    SEEDBED_TRY(copier({run.there, run.here, true}, after));
    if (after == before) return {};
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*database, lock));
    SEEDBED_TRY(updateRemovedFlags(*database, before, after));
    return transaction.commit();
}

Result<> Store::Impl::begin(RunId there, ImportedRun& run, std::optional<RunLock>& owner) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*database, lock));
    SEEDBED_TRY(findStaged(there, run));
    if (run.known) return {};
    SEEDBED_ASSIGN(Statement insert,
                   database->prepare("INSERT INTO runs (uid, env, algo, seed, engine, config, devices, "
                                     "auto_settings, init_from, status, "
                                     "status_text, created, updated, in_bin) SELECT ?2 || "
                                     "lower(hex(randomblob(8))), env, algo, seed, engine, config, "
                                     "devices, auto_settings, init_from, 'interrupted', ?3, created, "
                                     "updated, 1 FROM staged.runs WHERE id = ?1"));
    SEEDBED_TRY(insert.run(there, kHiddenUidPrefix, "is being imported"));
    SEEDBED_ASSIGN(run.here, database->integer("SELECT last_insert_rowid()"));
    SEEDBED_ASSIGN(run.moved_checkpoints, moveForeignCheckpoints(run.here));
    // Whoever sees the row sees that it has an owner.
    SEEDBED_ASSIGN(owner, RunLock::acquire(folder, run.here, system));
    return transaction.commit();
}

Result<> Store::Impl::findStaged(RunId there, ImportedRun& run) {
    SEEDBED_ASSIGN(Statement find, database->prepare("SELECT uid FROM staged.runs WHERE id = ?"));
    std::string uid;
    SEEDBED_TRY(find.each([&] { uid = find.text(0); }, there));
    // Another process may have taken it in meanwhile.
    return findKnown(uid, run);
}

Result<> Store::Impl::moveRows(RunId there, RunId here) {
    std::int64_t series = 0;
    {
        SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*database, lock));
        SEEDBED_ASSIGN(series, database->integer("SELECT coalesce(max(id), 0) FROM main.metric_series"));
        for (const char* move : kSmallMoves) {
            SEEDBED_ASSIGN(Statement statement, database->prepare(move));
            SEEDBED_TRY(statement.run(there, here, series));
        }
        SEEDBED_TRY(transaction.commit());
    }
    for (const LargeMove& large : kLargeMoves) {
        SEEDBED_ASSIGN(Statement next, database->prepare(large.next));
        SEEDBED_ASSIGN(Statement move, database->prepare(large.move));
        for (std::int64_t from = 0, to = 0; to != kEnd; from = to) {
            to = kEnd;
            SEEDBED_TRY(next.each([&] { to = next.integer(0); }, there, from, kRowsAtOnce));
            SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*database, lock));
            SEEDBED_TRY(move.run(there, here, from, to));
            SEEDBED_TRY(transaction.commit());
        }
    }
    return moveBlocks(there, series);
}

// Blocks of a run follow one another in the database beside ours. Here others get numbers in between, so that
// every part begins after the newest.
Result<> Store::Impl::moveBlocks(RunId there, std::int64_t series) {
    SEEDBED_ASSIGN(Statement range,
                   database->prepare(
                       "SELECT coalesce(min(b.id), 0), coalesce(max(b.id), -1) FROM staged.metric_series s "
                       "JOIN staged.metric_blocks b ON b.series_id = s.id WHERE s.run_id = ?"));
    std::int64_t first = 0, last = -1;
    SEEDBED_TRY(range.each([&] { first = range.integer(0), last = range.integer(1); }, there));
    for (std::int64_t from = first; from <= last; from += kBlocksAtOnce) {
        const std::int64_t to = std::min(from + kBlocksAtOnce, last + 1);
        SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*database, lock));
        SEEDBED_ASSIGN(const std::int64_t newest,
                       database->integer("SELECT coalesce(max(id), 0) FROM main.metric_blocks"));
        for (const char* move : kBlockMoves) {
            SEEDBED_ASSIGN(Statement statement, database->prepare(move));
            SEEDBED_TRY(statement.run(from, to, series, newest + 1 - from));
        }
        SEEDBED_TRY(transaction.commit());
    }
    return {};
}

// The run appears, complete.
Result<> Store::Impl::show(RunId there, ImportedRun& run, const std::vector<CopiedCheckpoint>& before,
                           const std::vector<CopiedCheckpoint>& after) {
    const RunId here = run.here;
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*database, lock));
    SEEDBED_TRY(findStaged(there, run));
    if (run.known) return {};
    SEEDBED_TRY(updateRemovedFlags(*database, before, after));
    const std::string name = run.name;
    for (int copy = 2; !run.name.empty() && !checkNameIsFree(run.name, 0); ++copy)
        run.name = beginOf(name, 80) + " (" + std::to_string(copy) + ")";
    SEEDBED_ASSIGN(Statement update,
                   database->prepare("UPDATE runs SET uid = s.uid, name = nullif(?3, ''), status = s.status, "
                                     "status_text = s.status_text, "
                                     "steps = s.steps, frames = s.frames, updates = s.updates, train_seconds "
                                     "= s.train_seconds, notes = s.notes, "
                                     "star = s.star, archived = s.archived, in_bin = s.in_bin FROM "
                                     "staged.runs s WHERE runs.id = ?2 AND s.id = ?1"));
    SEEDBED_TRY(update.run(there, here, run.name));
    return transaction.commit();
}

}  // namespace seedbed
