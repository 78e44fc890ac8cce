// SPDX-License-Identifier: Apache-2.0
// Whether two small samples differ by more than chance: a permutation test, and Student's distribution for
// the width of intervals.
#pragma once

#include <cstddef>
#include <span>

namespace seedbed {

// Two-sided p-value: the share of all ways to deal the values to two sides of these sizes in which the
// centres (centreOf) lie at least as far apart as here, and of those equally far apart the ones whose means
// do too: an interquartile mean of four is that of the middle two, and does not tell four against four from
// the same with two outer runs exchanged. Exact up to 20,000 ways (8 against 8); beyond, that many random
// ones with a fixed seed, and never 0. 1 when a side is empty. Thread: any.
double permutationTest(std::span<const double> a, std::span<const double> b);

// The least p-value that sides of these sizes can have: 2 of all ways. Four against four: 2/70; three against
// three: 2/20. Thread: any.
double leastPValue(std::size_t a, std::size_t b);

// The 97.5 % point of Student's distribution; degrees >= 1. Whole ones are off by less than 0.5 %, others by
// at most a tenth, to the safe side.
double studentQuantile975(double degrees);
// Degrees of freedom of a difference of two means whose squared standard errors are va and vb (Welch 1947);
// at least 1.
double welchDegrees(double va, std::size_t na, double vb, std::size_t nb);

}  // namespace seedbed
