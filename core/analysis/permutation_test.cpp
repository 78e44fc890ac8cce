// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/permutation_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/analysis/aggregate.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

constexpr double kMaxSplits = 20'000;
constexpr double kMaxIntervalSplits = 2'000;
constexpr int kBisections = 25;

// C(n, k); infinity if too large for a double.
double splitsOf(std::size_t n, std::size_t k) {
    double ways = 1;
    for (std::size_t i = 1; i <= k; ++i)
        ways = ways * static_cast<double>(n - k + i) / static_cast<double>(i);
    return std::round(ways);
}

// Distance between two sides: |difference of the centres|, and the difference of the means in the same
// direction, which orders splits with equal centres.
struct Distance {
    double centres = 0, means = 0;
};

// same: tolerance for sums of the same numbers in a different order.
Distance distanceOf(double centres, double means, double same) {
    return {std::abs(centres),
            std::abs(centres) <= same ? std::abs(means) : std::copysign(1.0, centres) * means};
}

Distance distance(const std::vector<double>& all, const std::vector<char>& chosen,
                  const std::vector<double>& of_chosen, const std::vector<double>& of_others, double same) {
    double centres = 0;
    double chosen_sum = 0;
    double other_sum = 0;
    std::size_t chosen_count = 0;
    std::size_t other_count = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        centres += all[i] * (chosen[i] != 0 ? of_chosen[chosen_count++] : -of_others[other_count++]);
        (chosen[i] != 0 ? chosen_sum : other_sum) += all[i];
    }
    return distanceOf(
        centres,
        chosen_sum / static_cast<double>(chosen_count) - other_sum / static_cast<double>(other_count), same);
}

}  // namespace

namespace {

// Splits the values of `a` - shift and `b` into sides of the same sizes in every possible way, or in `most`
// random ways if there are more. Returns the share of splits whose distance is at least the distance of the
// given sides.
double shareAsFar(std::span<const double> a, std::span<const double> b, double shift, double most) {
    std::vector<double> one(a.begin(), a.end());
    for (double& value : one) value -= shift;
    std::vector<double> all = one;
    std::vector<double> other(b.begin(), b.end());
    all.insert(all.end(), b.begin(), b.end());
    std::sort(all.begin(), all.end());
    const auto mean = [](std::span<const double> side) {
        return std::accumulate(side.begin(), side.end(), 0.0) / static_cast<double>(side.size());
    };
    const double same = 1e-9 * std::max(std::abs(all.front()), std::abs(all.back()));
    const double means = mean(one) - mean(other);
    const Distance seen = distanceOf(centreOf(one) - centreOf(other), means, same);
    const auto asFar = [&](const Distance& d) {
        return d.centres > seen.centres + same ||
               (d.centres >= seen.centres - same && d.means >= seen.means - same);
    };
    std::vector<char> chosen(all.size(), 0);
    std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(a.size()), 1);
    const std::vector<double> of_chosen = centreWeights(a.size()), of_others = centreWeights(b.size());
    double ways = 0, as_far = 0;
    if (splitsOf(all.size(), a.size()) <= most) {
        do {
            ++ways;
            as_far += asFar(distance(all, chosen, of_chosen, of_others, same)) ? 1 : 0;
        } while (std::prev_permutation(chosen.begin(), chosen.end()));
        return as_far / ways;
    }
    Rng rng(2, RngPurpose::analysis);
    for (; ways < most; ++ways) {
        for (std::size_t i = chosen.size() - 1; i > 0; --i)
            std::swap(chosen[i], chosen[rng.below(static_cast<std::uint32_t>(i + 1))]);
        as_far += asFar(distance(all, chosen, of_chosen, of_others, same)) ? 1 : 0;
    }
    // The observed split is one of all splits (Phipson and Smyth 2010).
    return (as_far + 1) / (ways + 1);
}

}  // namespace

double permutationTest(std::span<const double> a, std::span<const double> b) {
    if (a.empty() || b.empty()) return 1;
    // Sides of different sizes have no mirrored splits, so the share alone may be below the smallest
    // two-sided p-value.
    return std::max(shareAsFar(a, b, 0, kMaxSplits), leastPValue(a.size(), b.size()));
}

std::optional<std::pair<double, double>> permutationInterval(std::span<const double> a,
                                                             std::span<const double> b, double level) {
    if (a.empty() || b.empty() || leastPValue(a.size(), b.size()) > level) return std::nullopt;
    std::vector<double> one(a.begin(), a.end()), other(b.begin(), b.end());
    const double difference = centreOf(one) - centreOf(other);
    const bool rejects_zero = permutationTest(a, b) <= level;
    const auto [a_low, a_high] = std::minmax_element(a.begin(), a.end());
    const auto [b_low, b_high] = std::minmax_element(b.begin(), b.end());
    // Beyond these shifts the sides do not overlap.
    const double margin =
        1e-6 * std::max({1.0, std::abs(*a_low), std::abs(*a_high), std::abs(*b_low), std::abs(*b_high)});
    const auto end = [&](double rejected) {
        if (rejects_zero && std::min(difference, rejected) <= 0 && std::max(difference, rejected) >= 0)
            rejected = 0;
        double accepted = difference;
        for (int i = 0; i < kBisections; ++i) {
            const double middle = accepted + (rejected - accepted) / 2;
            (shareAsFar(a, b, middle, kMaxIntervalSplits) > level ? accepted : rejected) = middle;
        }
        return accepted;
    };
    double low = end(*a_low - *b_high - margin), high = end(*a_high - *b_low + margin);
    if (!rejects_zero) {
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
    }
    return std::pair{low, high};
}

double leastPValue(std::size_t a, std::size_t b) { return std::min(1.0, 2 / splitsOf(a + b, a)); }

double studentQuantile975(double degrees) {
    // Exact at 1 to 5, linear in 1 / degrees between them; above 5 the expansion in 1 / degrees (Abramowitz
    // and Stegun 26.7.5).
    static constexpr std::array<double, 5> kExact{12.7062, 4.3027, 3.1824, 2.7764, 2.5706};
    if (degrees < 5) {
        const double at = std::max(1.0, degrees);
        const auto below = static_cast<std::size_t>(at);
        const double n = static_cast<double>(below), part = (1 / n - 1 / at) / (1 / n - 1 / (n + 1));
        return kExact[below - 1] + part * (kExact[below] - kExact[below - 1]);
    }
    const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * degrees * degrees);
}

double welchDegrees(double va, std::size_t na, double vb, std::size_t nb) {
    const auto of = [](double v, std::size_t n) { return n < 2 ? 0 : v * v / static_cast<double>(n - 1); };
    const double sum = of(va, na) + of(vb, nb);
    return sum > 0 ? std::max(1.0, (va + vb) * (va + vb) / sum) : 1;
}

}  // namespace seedbed
