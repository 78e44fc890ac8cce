// SPDX-License-Identifier: Apache-2.0
// Making runs, editing them, and beginning their segments.
#include "core/store/store.hpp"

#include <algorithm>
#include <utility>

#include "core/base/temporary_files.hpp"
#include "core/base/text.hpp"
#include "core/store/metric_log.hpp"
#include "core/store/schema.hpp"
#include "core/store/store_impl.hpp"

namespace seedbed {

namespace {

constexpr std::size_t kNameLimit = 100;
constexpr std::size_t kNotesLimit = 1 << 20;

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

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;
const std::filesystem::path& Store::folder() const { return impl_->folder; }

Result<Store> Store::open(const std::filesystem::path& data_folder,
                          std::function<bool(std::chrono::milliseconds)> keep_waiting, const System& system) {
    if (auto made = makeFolders(*system.files, data_folder); !made) {
        made.error().message += ": the data folder cannot be made; choose another one with --data";
        return tl::unexpected<Error>(std::move(made).error());
    }
    SEEDBED_ASSIGN(WriteLockFile lock, WriteLockFile::open(data_folder, system));
    SEEDBED_ASSIGN(auto database,
                   openForWriting(data_folder, lock, storeMigrations(), std::move(keep_waiting), system));
    // Half an import, half a backup: as large as they were to become. No reason to fail.
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
    SEEDBED_ASSIGN(owned.moved_checkpoints, impl_->moveForeignCheckpoints(owned.id));
    // Before the commit: nobody ever sees the run without its owner.
    if (run.status != RunStatus::queued) {
        SEEDBED_ASSIGN(owned.lock, RunLock::acquire(impl_->folder, owned.id, impl_->system));
    }
    SEEDBED_TRY(transaction.commit());
    return owned;
}

Result<> Store::setStatus(RunId run, RunStatus status, std::string_view text) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_TRY(impl_->checkExists(run));
    // Inside of the transaction: a process that begins later writes its own state later.
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
                                          const Json& config) {
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
            impl_->database->prepare("UPDATE runs SET status = 'starting', status_text = '' WHERE id = ?"));
        SEEDBED_TRY(update.run(run));
    }
    if (!config.is_null()) {
        SEEDBED_ASSIGN(Statement update, impl_->database->prepare("UPDATE runs SET config = ? WHERE id = ?"));
        SEEDBED_TRY(update.run(jsonText(config), run));
    }
    SEEDBED_TRY(transaction.commit());
    return segment;
}

}  // namespace seedbed
