// SPDX-License-Identifier: Apache-2.0
// Several runs of one configuration as one line with a band.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/curve.hpp"

namespace seedbed {

struct AggregateOptions {
    int max_points = 200;  // of the common grid
    double confidence = 0.95;
    int resamples = 2000;
    std::uint64_t seed = 0;  // fixes the resamples
};

// All lists have one element per grid point. n counts the runs that have reached it; low and high are NaN for n < 2.
struct Aggregate {
    std::vector<double> x;
    std::vector<double> centre;  // interquartile mean for n >= 4, else mean
    std::vector<double> low, high;
    std::vector<int> n;
};

// Each run is brought to a common grid of x: the mean of its points in a grid cell, else the line between its neighbours; nothing beyond
// its first and last point. The band is the percentile bootstrap interval of the centre over runs (Agarwal et al., "Deep Reinforcement
// Learning at the Edge of the Statistical Precipice", 2021). Independent of the order of runs. Thread: any.
Aggregate aggregate(std::span<const Curve> runs, const AggregateOptions& options);

// Interquartile mean for four values or more, else the mean: what tables and bands show. `values` is reordered. 0 when empty.
double centreOf(std::span<double> values);

}  // namespace seedbed
