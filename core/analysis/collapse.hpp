// SPDX-License-Identifier: Apache-2.0
// A lasting fall of a curve of returns: what the training doctor calls a collapse, told apart from the noise
// of single points.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/analysis/curve.hpp"

namespace seedbed {

// Means of two windows of equally many points: the best one and the last one.
struct Collapse {
    double best = 0, now = 0;
    double half = 0;         // between the best and what there was without skill
    double best_x = 0;       // the middle of the best window
    std::size_t window = 0;  // points
};

// The last window fell far below the best one when
// - something had been gained: nine of ten pairs of a point of the best window and of `floor` are in order;
// - at least half of it is lost: now <= (best + mean of floor) / 2;
// - single points do not explain it: nine of ten pairs of a point of the best window and of the last one are
// in order (ties half; the
//   probability of superiority, so that neither outliers nor the scale matter).
// For 20 points or more that differ by chance alone the last means four standard deviations of that share or
// more. floor: returns without any skill; empty: the first window stands for them. Gaps do not count. window
// >= 1; fewer than four windows of points are no trend. Thread: any.
std::optional<Collapse> findCollapse(const Curve& returns, std::size_t window, std::span<const double> floor);

// One evaluation of a run.
struct EvaluationPoint {
    double step = 0;
    double mean = 0, std = 0;  // over its episodes
    std::size_t episodes = 0;
};

// As above over windows of three evaluations. Three are few, so all of the last must have lost half, and the
// fall must be five standard errors, known from the episodes of both windows. floor: the return without any
// skill; none: the first window's.
std::optional<Collapse> findCollapse(std::span<const EvaluationPoint> evaluations,
                                     std::optional<double> floor);

}  // namespace seedbed
