// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/base/rng.hpp"

namespace seedbed {

double interquartileMean(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    // Sample i covers [i, i + 1) of n; its part in [n/4, 3n/4) counts.
    const double n = static_cast<double>(values.size());
    const double low = n / 4;
    const double high = 3 * n / 4;
    double sum = 0;
    double weight = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double begin = static_cast<double>(i);
        const double w = std::clamp(std::min(begin + 1, high) - std::max(begin, low), 0.0, 1.0);
        sum += w * values[i];
        weight += w;
    }
    return sum / weight;
}

std::pair<double, double> bootstrapMean(std::span<const double> values, double confidence, int resamples,
                                        std::uint64_t seed) {
    if (values.empty() || resamples < 1) return {0, 0};
    Rng rng(seed, RngPurpose::analysis);
    std::vector<double> means(static_cast<std::size_t>(resamples));
    for (double& mean : means) {
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            sum += values[rng.below(static_cast<std::uint32_t>(values.size()))];
        mean = sum / static_cast<double>(values.size());
    }
    std::sort(means.begin(), means.end());
    // Linear interpolation between order statistics.
    const auto quantile = [&](double q) {
        const double at = q * static_cast<double>(means.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, means.size() - 1);
        return means[below] + (at - static_cast<double>(below)) * (means[above] - means[below]);
    };
    return {quantile((1 - confidence) / 2), quantile((1 + confidence) / 2)};
}

std::pair<double, double> wilsonInterval(double successes, double trials) {
    if (trials <= 0) return {0, 1};
    constexpr double z = 1.959963984540054;  // 97.5 % quantile of the standard normal distribution
    const double share = successes / trials, scale = 1 + z * z / trials;
    const double middle = (share + z * z / (2 * trials)) / scale;
    const double half = z * std::sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / scale;
    return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

Summary summarise(std::span<const double> values) {
    Summary s;
    s.n = values.size();
    if (values.empty()) return s;
    s.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(s.n);
    double squares = 0;
    for (const double v : values) squares += (v - s.mean) * (v - s.mean);
    s.std = s.n > 1 ? std::sqrt(squares / static_cast<double>(s.n - 1)) : 0;
    s.iqm = interquartileMean({values.begin(), values.end()});
    std::tie(s.ci_low, s.ci_high) = bootstrapMean(values);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    s.min = *low;
    s.max = *high;
    return s;
}

}  // namespace seedbed
