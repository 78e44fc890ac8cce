// SPDX-License-Identifier: Apache-2.0
// Summary statistics of samples for evaluations, tables and comparisons.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace seedbed {

struct Summary {
    std::size_t n = 0;
    double mean = 0;
    double std = 0;  // sample standard deviation (n - 1), 0 for n < 2
    double iqm = 0;  // mean of the middle half; fractional weights at the edges (Agarwal et al. 2021)
    // 95 % percentile bootstrap interval of the mean, 2,000 resamples, fixed seed.
    double ci_low = 0, ci_high = 0;
    double min = 0, max = 0;
};

// The caller removes NaN. All zero for an empty span.
Summary summarise(std::span<const double> values);

double interquartileMean(std::vector<double> values);
// Percentile bootstrap interval of the mean; `seed` determines the resamples.
std::pair<double, double> bootstrapMean(std::span<const double> values, double confidence = 0.95,
                                        int resamples = 2000, std::uint64_t seed = 0);

// Score interval of a probability after `successes` of `trials`, which need not be whole numbers (Wilson
// 1927, "Probable Inference, the Law of Succession, and Statistical Inference"). {0, 1} if `trials` is 0.
std::pair<double, double> wilsonInterval(double successes, double trials);  // 95 %

}  // namespace seedbed
