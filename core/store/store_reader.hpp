// SPDX-License-Identifier: Apache-2.0
// Read access to the database of a data folder. Reading never blocks a run: the connection is read-only and
// keeps no transaction open.
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
    // `keep_waiting` is called with the time waited so far whenever this or a later call waits for a lock;
    // returning false makes the call fail. By default, calls wait up to 30 s. Does not need write permission.
    // error: the folder has no database, or the database is damaged, from a newer version, or belongs to
    // another program.
    static Result<StoreReader> open(const std::filesystem::path& data_folder,
                                    std::function<bool(std::chrono::milliseconds)> keep_waiting = {});
    StoreReader(StoreReader&&) noexcept;
    StoreReader& operator=(StoreReader&&) noexcept;
    ~StoreReader();

    // Resolves an id or name of a run. error: config, with similar names.
    Result<RunId> resolveRun(std::string_view text);

    // Ordered by id; includes the trash (RunRecord::in_trash).
    Result<std::vector<RunRecord>> runs();
    Result<RunRecord> run(RunId run);
    // The runs whose status is `interrupted`, with RunRecord::updated. Much faster than runs().
    Result<std::vector<std::pair<RunId, double>>> interruptedRuns();
    Result<RunDetails> details(RunId run);
    // Configuration and auto settings; for lists, where calling details() for every run would be slow.
    Result<std::pair<Json, Json>> configOf(RunId run);
    // Seed and configuration of all runs of an environment and algorithm, including the trash.
    Result<std::vector<std::pair<std::uint64_t, Json>>> seededConfigs(std::string_view env,
                                                                      std::string_view algo);

    Result<std::vector<std::string>> metricNames(RunId run);  // sorted
    Result<std::vector<MetricEnd>> metricEnds(RunId run);     // sorted by name
    // error: config for an unknown name, with a similar one.
    Result<MetricCurve> metric(RunId run, std::string_view name);
    // Returns at most about `max_stretches` groups, or single points if the curve has no more points than
    // that.
    Result<MetricSummary> metricSummary(RunId run, std::string_view name, std::size_t max_stretches);
    // The latest episodes that ended at a step <= until_step, oldest first.
    Result<std::vector<EpisodeRecord>> episodes(RunId run, std::size_t newest = SIZE_MAX,
                                                std::int64_t until_step = INT64_MAX);
    Result<std::int64_t> episodeCount(RunId run);
    Result<std::vector<EvaluationRecord>> evaluations(RunId run);
    Result<std::vector<CheckpointRecord>> checkpoints(RunId run);
    // Of each run that has stored checkpoints the best one, otherwise the newest; ordered by run.
    Result<std::vector<std::pair<RunId, CheckpointRecord>>> bestCheckpoints();
    Result<std::vector<EventRecord>> events(RunId run);
    // Ordered by step.
    Result<std::vector<SettingChange>> settingChanges(RunId run);
    Result<std::vector<ArtifactRecord>> artifacts(RunId run);
    Result<QueueState> queue();
    // The last status written by the run's process, even if that process no longer exists.
    Result<RunStatus> writtenStatus(RunId run);

    // Changes with every commit by another connection; cheap enough to poll 15 times per second.
    Result<std::int64_t> dataVersion();

private:
    struct Impl;
    explicit StoreReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
