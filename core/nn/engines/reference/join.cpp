// SPDX-License-Identifier: Apache-2.0
// Operations that join or repeat values: addition, concatenation, learned rows, dueling, activation on its
// own.
#include <algorithm>

#include "core/nn/engines/reference/activation.hpp"
#include "core/nn/engines/reference/pass.hpp"

namespace seedbed::reference {

namespace {

template <class F>
std::size_t total(const Pass<F>& pass, int value) {
    return static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(pass.size(value));
}

}  // namespace

template <class F>
void forwardActivation(Pass<F>& pass, const PlanOp& op) {
    std::copy_n(pass.x(op), total(pass, op.output), pass.value(op.output));
    activate(op.activation, pass.value(op.output), total(pass, op.output));
}

template <class F>
void backwardActivation(Pass<F>& pass, const PlanOp& op) {
    F *dx = pass.xGradient(op), *dy = pass.gradient(op.output);
    if (dx == nullptr) return;
    deactivate(op.activation, pass.value(op.output), dy, total(pass, op.output));
    for (std::size_t i = 0; i < total(pass, op.output); ++i) dx[i] += dy[i];
}

template <class F>
void forwardAdd(Pass<F>& pass, const PlanOp& op) {
    const F *a = pass.x(op, 0), *b = pass.x(op, 1);
    F* y = pass.value(op.output);
    for (std::size_t i = 0; i < total(pass, op.output); ++i) y[i] = a[i] + b[i];
}

template <class F>
void backwardAdd(Pass<F>& pass, const PlanOp& op) {
    const F* dy = pass.gradient(op.output);
    for (int input = 0; input < 2; ++input)
        if (F* dx = pass.xGradient(op, input))
            for (std::size_t i = 0; i < total(pass, op.output); ++i) dx[i] += dy[i];
}

template <class F>
void forwardConcat(Pass<F>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    int begin = 0;
    for (int input = 0; input < static_cast<int>(op.inputs.size()); ++input) {
        const int width = pass.xSize(op, input);
        const F* x = pass.x(op, input);
        F* y = pass.value(op.output) + begin;
        for (int row = 0; row < pass.rows; ++row, x += width, y += size) std::copy_n(x, width, y);
        begin += width;
    }
}

template <class F>
void backwardConcat(Pass<F>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    int begin = 0;
    for (int input = 0; input < static_cast<int>(op.inputs.size()); ++input) {
        const int width = pass.xSize(op, input);
        if (F* dx = pass.xGradient(op, input)) {
            const F* dy = pass.gradient(op.output) + begin;
            for (int row = 0; row < pass.rows; ++row, dx += width, dy += size)
                for (int i = 0; i < width; ++i) dx[i] += dy[i];
        }
        begin += width;
    }
}

template <class F>
void forwardParameterRows(Pass<F>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    F* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row, y += size) std::copy_n(pass.weight(op, 0), size, y);
}

template <class F>
void backwardParameterRows(Pass<F>& pass, const PlanOp& op) {
    const int size = pass.size(op.output);
    const F* dy = pass.gradient(op.output);
    F* gradient = pass.weightGradient(op, 0);
    for (int row = 0; row < pass.rows; ++row, dy += size)
        for (int i = 0; i < size; ++i) gradient[i] += dy[i];
}

// Wang et al., "Dueling Network Architectures", arXiv:1511.06581, equation 9.
template <class F>
void forwardDueling(Pass<F>& pass, const PlanOp& op) {
    const int n = pass.size(op.output);
    const F *v = pass.x(op, 0), *a = pass.x(op, 1);
    F* y = pass.value(op.output);
    for (int row = 0; row < pass.rows; ++row, a += n, y += n) {
        F mean = 0;
        for (int i = 0; i < n; ++i) mean += a[i];
        mean /= static_cast<F>(n);
        for (int i = 0; i < n; ++i) y[i] = v[row] + (a[i] - mean);
    }
}

template <class F>
void backwardDueling(Pass<F>& pass, const PlanOp& op) {
    const int n = pass.size(op.output);
    F *dv = pass.xGradient(op, 0), *da = pass.xGradient(op, 1);
    const F* dy = pass.gradient(op.output);
    for (int row = 0; row < pass.rows; ++row, dy += n) {
        F sum = 0;
        for (int i = 0; i < n; ++i) sum += dy[i];
        if (dv != nullptr) dv[row] += sum;
        if (da == nullptr) continue;
        for (int i = 0; i < n; ++i) da[i] += dy[i] - sum / static_cast<F>(n);
        da += n;
    }
}

SEEDBED_REFERENCE_KERNEL(forwardActivation);
SEEDBED_REFERENCE_KERNEL(backwardActivation);
SEEDBED_REFERENCE_KERNEL(forwardAdd);
SEEDBED_REFERENCE_KERNEL(backwardAdd);
SEEDBED_REFERENCE_KERNEL(forwardConcat);
SEEDBED_REFERENCE_KERNEL(backwardConcat);
SEEDBED_REFERENCE_KERNEL(forwardParameterRows);
SEEDBED_REFERENCE_KERNEL(backwardParameterRows);
SEEDBED_REFERENCE_KERNEL(forwardDueling);
SEEDBED_REFERENCE_KERNEL(backwardDueling);

}  // namespace seedbed::reference
