// SPDX-License-Identifier: Apache-2.0
// Views and triggers are code, so an imported file may contain only Seedbed's own. Every row is checked and
// written to a temporary database first; StagedImport moves the runs into the data folder's database only if
// all rows are valid. Running jobs wait while a run is moved, but not while the imported file is read and
// checked.
#include "core/store/import.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

#include "core/store/import_staged.hpp"
#include "core/store/league/import_leagues.hpp"
#include "core/store/metric_log.hpp"
#include "core/store/schema.hpp"
#include "core/store/store.hpp"
#include "core/store/store_impl.hpp"

namespace seedbed {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 30;
constexpr std::int64_t kMaxCount = std::int64_t{1} << 53;  // limit for counts and steps, so that their sums
                                                           // cannot overflow
constexpr std::uint64_t kSlowestDisk = 5 << 20;            // bytes per second

tl::unexpected<Error> notImportable(const std::filesystem::path& file, const std::string& why,
                                    ErrorCode code = ErrorCode::config) {
    return fail(code, "'" + file.string() + "' cannot be imported: " + why + "; nothing was imported");
}

Result<bool> beginsAsDatabase(FileSystem& files, const std::filesystem::path& file) {
    constexpr std::string_view kBegin = "SQLite format 3";
    std::array<char, kBegin.size()> begin{};
    SEEDBED_ASSIGN(const auto opened, files.open(file, OpenMode::read));
    SEEDBED_ASSIGN(const std::size_t got, opened->read(std::as_writable_bytes(std::span(begin))));
    return std::string_view(begin.data(), got) == kBegin;
}

// SQL of every object in the schema; empty for SQLite's internal objects.
Result<std::map<std::string, std::string>> objectsOf(Database& database) {
    std::map<std::string, std::string> objects;
    SEEDBED_ASSIGN(Statement list,
                   database.prepare("SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema"));
    SEEDBED_TRY(list.each([&] { objects[list.text(0)] = list.text(1); }));
    return objects;
}

Result<> checkFile(const std::filesystem::path& file, Database& source) {
    std::string found;
    {
        SEEDBED_ASSIGN(Statement check, source.prepare("PRAGMA integrity_check(1)"));
        SEEDBED_TRY(check.each([&] { found = check.text(0); }));
    }
    if (found != "ok")
        return notImportable(file, "it is damaged (" + found + "); " + damageRemedy(file),
                             ErrorCode::failure);
    SEEDBED_ASSIGN(const std::int64_t application, source.integer("PRAGMA application_id"));
    SEEDBED_ASSIGN(const std::int64_t version, source.integer("PRAGMA user_version"));
    if (application != storeApplicationId())
        return notImportable(file, "it is a database of another program");
    const auto newest = static_cast<std::int64_t>(storeMigrations().size());
    if (version > newest) return notImportable(file, "it was written by a newer version of Seedbed");
    if (version < newest)
        return notImportable(file,
                             "it was written by an older version of Seedbed; 'seedbed list --data FOLDER' "
                             "updates it");
    SEEDBED_ASSIGN(const auto ours, Database::open(":memory:", Database::Access::create));
    for (const char* migration : storeMigrations()) SEEDBED_TRY(ours->execute(migration));
    SEEDBED_ASSIGN(const auto expected, objectsOf(*ours));
    SEEDBED_ASSIGN(const auto given, objectsOf(source));
    for (const auto& [name, sql] : given)
        if (!expected.contains(name) || expected.at(name) != sql)
            return notImportable(file, "it contains a " + name + " that is not Seedbed's");
    if (given.size() != expected.size()) return notImportable(file, "tables are missing");
    return {};
}

std::optional<Json> jsonOf(const std::string& text, bool array) {
    Json json = jsonFromText(text);
    if (array ? !json.is_array() : !json.is_object()) return std::nullopt;
    return json;
}

// Checks and copies the rows of one run.
class RunCopy {
public:
    RunCopy(const std::filesystem::path& file, Database& source, Database& target, RunId source_id, RunId id)
        : file_(file), source_(source), target_(target), source_id_(source_id), id_(id) {}

    Result<> run() {
        SEEDBED_TRY(
            copy("SELECT number, begin_step, started, pid, host, build, threads, other FROM segments WHERE "
                 "run_id = ?",
                 "INSERT INTO segments (run_id, number, begin_step, started, pid, host, build, threads, "
                 "other) VALUES (?, ?, ?, ?, "
                 "?, ?, ?, ?, ?)",
                 "iirittij"));
        SEEDBED_TRY(copy("SELECT tag FROM run_tags WHERE run_id = ?",
                         "INSERT OR IGNORE INTO run_tags (run_id, tag) VALUES (?, ?)", "T"));
        SEEDBED_TRY(
            copy("SELECT number, segment, superseded_by, step, time, episode_return, length, agent_slot FROM "
                 "episode_rows WHERE "
                 "run_id = ?",
                 "INSERT INTO episode_rows (run_id, number, segment, superseded_by, step, time, "
                 "episode_return, length, agent_slot) "
                 "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "iiiirrii"));
        SEEDBED_TRY(
            copy("SELECT segment, superseded_by, step, time, seed, greedy, params_version, n, mean, std, "
                 "iqm, ci95_low, ci95_high, "
                 "min, max, episodes FROM evaluation_rows WHERE run_id = ? ORDER BY id",
                 "INSERT INTO evaluation_rows (run_id, segment, superseded_by, step, time, seed, greedy, "
                 "params_version, n, mean, "
                 "std, iqm, ci95_low, ci95_high, min, max, episodes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                 "?, ?, ?, ?, ?, ?, ?)",
                 "iiirsiiirrrrrrra"));
        SEEDBED_TRY(
            copy("SELECT segment, superseded_by, step, time, level, kind, text, data FROM event_rows WHERE "
                 "run_id = ? ORDER BY id",
                 "INSERT INTO event_rows (run_id, segment, superseded_by, step, time, level, kind, text, "
                 "data) VALUES (?, ?, ?, ?, "
                 "?, ?, ?, ?, ?)",
                 "iiirtttj"));
        SEEDBED_TRY(
            copy("SELECT superseded_by, step, time, kind, path, bytes, sha256, data FROM artifact_rows WHERE "
                 "run_id = ? ORDER BY id",
                 "INSERT INTO artifact_rows (run_id, superseded_by, step, time, kind, path, bytes, sha256, "
                 "data) VALUES (?, ?, ?, ?, "
                 "?, ?, ?, ?, ?)",
                 "iirttitj"));
        SEEDBED_TRY(
            copy("SELECT step, time, key, old_value, new_value, source FROM setting_rows WHERE run_id = ? "
                 "ORDER BY id",
                 "INSERT INTO setting_rows (run_id, step, time, key, old_value, new_value, source) VALUES "
                 "(?, ?, ?, ?, ?, ?, ?)",
                 "irtvvt"));
        SEEDBED_TRY(checkpoints());
        return curves();
    }

private:
    // One letter per column: i count or step, s any integer, r real, t text, T tag, j JSON object, a JSON
    // array, v any JSON value.
    Result<> copy(const char* select, const char* insert, std::string_view kinds) {
        SEEDBED_ASSIGN(Statement from, source_.prepare(select));
        SEEDBED_ASSIGN(Statement to, target_.prepare(insert));
        Result<> result;
        SEEDBED_TRY(from.each(
            [&] {
                if (result) result = copyRow(from, to, kinds);
            },
            source_id_));
        return result;
    }

    Result<> copyRow(const Statement& from, Statement& to, std::string_view kinds) {
        std::vector<Statement::Value> values{Statement::Value(id_)};
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const int column = static_cast<int>(i);
            const bool number = kinds[i] == 'i' || kinds[i] == 's' || kinds[i] == 'r';
            const std::string text = number ? "" : from.text(column);
            if (kinds[i] == 'i') SEEDBED_TRY(checkRange(from.integer(column)));
            if (kinds[i] == 'j' && !jsonOf(text, false))
                return notImportable(file_, "a value is not a JSON object");
            if (kinds[i] == 'a' && !jsonOf(text, true))
                return notImportable(file_, "a value is not a JSON array");
            if (kinds[i] == 'v' && jsonFromText(text).is_null())
                return notImportable(file_, "a value is not JSON");
            if (kinds[i] == 'T') SEEDBED_TRY(checkTagText(text));
            if (kinds[i] == 'i' || kinds[i] == 's') values.emplace_back(from.integer(column));
            else if (kinds[i] == 'r') values.emplace_back(from.real(column));
            else values.emplace_back(text);
        }
        return to.runWith(values);
    }

    Result<> checkRange(std::int64_t value) const {
        if (value >= 0 && value <= kMaxCount) return {};
        return notImportable(
            file_, "it contains the number " + std::to_string(value) + " instead of a count or a step");
    }
    Result<> checkRanges(const Statement& row, std::initializer_list<int> columns) const {
        for (const int column : columns) SEEDBED_TRY(checkRange(row.integer(column)));
        return {};
    }

    // Stores only the last part of a folder's path, since the first part depends on the run's new number.
    // Rejects folders outside checkpoints/.
    Result<> checkpoints() {
        SEEDBED_ASSIGN(
            Statement from,
            source_.prepare(
                "SELECT step, segment, superseded_by, time, updates, bytes, params_sha256, score, best, "
                "milestone, removed, folder FROM checkpoint_rows WHERE run_id = ?"));
        SEEDBED_ASSIGN(
            Statement to,
            target_.prepare(
                "INSERT INTO checkpoint_rows (run_id, step, segment, superseded_by, time, updates, bytes, "
                "params_sha256, score, best, milestone, removed, folder) VALUES (?, ?, ?, ?, ?, ?, ?, "
                "?, ?, ?, ?, ?, ?)"));
        const std::string prefix = "checkpoints/" + std::to_string(source_id_) + "/";
        Result<> result;
        SEEDBED_TRY(from.each(
            [&] {
                if (!result) return;
                const std::string folder = from.text(11);
                const std::string name = folder.starts_with(prefix) ? folder.substr(prefix.size()) : "";
                if (name.empty() || name.find_first_not_of("0123456789.") != std::string::npos ||
                    name.find("..") != std::string::npos) {
                    result = notImportable(file_, "the folder of a checkpoint is invalid: '" + folder + "'");
                    return;
                }
                if (result = checkRanges(from, {0, 1, 2, 4, 5}); !result) return;
                result = to.run(id_, from.integer(0), from.integer(1), from.integer(2), from.real(3),
                                from.integer(4), from.integer(5), from.text(6), from.optionalReal(7),
                                from.integer(8) != 0, from.integer(9) != 0, from.integer(10) != 0, name);
            },
            source_id_));
        return result;
    }

    Result<> curves() {
        struct Series {
            std::int64_t id;
            std::string name;
        };
        std::vector<Series> list;
        SEEDBED_ASSIGN(Statement all,
                       source_.prepare("SELECT id, name FROM metric_series WHERE run_id = ? ORDER BY id"));
        SEEDBED_TRY(all.each([&] { list.push_back({all.integer(0), all.text(1)}); }, source_id_));
        SEEDBED_ASSIGN(BlockTable blocks, BlockTable::open(target_));
        SEEDBED_ASSIGN(Statement insert,
                       target_.prepare("INSERT INTO metric_series (run_id, name) VALUES (?, ?)"));
        for (const Series& series : list) {
            SEEDBED_TRY(insert.run(id_, series.name));
            SEEDBED_ASSIGN(const std::int64_t id, target_.integer("SELECT last_insert_rowid()"));
            SEEDBED_TRY(curve(series.id, id, blocks));
        }
        return {};
    }

    struct CurveTotals {
        std::int64_t points = 0;
        std::int64_t last_step = 0;
        std::int64_t next_ordinal = 0;
        double last = NAN;
        double min = NAN;
        double max = NAN;
        bool decreases = false;

        void add(const MetricPoint& point) {
            if (points++ > 0 && point.step < last_step) decreases = true;
            last_step = point.step;
            last = point.value;
            if (!std::isfinite(point.value)) return;
            min = std::isnan(min) ? point.value : std::min(min, point.value);
            max = std::isnan(max) ? point.value : std::max(max, point.value);
        }
    };

    // Decodes and re-encodes the points; counts and extremes are computed from the live points.
    Result<> curve(std::int64_t source_series, std::int64_t series, BlockTable& blocks) {
        CurveTotals totals;
        SEEDBED_TRY(curveBlocks(source_series, series, blocks, totals));
        SEEDBED_TRY(curveTail(source_series, series, totals));
        if (totals.decreases) return notImportable(file_, "the steps of a curve decrease");
        SEEDBED_ASSIGN(
            Statement update,
            target_.prepare(
                "UPDATE metric_series SET points = ?, last_step = ?, last_value = ?, min = ?, max = ? "
                "WHERE id = ?"));
        return update.run(totals.points, totals.last_step, totals.last, totals.min, totals.max, series);
    }

    Result<> curveBlocks(std::int64_t source_series, std::int64_t series, BlockTable& blocks,
                         CurveTotals& totals) {
        SEEDBED_ASSIGN(
            Statement from,
            source_.prepare(
                "SELECT ordinal, segment, superseded_by, data FROM metric_blocks WHERE series_id = ? "
                "ORDER BY ordinal"));
        Result<> result;
        SEEDBED_TRY(from.each(
            [&] {
                if (result) result = copyBlock(from, series, blocks, totals);
            },
            source_series));
        return result;
    }

    Result<> copyBlock(const Statement& from, std::int64_t series, BlockTable& blocks, CurveTotals& totals) {
        std::vector<std::int64_t> steps;
        std::vector<double> times;
        std::vector<double> values;
        SEEDBED_TRY(checkRanges(from, {0, 1, 2}));
        SEEDBED_TRY(decodeBlock(from.blob(3), steps, times, values));
        for (const std::int64_t step : steps) SEEDBED_TRY(checkRange(step));
        if (from.integer(0) < totals.next_ordinal || steps.empty())
            return notImportable(file_, "blocks of a curve overlap");
        totals.next_ordinal = from.integer(0) + static_cast<std::int64_t>(steps.size());
        std::vector<MetricPoint> points;
        for (std::size_t i = 0; i < steps.size(); ++i) points.push_back({steps[i], times[i], values[i]});
        if (from.integer(2) == 0)
            for (const MetricPoint& point : points) totals.add(point);
        return blocks.insert(series, from.integer(0), from.integer(1), from.integer(2), points);
    }

    Result<> curveTail(std::int64_t source_series, std::int64_t series, CurveTotals& totals) {
        SEEDBED_ASSIGN(
            Statement from,
            source_.prepare(
                "SELECT ordinal, segment, step, time, value FROM metric_tail WHERE series_id = ? ORDER "
                "BY ordinal"));
        SEEDBED_ASSIGN(
            Statement to,
            target_.prepare(
                "INSERT INTO metric_tail (series_id, ordinal, segment, step, time, value) VALUES (?, ?, "
                "?, ?, ?, ?)"));
        Result<> result;
        SEEDBED_TRY(from.each(
            [&] {
                if (!result) return;
                if (result = checkRanges(from, {0, 1, 2}); !result) return;
                if (from.integer(0) < totals.next_ordinal) {
                    result = notImportable(file_, "points of a curve overlap");
                    return;
                }
                totals.next_ordinal = from.integer(0) + 1;
                totals.add({from.integer(2), from.real(3), from.real(4)});
                result = to.run(series, from.integer(0), from.integer(1), from.integer(2), from.real(3),
                                from.real(4));
            },
            source_series));
        return result;
    }

    const std::filesystem::path& file_;
    Database& source_;
    Database& target_;
    RunId source_id_;
    RunId id_;
};

// Checks a run and writes it to the temporary database; `id` of the result is its number there. If `ours`
// already has the run, only looks it up.
Result<ImportedRun> stageRun(Database& ours, const System& system, const std::filesystem::path& file,
                             Database& source, const Statement& row, Database& staging) {
    ImportedRun run;
    run.source_id = row.integer(0);
    const std::string uid = row.text(1);
    if (uid.size() != 32 || uid.find_first_not_of("0123456789abcdef") != std::string::npos)
        return notImportable(file, "a run has no unique id");
    SEEDBED_TRY(findByUid(ours, uid, run));
    if (run.existed) return run;

    const auto config = jsonOf(row.text(7), false);
    const auto automatic = jsonOf(row.text(9), false);
    const auto devices = jsonOf(row.text(8), true);
    if (!config || !automatic || !devices)
        return notImportable(file,
                             "the settings of run " + std::to_string(run.source_id) + " are not valid JSON");
    run.name = row.text(2);
    if (!run.name.empty() && !checkRunName(run.name))
        return notImportable(file, "a run has the invalid name '" + run.name + "'");
    auto status = runStatusFromText(row.text(11));
    if (!status) return notImportable(file, "a run has no valid status");
    if (isLive(*status) || *status == RunStatus::queued) status = RunStatus::interrupted;
    for (const int column : {13, 14, 15})
        if (row.integer(column) < 0 || row.integer(column) > kMaxCount)
            return notImportable(file, "a run has an invalid number of steps");

    SEEDBED_ASSIGN(
        Statement insert,
        staging.prepare("INSERT INTO runs (uid, name, env, algo, seed, engine, config, devices, "
                        "auto_settings, init_from, status, "
                        "status_text, steps, frames, updates, train_seconds, created, updated, notes, star, "
                        "archived, in_bin) VALUES "
                        "(?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    SEEDBED_TRY(insert.run(uid, run.name, row.text(3), row.text(4), row.integer(5), row.text(6),
                           jsonText(*config), jsonText(*devices), jsonText(*automatic), row.text(10),
                           nameOf(*status), row.text(12), row.integer(13), row.integer(14), row.integer(15),
                           row.real(16), row.real(17), system.wallSeconds(), row.text(18),
                           row.integer(19) != 0, row.integer(20) != 0, row.integer(21) != 0));
    SEEDBED_ASSIGN(run.id, staging.integer("SELECT last_insert_rowid()"));
    SEEDBED_TRY(RunCopy(file, source, staging, run.source_id, run.id).run());
    return run;
}

}  // namespace

Result<std::vector<ImportedRun>> Store::import(const std::filesystem::path& file,
                                               const CheckpointCopier& copier, const std::stop_token& stop,
                                               std::chrono::nanoseconds step_limit,
                                               std::vector<ImportedLeague>* leagues) {
    SEEDBED_ASSIGN(const auto info, impl_->system.files->info(file));
    if (!info) return notImportable(file, "there is no such file");
    if (info->kind != FileInfo::Kind::file) return notImportable(file, "it is not a regular file");
    if (info->is_link) return notImportable(file, "it is a symbolic link");
    if (info->bytes > kMaxBytes) return notImportable(file, "it is larger than 64 GiB");
    SEEDBED_ASSIGN(const bool is_database, beginsAsDatabase(*impl_->system.files, file));
    if (!is_database) return notImportable(file, "it is not a database of Seedbed");
    auto opened = Database::open(file, Database::Access::read);
    if (!opened) return notImportable(file, opened.error().text(), opened.error().code);
    Database& source = **opened;
    source.limitUntrusted();
    source.stopWhen(stop);
    // The check for damage reads the whole file in one step.
    source.limitSteps(kImportStepLimit + std::chrono::seconds(info->bytes / kSlowestDisk));
    if (auto checked = checkFile(file, source); !checked) {
        if (checked.error().code == ErrorCode::config || stop.stop_requested())
            return tl::unexpected<Error>(std::move(checked).error());
        return notImportable(file, checked.error().text(), checked.error().code);
    }

    source.limitSteps(step_limit);
    SEEDBED_ASSIGN(StagedRuns staged, StagedRuns::create(impl_->folder, *impl_->system.files));
    std::vector<ImportedRun> imported;
    SEEDBED_ASSIGN(
        Statement runs,
        source.prepare(
            "SELECT id, uid, coalesce(name, ''), env, algo, seed, engine, config, devices, auto_settings, "
            "init_from, status, status_text, steps, frames, updates, train_seconds, created, notes, star, "
            "archived, in_bin FROM runs WHERE uid NOT GLOB 'importing-*' ORDER BY id"));
    Result<> result;
    SEEDBED_TRY(runs.each([&] {
        if (!result) return;
        auto run = stageRun(*impl_->database, impl_->system, file, source, runs, staged.database());
        if (run) imported.push_back(std::move(*run));
        else result = tl::unexpected<Error>(std::move(run).error());
    }));
    SEEDBED_TRY(result);
    if (auto checked = stageLeagues(source, staged.database()); !checked) {
        if (checked.error().code == ErrorCode::config) return notImportable(file, checked.error().message);
        return tl::unexpected<Error>(std::move(checked).error());
    }
    SEEDBED_TRY(staged.finish());
    std::vector<ImportedLeague> moved;
    SEEDBED_TRY(StagedImport(*impl_, copier, stop).run(staged, imported, leagues ? *leagues : moved));
    return imported;
}

Result<std::vector<ImportedRun>> importDatabase(const std::filesystem::path& data_folder,
                                                const std::filesystem::path& file, const System& system,
                                                const CheckpointCopier& copier, const std::stop_token& stop,
                                                std::chrono::nanoseconds step_limit,
                                                std::vector<ImportedLeague>* leagues) {
    SEEDBED_ASSIGN(Store store, Store::open(data_folder, {}, system));
    return store.import(file, copier, stop, step_limit, leagues);
}

}  // namespace seedbed
