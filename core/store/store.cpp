// SPDX-License-Identifier: Apache-2.0
#include "core/store/store.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/base/os/temporary_files.hpp"
#include "core/base/text.hpp"
#include "core/store/metric_log.hpp"
#include "core/store/remove_run.hpp"
#include "core/store/schema.hpp"
#include "core/store/store_impl.hpp"

namespace seedbed {

namespace {

constexpr std::size_t kNameLimit = 100;
constexpr std::size_t kNotesLimit = 1 << 20;
// Status text of a run that was removed from the queue before it started.
constexpr std::string_view kRemovedFromQueue = "removed from the queue";

Result<> notInQueue(RunId run) {
    return fail(ErrorCode::config, "run " + std::to_string(run) + " is not in the queue");
}

Result<bool> isInQueue(Database& database, RunId run) {
    SEEDBED_ASSIGN(
        const std::int64_t found,
        database.integer("SELECT count(*) FROM queue_entries WHERE run_id = " + std::to_string(run)));
    return found > 0;
}

}  // namespace

Result<> checkRunName(std::string_view name) {
    const bool number = !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
        return letter >= '0' && letter <= '9';
    });
    if (!name.empty() && name.size() <= kNameLimit && isPrintableText(name) && !number &&
        name.find_first_of("/:") == std::string_view::npos && name.front() != '.' && name.front() != '-' &&
        trimmed(name) == name)
        return {};
    return fail(ErrorCode::config, "'" + std::string(name) + "' cannot be the name of a run: 1 to " +
                                       std::to_string(kNameLimit) +
                                       " printable characters, not a number, without '/' and ':', not "
                                       "beginning with '.', '-' or a space");
}

namespace {

// Prefixes of the names in a data folder; SQLite and backups add suffixes.
constexpr const char* kOwnNames[] = {kDatabaseName, "checkpoints", "control", "environments.json",
                                     "leagues",     "locks",       "logs",    "packs",
                                     "pictures",    "policies"};

// Earlier versions created data folders that every user of the machine could read.
void withdrawAccess(FileSystem& files, const std::filesystem::path& data_folder) {
    const auto entries = files.list(data_folder);
    if (!entries) return;
    bool only_ours = true;
    for (const FileInfo& entry : *entries) {
        const bool ours = std::any_of(std::begin(kOwnNames), std::end(kOwnNames),
                                      [&](const char* name) { return entry.name.starts_with(name); });
        if (ours) makePrivate(data_folder / entry.name);
        else only_ours = only_ours && entry.name.starts_with('.') && entry.name.ends_with(".tmp");
    }
    // The folder may also contain other files, for example if it is the current folder.
    if (only_ours) makePrivate(data_folder);
}

}  // namespace

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;
const std::filesystem::path& Store::folder() const { return impl_->folder; }

Result<Store> Store::open(const std::filesystem::path& data_folder,
                          std::function<bool(std::chrono::milliseconds)> keep_waiting, const System& system) {
    if (auto made = makeFolders(*system.files, data_folder); !made) {
        made.error().message += ": the data folder cannot be created; choose another one with --data";
        return tl::unexpected<Error>(std::move(made).error());
    }
    SEEDBED_ASSIGN(WriteLockFile lock, WriteLockFile::open(data_folder, system));
    SEEDBED_ASSIGN(auto database,
                   openForWriting(data_folder, lock, storeMigrations(), std::move(keep_waiting), system));
    withdrawAccess(*system.files, data_folder);
    // Files left by interrupted imports and backups can be large. Failing to remove them is not an error.
    (void)removeStaleFilesOfOthers(*system.files, data_folder);
    (void)removeHiddenRunFiles(data_folder, *database, system);
    return Store(std::unique_ptr<Impl>(new Impl{data_folder, system, std::move(lock), std::move(database)}));
}

Result<OwnedRun> Store::createRun(const NewRun& run) {
    if (run.status != RunStatus::queued && run.status != RunStatus::starting)
        return fail("a new run is queued or starting, not " + std::string(nameOf(run.status)));
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    if (!run.name.empty()) SEEDBED_TRY(impl_->checkNameIsFree(run.name, 0));
    OwnedRun owned;
    SEEDBED_ASSIGN(owned.id, impl_->insert(run));
    SEEDBED_TRY(impl_->addTags(owned.id, run.tags));
    // Acquired before the commit, so that the row never exists without an owner. Fails if a process is still
    // training a run with this id whose database was deleted; the checkpoints of that run then stay in place.
    if (run.status != RunStatus::queued) {
        SEEDBED_ASSIGN(owned.lock, RunLock::acquire(impl_->folder, owned.id, impl_->system));
    }
    SEEDBED_ASSIGN(owned.moved_checkpoints, impl_->moveForeignCheckpoints(owned.id));
    SEEDBED_TRY(transaction.commit());
    return owned;
}

Result<> Store::setStatus(RunId run, RunStatus status, std::string_view text) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_TRY(impl_->checkExists(run));
    // Checked within the transaction, so that a process that starts later also writes its status later.
    if (RunLock::isHeld(impl_->folder, run))
        return fail("run " + std::to_string(run) + " is being trained by another process");
    SEEDBED_ASSIGN(
        Statement update,
        impl_->database->prepare("UPDATE runs SET status = ?, status_text = ?, updated = ? WHERE id = ?"));
    SEEDBED_TRY(update.run(nameOf(status), text, impl_->system.wallSeconds(), run));
    return transaction.commit();
}

Result<> Store::edit(RunId run, const RunEdit& edit) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_TRY(impl_->checkExists(run));
    if (edit.name && !edit.name->empty()) SEEDBED_TRY(impl_->checkNameIsFree(*edit.name, run));
    if (edit.notes && edit.notes->size() > kNotesLimit)
        return fail(ErrorCode::config, "the notes are longer than 1 MiB");
    SEEDBED_ASSIGN(
        Statement update,
        impl_->database->prepare(
            "UPDATE runs SET name = CASE WHEN ?2 THEN nullif(?3, '') ELSE name END, notes = coalesce(?4, "
            "notes), star = coalesce(?5, star), "
            "archived = coalesce(?6, archived), in_bin = coalesce(?7, in_bin) WHERE id = ?1"));
    SEEDBED_TRY(update.run(run, edit.name.has_value(), edit.name.value_or(""), edit.notes, edit.star,
                           edit.archived, edit.in_trash));
    SEEDBED_TRY(impl_->addTags(run, edit.add_tags));
    SEEDBED_ASSIGN(Statement untag,
                   impl_->database->prepare("DELETE FROM run_tags WHERE run_id = ? AND tag = ?"));
    for (const auto& tag : edit.remove_tags) SEEDBED_TRY(untag.run(run, tag));
    return transaction.commit();
}

Result<SegmentRecord> Store::beginSegment(const RunLock& lock, std::int64_t step, const ProcessInfo& process,
                                          const Json& config, SettingSource source,
                                          const std::optional<RunProgress>& progress) {
    const RunId run = lock.run();
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_TRY(impl_->checkExists(run));
    SEEDBED_ASSIGN(Statement newest, impl_->database->prepare(
                                         "SELECT coalesce(max(number), 0) FROM segments WHERE run_id = ?"));
    SegmentRecord segment{1, step, impl_->system.wallSeconds(), process};
    SEEDBED_TRY(newest.each([&] { segment.number = newest.integer(0) + 1; }, run));
    if (segment.number > 1) {
        SEEDBED_TRY(supersedeMetrics(*impl_->database, run, step, segment.number));
        SEEDBED_TRY(impl_->supersedeRows(run, step, segment.number));
        SEEDBED_TRY(returnToConfig(*impl_->database, run, {step, segment.started, config, source}));
    }
    SEEDBED_ASSIGN(
        Statement insert,
        impl_->database->prepare("INSERT INTO segments (run_id, number, begin_step, started, pid, host, "
                                 "build, threads, other) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    SEEDBED_TRY(insert.run(run, segment.number, step, segment.started, process.pid, process.host,
                           process.build, process.threads, jsonText(process.other)));
    if (segment.number > 1) {
        SEEDBED_ASSIGN(
            Statement update,
            impl_->database->prepare(
                "UPDATE runs SET status = 'starting', status_text = '', steps = ?2 WHERE id = ?1"));
        SEEDBED_TRY(update.run(run, step));
    }
    if (progress) {
        SEEDBED_ASSIGN(Statement update,
                       impl_->database->prepare(
                           "UPDATE runs SET frames = ?, updates = ?, train_seconds = ? WHERE id = ?"));
        SEEDBED_TRY(update.run(progress->frames, progress->updates, progress->train_seconds, run));
    }
    if (!config.is_null() && segment.number == 1) {
        SEEDBED_ASSIGN(Statement update, impl_->database->prepare("UPDATE runs SET config = ? WHERE id = ?"));
        SEEDBED_TRY(update.run(jsonText(config), run));
    }
    SEEDBED_TRY(transaction.commit());
    return segment;
}

Result<std::vector<RunId>> Store::enqueue(const std::vector<NewRun>& runs) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(Statement insert,
                   impl_->database->prepare("INSERT INTO queue_entries (run_id, position) VALUES (?, (SELECT "
                                            "coalesce(max(position), 0) + 1 FROM queue_entries))"));
    std::vector<RunId> ids;
    for (NewRun run : runs) {
        run.status = RunStatus::queued;
        if (!run.name.empty()) SEEDBED_TRY(impl_->checkNameIsFree(run.name, 0));
        SEEDBED_ASSIGN(const RunId id, impl_->insert(run));
        SEEDBED_TRY(impl_->addTags(id, run.tags));
        SEEDBED_TRY(impl_->moveForeignCheckpoints(id).map([](const std::string&) {}));
        SEEDBED_TRY(insert.run(id));
        ids.push_back(id);
    }
    SEEDBED_TRY(transaction.commit());
    return ids;
}

Result<> Store::requeue(RunId run) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_TRY(impl_->checkExists(run));
    SEEDBED_ASSIGN(
        Statement insert,
        impl_->database->prepare("INSERT OR IGNORE INTO queue_entries (run_id, position) VALUES (?, (SELECT "
                                 "coalesce(max(position), 0) + 1 FROM queue_entries))"));
    SEEDBED_TRY(insert.run(run));
    // A run that was removed before it started is queued again.
    SEEDBED_ASSIGN(Statement restore,
                   impl_->database->prepare(
                       "UPDATE runs SET status = 'queued', status_text = '', in_bin = 0, updated = ?2 "
                       "WHERE id = ?1 AND status = 'interrupted' AND status_text = ?3"));
    SEEDBED_TRY(restore.run(run, impl_->system.wallSeconds(), kRemovedFromQueue));
    return transaction.commit();
}

Result<> Store::moveInQueue(RunId run, std::int64_t position) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(Statement list,
                   impl_->database->prepare("SELECT run_id FROM queue_entries ORDER BY position, run_id"));
    std::vector<RunId> order;
    SEEDBED_TRY(list.each([&] { order.push_back(list.integer(0)); }));
    const auto found = std::find(order.begin(), order.end(), run);
    if (found == order.end()) return notInQueue(run);
    order.erase(found);
    const auto index = std::clamp<std::int64_t>(position, 1, static_cast<std::int64_t>(order.size()) + 1) - 1;
    order.insert(order.begin() + index, run);
    SEEDBED_ASSIGN(Statement update,
                   impl_->database->prepare("UPDATE queue_entries SET position = ? WHERE run_id = ?"));
    for (std::size_t i = 0; i < order.size(); ++i)
        SEEDBED_TRY(update.run(static_cast<std::int64_t>(i) + 1, order[i]));
    return transaction.commit();
}

Result<> Store::pauseInQueue(RunId run, bool paused) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(const bool queued, isInQueue(*impl_->database, run));
    if (!queued) return notInQueue(run);
    SEEDBED_ASSIGN(Statement update,
                   impl_->database->prepare("UPDATE queue_entries SET paused = ? WHERE run_id = ?"));
    SEEDBED_TRY(update.run(paused, run));
    return transaction.commit();
}

Result<> Store::markStartedInQueue(RunId run, std::int64_t attempt) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(
        Statement update,
        impl_->database->prepare("UPDATE queue_entries SET begun = ?1 > 0, attempts = ?1 WHERE run_id = ?2"));
    SEEDBED_TRY(update.run(attempt, run));
    return transaction.commit();
}

Result<> Store::removeFromQueue(RunId run) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(const bool queued, isInQueue(*impl_->database, run));
    if (!queued) return notInQueue(run);
    SEEDBED_ASSIGN(Statement remove, impl_->database->prepare("DELETE FROM queue_entries WHERE run_id = ?"));
    SEEDBED_TRY(remove.run(run));
    // A run that never started moves to the trash.
    SEEDBED_ASSIGN(
        Statement trash,
        impl_->database->prepare("UPDATE runs SET status = 'interrupted', status_text = ?3, in_bin = 1, "
                                 "updated = ?2 WHERE id = ?1 AND status = 'queued'"));
    SEEDBED_TRY(trash.run(run, impl_->system.wallSeconds(), kRemovedFromQueue));
    return transaction.commit();
}

Result<> Store::setQueue(std::optional<int> at_a_time, std::optional<bool> paused) {
    if (at_a_time && *at_a_time < 1)
        return fail(ErrorCode::config, "the number of runs at a time must be at least 1");
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(
        Statement update,
        impl_->database->prepare("UPDATE queue_settings SET at_a_time = coalesce(?, at_a_time), paused = "
                                 "coalesce(?, paused)"));
    SEEDBED_TRY(update.run(at_a_time, paused));
    return transaction.commit();
}

Result<> Store::addArtifact(RunId run, const ArtifactRecord& artifact) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_TRY(impl_->checkExists(run));
    SEEDBED_ASSIGN(
        Statement insert,
        impl_->database->prepare("INSERT INTO artifact_rows (run_id, step, time, kind, path, bytes, sha256, "
                                 "data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
    SEEDBED_TRY(insert.run(run, artifact.step, artifact.time, artifact.kind, artifact.path, artifact.bytes,
                           artifact.sha256, jsonText(artifact.data)));
    return transaction.commit();
}

}  // namespace seedbed
