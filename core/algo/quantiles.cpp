// SPDX-License-Identifier: Apache-2.0
#include "core/algo/quantiles.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed {

double quantileLoss(const float* quantiles, const float* targets, int n, double scale, float* gradient) {
    const auto count = static_cast<float>(n);
    double loss = 0;
    for (int i = 0; i < n; ++i) {
        const float fraction = (static_cast<float>(i) + 0.5F) / count, own = quantiles[i];
        float sum = 0, slope = 0;
        for (int j = 0; j < n; ++j) {
            const float error = targets[j] - own, size = std::fabs(error);
            // The Huber loss is clipped * (size - clipped / 2) and its derivative +-clipped.
            const float clipped = std::min(size, 1.0F), part = error < 0 ? 1 - fraction : fraction;
            sum += part * clipped * (size - 0.5F * clipped);
            slope += part * std::copysign(clipped, error);
        }
        loss += static_cast<double>(sum / count);
        gradient[i] = static_cast<float>(-scale * static_cast<double>(slope / count));
    }
    return loss;
}

}  // namespace seedbed
