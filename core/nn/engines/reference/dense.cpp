// SPDX-License-Identifier: Apache-2.0
// Fully connected layers and layer normalisation.
#include <algorithm>
#include <cmath>

#include "core/nn/engines/reference/activation.hpp"
#include "core/nn/engines/reference/gemm.hpp"
#include "core/nn/engines/reference/pass.hpp"

namespace seedbed::reference {

template <class F>
void forwardLinear(Pass<F>& pass, const PlanOp& op) {
    const int in = pass.xSize(op), out = pass.size(op.output);
    const F* bias = pass.weight(op, 1);
    F* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row)
        std::copy_n(bias, out, y + static_cast<std::size_t>(row) * static_cast<std::size_t>(out));
    gemm(pass.rows, out, in, Strided<F>{pass.x(op), in, 1}, pass.weightT(op, 0), out, y, out);
    activate(op.activation, y, static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(out));
}

template <class F>
void backwardLinear(Pass<F>& pass, const PlanOp& op) {
    const int in = pass.xSize(op), out = pass.size(op.output);
    F* dy = pass.gradient(op.output);
    deactivate(op.activation, pass.value(op.output), dy,
               static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(out));
    F* db = pass.weightGradient(op, 1);
    for (int row = 0; row < pass.rows; ++row)
        for (int o = 0; o < out; ++o)
            db[o] += dy[static_cast<std::size_t>(row) * static_cast<std::size_t>(out) +
                        static_cast<std::size_t>(o)];
    gemm(out, in, pass.rows, Strided<F>{dy, 1, out}, pass.x(op), in, pass.weightGradient(op, 0), in);
    if (F* dx = pass.xGradient(op))
        gemm(pass.rows, in, out, Strided<F>{dy, out, 1}, pass.weight(op, 0), in, dx, in);
}

// Ba, Kiros & Hinton, "Layer Normalization", arXiv:1607.06450, equation 4, with the biased variance and
// epsilon 1e-5 inside the root.
template <class F>
void forwardLayerNorm(Pass<F>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    const F *gain = pass.weight(op, 0), *bias = pass.weight(op, 1);
    // Saved per row: the normalised features, then the inverse deviation.
    const auto stride = static_cast<std::size_t>(size) + 1;
    F* saved = pass.save(op, static_cast<std::size_t>(pass.rows) * stride);
    const F* x = pass.x(op);
    F* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row, x += size, y += size, saved += stride) {
        F mean = 0, square = 0;
        for (int i = 0; i < size; ++i) mean += x[i];
        mean /= static_cast<F>(size);
        for (int i = 0; i < size; ++i) square += (x[i] - mean) * (x[i] - mean);
        const F inverse = F(1) / std::sqrt(square / static_cast<F>(size) + static_cast<F>(1e-5));
        saved[size] = inverse;
        for (int i = 0; i < size; ++i) {
            saved[i] = (x[i] - mean) * inverse;
            y[i] = saved[i] * gain[i] + bias[i];
        }
    }
    activate(op.activation, pass.value(op.output),
             static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(size));
}

template <class F>
void backwardLayerNorm(Pass<F>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    const auto stride = static_cast<std::size_t>(size) + 1;
    const F *gain = pass.weight(op, 0), *saved = pass.save(op, static_cast<std::size_t>(pass.rows) * stride);
    F *d_gain = pass.weightGradient(op, 0), *d_bias = pass.weightGradient(op, 1);
    F *dy = pass.gradient(op.output), *dx = pass.xGradient(op);
    deactivate(op.activation, pass.value(op.output), dy,
               static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(size));
    for (int row = 0; row < pass.rows; ++row, dy += size, saved += stride) {
        // With n = normalised features and g = dy * gain: dx = (g - mean(g) - n * mean(g n)) / deviation.
        F sum = 0, dot = 0;
        for (int i = 0; i < size; ++i) {
            d_gain[i] += dy[i] * saved[i];
            d_bias[i] += dy[i];
            sum += dy[i] * gain[i];
            dot += dy[i] * gain[i] * saved[i];
        }
        if (dx == nullptr) continue;
        sum /= static_cast<F>(size), dot /= static_cast<F>(size);
        for (int i = 0; i < size; ++i) dx[i] += (dy[i] * gain[i] - sum - saved[i] * dot) * saved[size];
        dx += size;
    }
}

SEEDBED_REFERENCE_KERNEL(forwardLinear);
SEEDBED_REFERENCE_KERNEL(backwardLinear);
SEEDBED_REFERENCE_KERNEL(forwardLayerNorm);
SEEDBED_REFERENCE_KERNEL(backwardLayerNorm);

}  // namespace seedbed::reference
