// SPDX-License-Identifier: Apache-2.0
// Detects a collapse: a lasting decrease of the return, as opposed to noise.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/analysis/curve.hpp"

namespace seedbed {

// Means of the best and the last window; all windows have the same number of points.
struct Collapse {
    double best = 0, now = 0;
    double half = 0;         // midpoint between the best mean and the return without skill
    double best_x = 0;       // middle of the best window
    std::size_t window = 0;  // number of points in a window
};

// Detects that the last window is far below the best one and that noise is not the cause (criteria in
// collapse.cpp). floor: returns without skill; empty: the first window. Skips points that are not finite.
// window >= 1; at least four windows of points are required. Thread: any.
std::optional<Collapse> findCollapse(const Curve& returns, std::size_t window, std::span<const double> floor);

// One evaluation of a run.
struct EvaluationPoint {
    double step = 0;
    double mean = 0, std = 0;  // mean and standard deviation over its episodes
    std::size_t episodes = 0;
};

// As above, for windows of three evaluations. Because three are few, each of the last three must be at most
// Collapse::half, and the decrease must be at least five standard errors, computed from the episodes of both
// windows. floor: the return without skill; nullopt: the return of the first window.
std::optional<Collapse> findCollapse(std::span<const EvaluationPoint> evaluations,
                                     std::optional<double> floor);

}  // namespace seedbed
