// SPDX-License-Identifier: Apache-2.0
// Taking runs in from a database that is not trusted: the file may hold nothing but our tables, and every row
// is checked and written anew, first into a database beside ours. Only when all of it is good, runs move from
// there into ours (import_staged.cpp), in short transactions, so that runs that are going need not wait for a
// file of somebody else.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/files.hpp"
#include "core/store/maintenance.hpp"
#include "core/store/metric_log.hpp"
#include "core/store/schema.hpp"
#include "core/store/staged_runs.hpp"
#include "core/store/store.hpp"
#include "core/store/store_impl.hpp"

namespace seedbed {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 30;
constexpr std::int64_t kMost = std::int64_t{1} << 53;  // counts and steps; beyond this sums overflow
constexpr std::chrono::minutes kPatience{10};  // for one statement on a file that may be made to be slow

tl::unexpected<Error> refused(const std::filesystem::path& file, const std::string& why) {
    return fail(ErrorCode::config,
                "'" + file.string() + "' cannot be imported: " + why + "; nothing was taken in");
}

// Every object of a schema with its text; what SQLite makes by itself has none.
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
    if (found != "ok") return refused(file, "it is damaged (" + found + ")");
    SEEDBED_ASSIGN(const std::int64_t application, source.integer("PRAGMA application_id"));
    SEEDBED_ASSIGN(const std::int64_t version, source.integer("PRAGMA user_version"));
    if (application != storeApplicationId()) return refused(file, "it is a database of another program");
    const auto newest = static_cast<std::int64_t>(storeMigrations().size());
    if (version > newest) return refused(file, "it was written by a newer version of Seedbed");
    if (version < newest)
        return refused(file,
                       "it was written by an older version of Seedbed; 'seedbed list --data FOLDER' brings "
                       "it up to date");
    // Views and triggers are programs: only ours are run.
    SEEDBED_ASSIGN(const auto ours, Database::open(":memory:", Database::Access::create));
    for (const char* migration : storeMigrations()) SEEDBED_TRY(ours->execute(migration));
    SEEDBED_ASSIGN(const auto expected, objectsOf(*ours));
    SEEDBED_ASSIGN(const auto given, objectsOf(source));
    for (const auto& [name, sql] : given)
        if (!expected.contains(name) || expected.at(name) != sql)
            return refused(file, "it holds a " + name + " that is not Seedbed's");
    if (given.size() != expected.size()) return refused(file, "tables are missing");
    return {};
}

std::optional<Json> jsonOf(const std::string& text, bool array) {
    Json json = jsonFromText(text);
    if (array ? !json.is_array() : !json.is_object()) return std::nullopt;
    return json;
}

// Copies the rows of one run, each of them checked.
class RunCopy {
public:
    RunCopy(const std::filesystem::path& file, Database& source, Database& target, RunId there, RunId here)
        : file_(file), source_(source), target_(target), there_(there), here_(here) {}

    Result<> everything() {
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
        SEEDBED_TRY(checkpoints());
        return curves();
    }

private:
    // One letter per column: i count or step, s any integer, r real, t text, T tag, j JSON object, a JSON
    // array.
    Result<> copy(const char* select, const char* insert, std::string_view kinds) {
        SEEDBED_ASSIGN(Statement from, source_.prepare(select));
        SEEDBED_ASSIGN(Statement to, target_.prepare(insert));
        Result<> result;
        SEEDBED_TRY(from.each(
            [&] {
                if (result) result = copyRow(from, to, kinds);
            },
            there_));
        return result;
    }

    Result<> copyRow(const Statement& from, Statement& to, std::string_view kinds) {
        std::vector<Statement::Value> values{Statement::Value(here_)};
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const int column = static_cast<int>(i);
            const bool number = kinds[i] == 'i' || kinds[i] == 's' || kinds[i] == 'r';
            const std::string text = number ? "" : from.text(column);
            if (kinds[i] == 'i') SEEDBED_TRY(checkRange(from.integer(column)));
            if (kinds[i] == 'j' && !jsonOf(text, false)) return refused(file_, "a value is no JSON object");
            if (kinds[i] == 'a' && !jsonOf(text, true)) return refused(file_, "a value is no JSON list");
            if (kinds[i] == 'T') SEEDBED_TRY(checkTagText(text));
            if (kinds[i] == 'i' || kinds[i] == 's') values.emplace_back(from.integer(column));
            else if (kinds[i] == 'r') values.emplace_back(from.real(column));
            else values.emplace_back(text);
        }
        return to.runWith(values);
    }

    Result<> checkRange(std::int64_t value) const {
        if (value >= 0 && value <= kMost) return {};
        return refused(file_,
                       "it holds the number " + std::to_string(value) + " where a count or a step belongs");
    }
    Result<> checkRanges(const Statement& row, std::initializer_list<int> columns) const {
        for (const int column : columns) SEEDBED_TRY(checkRange(row.integer(column)));
        return {};
    }

    // Only the last part of their folders is kept, the rest follows from the run's number here; a folder that
    // is not where checkpoints lie is not believed.
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
        const std::string prefix = "checkpoints/" + std::to_string(there_) + "/";
        Result<> result;
        SEEDBED_TRY(from.each(
            [&] {
                if (!result) return;
                const std::string folder = from.text(11);
                const std::string name = folder.starts_with(prefix) ? folder.substr(prefix.size()) : "";
                if (name.empty() || name.find_first_not_of("0123456789.") != std::string::npos ||
                    name.find("..") != std::string::npos) {
                    result = refused(file_, "a checkpoint lies in '" + folder + "'");
                    return;
                }
                if (result = checkRanges(from, {0, 1, 2, 4, 5}); !result) return;
                result = to.run(here_, from.integer(0), from.integer(1), from.integer(2), from.real(3),
                                from.integer(4), from.integer(5), from.text(6), from.optionalReal(7),
                                from.integer(8) != 0, from.integer(9) != 0, from.integer(10) != 0, name);
            },
            there_));
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
        SEEDBED_TRY(all.each([&] { list.push_back({all.integer(0), all.text(1)}); }, there_));
        SEEDBED_ASSIGN(BlockTable blocks, BlockTable::open(target_));
        SEEDBED_ASSIGN(Statement insert,
                       target_.prepare("INSERT INTO metric_series (run_id, name) VALUES (?, ?)"));
        for (const Series& series : list) {
            SEEDBED_TRY(insert.run(here_, series.name));
            SEEDBED_ASSIGN(const std::int64_t id, target_.integer("SELECT last_insert_rowid()"));
            SEEDBED_TRY(curve(series.id, id, blocks));
        }
        return {};
    }

    // Points are decoded and sealed anew; the counts and extremes of the curve are those of its live points.
    Result<> curve(std::int64_t series_there, std::int64_t series_here, BlockTable& blocks) {
        struct Totals {
            std::int64_t points = 0, last_step = 0;
            double last = NAN, min = NAN, max = NAN;
            bool falls = false;
            void add(const MetricPoint& point) {
                if (points++ > 0 && point.step < last_step) falls = true;
                last_step = point.step, last = point.value;
                if (!std::isfinite(point.value)) return;
                min = std::isnan(min) ? point.value : std::min(min, point.value);
                max = std::isnan(max) ? point.value : std::max(max, point.value);
            }
        } totals;
        SEEDBED_ASSIGN(
            Statement from,
            source_.prepare(
                "SELECT ordinal, segment, superseded_by, data FROM metric_blocks WHERE series_id = ? "
                "ORDER BY ordinal"));
        Result<> result;
        std::int64_t next = 0;
        SEEDBED_TRY(from.each(
            [&] {
                if (!result) return;
                std::vector<std::int64_t> steps;
                std::vector<double> times, values;
                if (result = checkRanges(from, {0, 1, 2}); !result) return;
                if (result = decodeBlock(from.blob(3), steps, times, values); !result) return;
                for (const std::int64_t step : steps)
                    if (result = checkRange(step); !result) return;
                if (from.integer(0) < next || steps.empty()) {
                    result = refused(file_, "blocks of a curve overlap");
                    return;
                }
                next = from.integer(0) + static_cast<std::int64_t>(steps.size());
                std::vector<MetricPoint> points;
                for (std::size_t i = 0; i < steps.size(); ++i)
                    points.push_back({steps[i], times[i], values[i]});
                if (from.integer(2) == 0)
                    for (const MetricPoint& point : points) totals.add(point);
                result =
                    blocks.insert(series_here, from.integer(0), from.integer(1), from.integer(2), points);
            },
            series_there));
        SEEDBED_TRY(result);
        SEEDBED_ASSIGN(
            Statement tail,
            source_.prepare(
                "SELECT ordinal, segment, step, time, value FROM metric_tail WHERE series_id = ? ORDER "
                "BY ordinal"));
        SEEDBED_ASSIGN(
            Statement to,
            target_.prepare(
                "INSERT INTO metric_tail (series_id, ordinal, segment, step, time, value) VALUES (?, ?, "
                "?, ?, ?, ?)"));
        SEEDBED_TRY(tail.each(
            [&] {
                if (!result) return;
                if (result = checkRanges(tail, {0, 1, 2}); !result) return;
                if (tail.integer(0) < next) {
                    result = refused(file_, "points of a curve overlap");
                    return;
                }
                next = tail.integer(0) + 1;
                totals.add({tail.integer(2), tail.real(3), tail.real(4)});
                result = to.run(series_here, tail.integer(0), tail.integer(1), tail.integer(2), tail.real(3),
                                tail.real(4));
            },
            series_there));
        SEEDBED_TRY(result);
        if (totals.falls) return refused(file_, "the steps of a curve fall");
        SEEDBED_ASSIGN(
            Statement update,
            target_.prepare(
                "UPDATE metric_series SET points = ?, last_step = ?, last_value = ?, min = ?, max = ? "
                "WHERE id = ?"));
        return update.run(totals.points, totals.last_step, totals.last, totals.min, totals.max, series_here);
    }

    const std::filesystem::path& file_;
    Database& source_;
    Database& target_;
    RunId there_, here_;
};

}  // namespace

Result<std::vector<ImportedRun>> Store::import(const std::filesystem::path& file,
                                               const CheckpointCopier& copier) {
    SEEDBED_ASSIGN(const auto there, impl_->system.files->info(file));
    if (!there || there->kind != FileInfo::Kind::file) return refused(file, "there is no such file");
    if (there->bytes > kMaxBytes) return refused(file, "it is larger than 64 GiB");
    auto opened = Database::open(file, Database::Access::read);
    if (!opened) return refused(file, opened.error().text());
    Database& source = **opened;
    source.limitUntrusted();
    source.setDeadline(std::chrono::steady_clock::now() + kPatience);
    if (auto checked = checkFile(file, source); !checked) {
        if (checked.error().code == ErrorCode::config)
            return tl::unexpected<Error>(std::move(checked).error());
        return refused(file, checked.error().text());
    }

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
        auto one = impl_->stage(file, source, runs, staged.database());
        if (one) imported.push_back(std::move(*one));
        else result = tl::unexpected<Error>(std::move(one).error());
    }));
    SEEDBED_TRY(result);
    SEEDBED_TRY(staged.finish());
    SEEDBED_TRY(impl_->importStagedRuns(staged, imported, copier));
    return imported;
}

// Checks a run and writes it into the database beside ours; `here` is its number in that database, until
// importStagedRuns() gives it one of ours. A run that is known is not looked at.
Result<ImportedRun> Store::Impl::stage(const std::filesystem::path& file, Database& source,
                                       const Statement& row, Database& staging) {
    ImportedRun run;
    run.there = row.integer(0);
    const std::string uid = row.text(1);
    if (uid.size() != 32 || uid.find_first_not_of("0123456789abcdef") != std::string::npos)
        return refused(file, "a run has no unique id");
    SEEDBED_TRY(findKnown(uid, run));
    if (run.known) return run;

    const auto config = jsonOf(row.text(7), false), automatic = jsonOf(row.text(9), false);
    const auto devices = jsonOf(row.text(8), true);
    if (!config || !automatic || !devices)
        return refused(file, "the settings of run " + std::to_string(run.there) + " are no JSON");
    run.name = row.text(2);
    if (!run.name.empty() && !checkRunName(run.name))
        return refused(file, "a run has the name '" + run.name + "'");
    auto status = runStatusFromText(row.text(11));
    if (!status) return refused(file, "a run has no state");
    if (isLive(*status) || *status == RunStatus::queued) status = RunStatus::interrupted;
    for (const int column : {13, 14, 15})
        if (row.integer(column) < 0 || row.integer(column) > kMost)
            return refused(file, "a run has made an impossible number of steps");

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
    SEEDBED_ASSIGN(run.here, staging.integer("SELECT last_insert_rowid()"));
    SEEDBED_TRY(RunCopy(file, source, staging, run.there, run.here).everything());
    return run;
}

Result<std::vector<ImportedRun>> importDatabase(const std::filesystem::path& data_folder,
                                                const std::filesystem::path& file, const System& system,
                                                const CheckpointCopier& copier) {
    SEEDBED_ASSIGN(Store store, Store::open(data_folder, {}, system));
    return store.import(file, copier);
}

}  // namespace seedbed
