// SPDX-License-Identifier: Apache-2.0
// Whether two small samples differ by more than chance: a permutation test, and Student's distribution for
// the width of intervals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace seedbed {

// Two-sided p-value: the share of all splits of the values into sides of these sizes whose centres (centreOf)
// differ at least as much as those of `a` and `b`. Ties are decided by the difference of the means. Exact up
// to 20,000 splits, otherwise from 20,000 random ones with a fixed seed. 1 if a side is empty. Thread: any.
double permutationTest(std::span<const double> a, std::span<const double> b);

// The interval of this test at `level` for the difference of the centres of `a` and `b`: the shifts of `a`
// that it does not reject. The interval therefore excludes 0 if and only if permutationTest() is at most
// `level`. nullopt if the sides are too small. Uses at most 2,000 random splits. Thread: any.
std::optional<std::pair<double, double>> permutationInterval(std::span<const double> a,
                                                             std::span<const double> b, double level = 0.05);

// The smallest p-value that is possible for sides of these sizes: 2 divided by the number of splits, for
// example 2/70 for four against four and 2/20 for three against three. Thread: any.
double leastPValue(std::size_t a, std::size_t b);

// The 97.5 % quantile of Student's distribution; degrees >= 1. The error is below 0.5 % for integers; other
// values are at most 10 % too large.
double studentQuantile975(double degrees);
// Degrees of freedom of a difference of two means whose squared standard errors are va and vb (Welch 1947);
// at least 1.
double welchDegrees(double va, std::size_t na, double vb, std::size_t nb);

}  // namespace seedbed
