// SPDX-License-Identifier: Apache-2.0
// The queue in the tables: which runs wait, in which order, how many may go at a time.
#include <algorithm>
#include <string_view>
#include <utility>

#include "core/store/store_impl.hpp"

namespace seedbed {
namespace {

// The reason that a run which was taken out before it began has.
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
    // One that was taken out before it began waits again as if nothing had been.
    SEEDBED_ASSIGN(Statement restore,
                   impl_->database->prepare(
                       "UPDATE runs SET status = 'queued', status_text = '', in_bin = 0, updated = ?2 "
                       "WHERE id = ?1 AND status = 'interrupted' AND status_text = ?3"));
    SEEDBED_TRY(restore.run(run, impl_->system.wallSeconds(), kRemovedFromQueue));
    return transaction.commit();
}

Result<> Store::moveInQueue(RunId run, std::int64_t place) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(Statement list,
                   impl_->database->prepare("SELECT run_id FROM queue_entries ORDER BY position, run_id"));
    std::vector<RunId> order;
    SEEDBED_TRY(list.each([&] { order.push_back(list.integer(0)); }));
    const auto found = std::find(order.begin(), order.end(), run);
    if (found == order.end()) return notInQueue(run);
    order.erase(found);
    const auto index = std::clamp<std::int64_t>(place, 1, static_cast<std::int64_t>(order.size()) + 1) - 1;
    order.insert(order.begin() + index, run);
    SEEDBED_ASSIGN(Statement update,
                   impl_->database->prepare("UPDATE queue_entries SET position = ? WHERE run_id = ?"));
    for (std::size_t i = 0; i < order.size(); ++i)
        SEEDBED_TRY(update.run(static_cast<std::int64_t>(i) + 1, order[i]));
    return transaction.commit();
}

Result<> Store::pauseInQueue(RunId run, bool paused) {
    SEEDBED_ASSIGN(WriteTransaction transaction, WriteTransaction::begin(*impl_->database, impl_->lock));
    SEEDBED_ASSIGN(const bool there, isInQueue(*impl_->database, run));
    if (!there) return notInQueue(run);
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
    SEEDBED_ASSIGN(const bool there, isInQueue(*impl_->database, run));
    if (!there) return notInQueue(run);
    SEEDBED_ASSIGN(Statement remove, impl_->database->prepare("DELETE FROM queue_entries WHERE run_id = ?"));
    SEEDBED_TRY(remove.run(run));
    // One that never began is nothing to look at.
    SEEDBED_ASSIGN(
        Statement put_away,
        impl_->database->prepare("UPDATE runs SET status = 'interrupted', status_text = ?3, in_bin = 1, "
                                 "updated = ?2 WHERE id = ?1 AND status = 'queued'"));
    SEEDBED_TRY(put_away.run(run, impl_->system.wallSeconds(), kRemovedFromQueue));
    return transaction.commit();
}

Result<> Store::setQueue(std::optional<int> at_a_time, std::optional<bool> paused) {
    if (at_a_time && *at_a_time < 1) return fail(ErrorCode::config, "at least one run at a time");
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
