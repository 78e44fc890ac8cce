// SPDX-License-Identifier: Apache-2.0
// Reduces curves to the points that a chart of a given width needs.
#pragma once

#include "core/analysis/curve.hpp"

namespace seedbed {

// The points with low <= x <= high.
Curve withinRange(const Curve& curve, double low, double high);

// Returns at most four points per pixel column of [low, high], ordered by x (the first, lowest, highest and
// last of each column), which give the same pixels as the whole curve. Includes one neighbour on each side of
// the range, and one point with y = NaN per run of gaps. low < high, columns >= 1.
Curve reduceToColumns(const Curve& curve, double low, double high, int columns);

}  // namespace seedbed
