// SPDX-License-Identifier: Apache-2.0
// Several runs of one configuration as one line with a band.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/curve.hpp"

namespace seedbed {

struct AggregateOptions {
    int cells_per_doubling = 256;  // of x: at the end of a curve a cell is 1/512 to 1/256 of its length
    double confidence = 0.95;
    int resamples = 2000;
    std::uint64_t seed = 0;  // fixes the resamples
};

// All lists have one element per grid point. n counts the runs that have reached it; low and high are NaN for
// n < 2.
struct Aggregate {
    std::vector<double> x;
    std::vector<double> centre;  // interquartile mean for n >= 4, else mean
    std::vector<double> low, high;
    std::vector<int> n;
};

// Each run is brought to common cells of x: the mean of its points in a cell, else the line between its
// neighbours; nothing beyond its first and last point, and nothing where one of the neighbours is a gap. The
// cells lie fixed on the number line (each doubling of x is divided evenly), so later points change no
// earlier number: only the newest cell of each run is still being filled. A cell stands at the one x that
// occurs in it, else in the middle of those; the first and the last one at the first and the last x. The band
// is the percentile bootstrap interval of the centre over runs (Agarwal et al., "Deep Reinforcement Learning
// at the Edge of the Statistical Precipice", 2021); it cannot leave the range of the runs, and so holds the
// true centre of normal scores less often than it says below ten runs (bandCoverage). Independent of the
// order of runs. Thread: any. What is returned after a stop is not complete.
Aggregate aggregate(std::span<const Curve> runs, const AggregateOptions& options,
                    const std::stop_token& stop = {});

// How often the band over so many runs of normal scores holds the true centre: 0.5 for two, 0.75 for three,
// 0.88 for four ... 0.95 from ten runs on, where it is about what it says; 0 below two.
double bandCoverage(std::size_t runs);
// That in a sentence for people who look at the band; "" from ten runs on and below two.
std::string bandText(std::size_t runs);

// Interquartile mean for four values or more, else the mean: what tables and bands show. `values` is
// reordered. 0 when empty.
double centreOf(std::span<double> values);
// What each of `count` sorted values weighs in centreOf(); they sum to 1.
std::vector<double> centreWeights(std::size_t count);

}  // namespace seedbed
