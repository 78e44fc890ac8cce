// SPDX-License-Identifier: Apache-2.0
// Returns and advantages over [T, N] rows, computed backwards in time for each column. The target of a row
// with valid = 0 is its own value and its temporal difference is 0, so truncation bootstraps from the true
// final observation and termination does not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seedbed {

// Arrays are [T, N], row = t * N + n; last_value [N] is the value of row T. Sums use double precision and are
// rounded once. Thread: any.
struct ReturnInput {
    int steps = 0, columns = 0;
    const float* reward = nullptr;
    const float* discount = nullptr;  // 0 where terminated, otherwise 1; multiplied by gamma
    const float* value = nullptr;
    const float* last_value = nullptr;
    const std::uint8_t* valid = nullptr;
    double gamma = 0.99;
};

// GAE(gamma, lambda), Schulman et al. 2016, eq. 16: advantage [T, N], target = advantage + value.
void gae(const ReturnInput& input, double lambda, float* advantage, float* target);

// The n-step return of one row (Sutton 1988): the rewards up to the row from which it bootstraps, which is n
// rows later, or the extra row of a truncation. After a termination the discount is 0.
struct NStepReturn {
    int rows = 0;         // from the row to its successor
    double reward = 0;    // sum of discounted rewards
    double discount = 0;  // factor of the successor's value
};
// The pointers refer to the row's elements; the next row is `stride` elements later. The row n rows later is
// not read.
NStepReturn nStepReturn(const float* reward, const float* discount, const std::uint8_t* valid,
                        std::size_t stride, int n, double gamma);

// n-step return (n >= 1), bootstrapped from the row n steps later or from the last row of the window: target
// [T, N].
void nStepReturns(const ReturnInput& input, int n, float* target);

struct VtraceParams {
    double lambda = 1, rho_bar = 1, c_bar = 1, pg_rho_bar = 1;
    int n = 0;  // rows in a target's sum before it bootstraps; 0: all rows to the end of the window
};
// V-trace, Espeholt et al. 2018, eq. 1. log_ratio [T, N] = log pi(a|x) - log mu(a|x), clipped to +-20 before
// exp so that an unlimited rho_bar stays finite. Computes the targets v_s and the advantages rho_s (r_s +
// gamma_s v_{s+1} - V(x_s)) of section 4.2.
void vtrace(const ReturnInput& input, const float* log_ratio, const VtraceParams& params, float* target,
            float* advantage);

// Computes the same targets v_s, with the advantage for a surrogate loss that multiplies by the row's ratio
// itself:
//   A_s = r_s + gamma_s (V(x_{s+1}) + lambda (v_{s+1} - V(x_{s+1}))) - V(x_s).
// With lambda = 1 this is the advantage of section 4.2 without rho_s; on-policy, the results are equal to
// GAE(gamma, lambda). pg_rho_bar is not used.
void vtraceGae(const ReturnInput& input, const float* log_ratio, const VtraceParams& params, float* target,
               float* advantage);

// The return estimator of on-policy algorithms.
struct Estimator {
    int n = 0;             // n-step returns; 0: GAE(gamma, lambda)
    double lambda = 0.95;  // lambda of GAE
    double rho_bar = 1, c_bar = 1;
};
// Advantages and targets of rows from the current parameters (log_ratio = null), or of older rows, corrected
// as in vtraceGae(). The two agree if all ratios are 1. The advantages do not include the row's own ratio.
void estimateAdvantages(const ReturnInput& input, const Estimator& estimator, const float* log_ratio,
                        float* advantage, float* target);

}  // namespace seedbed
