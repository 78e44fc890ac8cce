// SPDX-License-Identifier: Apache-2.0
// Long short-term memory: Hochreiter & Schmidhuber 1997 with forget gates (Gers et al. 2000), in the gate
// order of torch.nn.LSTMCell (i, f, g, o).
#include <cmath>

#include "core/nn/engines/reference/operations/shared/activation.hpp"
#include "core/nn/engines/reference/operations/shared/recurrent.hpp"

namespace seedbed::reference {

namespace {

// Memory kept for backward, each [rows, ...].
struct LstmTape {
    Real *gates, *cell, *tanh_cell, *h_before, *c_before;
    LstmTape(Pass<Real>& pass, const PlanOp& op) {
        const auto block =
            static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(pass.size(op.output));
        gates = pass.save(op, 8 * block);
        cell = gates + 4 * block;
        tanh_cell = cell + block;
        h_before = tanh_cell + block;
        c_before = h_before + block;
    }
};

void forwardLstm(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output), n = pass.sequences, in = pass.xSize(op);
    const LstmTape tape(pass, op);
    Real* y = pass.value(op.output);
    project(pass.rows, in, 4 * size, pass.x(op), pass.weightT(op, 0), pass.weight(op, 2), pass.weight(op, 3),
            tape.gates);
    for (int t = 0; t < pass.steps; ++t) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(t) * n * size;
        stateBefore(pass, t, y, op.state_offset, size, tape.h_before + begin);
        stateBefore(pass, t, tape.cell, op.state_offset + size, size, tape.c_before + begin);
        gemm(n, 4 * size, size, Strided<Real>{tape.h_before + begin, size, 1}, pass.weightT(op, 1), 4 * size,
             tape.gates + 4 * begin, 4 * size);
        for (int s = 0; s < n; ++s) {
            const std::ptrdiff_t at = begin + static_cast<std::ptrdiff_t>(s) * size;
            Real* gates = tape.gates + 4 * at;
            sigmoid(gates, 2 * static_cast<std::size_t>(size));
            activate(Activation::tanh, gates + 2 * size, static_cast<std::size_t>(size));
            sigmoid(gates + 3 * size, static_cast<std::size_t>(size));
            const Real *i = gates, *f = gates + size, *g = gates + 2 * size, *o = gates + 3 * size;
            Real *c = tape.cell + at, *tanh_c = tape.tanh_cell + at;
            for (int k = 0; k < size; ++k) tanh_c[k] = c[k] = f[k] * tape.c_before[at + k] + i[k] * g[k];
            activate(Activation::tanh, tanh_c, static_cast<std::size_t>(size));
            for (int k = 0; k < size; ++k) y[at + k] = o[k] * tanh_c[k];
        }
    }
    stateAfter(pass, y, op.state_offset, size);
    stateAfter(pass, tape.cell, op.state_offset + size, size);
}

void backwardLstm(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output), n = pass.sequences;
    const LstmTape tape(pass, op);
    const Real* dy = pass.gradient(op.output);
    const auto block = static_cast<std::size_t>(n) * static_cast<std::size_t>(size);
    Real* d_gates = Pass<Real>::grown(
        pass.scratch, static_cast<std::size_t>(pass.rows) * 4 * static_cast<std::size_t>(size));
    // Gradients from the next step, [n, size] each.
    Real *dh = Pass<Real>::grown(pass.scratch2, 2 * block), *dc = dh + block;
    std::fill_n(dh, 2 * block, Real(0));
    for (int t = pass.steps - 1; t >= 0; --t) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(t) * n * size;
        for (int s = 0; s < n; ++s) {
            const std::ptrdiff_t at = begin + static_cast<std::ptrdiff_t>(s) * size;
            const Real *i = tape.gates + 4 * at, *f = i + size, *g = f + size, *o = g + size;
            Real* d = d_gates + 4 * at;
            for (int k = 0; k < size; ++k) {
                const Real h = dy[at + k] + dh[s * size + k], tanh_c = tape.tanh_cell[at + k];
                const Real c = dc[s * size + k] + h * o[k] * (Real(1) - tanh_c * tanh_c);
                d[k] = c * g[k] * i[k] * (Real(1) - i[k]);
                d[size + k] = c * tape.c_before[at + k] * f[k] * (Real(1) - f[k]);
                d[2 * size + k] = c * i[k] * (Real(1) - g[k] * g[k]);
                d[3 * size + k] = h * tanh_c * o[k] * (Real(1) - o[k]);
                dc[s * size + k] = c * f[k];
                dh[s * size + k] = Real(0);
            }
        }
        gemm(n, size, 4 * size, Strided<Real>{d_gates + 4 * begin, 4 * size, 1}, pass.weight(op, 1), size, dh,
             size);
        // No gradient flows back across the start of an episode.
        for (int s = 0; s < n; ++s)
            if (pass.panel->first[t * n + s]) {
                std::fill_n(dh + s * size, size, Real(0));
                std::fill_n(dc + s * size, size, Real(0));
            }
    }
    projectBackward(pass.rows, pass.xSize(op), 4 * size, d_gates, pass.x(op), pass.weight(op, 0),
                    pass.weightGradient(op, 0), pass.weightGradient(op, 2), pass.xGradient(op));
    projectBackward(pass.rows, size, 4 * size, d_gates, tape.h_before, pass.weight(op, 1),
                    pass.weightGradient(op, 1), pass.weightGradient(op, 3), static_cast<Real*>(nullptr));
}

[[maybe_unused]] const bool registered_lstm = registerKernels<Real>({
    .id = "lstm",
    .forward = forwardLstm,
    .backward = backwardLstm,
    .transposed = 2,
});

}  // namespace

}  // namespace seedbed::reference
