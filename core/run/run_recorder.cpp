// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_recorder.hpp"

namespace seedbed {

void recordIteration(RunWriter& writer, RunCounters& counters, const SessionPlan& plan,
                     const Progress& progress, const IterationStats& stats, double row_time,
                     double trained_s) {
    const auto steps = static_cast<std::int64_t>(progress.steps);
    std::vector<EpisodeRecord> episodes;
    double sum = 0, length = 0;
    for (const EpisodeEnd& end : stats.episodes) {
        episodes.push_back({.step = steps,
                            .time = row_time,
                            .episode_return = end.episode_return,
                            .length = end.length,
                            .column = end.column});
        sum += end.episode_return;
        length += end.length;
        ++counters.episodes_since_evaluation;
        counters.addReturn(end.episode_return);
    }
    writer.episodes(episodes);

    std::vector<RunWriter::Value> values;
    for (const auto& [name, value] : stats.update.metrics) values.push_back({name, value});
    for (const auto& [name, value] : stats.metrics) values.push_back({name, value});
    const double n = static_cast<double>(stats.episodes.size());
    if (n > 0) {
        values.push_back({"episode/return", sum / n});
        values.push_back({"episode/length", length / n});
    }
    const double wall_s = stats.rollout_s + stats.learn_s;
    const double rate = static_cast<double>(stats.decisions) / wall_s;
    values.push_back({"speed/env_steps_per_s", rate});
    values.push_back({"speed/frames_per_s", rate * plan.env.frames_per_step});
    values.push_back({"speed/updates_per_s", 1 / wall_s});
    const auto times = stats.times.metrics();  // must outlive the values, which refer to its names
    for (const auto& [name, value] : times) values.push_back({name, value});
    writer.metrics(steps, row_time, values);
    writer.progress(runProgress(plan, progress, trained_s));
}

RunProgress runProgress(const SessionPlan& plan, const Progress& progress, double trained_s) {
    const auto steps = static_cast<std::int64_t>(progress.steps);
    return {.steps = steps,
            .frames = steps * plan.env.frames_per_step,
            .updates = static_cast<std::int64_t>(progress.updates),
            .train_seconds = trained_s};
}

EvaluationRecord evaluationRecord(const EvaluationResult& result) {
    const Summary& s = result.summary;
    EvaluationRecord record;
    record.mean = s.mean;
    record.std = s.std;
    record.iqm = s.iqm;
    record.ci95_low = s.ci_low;
    record.ci95_high = s.ci_high;
    record.min = s.min;
    record.max = s.max;
    for (const EpisodeResult& e : result.episodes) record.episodes.push_back({e.episode_return, e.length});
    return record;
}

CheckpointRecord checkpointRecord(const CheckpointInfo& info, const std::filesystem::path& data_folder) {
    return {.step = info.step,
            .time = info.time,
            .updates = info.updates,
            .folder = info.folder.lexically_relative(data_folder).string(),
            .bytes = static_cast<std::int64_t>(info.bytes),
            .params_sha256 = info.params_sha256,
            .score = info.score,
            .best = info.best,
            .milestone = info.milestone};
}

}  // namespace seedbed
