// SPDX-License-Identifier: Apache-2.0
#include "core/store/rows/unsaved_rows.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/archive.hpp"
#include "core/store/database.hpp"

namespace seedbed {
namespace {

constexpr std::uint32_t kRowsVersion = 1;

constexpr Limits<std::int64_t> kCounts = range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max());
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 40;  // limit per kind of row and batch; the number of
                                                             // bytes is a further limit

template <class... Count>
void archiveCounts(Archive& archive, Count&... counts) {
    (archive.field("a count of a row", counts, kCounts), ...);
}

void archiveJson(Archive& archive, Json& json) {
    std::string text = archive.isLoading() ? "" : jsonText(json);
    archive.any(text);
    if (archive.isLoading()) json = jsonFromText(text);
}

// Calls `each` for every item. While loading, appends an item before each call and stops at the end of the
// bytes.
template <class T, class Each>
void archiveList(Archive& archive, std::vector<T>& items, const Each& each) {
    std::uint64_t count = items.size();
    archive.any(count);
    if (!archive.isLoading()) {
        for (T& item : items) each(item);
        return;
    }
    for (std::uint64_t i = 0; i < count && !archive.failed(); ++i) each(items.emplace_back());
}

template <class T, class Each>
void archiveOptional(Archive& archive, std::optional<T>& item, const Each& each) {
    bool has_value = item.has_value();
    archive.flag("a value exists", has_value);
    if (!has_value) return;
    if (!item) item.emplace();
    each(*item);
}

void archiveEvaluation(Archive& archive, EvaluationRecord& row) {
    archiveCounts(archive, row.step);
    archive.anyReal(row.time).any(row.seed).flag("greedy", row.greedy);
    archiveCounts(archive, row.params_version);
    archive.anyReal(row.mean, row.std, row.iqm, row.ci95_low, row.ci95_high, row.min, row.max);
    archive.list("episodes of an evaluation", row.episodes, kMostRows);
}

void archiveCheckpoint(Archive& archive, CheckpointRecord& row) {
    archiveCounts(archive, row.step, row.updates, row.bytes);
    archive.anyReal(row.time).any(row.folder).any(row.params_sha256);
    archiveOptional(archive, row.score, [&](double& score) { archive.anyReal(score); });
    archive.flag("best", row.best).flag("milestone", row.milestone).flag("removed", row.removed);
}

void archiveEvent(Archive& archive, EventRecord& row) {
    archiveCounts(archive, row.step);
    archive.anyReal(row.time).field("level of an event", row.level,
                                    range(EventLevel::info, EventLevel::error));
    archive.any(row.kind).any(row.text);
    archiveJson(archive, row.data);
}

void archiveRows(Archive& archive, RowBatch& rows) {
    archive.list("points", rows.points, kMostRows).list("episodes", rows.episodes, kMostRows);
    archive.list("removed checkpoints", rows.removed_checkpoints, kMostRows);
    archiveList(archive, rows.evaluations, [&](auto& row) { archiveEvaluation(archive, row); });
    archiveList(archive, rows.checkpoints, [&](auto& row) { archiveCheckpoint(archive, row); });
    archiveList(archive, rows.events, [&](auto& row) { archiveEvent(archive, row); });
    archiveOptional(archive, rows.status, [&](auto& status) {
        archive.field("status", status.first, range(RunStatus::queued, RunStatus::interrupted));
        archive.any(status.second);
    });
    archiveOptional(archive, rows.progress, [&](RunProgress& progress) {
        archiveCounts(archive, progress.steps, progress.frames, progress.updates);
        archive.anyReal(progress.train_seconds);
    });
    archiveOptional(archive, rows.auto_settings, [&](auto& settings) {
        archiveJson(archive, settings.first);
        archiveJson(archive, settings.second);
    });
    archiveList(archive, rows.configs, [&](ConfigChange& change) {
        archiveCounts(archive, change.step);
        archive.anyReal(change.time);
        archiveJson(archive, change.document);
        archive.field("source", change.source, range(SettingSource::live, SettingSource::rollback));
    });
    auto bytes = static_cast<std::uint64_t>(rows.bytes);
    archive.any(bytes);
    if (archive.isLoading()) rows.bytes = static_cast<std::size_t>(bytes);
}

void archiveHeader(Archive& archive, UnsavedRows& rows) {
    archive.any(rows.uid);
    archiveCounts(archive, rows.segment);
    archiveList(archive, rows.names, [&](std::string& name) { archive.any(name); });
}

}  // namespace

std::vector<std::uint8_t> encodeRows(const UnsavedRows& rows) {
    Archive archive = Archive::saving();
    std::size_t bytes = 4096;
    for (const auto& batch : rows.batches) bytes += 1024 + batch->rows.bytes;
    archive.reserve(bytes);
    std::uint32_t version = kRowsVersion;
    archive.any(version);
    // Saving only reads the batches, so the writer's thread may read them at the same time.
    archiveHeader(archive, const_cast<UnsavedRows&>(rows));
    std::uint64_t count = rows.batches.size();
    archive.any(count);
    for (const auto& batch : rows.batches) {
        auto& saved = const_cast<NumberedBatch&>(*batch);
        archiveCounts(archive, saved.number);
        archiveRows(archive, saved.rows);
    }
    return std::move(archive).take();
}

Result<UnsavedRows> decodeRows(std::span<const std::uint8_t> bytes) {
    Archive archive = Archive::loading({bytes.begin(), bytes.end()});
    std::uint32_t version = 0;
    archive.any(version);
    if (archive.failed() || version != kRowsVersion)
        return fail("the saved rows have an unsupported version");
    UnsavedRows rows;
    archiveHeader(archive, rows);
    std::uint64_t count = 0;
    archive.any(count);
    std::int64_t last = 0;
    for (std::uint64_t i = 0; i < count && !archive.failed(); ++i) {
        auto batch = std::make_shared<NumberedBatch>();
        archiveCounts(archive, batch->number);
        archiveRows(archive, batch->rows);
        batch->rows.bytes = std::min(batch->rows.bytes, bytes.size());
        if (!archive.failed() && batch->number <= std::exchange(last, batch->number))
            return fail("the saved rows are not in order");
        for (const auto& point : batch->rows.points)
            if (point.name >= rows.names.size()) return fail("the saved rows refer to an unknown curve");
        rows.batches.push_back(std::move(batch));
    }
    SEEDBED_TRY(archive.finish());
    return rows;
}

}  // namespace seedbed
