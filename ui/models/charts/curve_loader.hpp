// SPDX-License-Identifier: GPL-3.0-or-later
// Reads curves of runs over a selected x axis from the database.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <QString>

#include "core/analysis/curve_index.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::ui {

enum class XAxis : std::uint8_t {
    steps,       // agent decisions
    updates,     // updates of the network's parameters
    episodes,    // finished training episodes
    wall_time,   // seconds since the first process started, including pauses
    train_time,  // seconds of rollouts and updates, excluding pauses, evaluations and gaps between processes
    score,       // normalised score; not an axis of runs
};
inline constexpr std::array kXAxes{XAxis::steps, XAxis::updates, XAxis::episodes, XAxis::wall_time,
                                   XAxis::train_time};

// The name in settings and files: "steps".
const char* keyOf(XAxis axis);
// The displayed name: "Steps", "Training time (s)".
QString titleOf(XAxis axis);

// One metric of one run. `steps` contains the step of each point, for any x axis.
struct LoadedCurve {
    RunId run = 0;
    std::string metric;
    std::shared_ptr<const CurveIndex> curve;
    std::shared_ptr<const std::vector<double>> steps;
};

// Returns an empty curve if the metric is missing. Thread: any, with a separate reader. error: from the
// store. Updates and training time come from speed/updates_per_s (one row per update; the reciprocal is the
// update's duration), episodes from the episode table. A point between two rows gets the earlier row's value.
Result<LoadedCurve> loadCurve(StoreReader& reader, RunId run, const std::string& metric, XAxis axis);

// The x value of the last point at or before this step, for marks.
double xOfStep(const LoadedCurve& curve, double step);

}  // namespace seedbed::ui
