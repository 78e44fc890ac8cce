// SPDX-License-Identifier: Apache-2.0
// Curves in the tables: new points go to the tail, every 512 of them are sealed into a block in the same
// transaction. Inner part of core/store.
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

// Writes blocks with their buckets.
class BlockTable {
public:
    static Result<BlockTable> open(Database& database);
    // Seals `points` as blocks of at most 512, the first point being number `ordinal` of its curve. Buckets
    // are made for live points only.
    Result<> insert(std::int64_t series, std::int64_t ordinal, std::int64_t segment,
                    std::int64_t superseded_by, std::span<const MetricPoint> points);

private:
    Database* database_ = nullptr;
    Statement block_, bucket_;
};

// The curves of one run while it is written. After a transaction that failed, make a new one: what it
// remembers is then not in the tables.
class MetricLog {
public:
    static Result<MetricLog> open(Database& database, RunId run, std::int64_t segment);

    // Number of the curve for append(); makes it when there is none.
    Result<std::size_t> series(const std::string& name);
    void append(std::size_t series, MetricPoint point) { series_[series].points.push_back(point); }
    // Writes what was appended; inside the caller's transaction.
    Result<> write();

private:
    struct Series {
        std::int64_t id = 0;
        std::int64_t ordinal = 0;         // of points[0]
        std::size_t stored = 0;           // points[0..stored) are in the tail
        std::vector<MetricPoint> points;  // not sealed yet
        std::int64_t total = 0;           // live points before those that are not stored
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

// Ends the curves of a run at `step`, for the segment `superseded_by` that begins there: points beyond become
// superseded blocks, what stays of the tail is sealed. Inside the caller's transaction.
Result<> supersedeMetrics(Database& database, RunId run, std::int64_t step, std::int64_t superseded_by);

}  // namespace seedbed
