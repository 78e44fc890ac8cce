// SPDX-License-Identifier: Apache-2.0
// Questions to the database of a data folder. Looking never disturbs a run: the connection cannot write and
// holds no transaction open.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Thread: one owner at a time. Only live rows are returned, never superseded ones.
class StoreReader {
public:
    // error: there is no database in the folder, it is damaged, from a newer version or not one of this
    // program. A folder without write permission can be read. `keep_waiting`: asked, at this call and all
    // later ones, while another program holds a lock, with the time waited so far; false ends the call with
    // an error. Without it calls wait up to 30 s.
    static Result<StoreReader> open(const std::filesystem::path& data_folder,
                                    std::function<bool(std::chrono::milliseconds)> keep_waiting = {});
    StoreReader(StoreReader&&) noexcept;
    StoreReader& operator=(StoreReader&&) noexcept;
    ~StoreReader();

    // RUN as people type it: an id or a name. error: config, with the nearest names.
    Result<RunId> resolveRun(std::string_view text);

    // In order of ids, the bin included (RunRecord::in_trash).
    Result<std::vector<RunRecord>> runs();
    Result<RunRecord> run(RunId run);
    Result<RunDetails> details(RunId run);
    // Configuration and auto settings alone: for lists, where the details of every run would be too much.
    Result<std::pair<Json, Json>> configOf(RunId run);
    // Seed and configuration of all runs of an environment and algorithm, those in the bin included.
    Result<std::vector<std::pair<std::uint64_t, Json>>> seededConfigs(std::string_view env,
                                                                      std::string_view algo);

    Result<std::vector<std::string>> metricNames(RunId run);  // sorted
    // error: config for an unknown name, with the nearest one.
    Result<MetricCurve> metric(RunId run, std::string_view name);
    // About `max_stretches` or fewer (down to one point each when there are not more points).
    Result<MetricSummary> metricSummary(RunId run, std::string_view name, std::size_t max_stretches);
    // The newest ones of those that ended at a step <= until_step, oldest first.
    Result<std::vector<EpisodeRecord>> episodes(RunId run, std::size_t newest = SIZE_MAX,
                                                std::int64_t until_step = INT64_MAX);
    Result<std::int64_t> episodeCount(RunId run);
    Result<std::vector<EvaluationRecord>> evaluations(RunId run);
    Result<std::vector<CheckpointRecord>> checkpoints(RunId run);
    Result<std::vector<EventRecord>> events(RunId run);
    Result<std::vector<ArtifactRecord>> artifacts(RunId run);
    Result<QueueState> queue();
    // The state as its process wrote it last, whether that process still lives or not.
    Result<RunStatus> writtenStatus(RunId run);

    // Changes when anything was committed by any process: cheap to ask 15 times a second.
    Result<std::int64_t> dataVersion();

private:
    struct Impl;
    explicit StoreReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
