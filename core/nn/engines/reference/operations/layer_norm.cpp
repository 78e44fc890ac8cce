// SPDX-License-Identifier: Apache-2.0
// Layer normalisation.
#include <cmath>

#include "core/nn/engines/reference/operations/shared/activation.hpp"
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

// Ba, Kiros & Hinton, "Layer Normalization", arXiv:1607.06450, equation 4, with the biased variance and
// epsilon 1e-5 inside the root.
void forwardLayerNorm(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    const Real *gain = pass.weight(op, 0), *bias = pass.weight(op, 1);
    // Saved per row: the normalised features, then the inverse deviation.
    const auto stride = static_cast<std::size_t>(size) + 1;
    Real* saved = pass.save(op, static_cast<std::size_t>(pass.rows) * stride);
    const Real* x = pass.x(op);
    Real* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row, x += size, y += size, saved += stride) {
        Real mean = 0, square = 0;
        for (int i = 0; i < size; ++i) mean += x[i];
        mean /= static_cast<Real>(size);
        for (int i = 0; i < size; ++i) square += (x[i] - mean) * (x[i] - mean);
        const Real inverse = Real(1) / std::sqrt(square / static_cast<Real>(size) + static_cast<Real>(1e-5));
        saved[size] = inverse;
        for (int i = 0; i < size; ++i) {
            saved[i] = (x[i] - mean) * inverse;
            y[i] = saved[i] * gain[i] + bias[i];
        }
    }
    activate(op.activation, pass.value(op.output),
             static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(size));
}

void backwardLayerNorm(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    const auto stride = static_cast<std::size_t>(size) + 1;
    const Real *gain = pass.weight(op, 0),
               *saved = pass.save(op, static_cast<std::size_t>(pass.rows) * stride);
    Real *d_gain = pass.weightGradient(op, 0), *d_bias = pass.weightGradient(op, 1);
    Real *dy = pass.gradient(op.output), *dx = pass.xGradient(op);
    deactivate(op.activation, pass.value(op.output), dy,
               static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(size));
    for (int row = 0; row < pass.rows; ++row, dy += size, saved += stride) {
        // With n = normalised features and g = dy * gain: dx = (g - mean(g) - n * mean(g n)) / deviation.
        Real sum = 0, dot = 0;
        for (int i = 0; i < size; ++i) {
            d_gain[i] += dy[i] * saved[i];
            d_bias[i] += dy[i];
            sum += dy[i] * gain[i];
            dot += dy[i] * gain[i] * saved[i];
        }
        if (dx == nullptr) continue;
        sum /= static_cast<Real>(size);
        dot /= static_cast<Real>(size);
        for (int i = 0; i < size; ++i) dx[i] += (dy[i] * gain[i] - sum - saved[i] * dot) * saved[size];
        dx += size;
    }
}

[[maybe_unused]] const bool registered_layer_norm = registerKernels<Real>({
    .id = "layer_norm",
    .forward = forwardLayerNorm,
    .backward = backwardLayerNorm,
});

}  // namespace

}  // namespace seedbed::reference
