// SPDX-License-Identifier: Apache-2.0
// Combines several runs of one configuration into one line with a band.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/analysis/curve.hpp"

namespace seedbed {

struct AggregateOptions {
    int cells_per_doubling = 256;  // doubling of x; the last cell of a curve spans 1/512 to 1/256 of its x
    double confidence = 0.95;
    int resamples = 2000;
    std::uint64_t seed = 0;  // determines the resamples
};

// All lists have one element per grid point; `low` and `high` are NaN if n < 2.
struct Aggregate {
    std::vector<double> x;
    std::vector<double> centre;  // interquartile mean if n >= 4, otherwise the mean
    std::vector<double> low, high;
    std::vector<int> n;  // number of runs with a value at this point
};

// Combines runs on a common grid of cells in x (see aggregate.cpp). The band is the percentile bootstrap
// interval of the centre over runs; bandCoverage() gives its accuracy with few runs. The order of runs has no
// effect. The result is incomplete after a stop request. Thread: any.
Aggregate aggregate(std::span<const Curve> runs, const AggregateOptions& options,
                    const std::stop_token& stop = {});

// Probability that the band over `runs` runs with normally distributed scores contains the true centre: 0.5
// for two, 0.75 for three, 0.88 for four, about the nominal 0.95 for ten or more; 0 below two. The band
// cannot exceed the range of the runs.
double bandCoverage(std::size_t runs);

// Interquartile mean of four or more values, otherwise the mean; 0 if empty. Reorders `values`.
double centreOf(std::span<double> values);
// Weight of each of `count` sorted values in centreOf(); the weights sum to 1.
std::vector<double> centreWeights(std::size_t count);

}  // namespace seedbed
