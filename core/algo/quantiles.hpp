// SPDX-License-Identifier: Apache-2.0
// The loss of distributional Q-learning with quantiles.
#pragma once

namespace seedbed {

// Quantile regression with a Huber threshold of 1 (Dabney et al. 2018, "Distributional Reinforcement Learning
// with Quantile Regression", eq. 9 and 10): sum over i of the mean over j of rho_i(target_j - quantile_i),
// where quantile i of n estimates the fraction (i + 1/2) / n. Returns the loss, and writes its derivative
// times `scale` to gradient [n].
double quantileLoss(const float* quantiles, const float* targets, int n, double scale, float* gradient);

}  // namespace seedbed
