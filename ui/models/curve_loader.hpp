// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of runs over the x axis that was chosen, read from the database on a reading thread.
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
    updates,     // of the parameters
    episodes,    // finished training episodes
    wall_time,   // seconds since its first process began, pauses and nights included
    train_time,  // seconds spent on rollouts and updates: without pauses, evaluations and time between
                 // processes
};
inline constexpr std::array kXAxes{XAxis::steps, XAxis::updates, XAxis::episodes, XAxis::wall_time,
                                   XAxis::train_time};

// For settings and files: "steps".
const char* keyOf(XAxis axis);
// For people: "Steps", "Training time (s)".
QString titleOf(XAxis axis);

// One metric of one run. `steps` has the step of each point of the curve, whatever the x axis is.
struct LoadedCurve {
    RunId run = 0;
    std::string metric;
    std::shared_ptr<const CurveIndex> curve;
    std::shared_ptr<const std::vector<double>> steps;
};

// Thread: any, with its own reader. A metric the run does not have (yet) is an empty curve. error: the
// store's.
//
// Updates and training time are counted in the rows of speed/updates_per_s, of which every update writes one:
// its reciprocal is the time the update took. Episodes are counted in the table of episodes. A point between
// two of these rows has the value of the earlier one.
Result<LoadedCurve> loadCurve(StoreReader& reader, RunId run, const std::string& metric, XAxis axis);

// x of a step, for marks: the x of the curve's point at or before it.
double xOfStep(const LoadedCurve& curve, double step);

}  // namespace seedbed::ui
