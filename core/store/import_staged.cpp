// SPDX-License-Identifier: Apache-2.0
// The second half of an import: runs that were checked move into our tables as they are, only their numbers change.
#include <utility>

#include "core/base/files.hpp"
#include "core/store/maintenance.hpp"
#include "core/store/schema.hpp"
#include "core/store/staged_runs.hpp"
#include "core/store/store.hpp"
#include "core/store/store_impl.hpp"

namespace seedbed {
namespace {

// ?1 the run there, ?2 the run here, ?3 and ?4 what is added to the numbers of curves and blocks.
constexpr const char* kMoves[] = {
    "INSERT INTO segments (run_id, number, begin_step, started, pid, host, build, threads, other) "
    "SELECT ?2, number, begin_step, started, pid, host, build, threads, other FROM staged.segments WHERE run_id = ?1",
    "INSERT INTO run_tags (run_id, tag) SELECT ?2, tag FROM staged.run_tags WHERE run_id = ?1",
    "INSERT INTO episode_rows (run_id, number, segment, superseded_by, step, time, episode_return, length, agent_slot) "
    "SELECT ?2, number, segment, superseded_by, step, time, episode_return, length, agent_slot FROM staged.episode_rows WHERE run_id = ?1",
    "INSERT INTO evaluation_rows (run_id, segment, superseded_by, step, time, seed, greedy, params_version, n, mean, std, iqm, ci95_low, "
    "ci95_high, min, max, episodes) SELECT ?2, segment, superseded_by, step, time, seed, greedy, params_version, n, mean, std, iqm, "
    "ci95_low, ci95_high, min, max, episodes FROM staged.evaluation_rows WHERE run_id = ?1 ORDER BY id",
    "INSERT INTO event_rows (run_id, segment, superseded_by, step, time, level, kind, text, data) "
    "SELECT ?2, segment, superseded_by, step, time, level, kind, text, data FROM staged.event_rows WHERE run_id = ?1 ORDER BY id",
    "INSERT INTO artifact_rows (run_id, superseded_by, step, time, kind, path, bytes, sha256, data) "
    "SELECT ?2, superseded_by, step, time, kind, path, bytes, sha256, data FROM staged.artifact_rows WHERE run_id = ?1 ORDER BY id",
    "INSERT INTO checkpoint_rows (run_id, step, segment, superseded_by, time, updates, bytes, params_sha256, score, best, milestone, "
    "removed, folder) SELECT ?2, step, segment, superseded_by, time, updates, bytes, params_sha256, score, best, milestone, removed, "
    "'checkpoints/' || ?2 || '/' || folder FROM staged.checkpoint_rows WHERE run_id = ?1",
    "INSERT INTO metric_series (id, run_id, name, points, last_step, last_value, min, max) "
    "SELECT id + ?3, ?2, name, points, last_step, last_value, min, max FROM staged.metric_series WHERE run_id = ?1",
    "INSERT INTO metric_blocks (id, series_id, ordinal, segment, superseded_by, points, first_step, last_step, first_time, last_time, min, "
    "max, mean, data) SELECT b.id + ?4, b.series_id + ?3, b.ordinal, b.segment, b.superseded_by, b.points, b.first_step, b.last_step, "
    "b.first_time, b.last_time, b.min, b.max, b.mean, b.data "
    "FROM staged.metric_series s JOIN staged.metric_blocks b ON b.series_id = s.id WHERE s.run_id = ?1",
    "INSERT INTO metric_buckets (block_id, number, points, first_step, last_step, first_time, last_time, min, max, mean) "
    "SELECT k.block_id + ?4, k.number, k.points, k.first_step, k.last_step, k.first_time, k.last_time, k.min, k.max, k.mean "
    "FROM staged.metric_series s JOIN staged.metric_blocks b ON b.series_id = s.id JOIN staged.metric_buckets k ON k.block_id = b.id "
    "WHERE s.run_id = ?1",
    "INSERT INTO metric_tail (series_id, ordinal, segment, step, time, value) "
    "SELECT t.series_id + ?3, t.ordinal, t.segment, t.step, t.time, t.value "
    "FROM staged.metric_series s JOIN staged.metric_tail t ON t.series_id = s.id WHERE s.run_id = ?1"};

}  // namespace

Result<StagedRuns> StagedRuns::create(const std::filesystem::path& data_folder) {
    StagedRuns staged(temporaryBeside(data_folder / "import.db"));
    SEEDBED_ASSIGN(staged.database_, Database::open(staged.file_, Database::Access::create));
    // A crash leaves a file that nobody uses.
    SEEDBED_TRY(staged.database_->execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF"));
    SEEDBED_TRY(staged.database_->execute("BEGIN"));
    for (const char* migration : storeMigrations()) SEEDBED_TRY(staged.database_->execute(migration));
    return staged;
}

StagedRuns::StagedRuns(StagedRuns&& other) noexcept
    : file_(std::exchange(other.file_, std::filesystem::path())), database_(std::move(other.database_)) {}

StagedRuns::~StagedRuns() {
    database_.reset();
    if (file_.empty()) return;
    RealFileSystem files;
    (void)files.remove(file_);
}

Result<> StagedRuns::finish() {
    SEEDBED_TRY(database_->execute("COMMIT"));
    database_.reset();
    return {};
}

Result<> Store::Impl::findKnown(const std::string& uid, ImportedRun& run) {
    SEEDBED_ASSIGN(Statement known, database->prepare("SELECT id, coalesce(name, '') FROM runs WHERE uid = ?"));
    return known.each([&] { run.here = known.integer(0), run.name = known.text(1), run.known = true; }, uid);
}

Result<> Store::Impl::takeIn(const StagedRuns& staged, std::vector<ImportedRun>& runs) {
    {
        SEEDBED_ASSIGN(Statement attach, database->prepare("ATTACH ? AS staged"));
        SEEDBED_TRY(attach.run(staged.file().string()));
    }
    Result<> done;
    for (ImportedRun& run : runs)
        if (done && !run.known) done = takeIn(run);
    const Result<> detached = database->execute("DETACH staged");
    return done ? detached : done;
}

Result<> Store::Impl::takeIn(ImportedRun& run) {
    const RunId there = run.here;
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*database, lock));
    SEEDBED_ASSIGN(Statement find, database->prepare("SELECT uid FROM staged.runs WHERE id = ?"));
    std::string uid;
    SEEDBED_TRY(find.each([&] { uid = find.text(0); }, there));
    // Another process may have taken it in meanwhile.
    SEEDBED_TRY(findKnown(uid, run));
    if (run.known) return {};
    const std::string name = run.name;
    for (int copy = 2; !run.name.empty() && !checkNameIsFree(run.name, 0); ++copy)
        run.name = name.substr(0, 80) + " (" + std::to_string(copy) + ")";
    SEEDBED_ASSIGN(
        Statement insert,
        database->prepare("INSERT INTO runs (uid, name, env, algo, seed, engine, config, devices, auto_settings, init_from, status, "
                          "status_text, steps, frames, updates, train_seconds, created, updated, notes, star, archived, in_bin) "
                          "SELECT uid, nullif(?2, ''), env, algo, seed, engine, config, devices, auto_settings, init_from, status, "
                          "status_text, steps, frames, updates, train_seconds, created, updated, notes, star, archived, in_bin "
                          "FROM staged.runs WHERE id = ?1"));
    SEEDBED_TRY(insert.run(there, run.name));
    SEEDBED_ASSIGN(run.here, database->integer("SELECT last_insert_rowid()"));
    SEEDBED_ASSIGN(const std::int64_t series, database->integer("SELECT coalesce(max(id), 0) FROM main.metric_series"));
    SEEDBED_ASSIGN(const std::int64_t blocks, database->integer("SELECT coalesce(max(id), 0) FROM main.metric_blocks"));
    for (const char* move : kMoves) {
        SEEDBED_ASSIGN(Statement statement, database->prepare(move));
        SEEDBED_TRY(statement.run(there, run.here, series, blocks));
    }
    SEEDBED_ASSIGN(run.put_aside, putAsideForeignCheckpoints(run.here));
    return transaction.commit();
}

}  // namespace seedbed
