// SPDX-License-Identifier: Apache-2.0
#include "core/store/store_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/base/describe.hpp"
#include "core/base/text.hpp"
#include "core/store/metric_block.hpp"
#include "core/store/remove_run.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/schema.hpp"
#include "core/store/store.hpp"

namespace seedbed {

struct StoreReader::Impl {
    std::filesystem::path folder;
    std::unique_ptr<Database> database;
    // Prepared once, because lists execute them for every run.
    std::optional<Statement> config, setting_changes;

    // The rows of `sql`, whose only parameter is the run, converted by `read`.
    template <class Read, class Row = std::invoke_result_t<Read, const Statement&>>
    Result<std::vector<Row>> list(const char* sql, RunId run, const Read& read) {
        SEEDBED_ASSIGN(Statement rows, database->prepare(sql));
        std::vector<Row> found;
        SEEDBED_TRY(rows.each([&] { found.push_back(read(rows)); }, run));
        return found;
    }

    Result<std::optional<std::int64_t>> series(RunId run, std::string_view name) {
        SEEDBED_ASSIGN(
            Statement find,
            database->prepare("SELECT id FROM metric_series WHERE run_id = ? AND name = ? AND points > 0"));
        std::optional<std::int64_t> id;
        SEEDBED_TRY(find.each([&] { id = find.integer(0); }, run, name));
        return id;
    }
};

namespace {

// Prepares a statement on its first use.
Result<Statement*> prepared(Database& database, std::optional<Statement>& statement, const char* sql) {
    if (!statement) {
        SEEDBED_ASSIGN(statement, database.prepare(sql));
    }
    return &*statement;
}

tl::unexpected<Error> unknownRun(RunId run) {
    return fail(ErrorCode::config, "there is no run " + std::to_string(run));
}

constexpr const char* kRunColumns =
    "SELECT id, coalesce(name, ''), env, algo, seed, status, status_text, steps, frames, updates, "
    "train_seconds, created, updated, "
    "best_return, "
    "last_return, coalesce(tags, ''), notes, star, archived, in_bin, "
    "coalesce(return_source, ''), "
    "(SELECT started FROM segments WHERE run_id = runs_overview.id ORDER BY number LIMIT 1) FROM "
    "runs_overview";

RunStatus statusFrom(const std::string& text, const std::filesystem::path& folder, RunId run) {
    const RunStatus status = runStatusFromText(text).value_or(RunStatus::interrupted);
    // The process of a live run may have been killed.
    return isLive(status) && !RunLock::isHeld(folder, run) ? RunStatus::interrupted : status;
}

RunRecord readRun(const Statement& row, const std::filesystem::path& folder) {
    RunRecord run;
    run.id = row.integer(0);
    run.name = row.text(1);
    run.env = row.text(2);
    run.algo = row.text(3);
    run.seed = static_cast<std::uint64_t>(row.integer(4));
    run.status = statusFrom(row.text(5), folder, run.id);
    // The text of a run that was killed is about its time before.
    if (nameOf(run.status) == row.text(5)) run.status_text = row.text(6);
    run.progress = {row.integer(7), row.integer(8), row.integer(9), row.real(10)};
    run.created = row.real(11);
    run.updated = row.real(12);
    run.best_return = row.optionalReal(13);
    run.last_return = row.optionalReal(14);
    run.tags = split(row.text(15), '\n');
    std::sort(run.tags.begin(), run.tags.end());
    run.notes = row.text(16);
    run.star = row.integer(17) != 0;
    run.archived = row.integer(18) != 0;
    run.in_trash = row.integer(19) != 0;
    run.return_source = row.text(20);
    run.started = row.optionalReal(21);
    return run;
}

}  // namespace

StoreReader::StoreReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StoreReader::StoreReader(StoreReader&&) noexcept = default;
StoreReader& StoreReader::operator=(StoreReader&&) noexcept = default;
StoreReader::~StoreReader() = default;

Result<StoreReader> StoreReader::open(const std::filesystem::path& data_folder,
                                      std::function<bool(std::chrono::milliseconds)> keep_waiting) {
    SEEDBED_ASSIGN(auto database, openExisting(data_folder, Database::Access::read, storeMigrations(),
                                               std::move(keep_waiting)));
    return StoreReader(std::unique_ptr<Impl>(new Impl{data_folder, std::move(database), {}, {}}));
}

Result<RunId> StoreReader::resolveRun(std::string_view text) {
    const bool number = !text.empty() && std::all_of(text.begin(), text.end(), [](char letter) {
        return letter >= '0' && letter <= '9';
    });
    if (const auto id = number ? parseInteger(text) : std::nullopt) {
        SEEDBED_ASSIGN(
            Statement find,
            impl_->database->prepare(std::string("SELECT id FROM runs WHERE id = ? AND ") + kVisibleRuns));
        RunId found = 0;
        SEEDBED_TRY(find.each([&] { found = find.integer(0); }, *id));
        if (found != 0) return found;
        SEEDBED_ASSIGN(const std::int64_t newest,
                       impl_->database->integer(std::string("SELECT coalesce(max(id), 0) FROM runs WHERE ") +
                                                kVisibleRuns));
        return fail(ErrorCode::config, "there is no run " + std::string(text) +
                                           (newest > 0 ? "; the newest one is " + std::to_string(newest)
                                                       : "; there are no runs yet"));
    }
    SEEDBED_ASSIGN(Statement find,
                   impl_->database->prepare("SELECT id, name FROM runs WHERE name IS NOT NULL"));
    std::vector<std::string> names;
    RunId found = 0;
    SEEDBED_TRY(find.each([&] {
        if (find.text(1) == text) found = find.integer(0);
        else names.push_back(find.text(1));
    }));
    if (found != 0) return found;
    return fail(ErrorCode::config,
                "there is no run named '" + std::string(text) + "'" + suggestion(text, names));
}

Result<std::vector<RunRecord>> StoreReader::runs() {
    SEEDBED_ASSIGN(Statement list, impl_->database->prepare(std::string(kRunColumns) + " WHERE " +
                                                            kVisibleRuns + " ORDER BY id"));
    std::vector<RunRecord> runs;
    SEEDBED_TRY(list.each([&] { runs.push_back(readRun(list, impl_->folder)); }));
    return runs;
}

Result<RunRecord> StoreReader::run(RunId run) {
    SEEDBED_ASSIGN(Statement find,
                   impl_->database->prepare(std::string(kRunColumns) + " WHERE id = ? AND " + kVisibleRuns));
    std::optional<RunRecord> found;
    SEEDBED_TRY(find.each([&] { found = readRun(find, impl_->folder); }, run));
    if (!found) return unknownRun(run);
    return std::move(*found);
}

Result<std::vector<std::pair<RunId, double>>> StoreReader::interruptedRuns() {
    SEEDBED_ASSIGN(
        Statement list,
        impl_->database->prepare(std::string("SELECT id, status, updated FROM runs WHERE ") + kVisibleRuns +
                                 " AND status NOT IN ('queued', 'finished', 'failed') ORDER BY id"));
    std::vector<std::pair<RunId, double>> runs;
    SEEDBED_TRY(list.each([&] {
        const RunId run = list.integer(0);
        if (statusFrom(list.text(1), impl_->folder, run) == RunStatus::interrupted)
            runs.emplace_back(run, list.real(2));
    }));
    return runs;
}

Result<std::vector<std::pair<std::uint64_t, Json>>> StoreReader::seededConfigs(std::string_view env,
                                                                               std::string_view algo) {
    SEEDBED_ASSIGN(Statement list,
                   impl_->database->prepare("SELECT seed, config FROM runs WHERE env = ? AND algo = ?"));
    std::vector<std::pair<std::uint64_t, Json>> found;
    SEEDBED_TRY(list.each(
        [&] { found.emplace_back(static_cast<std::uint64_t>(list.integer(0)), jsonFromText(list.text(1))); },
        std::string(env), std::string(algo)));
    return found;
}

Result<RunDetails> StoreReader::details(RunId run) {
    // Uses one transaction, so that all parts are consistent.
    SEEDBED_TRY(impl_->database->execute("BEGIN"));
    auto details = [&]() -> Result<RunDetails> {
        RunDetails found;
        SEEDBED_ASSIGN(found.run, this->run(run));
        SEEDBED_ASSIGN(
            Statement row,
            impl_->database->prepare(
                "SELECT config, devices, auto_settings, engine, init_from FROM runs WHERE id = ?"));
        SEEDBED_TRY(row.each(
            [&] {
                found.config = jsonFromText(row.text(0));
                found.devices = jsonFromText(row.text(1));
                found.auto_settings = jsonFromText(row.text(2));
                found.engine = row.text(3);
                found.init_from = row.text(4);
            },
            run));
        SEEDBED_ASSIGN(
            Statement segment,
            impl_->database->prepare("SELECT number, begin_step, started, pid, host, build, threads, other "
                                     "FROM segments WHERE run_id = ? ORDER BY number"));
        SEEDBED_TRY(segment.each(
            [&] {
                found.segments.push_back(
                    {segment.integer(0),
                     segment.integer(1),
                     segment.real(2),
                     {segment.integer(3), segment.text(4), segment.text(5),
                      static_cast<int>(segment.integer(6)), jsonFromText(segment.text(7))}});
            },
            run));
        SEEDBED_ASSIGN(found.checkpoints, checkpoints(run));
        SEEDBED_ASSIGN(found.evaluations, evaluations(run));
        SEEDBED_ASSIGN(found.events, events(run));
        SEEDBED_ASSIGN(found.changes, settingChanges(run));
        SEEDBED_ASSIGN(found.artifacts, artifacts(run));
        if (!found.checkpoints.empty()) found.params_sha256 = found.checkpoints.back().params_sha256;
        return found;
    }();
    SEEDBED_TRY(impl_->database->execute("COMMIT"));
    return details;
}

Result<std::pair<Json, Json>> StoreReader::configOf(RunId run) {
    SEEDBED_ASSIGN(Statement* const row, prepared(*impl_->database, impl_->config,
                                                  "SELECT config, auto_settings FROM runs WHERE id = ?"));
    std::optional<std::pair<Json, Json>> found;
    SEEDBED_TRY(
        row->each([&] { found.emplace(jsonFromText(row->text(0)), jsonFromText(row->text(1))); }, run));
    if (!found) return unknownRun(run);
    return std::move(*found);
}

Result<std::vector<EpisodeRecord>> StoreReader::episodes(RunId run, std::size_t newest,
                                                         std::int64_t until_step) {
    SEEDBED_ASSIGN(Statement list,
                   impl_->database->prepare(
                       "SELECT step, time, episode_return, length, agent_slot FROM episode_rows WHERE "
                       "run_id = ? AND superseded_by = 0 AND step <= ? ORDER BY number DESC LIMIT ?"));
    std::vector<EpisodeRecord> episodes;
    const auto limit =
        static_cast<std::int64_t>(std::min<std::size_t>(newest, std::numeric_limits<std::int64_t>::max()));
    SEEDBED_TRY(list.each(
        [&] {
            episodes.push_back(
                {list.integer(0), list.real(1), list.real(2), list.integer(3), list.integer(4)});
        },
        run, until_step, limit));
    std::reverse(episodes.begin(), episodes.end());
    return episodes;
}

Result<std::int64_t> StoreReader::episodeCount(RunId run) {
    return impl_->database->integer(
        "SELECT count(*) FROM episode_rows WHERE superseded_by = 0 AND run_id = " + std::to_string(run));
}

Result<std::vector<EvaluationRecord>> StoreReader::evaluations(RunId run) {
    return impl_->list(
        "SELECT step, time, seed, greedy, params_version, mean, std, iqm, ci95_low, ci95_high, min, max, "
        "episodes FROM evaluation_rows WHERE run_id = ? AND superseded_by = 0 ORDER BY step, id",
        run, [](const Statement& row) {
            EvaluationRecord evaluation{row.integer(0),
                                        row.real(1),
                                        static_cast<std::uint64_t>(row.integer(2)),
                                        row.integer(3) != 0,
                                        row.integer(4),
                                        row.real(5),
                                        row.real(6),
                                        row.real(7),
                                        row.real(8),
                                        row.real(9),
                                        row.real(10),
                                        row.real(11),
                                        {}};
            const Json episodes = jsonFromText(row.text(12));
            for (const auto& episode : episodes) {
                const auto value = episode.is_object() ? episode.find("return") : episode.end();
                const auto length = episode.is_object() ? episode.find("length") : episode.end();
                const bool known = value != episode.end() && value->is_number() && length != episode.end() &&
                                   length->is_number();
                evaluation.episodes.push_back(
                    known ? EvaluationRecord::Episode{value->get<double>(), length->get<std::int64_t>()}
                          : EvaluationRecord::Episode{std::numeric_limits<double>::quiet_NaN(), 0});
            }
            return evaluation;
        });
}

namespace {

CheckpointRecord checkpointFrom(const Statement& row) {
    return CheckpointRecord{row.integer(0),      row.real(1),        row.integer(2),      row.text(3),
                            row.integer(4),      row.text(5),        row.optionalReal(6), row.integer(7) != 0,
                            row.integer(8) != 0, row.integer(9) != 0};
}

}  // namespace

Result<std::vector<CheckpointRecord>> StoreReader::checkpoints(RunId run) {
    return impl_->list(
        "SELECT step, time, updates, folder, bytes, params_sha256, score, best, milestone, removed FROM "
        "checkpoint_rows WHERE run_id = ? AND superseded_by = 0 ORDER BY step, segment",
        run, checkpointFrom);
}

Result<std::vector<std::pair<RunId, CheckpointRecord>>> StoreReader::bestCheckpoints() {
    SEEDBED_ASSIGN(
        Statement rows,
        impl_->database->prepare("SELECT step, time, updates, folder, bytes, params_sha256, score, best, "
                                 "milestone, removed, run_id FROM checkpoint_rows WHERE superseded_by = 0 "
                                 "AND removed = 0 ORDER BY run_id, best, step, segment"));
    std::vector<std::pair<RunId, CheckpointRecord>> best;
    SEEDBED_TRY(rows.each([&] {
        const RunId run = rows.integer(10);
        // The last row of a run is the wanted one.
        if (!best.empty() && best.back().first == run) best.back().second = checkpointFrom(rows);
        else best.emplace_back(run, checkpointFrom(rows));
    }));
    return best;
}

Result<std::vector<EventRecord>> StoreReader::events(RunId run) {
    return impl_->list(
        "SELECT step, time, level, kind, text, data FROM event_rows WHERE run_id = ? AND superseded_by = 0 "
        "ORDER BY id",
        run, [](const Statement& row) {
            const std::string level = row.text(2);
            return EventRecord{row.integer(0),
                               row.real(1),
                               level == "error"     ? EventLevel::error
                               : level == "warning" ? EventLevel::warning
                                                    : EventLevel::info,
                               row.text(3),
                               row.text(4),
                               jsonFromText(row.text(5))};
        });
}

Result<std::vector<SettingChange>> StoreReader::settingChanges(RunId run) {
    SEEDBED_ASSIGN(Statement* const list,
                   prepared(*impl_->database, impl_->setting_changes,
                            "SELECT step, time, key, old_value, new_value, source FROM setting_rows "
                            "WHERE run_id = ? ORDER BY id"));
    std::vector<SettingChange> changes;
    SEEDBED_TRY(list->each(
        [&] {
            changes.push_back({list->integer(0), list->real(1), list->text(2), jsonFromText(list->text(3)),
                               jsonFromText(list->text(4)),
                               settingSourceFromText(list->text(5)).value_or(SettingSource::live)});
        },
        run));
    return changes;
}

Result<std::vector<ArtifactRecord>> StoreReader::artifacts(RunId run) {
    return impl_->list(
        "SELECT step, time, kind, path, bytes, sha256, data FROM artifact_rows WHERE run_id = ? AND "
        "superseded_by = 0 ORDER BY id",
        run, [](const Statement& row) {
            return ArtifactRecord{
                row.integer(0),           row.real(1), row.text(2), row.text(3), row.integer(4), row.text(5),
                jsonFromText(row.text(6))};
        });
}

Result<QueueState> StoreReader::queue() {
    QueueState queue;
    SEEDBED_ASSIGN(Statement settings,
                   impl_->database->prepare("SELECT at_a_time, paused FROM queue_settings"));
    SEEDBED_TRY(settings.each([&] {
        queue.at_a_time = static_cast<int>(settings.integer(0));
        queue.paused = settings.integer(1) != 0;
    }));
    SEEDBED_ASSIGN(
        Statement list,
        impl_->database->prepare(
            "SELECT run_id, paused, begun, attempts FROM queue_entries ORDER BY position, run_id"));
    SEEDBED_TRY(list.each([&] {
        queue.entries.push_back(
            {list.integer(0), list.integer(1) != 0, list.integer(2) != 0, list.integer(3)});
    }));
    return queue;
}

Result<RunStatus> StoreReader::writtenStatus(RunId run) {
    SEEDBED_ASSIGN(Statement find, impl_->database->prepare("SELECT status FROM runs WHERE id = ?"));
    std::optional<RunStatus> status;
    SEEDBED_TRY(find.each([&] { status = runStatusFromText(find.text(0)); }, run));
    if (!status) return unknownRun(run);
    return *status;
}

Result<std::vector<std::string>> StoreReader::metricNames(RunId run) {
    return impl_->list("SELECT name FROM metric_series WHERE run_id = ? AND points > 0 ORDER BY name", run,
                       [](const Statement& row) { return row.text(0); });
}

Result<std::vector<MetricEnd>> StoreReader::metricEnds(RunId run) {
    return impl_->list(
        "SELECT name, points, last_step, last_value FROM metric_series WHERE run_id = ? AND points > 0 ORDER "
        "BY name",
        run, [](const Statement& row) {
            return MetricEnd{row.text(0), row.integer(1), row.integer(2), row.real(3)};
        });
}

namespace {

tl::unexpected<Error> unknownMetric(RunId run, std::string_view name, const std::vector<std::string>& known) {
    if (known.empty()) return fail(ErrorCode::config, "run " + std::to_string(run) + " has no metrics yet");
    return fail(ErrorCode::config, "run " + std::to_string(run) + " has no metric '" + std::string(name) +
                                       "'" + suggestion(name, known));
}

// Merges adjacent groups until about `limit` are left.
std::vector<MetricSummary::Stretch> joinStretches(const std::vector<MetricSummary::Stretch>& parts,
                                                  std::size_t limit) {
    const std::size_t per_stretch = (parts.size() + limit - 1) / limit;
    std::vector<MetricSummary::Stretch> result;
    for (std::size_t begin = 0; begin < parts.size(); begin += per_stretch) {
        MetricSummary::Stretch whole = parts[begin];
        double sum = 0;
        std::int64_t weighed = 0;
        for (std::size_t i = begin; i < std::min(parts.size(), begin + per_stretch); ++i) {
            const auto& part = parts[i];
            if (i > begin) whole.points += part.points;
            whole.last_step = part.last_step;
            whole.last_time = part.last_time;
            if (std::isnan(part.mean)) continue;
            whole.min = weighed == 0 ? part.min : std::min(whole.min, part.min);
            whole.max = weighed == 0 ? part.max : std::max(whole.max, part.max);
            sum += part.mean * static_cast<double>(part.points);
            weighed += part.points;
        }
        if (weighed > 0) whole.mean = sum / static_cast<double>(weighed);
        result.push_back(whole);
    }
    return result;
}

MetricSummary::Stretch stretchFrom(const Statement& row) {
    MetricSummary::Stretch stretch{row.integer(0), row.integer(1), row.real(2), row.real(3),
                                   row.integer(4), row.real(5),    row.real(6), row.real(7)};
    // Only points of the tail can be infinite, because the ranges of blocks exclude such values.
    if (!std::isfinite(stretch.mean))
        stretch.min = stretch.max = stretch.mean = std::numeric_limits<double>::quiet_NaN();
    return stretch;
}

}  // namespace

Result<MetricCurve> StoreReader::metric(RunId run, std::string_view name) {
    // Uses one transaction, because a writer may move points from the tail to a block between the two
    // statements.
    SEEDBED_TRY(impl_->database->execute("BEGIN"));
    auto curve = [&]() -> Result<MetricCurve> {
        SEEDBED_ASSIGN(const auto series, impl_->series(run, name));
        if (!series) {
            SEEDBED_ASSIGN(const auto known, metricNames(run));
            return unknownMetric(run, name, known);
        }
        MetricCurve found;
        found.name = name;
        SEEDBED_ASSIGN(
            Statement blocks,
            impl_->database->prepare(
                "SELECT data FROM metric_blocks WHERE series_id = ? AND superseded_by = 0 ORDER BY ordinal"));
        Result<> decoded;
        SEEDBED_TRY(blocks.each(
            [&] {
                if (decoded) decoded = decodeBlock(blocks.blob(0), found.steps, found.times, found.values);
            },
            *series));
        SEEDBED_TRY(decoded);
        SEEDBED_ASSIGN(Statement tail,
                       impl_->database->prepare(
                           "SELECT step, time, value FROM metric_tail WHERE series_id = ? ORDER BY ordinal"));
        SEEDBED_TRY(tail.each(
            [&] {
                found.steps.push_back(tail.integer(0));
                found.times.push_back(tail.real(1));
                found.values.push_back(tail.real(2));
            },
            *series));
        return found;
    }();
    SEEDBED_TRY(impl_->database->execute("COMMIT"));
    return curve;
}

Result<MetricSummary> StoreReader::metricSummary(RunId run, std::string_view name,
                                                 std::size_t max_stretches) {
    const std::size_t limit = std::max<std::size_t>(max_stretches, 1);
    SEEDBED_ASSIGN(const auto series, impl_->series(run, name));
    if (!series) {
        SEEDBED_ASSIGN(const auto known, metricNames(run));
        return unknownMetric(run, name, known);
    }
    SEEDBED_ASSIGN(
        const std::int64_t points,
        impl_->database->integer("SELECT points FROM metric_series WHERE id = " + std::to_string(*series)));
    MetricSummary summary;
    summary.name = name;
    if (static_cast<std::size_t>(points) <= std::max(limit, kBucketPoints)) {
        SEEDBED_ASSIGN(const MetricCurve curve, metric(run, name));
        for (std::size_t i = 0; i < curve.steps.size(); ++i) {
            const double value =
                std::isfinite(curve.values[i]) ? curve.values[i] : std::numeric_limits<double>::quiet_NaN();
            summary.stretches.push_back(
                {curve.steps[i], curve.steps[i], curve.times[i], curve.times[i], 1, value, value, value});
        }
    } else {
        const bool fine = static_cast<std::size_t>(points) / kBucketPoints <= 4 * limit;
        SEEDBED_ASSIGN(Statement list,
                       impl_->database->prepare(
                           std::string(fine ? "SELECT b.first_step, b.last_step, b.first_time, b.last_time, "
                                              "b.points, b.min, b.max, b.mean, k.ordinal AS "
                                              "ordinal, b.number AS number "
                                              "FROM metric_blocks k JOIN metric_buckets b ON b.block_id = "
                                              "k.id WHERE k.series_id = ?1 AND k.superseded_by = 0"
                                            : "SELECT first_step, last_step, first_time, last_time, points, "
                                              "min, max, mean, ordinal, 0 AS number FROM "
                                              "metric_blocks "
                                              "WHERE series_id = ?1 AND superseded_by = 0") +
                           " UNION ALL SELECT step, step, time, time, 1, value, value, value, ordinal, 0 "
                           "FROM metric_tail WHERE series_id = ?1 "
                           "ORDER BY ordinal, number"));
        SEEDBED_TRY(list.each([&] { summary.stretches.push_back(stretchFrom(list)); }, *series));
    }
    summary.stretches = joinStretches(summary.stretches, limit);
    return summary;
}

Result<std::int64_t> StoreReader::dataVersion() { return impl_->database->integer("PRAGMA data_version"); }

}  // namespace seedbed
