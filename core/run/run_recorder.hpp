// SPDX-License-Identifier: Apache-2.0
// Creates database rows from the results of updates and evaluations.
#pragma once

#include <filesystem>

#include "core/checkpoint/checkpoint.hpp"
#include "core/run/run_counters.hpp"
#include "core/session/session.hpp"
#include "core/store/run_writer.hpp"

namespace seedbed {

// Queues the metric, episode and progress rows of an update, and adds its episodes to the counters.
// `row_time`: seconds since 1970; `trained_s`: training time of the run in seconds.
void recordIteration(RunWriter& writer, RunCounters& counters, const SessionPlan& plan,
                     const Progress& progress, const IterationStats& stats, double row_time,
                     double trained_s);

// The totals that `seedbed list` shows.
RunProgress runProgress(const SessionPlan& plan, const Progress& progress, double trained_s);

// The row of an evaluation. The caller sets step, time, seed, selection and version of the parameters.
EvaluationRecord evaluationRecord(const EvaluationResult& result);

// The database row of a complete checkpoint.
CheckpointRecord checkpointRecord(const CheckpointInfo& info, const std::filesystem::path& data_folder);

}  // namespace seedbed
