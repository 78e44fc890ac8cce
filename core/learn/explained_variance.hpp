// SPDX-License-Identifier: Apache-2.0
// How well the value estimates of a batch predict their targets.
#pragma once

#include <cstddef>

#include "core/algo/algorithm.hpp"
#include "core/learn/minibatches.hpp"

namespace seedbed {

// Means and squared deviations of value targets and of their errors.
struct ValueMoments {
    double count = 0, target_mean = 0, target_squares = 0, error_mean = 0, error_squares = 0;

    // Adds the moments of other rows (Chan, Golub & LeVeque 1979, equations 2.1).
    void merge(const ValueMoments& other) {
        if (other.count == 0) return;
        const double total = count + other.count, share = other.count / total;
        const double target = other.target_mean - target_mean, error = other.error_mean - error_mean;
        target_squares += other.target_squares + target * target * count * share;
        error_squares += other.error_squares + error * error * count * share;
        target_mean += target * share;
        error_mean += error * share;
        count = total;
    }
    // 1 - Var(target - value) / Var(target); 0 when targets do not vary.
    double explainedVariance() const { return target_squares > 0 ? 1 - error_squares / target_squares : 0; }
};

// The moments of the valid rows of these columns.
inline ValueMoments valueMoments(const Batch& batch, Part columns) {
    ValueMoments moments;
    const auto width = static_cast<std::size_t>(batch.columns);
    for (std::size_t first = 0; first < batch.target.size(); first += width)
        for (std::size_t row = first + columns.begin; row < first + columns.end; ++row) {
            if (batch.valid[row] == 0) continue;
            // Welford's algorithm for both variances.
            ++moments.count;
            const double target = batch.target[row], error = target - batch.value[row];
            const double target_step = target - moments.target_mean, error_step = error - moments.error_mean;
            moments.target_mean += target_step / moments.count;
            moments.error_mean += error_step / moments.count;
            moments.target_squares += target_step * (target - moments.target_mean);
            moments.error_squares += error_step * (error - moments.error_mean);
        }
    return moments;
}

}  // namespace seedbed
