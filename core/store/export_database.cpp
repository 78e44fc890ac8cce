// SPDX-License-Identifier: Apache-2.0
#include "core/store/export_database.hpp"

#include <string>
#include <utility>

#include "core/base/os/temporary_files.hpp"
#include "core/base/text.hpp"
#include "core/store/remove_run.hpp"
#include "core/store/schema.hpp"

namespace seedbed {
namespace {

Result<> copyAllCheckpoints(Database& copy, const CheckpointCopier& copier) {
    std::vector<RunId> runs;
    SEEDBED_ASSIGN(Statement list, copy.prepare("SELECT id FROM runs ORDER BY id"));
    SEEDBED_TRY(list.each([&] { runs.push_back(list.integer(0)); }));
    for (const RunId run : runs) {
        SEEDBED_ASSIGN(const auto before, checkpointRowsOf(copy, run));
        auto after = before;
        SEEDBED_TRY(copier({run, run, false}, after));
        SEEDBED_TRY(updateRemovedFlags(copy, before, after));
    }
    return {};
}

// Reads the whole file.
bool isDamaged(const std::filesystem::path& file, const std::stop_token& stop) {
    const auto database = Database::open(file, Database::Access::read);
    if (!database) return true;
    (*database)->stopWhen(stop);
    std::string found;
    auto check = (*database)->prepare("PRAGMA integrity_check(1)");
    return !check || !check->each([&] { found = check->text(0); }) || found != "ok";
}

// A table and the integer columns that its rows are ordered by.
struct StoredTable {
    const char* name;
    const char* first_key;
    const char* second_key;  // null if there is no second column
};
constexpr StoredTable kTables[] = {{"runs", "id", nullptr},
                                   {"run_tags", "run_id", nullptr},
                                   {"segments", "run_id", "number"},
                                   {"metric_series", "id", nullptr},
                                   {"metric_blocks", "id", nullptr},
                                   {"metric_buckets", "block_id", "number"},
                                   {"metric_tail", "series_id", "ordinal"},
                                   {"episode_rows", "run_id", "number"},
                                   {"evaluation_rows", "id", nullptr},
                                   {"checkpoint_rows", "run_id", "step"},
                                   {"event_rows", "id", nullptr},
                                   {"artifact_rows", "id", nullptr},
                                   {"setting_rows", "id", nullptr},
                                   {"leagues", "id", nullptr},
                                   {"league_members", "id", nullptr},
                                   {"league_matches", "league_id", "a"}};
constexpr std::int64_t kMaxKey = std::int64_t{1} << 53;
constexpr int kMaxFailures = 10'000;  // limit for each table

// Copies the rows of a table from the attached database `damaged`. A range of keys that cannot be read is
// halved until the damaged pages are isolated.
class TableRescue {
public:
    TableRescue(Database& database, const StoredTable& table, const std::stop_token& stop)
        : database_(database), table_(table), stop_(stop) {}

    // Returns whether all rows were copied.
    bool run() {
        copy("", table_.first_key, 0, kMaxKey);
        return failures_ == 0;
    }

private:
    void copy(const std::string& condition, const std::string& key, std::int64_t low, std::int64_t high) {
        if (failures_ > kMaxFailures || stop_.stop_requested()) return;
        const std::string name = table_.name;
        if (database_.execute("INSERT OR IGNORE INTO main." + name + " SELECT * FROM damaged." + name +
                              " WHERE " + condition + key + " BETWEEN " + std::to_string(low) + " AND " +
                              std::to_string(high)))
            return;
        ++failures_;
        if (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            copy(condition, key, low, middle);
            copy(condition, key, middle + 1, high);
        } else if (table_.second_key != nullptr && key == table_.first_key) {
            copy(key + " = " + std::to_string(low) + " AND ", table_.second_key, 0, kMaxKey);
        }
    }

    Database& database_;
    const StoredTable& table_;
    const std::stop_token& stop_;
    int failures_ = 0;
};

// Writes the readable rows of the damaged database to the new file `file`.
Result<> writeReadable(const std::filesystem::path& damaged, const std::filesystem::path& file,
                       std::vector<std::string>& lost, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const auto database, Database::open(file, Database::Access::create));
    database->stopWhen(stop);
    for (const char* migration : storeMigrations()) SEEDBED_TRY(database->execute(migration));
    SEEDBED_TRY(database->execute("PRAGMA application_id=" + std::to_string(storeApplicationId()) +
                                  "; PRAGMA user_version=" + std::to_string(storeMigrations().size()) +
                                  "; PRAGMA foreign_keys=OFF"));
    {
        SEEDBED_ASSIGN(Statement attach, database->prepare("ATTACH ? AS damaged"));
        SEEDBED_TRY(attach.run(damaged.string()));
    }
    for (const StoredTable& table : kTables)
        if (!TableRescue(*database, table, stop).run()) lost.emplace_back(table.name);
    // Removes rows whose run or curve is missing, and corrects the counts of curves with missing points.
    std::string orphans = "DETACH damaged; BEGIN;";
    for (const StoredTable& table : kTables) {
        const std::string name = table.name;
        if (name != "runs" && name != "metric_blocks" && name != "metric_buckets" && name != "metric_tail" &&
            !name.starts_with("league"))
            orphans += "DELETE FROM " + name + " WHERE run_id NOT IN (SELECT id FROM runs);";
    }
    return database->execute(
        orphans +
        "DELETE FROM league_members WHERE league_id NOT IN (SELECT id FROM leagues);"
        "DELETE FROM league_matches WHERE a NOT IN (SELECT id FROM league_members) OR b NOT IN (SELECT id "
        "FROM "
        "league_members);"
        "DELETE FROM metric_blocks WHERE series_id NOT IN (SELECT id FROM metric_series);"
        "DELETE FROM metric_tail WHERE series_id NOT IN (SELECT id FROM metric_series);"
        "DELETE FROM metric_buckets WHERE block_id NOT IN (SELECT id FROM metric_blocks);"
        "UPDATE metric_series SET points = coalesce((SELECT sum(points) FROM metric_blocks b WHERE "
        "b.series_id = metric_series.id AND b.superseded_by = 0), 0) + (SELECT count(*) FROM metric_tail t "
        "WHERE t.series_id = metric_series.id); COMMIT; PRAGMA foreign_keys=ON");
}

// Copies the whole database.
Result<> copyDatabase(const std::filesystem::path& data_folder, const std::filesystem::path& file,
                      const System& system, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const auto source,
                   openExisting(data_folder, Database::Access::read, storeMigrations(), {}, system));
    source->stopWhen(stop);
    return source->backUpTo(file);
}

// Reduces the copy `file` to `runs` (empty: all runs and leagues) and removes the queue, populations and
// hidden runs.
Result<> reduceCopy(const std::filesystem::path& file, const std::vector<RunId>& runs,
                    const CheckpointCopier& copier, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const auto copy, Database::open(file, Database::Access::write));
    copy->stopWhen(stop);
    SEEDBED_TRY(copy->execute(
        std::string(
            "PRAGMA journal_mode=DELETE; BEGIN; DELETE FROM queue_entries; DELETE FROM population_rounds; "
            "DELETE FROM population_members; DELETE FROM populations; DELETE FROM runs WHERE NOT ") +
        kVisibleRuns));
    if (!runs.empty()) {
        std::vector<std::string> ids;
        for (const RunId run : runs) ids.push_back(std::to_string(run));
        SEEDBED_TRY(
            copy->execute("DELETE FROM runs WHERE id NOT IN (" + join(ids, ", ") + "); DELETE FROM leagues"));
    }
    if (copier) SEEDBED_TRY(copyAllCheckpoints(*copy, copier));
    return copy->execute("COMMIT; VACUUM");
}

// Replaces the copy of a damaged database with its readable rows.
Result<> rescueCopy(const std::filesystem::path& data_folder, const std::filesystem::path& file,
                    const System& system, std::vector<std::string>& lost, const std::stop_token& stop) {
    FileSystem& files = *system.files;
    for (const char* end : {"", "-journal", "-wal", "-shm"}) (void)files.remove(file.string() + end);
    const std::filesystem::path damaged = file.string() + "-damaged";
    SEEDBED_TRY(copyDatabase(data_folder, damaged, system, stop));
    Result<> written = writeReadable(damaged, file, lost, stop);
    SEEDBED_TRY(files.remove(damaged));
    return written;
}

}  // namespace

Result<> exportDatabase(const std::filesystem::path& data_folder, const std::filesystem::path& file,
                        const std::vector<RunId>& runs, const System& system, const CheckpointCopier& copier,
                        std::vector<std::string>* lost, const std::stop_token& stop) {
    FileSystem& files = *system.files;
    SEEDBED_ASSIGN(const auto existing, files.info(file));
    if (existing) return fail("'" + file.string() + "' already exists; choose another name");
    removeStaleFilesFor(files, file);
    const auto temporary = temporaryPathFor(file);
    Result<> done = copyDatabase(data_folder, temporary, system, stop);
    if (done) {
        done = reduceCopy(temporary, runs, copier, stop);
        if (!done && !stop.stop_requested() && lost != nullptr && isDamaged(temporary, stop)) {
            done = rescueCopy(data_folder, temporary, system, *lost, stop);
            if (done) done = reduceCopy(temporary, runs, copier, stop);
        }
    }
    if (done && stop.stop_requested())
        done = fail(ErrorCode::interrupted, "interrupted; nothing was written");
    if (done) done = files.rename(temporary, file);
    if (done) return files.syncFolder(file.has_parent_path() ? file.parent_path() : ".");
    for (const char* end : {"", "-journal", "-wal", "-shm", "-damaged"})
        (void)files.remove(temporary.string() + end);
    return tl::unexpected<Error>(std::move(done.error()).withContext("exporting to '" + file.string() + "'"));
}

}  // namespace seedbed
