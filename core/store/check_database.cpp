// SPDX-License-Identifier: Apache-2.0
#include "core/store/check_database.hpp"

#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "core/store/metric_block.hpp"
#include "core/store/remove_run.hpp"
#include "core/store/schema.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kMaxProblems = 100;

Result<> runCheckPragma(Database& database, const char* pragma, std::vector<std::string>& problems) {
    SEEDBED_ASSIGN(Statement check, database.prepare(std::string("PRAGMA ") + pragma));
    return check.each([&] {
        const std::string text = check.text(0);
        if (text == "ok" || problems.size() >= kMaxProblems) return;
        problems.push_back(std::string(pragma) == "foreign_key_check"
                               ? "a row of " + text + " refers to a row that does not exist"
                               : text);
    });
}

// A curve whose row in metric_series is compared with its points.
struct CheckedCurve {
    RunId run = 0;
    std::string name;
    std::int64_t points = 0;  // as recorded in the curve's row
    std::int64_t found = 0;
    std::int64_t last_step = 0;
    bool decreases = false;
    std::string damage;

    void add(std::int64_t step) {
        if (found > 0 && step < last_step) decreases = true;
        last_step = step;
        ++found;
    }
};
using Curves = std::map<std::int64_t, CheckedCurve>;  // keyed by series id

Result<Curves> readSeries(Database& database) {
    Curves curves;
    SEEDBED_ASSIGN(Statement series, database.prepare("SELECT id, run_id, name, points FROM metric_series"));
    SEEDBED_TRY(series.each([&] {
        CheckedCurve curve;
        curve.run = series.integer(1);
        curve.name = series.text(2);
        curve.points = series.integer(3);
        curves[series.integer(0)] = std::move(curve);
    }));
    return curves;
}

Result<> readPoints(Database& database, Curves& curves) {
    SEEDBED_ASSIGN(Statement blocks,
                   database.prepare("SELECT series_id, data, points, superseded_by FROM metric_blocks "
                                    "ORDER BY series_id, ordinal"));
    SEEDBED_TRY(blocks.each([&] {
        CheckedCurve& curve = curves[blocks.integer(0)];
        std::vector<std::int64_t> steps;
        std::vector<double> times;
        std::vector<double> values;
        if (auto decoded = decodeBlock(blocks.blob(1), steps, times, values); !decoded)
            curve.damage = decoded.error().text();
        else if (static_cast<std::int64_t>(steps.size()) != blocks.integer(2))
            curve.damage = "the number of points of a block differs from that in its row";
        if (blocks.integer(3) != 0) return;
        for (const std::int64_t step : steps) curve.add(step);
    }));
    SEEDBED_ASSIGN(Statement tail,
                   database.prepare("SELECT series_id, step FROM metric_tail ORDER BY series_id, ordinal"));
    return tail.each([&] { curves[tail.integer(0)].add(tail.integer(1)); });
}

void reportCurve(const CheckedCurve& curve, std::vector<std::string>& problems) {
    const std::string name = "run " + std::to_string(curve.run) + ", metric '" + curve.name + "'";
    if (!curve.damage.empty()) problems.push_back(name + ": " + curve.damage);
    if (curve.found != curve.points)
        problems.push_back(name + " should have " + std::to_string(curve.points) + " points but has " +
                           std::to_string(curve.found));
    if (curve.decreases) problems.push_back(name + ": its steps decrease");
}

Result<> checkCurves(Database& database, DatabaseReport& report) {
    // A run that is being imported is incomplete.
    std::set<RunId> hidden;
    SEEDBED_ASSIGN(Statement runs,
                   database.prepare(std::string("SELECT id FROM runs WHERE NOT ") + kVisibleRuns));
    SEEDBED_TRY(runs.each([&] { hidden.insert(runs.integer(0)); }));
    SEEDBED_ASSIGN(Curves curves, readSeries(database));
    SEEDBED_TRY(readPoints(database, curves));
    for (const auto& [id, curve] : curves) {
        if (hidden.contains(curve.run)) continue;
        report.points += curve.found;
        if (report.problems.size() < kMaxProblems) reportCurve(curve, report.problems);
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
    // Uses one transaction, so that all parts of the report are consistent while runs write.
    SEEDBED_TRY(database->execute("BEGIN"));
    SEEDBED_TRY(runCheckPragma(*database, "integrity_check", report.problems));
    SEEDBED_TRY(runCheckPragma(*database, "foreign_key_check", report.problems));
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

}  // namespace seedbed
