// SPDX-License-Identifier: Apache-2.0
#include "core/store/metric_log.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed {

Result<BlockTable> BlockTable::open(Database& database) {
    BlockTable table;
    table.database_ = &database;
    SEEDBED_ASSIGN(
        table.block_,
        database.prepare("INSERT INTO metric_blocks (series_id, ordinal, segment, superseded_by, points, "
                         "first_step, last_step, first_time, last_time, min, max, "
                         "mean, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"));
    SEEDBED_ASSIGN(table.bucket_,
                   database.prepare("INSERT INTO metric_buckets (block_id, number, points, first_step, "
                                    "last_step, first_time, last_time, min, max, mean) "
                                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    return table;
}

Result<> BlockTable::insert(std::int64_t series, std::int64_t ordinal, std::int64_t segment,
                            std::int64_t superseded_by, std::span<const MetricPoint> points) {
    while (!points.empty()) {
        const auto block = points.first(std::min(points.size(), kBlockPoints));
        points = points.subspan(block.size());
        const MetricRange range = rangeOf(block);
        std::int64_t id = 0;
        SEEDBED_TRY(block_.each([&] { id = block_.integer(0); }, series, ordinal, segment, superseded_by,
                                static_cast<std::int64_t>(block.size()), block.front().step,
                                block.back().step, block.front().time, block.back().time, range.min,
                                range.max, range.mean, std::span<const std::byte>(encodeBlock(block))));
        ordinal += static_cast<std::int64_t>(block.size());
        if (superseded_by != 0) continue;
        for (std::size_t begin = 0; begin < block.size(); begin += kBucketPoints) {
            const auto bucket = block.subspan(begin, std::min(kBucketPoints, block.size() - begin));
            const MetricRange part = rangeOf(bucket);
            SEEDBED_TRY(bucket_.run(id, static_cast<std::int64_t>(begin / kBucketPoints),
                                    static_cast<std::int64_t>(bucket.size()), bucket.front().step,
                                    bucket.back().step, bucket.front().time, bucket.back().time, part.min,
                                    part.max, part.mean));
        }
    }
    return {};
}

Result<MetricLog> MetricLog::open(Database& database, RunId run, std::int64_t segment) {
    MetricLog log;
    log.run_ = run;
    log.segment_ = segment;
    SEEDBED_ASSIGN(log.blocks_, BlockTable::open(database));
    SEEDBED_ASSIGN(log.insert_series_,
                   database.prepare("INSERT OR IGNORE INTO metric_series (run_id, name) VALUES (?, ?)"));
    SEEDBED_ASSIGN(
        log.find_series_,
        database.prepare("SELECT id, points, min, max FROM metric_series WHERE run_id = ? AND name = ?"));
    SEEDBED_ASSIGN(
        log.load_tail_,
        database.prepare(
            "SELECT ordinal, step, time, value FROM metric_tail WHERE series_id = ? ORDER BY ordinal"));
    SEEDBED_ASSIGN(log.insert_tail_, database.prepare("INSERT INTO metric_tail (series_id, ordinal, segment, "
                                                      "step, time, value) VALUES (?, ?, ?, ?, ?, ?)"));
    SEEDBED_ASSIGN(log.clear_tail_, database.prepare("DELETE FROM metric_tail WHERE series_id = ?"));
    SEEDBED_ASSIGN(log.update_series_, database.prepare("UPDATE metric_series SET points = ?, last_step = ?, "
                                                        "last_value = ?, min = ?, max = ? WHERE id = ?"));
    SEEDBED_ASSIGN(
        log.next_ordinal_,
        database.prepare(
            "SELECT ordinal + points FROM metric_blocks WHERE series_id = ? ORDER BY ordinal DESC LIMIT 1"));
    return log;
}

Result<std::size_t> MetricLog::series(const std::string& name) {
    if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
    Series series;
    SEEDBED_TRY(insert_series_.run(run_, name));
    SEEDBED_TRY(find_series_.each(
        [&] {
            series.id = find_series_.integer(0);
            series.total = find_series_.integer(1);
            series.min = find_series_.optionalReal(2);
            series.max = find_series_.optionalReal(3);
        },
        run_, name));
    SEEDBED_TRY(next_ordinal_.each([&] { series.ordinal = next_ordinal_.integer(0); }, series.id));
    SEEDBED_TRY(load_tail_.each(
        [&] {
            if (series.points.empty()) series.ordinal = load_tail_.integer(0);
            series.points.push_back({load_tail_.integer(1), load_tail_.real(2), load_tail_.real(3)});
        },
        series.id));
    series.stored = series.points.size();
    series_.push_back(std::move(series));
    by_name_.emplace(name, series_.size() - 1);
    return series_.size() - 1;
}

Result<> MetricLog::write() {
    for (Series& series : series_)
        if (series.points.size() > series.stored) SEEDBED_TRY(writeSeries(series));
    return {};
}

Result<> MetricLog::writeSeries(Series& series) {
    auto& points = series.points;
    const MetricPoint last = points.back();
    const auto fresh = std::span(points).subspan(series.stored);
    series.total += static_cast<std::int64_t>(fresh.size());
    for (const auto& point : fresh) {
        if (!std::isfinite(point.value)) continue;
        series.min = std::min(series.min.value_or(point.value), point.value);
        series.max = std::max(series.max.value_or(point.value), point.value);
    }
    if (const std::size_t sealed = points.size() / kBlockPoints * kBlockPoints; sealed > 0) {
        if (series.stored > 0) SEEDBED_TRY(clear_tail_.run(series.id));
        SEEDBED_TRY(blocks_.insert(series.id, series.ordinal, segment_, 0, std::span(points).first(sealed)));
        points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(sealed));
        series.ordinal += static_cast<std::int64_t>(sealed);
        series.stored = 0;
    }
    for (; series.stored < points.size(); ++series.stored) {
        const MetricPoint& point = points[series.stored];
        SEEDBED_TRY(insert_tail_.run(series.id, series.ordinal + static_cast<std::int64_t>(series.stored),
                                     segment_, point.step, point.time, point.value));
    }
    return update_series_.run(series.total, last.step, last.value, series.min, series.max, series.id);
}

namespace {

struct StoredBlock {
    std::int64_t id = 0, ordinal = 0, segment = 0, first_step = 0, last_step = 0;
    std::vector<std::byte> data;
};

// Writes both sides of a cut as blocks; either side may be empty. The live side comes first because steps
// never decrease.
Result<> insertCut(BlockTable& table, std::int64_t series, std::int64_t ordinal, std::int64_t segment,
                   std::int64_t step, std::int64_t superseded_by, std::span<const MetricPoint> points) {
    const auto cut = std::partition_point(points.begin(), points.end(),
                                          [&](const auto& point) { return point.step <= step; });
    const auto live = static_cast<std::size_t>(cut - points.begin());
    SEEDBED_TRY(table.insert(series, ordinal, segment, 0, points.first(live)));
    return table.insert(series, ordinal + static_cast<std::int64_t>(live), segment, superseded_by,
                        points.subspan(live));
}

// Supersedes blocks beyond `step`; a block that contains `step` is split in two.
Result<> cutBlocks(Database& database, BlockTable& table, std::int64_t series, std::int64_t step,
                   std::int64_t superseded_by) {
    SEEDBED_ASSIGN(Statement find,
                   database.prepare(
                       "SELECT id, ordinal, segment, first_step, data FROM metric_blocks WHERE series_id = ? "
                       "AND superseded_by = 0 AND last_step > ?"));
    SEEDBED_ASSIGN(Statement supersede,
                   database.prepare("UPDATE metric_blocks SET superseded_by = ? WHERE id = ?"));
    SEEDBED_ASSIGN(Statement drop_buckets, database.prepare("DELETE FROM metric_buckets WHERE block_id = ?"));
    SEEDBED_ASSIGN(Statement drop_block, database.prepare("DELETE FROM metric_blocks WHERE id = ?"));
    std::vector<StoredBlock> found;
    SEEDBED_TRY(find.each(
        [&] {
            StoredBlock block{find.integer(0), find.integer(1), find.integer(2), find.integer(3), 0, {}};
            if (block.first_step <= step) block.data.assign(find.blob(4).begin(), find.blob(4).end());
            found.push_back(std::move(block));
        },
        series, step));
    for (const auto& block : found) {
        SEEDBED_TRY(drop_buckets.run(block.id));
        if (block.first_step > step) {
            SEEDBED_TRY(supersede.run(superseded_by, block.id));
            continue;
        }
        std::vector<std::int64_t> steps;
        std::vector<double> times, values;
        SEEDBED_TRY(decodeBlock(block.data, steps, times, values));
        std::vector<MetricPoint> points;
        for (std::size_t i = 0; i < steps.size(); ++i) points.push_back({steps[i], times[i], values[i]});
        SEEDBED_TRY(drop_block.run(block.id));
        SEEDBED_TRY(insertCut(table, series, block.ordinal, block.segment, step, superseded_by, points));
    }
    return {};
}

Result<> cutTail(Database& database, BlockTable& table, std::int64_t series, std::int64_t step,
                 std::int64_t superseded_by) {
    SEEDBED_ASSIGN(Statement load, database.prepare("SELECT ordinal, segment, step, time, value FROM "
                                                    "metric_tail WHERE series_id = ? ORDER BY ordinal"));
    SEEDBED_ASSIGN(Statement clear, database.prepare("DELETE FROM metric_tail WHERE series_id = ?"));
    std::vector<MetricPoint> points;
    std::int64_t ordinal = 0, segment = 0;
    SEEDBED_TRY(load.each(
        [&] {
            if (points.empty()) {
                ordinal = load.integer(0);
                segment = load.integer(1);
            }
            points.push_back({load.integer(2), load.real(3), load.real(4)});
        },
        series));
    SEEDBED_TRY(clear.run(series));
    return insertCut(table, series, ordinal, segment, step, superseded_by, points);
}

// After a cut, recomputes the totals of a curve from its live blocks.
Result<> refreshSeries(Database& database, std::int64_t series) {
    SEEDBED_ASSIGN(Statement last, database.prepare("SELECT data FROM metric_blocks WHERE series_id = ? AND "
                                                    "superseded_by = 0 ORDER BY ordinal DESC LIMIT 1"));
    SEEDBED_ASSIGN(
        Statement update,
        database.prepare(
            "UPDATE metric_series SET (points, min, max) = (SELECT coalesce(sum(points), 0), min(min), "
            "max(max) FROM metric_blocks "
            "WHERE series_id = ?1 AND superseded_by = 0), last_step = ?2, last_value = ?3 WHERE id = ?1"));
    std::vector<std::byte> data;
    SEEDBED_TRY(last.each([&] { data.assign(last.blob(0).begin(), last.blob(0).end()); }, series));
    std::vector<std::int64_t> steps;
    std::vector<double> times, values;
    if (!data.empty()) SEEDBED_TRY(decodeBlock(data, steps, times, values));
    return update.run(series, steps.empty() ? std::int64_t{0} : steps.back(),
                      values.empty() ? std::optional<double>() : values.back());
}

}  // namespace

Result<> supersedeMetrics(Database& database, RunId run, std::int64_t step, std::int64_t superseded_by) {
    SEEDBED_ASSIGN(BlockTable table, BlockTable::open(database));
    SEEDBED_ASSIGN(Statement list, database.prepare("SELECT id FROM metric_series WHERE run_id = ?"));
    std::vector<std::int64_t> ids;
    SEEDBED_TRY(list.each([&] { ids.push_back(list.integer(0)); }, run));
    for (const std::int64_t series : ids) {
        SEEDBED_TRY(cutBlocks(database, table, series, step, superseded_by));
        SEEDBED_TRY(cutTail(database, table, series, step, superseded_by));
        SEEDBED_TRY(refreshSeries(database, series));
    }
    return {};
}

}  // namespace seedbed
