// SPDX-License-Identifier: Apache-2.0
// SCHEMA.md documents these tables and views for users of SQL.
#include "core/store/schema.hpp"

#include <array>
#include <string>
#include <system_error>

#include "core/base/os/files.hpp"
#include "core/base/os/network_files.hpp"
#include "core/base/os/temporary_files.hpp"

namespace seedbed {

namespace {

constexpr std::int64_t kApplicationId = 0x53454544;  // "SEED"

constexpr const char* kVersion1 = R"sql(
CREATE TABLE runs (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  uid           TEXT    NOT NULL UNIQUE,
  name          TEXT    UNIQUE,
  env           TEXT    NOT NULL,
  algo          TEXT    NOT NULL,
  seed          INTEGER NOT NULL,
  engine        TEXT    NOT NULL,
  config        TEXT    NOT NULL,
  devices       TEXT    NOT NULL,
  auto_settings TEXT    NOT NULL,
  init_from     TEXT    NOT NULL,
  status        TEXT    NOT NULL CHECK (status IN ('queued', 'starting', 'running', 'paused', 'stopping', 'finished', 'failed', 'interrupted')),
  status_text   TEXT    NOT NULL DEFAULT '',
  steps         INTEGER NOT NULL DEFAULT 0,
  frames        INTEGER NOT NULL DEFAULT 0,
  updates       INTEGER NOT NULL DEFAULT 0,
  train_seconds REAL    NOT NULL DEFAULT 0,
  created       REAL    NOT NULL,
  updated       REAL    NOT NULL,
  notes         TEXT    NOT NULL DEFAULT '',
  star          INTEGER NOT NULL DEFAULT 0,
  archived      INTEGER NOT NULL DEFAULT 0,
  in_bin        INTEGER NOT NULL DEFAULT 0,
  batches       INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE run_tags (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  tag    TEXT    NOT NULL,
  PRIMARY KEY (run_id, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE segments (
  run_id     INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number     INTEGER NOT NULL,
  begin_step INTEGER NOT NULL,
  started    REAL    NOT NULL,
  pid        INTEGER NOT NULL,
  host       TEXT    NOT NULL,
  build      TEXT    NOT NULL,
  threads    INTEGER NOT NULL,
  other      TEXT    NOT NULL,
  PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric_series (
  id         INTEGER PRIMARY KEY,
  run_id     INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  name       TEXT    NOT NULL,
  points     INTEGER NOT NULL DEFAULT 0,
  last_step  INTEGER NOT NULL DEFAULT 0,
  last_value REAL,
  min        REAL,
  max        REAL,
  UNIQUE (run_id, name)
) STRICT;

CREATE TABLE metric_blocks (
  id            INTEGER PRIMARY KEY,
  series_id     INTEGER NOT NULL REFERENCES metric_series (id) ON DELETE CASCADE,
  ordinal       INTEGER NOT NULL,
  segment       INTEGER NOT NULL,
  superseded_by INTEGER NOT NULL DEFAULT 0,
  points        INTEGER NOT NULL,
  first_step    INTEGER NOT NULL,
  last_step     INTEGER NOT NULL,
  first_time    REAL    NOT NULL,
  last_time     REAL    NOT NULL,
  min           REAL,
  max           REAL,
  mean          REAL,
  data          BLOB    NOT NULL,
  UNIQUE (series_id, ordinal)
) STRICT;

CREATE TABLE metric_buckets (
  block_id   INTEGER NOT NULL REFERENCES metric_blocks (id) ON DELETE CASCADE,
  number     INTEGER NOT NULL,
  points     INTEGER NOT NULL,
  first_step INTEGER NOT NULL,
  last_step  INTEGER NOT NULL,
  first_time REAL    NOT NULL,
  last_time  REAL    NOT NULL,
  min        REAL,
  max        REAL,
  mean       REAL,
  PRIMARY KEY (block_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric_tail (
  series_id INTEGER NOT NULL REFERENCES metric_series (id) ON DELETE CASCADE,
  ordinal   INTEGER NOT NULL,
  segment   INTEGER NOT NULL,
  step      INTEGER NOT NULL,
  time      REAL    NOT NULL,
  value     REAL,
  PRIMARY KEY (series_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE episode_rows (
  run_id         INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number         INTEGER NOT NULL,
  segment        INTEGER NOT NULL,
  superseded_by  INTEGER NOT NULL DEFAULT 0,
  step           INTEGER NOT NULL,
  time           REAL    NOT NULL,
  episode_return REAL,
  length         INTEGER NOT NULL,
  agent_slot     INTEGER NOT NULL,
  PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE evaluation_rows (
  id             INTEGER PRIMARY KEY,
  run_id         INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  segment        INTEGER NOT NULL,
  superseded_by  INTEGER NOT NULL DEFAULT 0,
  step           INTEGER NOT NULL,
  time           REAL    NOT NULL,
  seed           INTEGER NOT NULL,
  greedy         INTEGER NOT NULL,
  params_version INTEGER NOT NULL,
  n              INTEGER NOT NULL,
  mean           REAL,
  std            REAL,
  iqm            REAL,
  ci95_low       REAL,
  ci95_high      REAL,
  min            REAL,
  max            REAL,
  episodes       TEXT    NOT NULL
) STRICT;
CREATE INDEX evaluation_rows_by_run ON evaluation_rows (run_id, superseded_by, step, mean);

CREATE TABLE checkpoint_rows (
  run_id        INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  step          INTEGER NOT NULL,
  segment       INTEGER NOT NULL,
  superseded_by INTEGER NOT NULL DEFAULT 0,
  time          REAL    NOT NULL,
  updates       INTEGER NOT NULL,
  folder        TEXT    NOT NULL,
  bytes         INTEGER NOT NULL,
  params_sha256 TEXT    NOT NULL,
  score         REAL,
  best          INTEGER NOT NULL DEFAULT 0,
  milestone     INTEGER NOT NULL DEFAULT 0,
  removed       INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run_id, step, segment)
) STRICT, WITHOUT ROWID;

CREATE TABLE event_rows (
  id            INTEGER PRIMARY KEY,
  run_id        INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  segment       INTEGER NOT NULL,
  superseded_by INTEGER NOT NULL DEFAULT 0,
  step          INTEGER NOT NULL,
  time          REAL    NOT NULL,
  level         TEXT    NOT NULL,
  kind          TEXT    NOT NULL,
  text          TEXT    NOT NULL,
  data          TEXT    NOT NULL
) STRICT;
CREATE INDEX event_rows_by_run ON event_rows (run_id);

CREATE VIEW episodes AS
  SELECT run_id, number, step, time, episode_return, length, agent_slot FROM episode_rows WHERE superseded_by = 0;
CREATE VIEW evaluations AS
  SELECT run_id, step, time, seed, greedy, params_version, n, mean, std, iqm, ci95_low, ci95_high, min, max, episodes
  FROM evaluation_rows WHERE superseded_by = 0;
CREATE VIEW checkpoints AS
  SELECT run_id, step, time, updates, folder, bytes, params_sha256, score, best, milestone, removed
  FROM checkpoint_rows WHERE superseded_by = 0;
CREATE VIEW events AS
  SELECT run_id, step, time, level, kind, text, data FROM event_rows WHERE superseded_by = 0;

CREATE VIEW metric_points AS
  SELECT s.run_id, s.name, b.points, b.first_step, b.last_step AS step, b.last_time AS time, b.mean AS value, b.min, b.max
  FROM metric_series s JOIN metric_blocks k ON k.series_id = s.id AND k.superseded_by = 0 JOIN metric_buckets b ON b.block_id = k.id
  UNION ALL
  SELECT s.run_id, s.name, 1, t.step, t.step, t.time, t.value, t.value, t.value
  FROM metric_series s JOIN metric_tail t ON t.series_id = s.id;

CREATE VIEW runs_overview AS
  SELECT r.id, r.name, r.env, r.algo, r.seed, r.status, r.status_text, r.steps, r.frames, r.updates, r.train_seconds, r.created, r.updated,
    coalesce((SELECT max(e.mean) FROM evaluation_rows e WHERE e.run_id = r.id AND e.superseded_by = 0),
             (SELECT s.max FROM metric_series s WHERE s.run_id = r.id AND s.name = 'episode/return' AND s.points > 0)) AS best_return,
    coalesce((SELECT e.mean FROM evaluation_rows e WHERE e.run_id = r.id AND e.superseded_by = 0 ORDER BY e.step DESC, e.id DESC LIMIT 1),
             (SELECT s.last_value FROM metric_series s WHERE s.run_id = r.id AND s.name = 'episode/return' AND s.points > 0)) AS last_return,
    (SELECT group_concat(t.tag, char(10)) FROM run_tags t WHERE t.run_id = r.id) AS tags,
    r.notes, r.star, r.archived, r.in_bin
  FROM runs r;
)sql";

constexpr const char* kVersion2 = R"sql(
CREATE TABLE queue_entries (
  run_id   INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  paused   INTEGER NOT NULL DEFAULT 0,
  begun    INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE queue_settings (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  at_a_time INTEGER NOT NULL,
  paused    INTEGER NOT NULL
) STRICT;
INSERT INTO queue_settings (id, at_a_time, paused) VALUES (1, 1, 0);

CREATE TABLE artifact_rows (
  id            INTEGER PRIMARY KEY,
  run_id        INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  superseded_by INTEGER NOT NULL DEFAULT 0,
  step          INTEGER NOT NULL,
  time          REAL    NOT NULL,
  kind          TEXT    NOT NULL,
  path          TEXT    NOT NULL,
  bytes         INTEGER NOT NULL,
  sha256        TEXT    NOT NULL,
  data          TEXT    NOT NULL
) STRICT;
CREATE INDEX artifact_rows_by_run ON artifact_rows (run_id);

CREATE VIEW artifacts AS
  SELECT run_id, step, time, kind, path, bytes, sha256, data FROM artifact_rows WHERE superseded_by = 0;
CREATE VIEW queue AS
  SELECT q.run_id, r.name, r.env, r.algo, r.seed, r.status, q.position, q.paused, q.begun, q.attempts
  FROM queue_entries q JOIN runs r ON r.id = q.run_id;

DROP VIEW runs_overview;
CREATE VIEW runs_overview AS
  SELECT r.id, r.name, r.env, r.algo, r.seed, r.status, r.status_text, r.steps, r.frames, r.updates, r.train_seconds, r.created, r.updated,
    coalesce((SELECT max(e.mean) FROM evaluation_rows e WHERE e.run_id = r.id AND e.superseded_by = 0),
             (SELECT s.max FROM metric_series s WHERE s.run_id = r.id AND s.name = 'episode/return' AND s.points > 0)) AS best_return,
    coalesce((SELECT e.mean FROM evaluation_rows e WHERE e.run_id = r.id AND e.superseded_by = 0 ORDER BY e.step DESC, e.id DESC LIMIT 1),
             (SELECT s.last_value FROM metric_series s WHERE s.run_id = r.id AND s.name = 'episode/return' AND s.points > 0)) AS last_return,
    (SELECT group_concat(t.tag, char(10)) FROM run_tags t WHERE t.run_id = r.id) AS tags,
    r.notes, r.star, r.archived, r.in_bin,
    CASE WHEN EXISTS (SELECT 1 FROM evaluation_rows e WHERE e.run_id = r.id AND e.superseded_by = 0) THEN 'evaluation'
         WHEN EXISTS (SELECT 1 FROM metric_series s WHERE s.run_id = r.id AND s.name = 'episode/return' AND s.points > 0) THEN 'training'
    END AS return_source
  FROM runs r;
)sql";

// No view shows runs that are being imported or removed, because they are incomplete.
constexpr const char* kVersion3 = R"sql(
DROP VIEW episodes;
CREATE VIEW episodes AS
  SELECT run_id, number, step, time, episode_return, length, agent_slot FROM episode_rows
  WHERE superseded_by = 0 AND run_id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*');
DROP VIEW evaluations;
CREATE VIEW evaluations AS
  SELECT run_id, step, time, seed, greedy, params_version, n, mean, std, iqm, ci95_low, ci95_high, min, max, episodes
  FROM evaluation_rows WHERE superseded_by = 0 AND run_id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*');
DROP VIEW checkpoints;
CREATE VIEW checkpoints AS
  SELECT run_id, step, time, updates, folder, bytes, params_sha256, score, best, milestone, removed
  FROM checkpoint_rows WHERE superseded_by = 0 AND run_id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*');
DROP VIEW events;
CREATE VIEW events AS
  SELECT run_id, step, time, level, kind, text, data FROM event_rows
  WHERE superseded_by = 0 AND run_id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*');
DROP VIEW artifacts;
CREATE VIEW artifacts AS
  SELECT run_id, step, time, kind, path, bytes, sha256, data FROM artifact_rows
  WHERE superseded_by = 0 AND run_id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*');

DROP VIEW metric_points;
CREATE VIEW metric_points AS
  SELECT s.run_id, s.name, b.points, b.first_step, b.last_step AS step, b.last_time AS time, b.mean AS value, b.min, b.max
  FROM metric_series s JOIN metric_blocks k ON k.series_id = s.id AND k.superseded_by = 0 JOIN metric_buckets b ON b.block_id = k.id
  WHERE s.run_id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*')
  UNION ALL
  SELECT s.run_id, s.name, 1, t.step, t.step, t.time, t.value, t.value, t.value
  FROM metric_series s JOIN metric_tail t ON t.series_id = s.id
  WHERE s.run_id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*');

DROP VIEW runs_overview;
CREATE VIEW runs_overview AS
  SELECT r.id, r.name, r.env, r.algo, r.seed, r.status, r.status_text, r.steps, r.frames, r.updates, r.train_seconds, r.created, r.updated,
    coalesce((SELECT max(e.mean) FROM evaluation_rows e WHERE e.run_id = r.id AND e.superseded_by = 0),
             (SELECT s.max FROM metric_series s WHERE s.run_id = r.id AND s.name = 'episode/return' AND s.points > 0)) AS best_return,
    coalesce((SELECT e.mean FROM evaluation_rows e WHERE e.run_id = r.id AND e.superseded_by = 0 ORDER BY e.step DESC, e.id DESC LIMIT 1),
             (SELECT s.last_value FROM metric_series s WHERE s.run_id = r.id AND s.name = 'episode/return' AND s.points > 0)) AS last_return,
    (SELECT group_concat(t.tag, char(10)) FROM run_tags t WHERE t.run_id = r.id) AS tags,
    r.notes, r.star, r.archived, r.in_bin,
    CASE WHEN EXISTS (SELECT 1 FROM evaluation_rows e WHERE e.run_id = r.id AND e.superseded_by = 0) THEN 'evaluation'
         WHEN EXISTS (SELECT 1 FROM metric_series s WHERE s.run_id = r.id AND s.name = 'episode/return' AND s.points > 0) THEN 'training'
    END AS return_source
  FROM runs r WHERE r.id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*');
)sql";

// The history of a run's settings. Changes of older runs are derived from their events. If a run continued
// from a checkpoint before a change, the change applies from that checkpoint on.
constexpr const char* kVersion4 = R"sql(
CREATE TABLE setting_rows (
  id        INTEGER PRIMARY KEY,
  run_id    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  step      INTEGER NOT NULL,
  time      REAL    NOT NULL,
  key       TEXT    NOT NULL,
  old_value TEXT    NOT NULL,
  new_value TEXT    NOT NULL,
  source    TEXT    NOT NULL CHECK (source IN ('live', 'resume', 'rollback'))
) STRICT;
CREATE INDEX setting_rows_by_run ON setting_rows (run_id);

INSERT INTO setting_rows (run_id, step, time, key, old_value, new_value, source)
  SELECT run_id, min(step, coalesce(begin_step, step)), time, key, old_value, new_value, source FROM (
    SELECT e.id, e.run_id, e.step, e.time, j.key AS key, j.value -> '$[0]' AS old_value, j.value -> '$[1]' AS new_value,
      CASE WHEN EXISTS (SELECT 1 FROM event_rows r WHERE r.run_id = e.run_id AND r.segment = e.segment AND r.step = e.step
                        AND r.kind = 'resumed') THEN 'resume' ELSE 'live' END AS source,
      (SELECT s.begin_step FROM segments s WHERE s.run_id = e.run_id AND s.number = e.superseded_by) AS begin_step
    FROM event_rows e, json_each(CASE WHEN json_valid(e.data) THEN e.data ELSE '{}' END) j
    WHERE e.kind = 'settings' AND j.type = 'array'
    UNION ALL
    SELECT e.id, e.run_id, e.step, e.time, 'algo.learning_rate', CAST(2 * (e.data ->> '$.learning_rate') AS TEXT),
      e.data -> '$.learning_rate', 'rollback',
      (SELECT s.begin_step FROM segments s WHERE s.run_id = e.run_id AND s.number = e.superseded_by)
    FROM event_rows e WHERE e.kind = 'rolled_back' AND json_valid(e.data) AND json_type(e.data, '$.learning_rate') = 'real')
  WHERE old_value IS NOT NULL AND new_value IS NOT NULL ORDER BY id;

CREATE VIEW setting_changes AS
  SELECT run_id, step, time, key, old_value, new_value, source FROM setting_rows
  WHERE run_id NOT IN (SELECT id FROM runs WHERE uid GLOB 'importing-*');
)sql";

// Leagues. The key of a match makes recording it twice impossible.
constexpr const char* kVersion5 = R"sql(
CREATE TABLE leagues (
  id         INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL UNIQUE,
  env        TEXT    NOT NULL,
  env_params TEXT    NOT NULL,
  opening    INTEGER NOT NULL,
  sample     INTEGER NOT NULL,
  created    REAL    NOT NULL
) STRICT;

CREATE TABLE league_members (
  id            INTEGER PRIMARY KEY,
  league_id     INTEGER NOT NULL REFERENCES leagues (id) ON DELETE CASCADE,
  name          TEXT    NOT NULL,
  player        TEXT    NOT NULL,
  origin        TEXT    NOT NULL,
  params_sha256 TEXT    NOT NULL,
  active        INTEGER NOT NULL,
  added         REAL    NOT NULL,
  UNIQUE (league_id, name)
) STRICT;

CREATE TABLE league_matches (
  league_id INTEGER NOT NULL REFERENCES leagues (id) ON DELETE CASCADE,
  a         INTEGER NOT NULL REFERENCES league_members (id) ON DELETE CASCADE,
  b         INTEGER NOT NULL REFERENCES league_members (id) ON DELETE CASCADE,
  number    INTEGER NOT NULL,
  wins      INTEGER NOT NULL CHECK (wins >= 0),
  draws     INTEGER NOT NULL CHECK (draws >= 0),
  losses    INTEGER NOT NULL CHECK (losses >= 0),
  seed      INTEGER NOT NULL,
  time      REAL    NOT NULL,
  PRIMARY KEY (league_id, a, b, number),
  CHECK (a < b)
) STRICT, WITHOUT ROWID;
)sql";

// Populations. A row of population_rounds is decided together with those of all members, and changes its
// state once per piece of work, so that work that was interrupted is repeated and never counted twice.
constexpr const char* kVersion6 = R"sql(
CREATE TABLE populations (
  id       INTEGER PRIMARY KEY,
  name     TEXT    NOT NULL UNIQUE,
  settings TEXT    NOT NULL,
  created  REAL    NOT NULL
) STRICT;

CREATE TABLE population_members (
  population_id INTEGER NOT NULL REFERENCES populations (id) ON DELETE CASCADE,
  number        INTEGER NOT NULL,
  run_id        INTEGER NOT NULL,
  PRIMARY KEY (population_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE population_rounds (
  population_id INTEGER NOT NULL REFERENCES populations (id) ON DELETE CASCADE,
  round         INTEGER NOT NULL,
  member        INTEGER NOT NULL,
  parent        INTEGER NOT NULL,
  parent_step   INTEGER NOT NULL,
  settings      TEXT    NOT NULL,
  state         TEXT    NOT NULL CHECK (state IN ('copying', 'training', 'done', 'failed')),
  end_step      INTEGER,
  score         REAL,
  error         TEXT    NOT NULL DEFAULT '',
  time          REAL    NOT NULL,
  PRIMARY KEY (population_id, round, member)
) STRICT, WITHOUT ROWID;
)sql";

// The games of a match, so that repeated ones are recognised (LeagueMatch::game_ids).
constexpr const char* kVersion7 = "ALTER TABLE league_matches ADD COLUMN games BLOB NOT NULL DEFAULT x''";

constexpr std::array<const char*, 7> kMigrations{kVersion1, kVersion2, kVersion3, kVersion4,
                                                 kVersion5, kVersion6, kVersion7};

struct Identity {
    std::int64_t application = 0, version = 0, objects = 0;
    bool empty() const { return application == 0 && version == 0 && objects == 0; }
};

Result<Identity> identify(Database& database) {
    Identity identity;
    SEEDBED_ASSIGN(identity.application, database.integer("PRAGMA application_id"));
    SEEDBED_ASSIGN(identity.version, database.integer("PRAGMA user_version"));
    SEEDBED_ASSIGN(identity.objects, database.integer("SELECT count(*) FROM sqlite_schema"));
    return identity;
}

// error: a database of another program, or of a newer version.
Result<> checkIdentity(const Database& database, const Identity& identity, std::size_t newest) {
    const std::string name = "'" + database.file().string() + "'";
    if (identity.application != kApplicationId)
        return fail(name +
                    " is a database of another program; it was not changed; move it elsewhere or choose "
                    "another folder with --data");
    if (identity.version > static_cast<std::int64_t>(newest))
        return fail(name + " was written by a newer version of Seedbed (format " +
                    std::to_string(identity.version) + ", this version supports up to " +
                    std::to_string(newest) +
                    "); it was not changed; use the newer version or choose another folder with --data");
    return {};
}

// Detects a truncated file: without a log, the file contains all pages.
Result<> checkLength(Database& database, FileSystem& files) {
    SEEDBED_ASSIGN(const std::int64_t pages, database.integer("PRAGMA page_count"));
    SEEDBED_ASSIGN(const std::int64_t page_bytes, database.integer("PRAGMA page_size"));
    SEEDBED_ASSIGN(const auto log, files.info(database.file().string() + "-wal"));
    SEEDBED_ASSIGN(const auto file, files.info(database.file()));
    if ((log && log->bytes > 0) || !file || file->bytes >= static_cast<std::uint64_t>(pages * page_bytes))
        return {};
    // Check again, because another process may have compacted the file in the meantime.
    SEEDBED_ASSIGN(const std::int64_t pages_now, database.integer("PRAGMA page_count"));
    if (pages_now != pages) return {};
    return fail("the database '" + database.file().string() +
                "' is damaged (it is truncated); nothing was changed; move it elsewhere or restore a "
                "backup");
}

// Writes a backup under a new name; it appears complete or not at all.
Result<> backUp(FileSystem& files, const std::filesystem::path& file, std::int64_t version) {
    SEEDBED_ASSIGN(const auto database, Database::open(file, Database::Access::read));
    const std::string name = file.string() + ".v" + std::to_string(version);
    std::filesystem::path backup = name + ".backup";
    for (int copy = 2;; ++copy) {
        SEEDBED_ASSIGN(const auto taken, files.info(backup));
        if (!taken) break;
        backup = name + "-" + std::to_string(copy) + ".backup";
    }
    // Removes backups of interrupted migrations, each as large as the database. The writers' lock ensures
    // that no other process is writing one.
    SEEDBED_TRY(removeStaleFiles(files, file.parent_path()));
    const auto temporary = temporaryPathFor(backup);
    Result<> saved = database->backUpTo(temporary);
    if (saved) saved = files.rename(temporary, backup);
    if (saved) return files.syncFolder(file.parent_path());
    (void)files.remove(temporary);
    return tl::unexpected<Error>(
        std::move(saved.error()).withContext("making a backup before the database is migrated"));
}

// Other processes wait for this transaction and then find the database migrated.
Result<> migrate(Database& database, WriteLockFile& lock, Migrations migrations, const System& system) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(database, lock));
    SEEDBED_ASSIGN(const Identity identity, identify(database));
    if (!identity.empty()) SEEDBED_TRY(checkIdentity(database, identity, migrations.size()));
    if (identity.version == static_cast<std::int64_t>(migrations.size())) return {};
    if (identity.version > 0) SEEDBED_TRY(backUp(*system.files, database.file(), identity.version));
    for (auto step = static_cast<std::size_t>(identity.version); step < migrations.size(); ++step)
        SEEDBED_TRY(database.execute(migrations[step]));
    SEEDBED_TRY(database.execute("PRAGMA application_id=" + std::to_string(kApplicationId)));
    SEEDBED_TRY(database.execute("PRAGMA user_version=" + std::to_string(migrations.size())));
    return transaction.commit();
}

}  // namespace

Migrations storeMigrations() { return kMigrations; }
std::int64_t storeApplicationId() { return kApplicationId; }

namespace {

// WAL mode needs memory that all processes share, which network file systems do not provide between machines.
Result<> checkFileSystem(const std::filesystem::path& data_folder) {
    const auto network = networkFileSystemOf(data_folder);
    if (!network) return {};
    return fail(ErrorCode::config,
                "the data folder '" + data_folder.string() + "' is on a network file system (" + *network +
                    "), where databases are easily damaged; choose a folder on a local disk with --data, and "
                    "copy runs with 'seedbed db export' and 'seedbed db import'");
}

}  // namespace

Result<std::unique_ptr<Database>> openForWriting(const std::filesystem::path& data_folder,
                                                 WriteLockFile& lock, Migrations migrations,
                                                 Database::KeepWaiting keep_waiting, const System& system) {
    SEEDBED_TRY(checkFileSystem(data_folder));
    SEEDBED_ASSIGN(auto database, Database::open(data_folder / kDatabaseName, Database::Access::create,
                                                 std::move(keep_waiting)));
    SEEDBED_ASSIGN(const Identity identity, identify(*database));
    if (!identity.empty()) SEEDBED_TRY(checkIdentity(*database, identity, migrations.size()));
    SEEDBED_TRY(checkLength(*database, *system.files));
    if (identity.version == static_cast<std::int64_t>(migrations.size())) return database;

    {
        SEEDBED_ASSIGN(const WriteLockGuard guard, WriteLockGuard::acquire(*database, lock));
        SEEDBED_TRY(database->enableWal());
    }
    SEEDBED_TRY(migrate(*database, lock, migrations, system));
    return database;
}

Result<std::unique_ptr<Database>> openExisting(const std::filesystem::path& data_folder,
                                               Database::Access access, Migrations migrations,
                                               Database::KeepWaiting keep_waiting, const System& system) {
    const auto file = data_folder / kDatabaseName;
    SEEDBED_ASSIGN(const auto existing, system.files->info(file));
    if (!existing)
        return fail(ErrorCode::config, "there are no runs in '" + data_folder.string() + "' yet (no " +
                                           kDatabaseName +
                                           "); train one, or choose another folder with --data");
    SEEDBED_TRY(checkFileSystem(data_folder));
    SEEDBED_ASSIGN(auto database, Database::open(file, access, keep_waiting));
    SEEDBED_ASSIGN(const Identity identity, identify(*database));
    if (identity.empty())
        return fail("the database '" + file.string() +
                    "' is empty; train a run, or choose another folder with --data");
    SEEDBED_TRY(checkIdentity(*database, identity, migrations.size()));
    if (identity.version == static_cast<std::int64_t>(migrations.size())) return database;

    // A migration needs a connection that can write.
    database.reset();
    SEEDBED_ASSIGN(WriteLockFile lock, WriteLockFile::open(data_folder, system));
    SEEDBED_ASSIGN(const auto updated, openForWriting(data_folder, lock, migrations, {}, system));
    return Database::open(file, access, std::move(keep_waiting));
}

}  // namespace seedbed
