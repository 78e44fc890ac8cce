// SPDX-License-Identifier: Apache-2.0
// Looking through a database, copying runs out of it.
#include "core/store/maintenance.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/temporary_files.hpp"
#include "core/base/text.hpp"
#include "core/store/metric_block.hpp"
#include "core/store/schema.hpp"
#include "core/store/staged_runs.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kMaxProblems = 100;

Result<> findings(Database& database, const char* pragma, std::vector<std::string>& problems) {
    SEEDBED_ASSIGN(Statement check, database.prepare(std::string("PRAGMA ") + pragma));
    return check.each([&] {
        const std::string text = check.text(0);
        if (text == "ok" || problems.size() >= kMaxProblems) return;
        problems.push_back(
            std::string(pragma) == "foreign_key_check" ? "a row of " + text + " belongs to nothing" : text);
    });
}

// What the tables say about a curve against the points that are there.
struct Curve {
    RunId run = 0;
    std::string name;
    std::int64_t points = 0, found = 0, last_step = 0;
    bool falls = false;
    std::string damage;
};

Result<> checkCurves(Database& database, DatabaseReport& report) {
    // Of what is being imported only a part is there.
    std::set<RunId> unfinished;
    SEEDBED_ASSIGN(Statement imports,
                   database.prepare(std::string("SELECT id FROM runs WHERE NOT ") + kVisibleRuns));
    SEEDBED_TRY(imports.each([&] { unfinished.insert(imports.integer(0)); }));
    std::map<std::int64_t, Curve> curves;
    SEEDBED_ASSIGN(Statement series, database.prepare("SELECT id, run_id, name, points FROM metric_series"));
    SEEDBED_TRY(series.each([&] {
        Curve curve;
        curve.run = series.integer(1), curve.name = series.text(2), curve.points = series.integer(3);
        curves[series.integer(0)] = std::move(curve);
    }));
    const auto add = [](Curve& curve, std::int64_t step) {
        if (curve.found > 0 && step < curve.last_step) curve.falls = true;
        curve.last_step = step;
        ++curve.found;
    };
    SEEDBED_ASSIGN(Statement blocks,
                   database.prepare(
                       "SELECT series_id, data, points, superseded_by FROM metric_blocks ORDER BY series_id, "
                       "ordinal"));
    SEEDBED_TRY(blocks.each([&] {
        Curve& curve = curves[blocks.integer(0)];
        std::vector<std::int64_t> steps;
        std::vector<double> times, values;
        if (auto decoded = decodeBlock(blocks.blob(1), steps, times, values); !decoded)
            curve.damage = decoded.error().text();
        else if (static_cast<std::int64_t>(steps.size()) != blocks.integer(2))
            curve.damage = "a block does not hold the points it says";
        if (blocks.integer(3) != 0) return;
        for (const std::int64_t step : steps) add(curve, step);
    }));
    SEEDBED_ASSIGN(Statement tail,
                   database.prepare("SELECT series_id, step FROM metric_tail ORDER BY series_id, ordinal"));
    SEEDBED_TRY(tail.each([&] { add(curves[tail.integer(0)], tail.integer(1)); }));
    for (const auto& [id, curve] : curves) {
        if (unfinished.contains(curve.run)) continue;
        report.points += curve.found;
        if (report.problems.size() >= kMaxProblems) continue;
        const std::string name = "run " + std::to_string(curve.run) + ", metric '" + curve.name + "'";
        if (!curve.damage.empty()) report.problems.push_back(name + ": " + curve.damage);
        if (curve.found != curve.points)
            report.problems.push_back(name + " says it has " + std::to_string(curve.points) + " points, " +
                                      std::to_string(curve.found) + " are there");
        if (curve.falls) report.problems.push_back(name + ": the steps of its points fall");
    }
    return {};
}

}  // namespace

std::uint64_t databaseBytes(const std::filesystem::path& data_folder) {
    std::uint64_t bytes = 0;
    for (const char* end : {"", "-wal"}) {
        std::error_code error;
        const auto size = std::filesystem::file_size(data_folder / (std::string(kDatabaseName) + end), error);
        if (!error) bytes += size;
    }
    return bytes;
}

Result<DatabaseReport> checkDatabase(const std::filesystem::path& data_folder) {
    SEEDBED_ASSIGN(const auto database, openExisting(data_folder, Database::Access::read));
    DatabaseReport report;
    report.bytes = databaseBytes(data_folder);
    // One transaction: the parts are compared with each other while runs go on.
    SEEDBED_TRY(database->execute("BEGIN"));
    SEEDBED_TRY(findings(*database, "integrity_check", report.problems));
    SEEDBED_TRY(findings(*database, "foreign_key_check", report.problems));
    SEEDBED_ASSIGN(report.version, database->integer("PRAGMA user_version"));
    SEEDBED_ASSIGN(report.runs,
                   database->integer(std::string("SELECT count(*) FROM runs WHERE ") + kVisibleRuns));
    SEEDBED_ASSIGN(report.episodes, database->integer("SELECT count(*) FROM episodes"));
    SEEDBED_TRY(checkCurves(*database, report));
    SEEDBED_ASSIGN(const std::int64_t best,
                   database->integer("SELECT count(*) FROM (SELECT 1 FROM checkpoint_rows WHERE best = 1 AND "
                                     "superseded_by = 0 GROUP BY run_id HAVING count(*) > 1)"));
    if (best > 0)
        report.problems.push_back(std::to_string(best) + " runs have more than one best checkpoint");
    SEEDBED_TRY(database->execute("COMMIT"));
    return report;
}

namespace {

Result<> copyCheckpoints(Database& copy, const CheckpointCopier& copier) {
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

}  // namespace

Result<> exportDatabase(const std::filesystem::path& data_folder, const std::filesystem::path& file,
                        const std::vector<RunId>& runs, const System& system,
                        const CheckpointCopier& copier) {
    FileSystem& files = *system.files;
    SEEDBED_ASSIGN(const auto there, files.info(file));
    if (there) return fail("'" + file.string() + "' is there already; choose another name");
    removeStaleFilesFor(files, file);
    const auto temporary = temporaryPathFor(file);
    Result<> done = [&]() -> Result<> {
        {
            SEEDBED_ASSIGN(const auto source,
                           openExisting(data_folder, Database::Access::read, storeMigrations(), {}, system));
            SEEDBED_TRY(source->backUpTo(temporary));
        }
        SEEDBED_ASSIGN(const auto copy, Database::open(temporary, Database::Access::write));
        SEEDBED_TRY(copy->execute(
            std::string(
                "PRAGMA journal_mode=DELETE; BEGIN; DELETE FROM queue_entries; DELETE FROM runs WHERE NOT ") +
            kVisibleRuns));
        if (!runs.empty()) {
            std::vector<std::string> ids;
            for (const RunId run : runs) ids.push_back(std::to_string(run));
            SEEDBED_TRY(copy->execute("DELETE FROM runs WHERE id NOT IN (" + join(ids, ", ") + ")"));
        }
        if (copier) SEEDBED_TRY(copyCheckpoints(*copy, copier));
        return copy->execute("COMMIT; VACUUM");
    }();
    if (done) done = files.rename(temporary, file);
    if (done) return files.syncFolder(file.has_parent_path() ? file.parent_path() : ".");
    for (const char* end : {"", "-journal", "-wal", "-shm"}) (void)files.remove(temporary.string() + end);
    return tl::unexpected<Error>(std::move(done.error()).withContext("exporting to '" + file.string() + "'"));
}

}  // namespace seedbed
