// SPDX-License-Identifier: Apache-2.0
// Writes curves to the tables: new points are appended to the tail, and every 512 points become a block in
// the same transaction. Internal to core/store.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/store/database.hpp"
#include "core/store/metric_block.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Writes blocks and their buckets.
class BlockTable {
public:
    static Result<BlockTable> open(Database& database);
    // Writes `points` as blocks of at most 512; the first point has number `ordinal` in its curve. Only live
    // points get buckets.
    Result<> insert(std::int64_t series, std::int64_t ordinal, std::int64_t segment,
                    std::int64_t superseded_by, std::span<const MetricPoint> points);

private:
    Database* database_ = nullptr;
    Statement block_, bucket_;
};

// The curves of a run that is being written. Discard this object after a failed transaction: its state is
// then ahead of the tables.
class MetricLog {
public:
    static Result<MetricLog> open(Database& database, RunId run, std::int64_t segment);

    // Number of the curve for append(); creates the curve if it is missing.
    Result<std::size_t> series(const std::string& name);
    void append(std::size_t series, MetricPoint point) { series_[series].points.push_back(point); }
    // Writes the appended points. Call within a transaction.
    Result<> write();

private:
    struct Series {
        std::int64_t id = 0;
        std::int64_t ordinal = 0;         // ordinal of points[0]
        std::size_t stored = 0;           // points[0..stored) are in the tail
        std::vector<MetricPoint> points;  // not in a block yet
        std::int64_t total = 0;           // stored live points
        std::optional<double> min, max;
    };

    Result<> writeSeries(Series& series);

    RunId run_ = 0;
    std::int64_t segment_ = 0;
    std::vector<Series> series_;
    std::map<std::string, std::size_t> by_name_;
    BlockTable blocks_;
    Statement insert_series_, find_series_, load_tail_, insert_tail_, clear_tail_, update_series_,
        next_ordinal_;
};

// Cuts the curves of a run at `step`, where segment `superseded_by` begins: later points become superseded
// blocks, and the rest of the tail becomes a block. Call within a transaction.
Result<> supersedeMetrics(Database& database, RunId run, std::int64_t step, std::int64_t superseded_by);

}  // namespace seedbed
