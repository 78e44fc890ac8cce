// SPDX-License-Identifier: Apache-2.0
#include "core/store/store_impl.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "core/base/os/clock.hpp"
#include "core/base/os/files.hpp"
#include "core/base/text.hpp"
#include "core/config/config_schema.hpp"

namespace seedbed {

namespace {

constexpr std::size_t kTagLimit = 60;

// Unique across data folders, because runs can be copied between them.
std::string newUid() {
    std::random_device source;
    std::string uid;
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t word = source();
        for (int shift = 28; shift >= 0; shift -= 4) uid += "0123456789abcdef"[(word >> shift) & 15];
    }
    return uid;
}

Result<> noSuchRun(RunId run) { return fail(ErrorCode::config, "there is no run " + std::to_string(run)); }

}  // namespace

bool isPrintableText(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char letter) { return static_cast<unsigned char>(letter) >= 32 && letter != 127; });
}

Result<> checkTagText(const std::string& tag) {
    if (tag.empty() || tag.size() > kTagLimit || !isPrintableText(tag) || tag.find(',') != std::string::npos)
        return fail(ErrorCode::config, "'" + tag + "' cannot be a tag: 1 to " + std::to_string(kTagLimit) +
                                           " printable characters without a comma");
    return {};
}

Result<> Store::Impl::addTags(RunId run, const std::vector<std::string>& tags) {
    SEEDBED_ASSIGN(Statement insert,
                   database->prepare("INSERT OR IGNORE INTO run_tags (run_id, tag) VALUES (?, ?)"));
    for (const auto& tag : tags) {
        SEEDBED_TRY(checkTagText(tag));
        SEEDBED_TRY(insert.run(run, tag));
    }
    return {};
}

Result<> Store::Impl::checkNameIsFree(std::string_view name, RunId except) {
    SEEDBED_TRY(checkRunName(name));
    SEEDBED_ASSIGN(Statement find, database->prepare("SELECT id FROM runs WHERE name = ? AND id <> ?"));
    RunId taken = 0;
    SEEDBED_TRY(find.each([&] { taken = find.integer(0); }, name, except));
    if (taken == 0) return {};
    return fail(ErrorCode::config,
                "the name '" + std::string(name) + "' is taken by run " + std::to_string(taken));
}

Result<> Store::Impl::checkExists(RunId run) {
    SEEDBED_ASSIGN(Statement find,
                   database->prepare("SELECT 1 FROM runs WHERE id = ? AND NOT uid GLOB 'importing-*'"));
    bool found = false;
    SEEDBED_TRY(find.each([&] { found = true; }, run));
    return found ? Result<>() : noSuchRun(run);
}

Result<RunId> Store::Impl::insert(const NewRun& run) {
    SEEDBED_ASSIGN(Statement statement,
                   database->prepare("INSERT INTO runs (uid, name, env, algo, seed, engine, config, devices, "
                                     "auto_settings, init_from, status, created, updated) "
                                     "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?12, ?12) RETURNING id"));
    RunId id = 0;
    const auto name = run.name.empty() ? std::optional<std::string>() : run.name;
    SEEDBED_TRY(statement.each([&] { id = statement.integer(0); }, newUid(), name, run.env, run.algo,
                               run.seed, run.engine, jsonText(run.config), jsonText(run.devices),
                               jsonText(run.auto_settings), run.init_from, nameOf(run.status),
                               system.wallSeconds()));
    return id;
}

Result<std::string> Store::Impl::moveForeignCheckpoints(RunId run) const {
    FileSystem& files = *system.files;
    const Path checkpoints = folder / "checkpoints" / std::to_string(run);
    SEEDBED_ASSIGN(const auto found, files.info(checkpoints));
    if (!found) return std::string();
    const Path moved = checkpoints.string() + ".before-" + std::to_string(std::llround(system.wallSeconds()));
    SEEDBED_TRY(files.rename(checkpoints, moved));
    return moved.string();
}

Result<> Store::Impl::supersedeRows(RunId run, std::int64_t step, std::int64_t segment) {
    for (const char* table :
         {"episode_rows", "evaluation_rows", "checkpoint_rows", "event_rows", "artifact_rows"}) {
        SEEDBED_ASSIGN(Statement update,
                       database->prepare(
                           std::string("UPDATE ") + table +
                           " SET superseded_by = ?3 WHERE run_id = ?1 AND step > ?2 AND superseded_by = 0"));
        SEEDBED_TRY(update.run(run, step, segment));
    }
    SEEDBED_ASSIGN(
        Statement clear,
        database->prepare("UPDATE checkpoint_rows SET best = 0 WHERE run_id = ? AND superseded_by > 0"));
    SEEDBED_TRY(clear.run(run));
    SEEDBED_ASSIGN(
        Statement mark,
        database->prepare(
            "UPDATE checkpoint_rows SET best = 1 WHERE run_id = ?1 AND superseded_by = 0 AND removed = 0 "
            "AND NOT EXISTS (SELECT 1 FROM checkpoint_rows WHERE run_id = ?1 AND superseded_by = 0 AND best "
            "= 1) "
            "AND step = (SELECT step FROM checkpoint_rows WHERE run_id = ?1 AND superseded_by = 0 AND "
            "removed = 0 AND "
            "score IS NOT NULL "
            "ORDER BY score DESC, step LIMIT 1)"));
    return mark.run(run);
}

namespace {

Json::json_pointer pointerTo(std::string key) {
    std::replace(key.begin(), key.end(), '.', '/');
    return Json::json_pointer("/" + key);
}

Result<Json> configOf(Database& database, RunId run) {
    Json config;
    SEEDBED_ASSIGN(Statement row, database.prepare("SELECT config FROM runs WHERE id = ?"));
    SEEDBED_TRY(row.each([&] { config = jsonFromText(row.text(0)); }, run));
    return config;
}

// A change that was removed: the value before it, and its time and source.
struct RemovedChange {
    Json value;
    double time = 0;
    std::string source;
};
using RemovedChanges = std::map<std::string, RemovedChange>;  // by key

// Removes the changes of a run from `step` on. For several changes of a setting, the result has the value
// before the first one, and the time and source of the last one.
Result<RemovedChanges> removeChanges(Database& database, RunId run, std::int64_t step) {
    RemovedChanges removed;
    SEEDBED_ASSIGN(Statement list, database.prepare("SELECT key, old_value, time, source FROM setting_rows "
                                                    "WHERE run_id = ? AND step >= ? ORDER BY id"));
    SEEDBED_TRY(list.each(
        [&] {
            RemovedChange& change =
                removed.try_emplace(list.text(0), RemovedChange{jsonFromText(list.text(1)), 0, {}})
                    .first->second;
            change.time = list.real(2);
            change.source = list.text(3);
        },
        run, step));
    SEEDBED_ASSIGN(Statement remove,
                   database.prepare("DELETE FROM setting_rows WHERE run_id = ? AND step >= ?"));
    SEEDBED_TRY(remove.run(run, step));
    return removed;
}

// `removed`: changes that are merged into this one.
Result<> recordConfig(Database& database, RunId run, const ConfigChange& change,
                      const RemovedChanges& removed) {
    SEEDBED_ASSIGN(const Json latest, configOf(database, run));
    Json before = latest;
    for (const auto& [key, undone] : removed)
        if (before.contains(pointerTo(key))) before[pointerTo(key)] = undone.value;
    SEEDBED_ASSIGN(
        Statement insert,
        database.prepare("INSERT INTO setting_rows (run_id, step, time, key, old_value, new_value, source) "
                         "VALUES (?, ?, ?, ?, ?, ?, ?)"));
    const Json changed_now = difference(latest, change.document);
    const Json changes = difference(before, change.document);
    for (const auto& [key, sides] : changes.items()) {
        if (sides[0].is_null() || sides[1].is_null()) continue;
        const auto undone = removed.find(key);
        const bool earlier = undone != removed.end() && !changed_now.contains(key);
        SEEDBED_TRY(insert.run(run, change.step, earlier ? undone->second.time : change.time, key,
                               sides[0].dump(), sides[1].dump(),
                               earlier ? undone->second.source : std::string(nameOf(change.source))));
    }
    SEEDBED_ASSIGN(Statement update, database.prepare("UPDATE runs SET config = ? WHERE id = ?"));
    return update.run(jsonText(change.document), run);
}

}  // namespace

Result<> changeConfig(Database& database, RunId run, const ConfigChange& change) {
    return recordConfig(database, run, change, {});
}

Result<> returnToConfig(Database& database, RunId run, ConfigChange change) {
    if (change.document.is_null()) {
        SEEDBED_ASSIGN(change.document, configOf(database, run));
    }
    SEEDBED_ASSIGN(const RemovedChanges removed, removeChanges(database, run, change.step));
    return recordConfig(database, run, change, removed);
}

}  // namespace seedbed
