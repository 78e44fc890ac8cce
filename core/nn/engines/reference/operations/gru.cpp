// SPDX-License-Identifier: Apache-2.0
// Gated recurrent unit: Cho et al. 2014 in the form of torch.nn.GRUCell (the reset gate is applied after the
// recurrent product); gates r, z, n.
#include <cmath>

#include "core/nn/engines/reference/operations/shared/activation.hpp"
#include "core/nn/engines/reference/operations/shared/recurrent.hpp"

namespace seedbed::reference {

namespace {

// Memory kept for backward: gates [rows, 3 H] (r, z, n), the candidate's recurrent part and the previous
// state, [rows, H] each, and the recurrent projection of the current step, [sequences, 3 H].
struct GruTape {
    Real *gates, *candidate, *h_before, *recurrent;
    GruTape(Pass<Real>& pass, const PlanOp& op) {
        const auto size = static_cast<std::size_t>(pass.size(op.output)),
                   block = static_cast<std::size_t>(pass.rows) * size;
        gates = pass.save(op, 5 * block + 3 * static_cast<std::size_t>(pass.sequences) * size);
        candidate = gates + 3 * block;
        h_before = candidate + block;
        recurrent = h_before + block;
    }
};

void forwardGru(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output), n = pass.sequences;
    const GruTape tape(pass, op);
    Real* y = pass.value(op.output);
    project<Real>(pass.rows, pass.xSize(op), 3 * size, pass.x(op), pass.weightT(op, 0), pass.weight(op, 2),
                  nullptr, tape.gates);
    for (int t = 0; t < pass.steps; ++t) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(t) * n * size;
        stateBefore(pass, t, y, op.state_offset, size, tape.h_before + begin);
        project<Real>(n, size, 3 * size, tape.h_before + begin, pass.weightT(op, 1), pass.weight(op, 3),
                      nullptr, tape.recurrent);
        for (int s = 0; s < n; ++s) {
            const std::ptrdiff_t at = begin + static_cast<std::ptrdiff_t>(s) * size;
            Real *gates = tape.gates + 3 * at, *candidate = tape.candidate + at;
            const Real *recurrent = tape.recurrent + static_cast<std::ptrdiff_t>(s) * 3 * size,
                       *h = tape.h_before + at;
            for (int k = 0; k < 2 * size; ++k) gates[k] += recurrent[k];
            sigmoid(gates, 2 * static_cast<std::size_t>(size));
            const Real *r = gates, *z = gates + size;
            Real* candidate_gate = gates + 2 * size;
            for (int k = 0; k < size; ++k) {
                candidate[k] = recurrent[2 * size + k];
                candidate_gate[k] += r[k] * candidate[k];
            }
            activate(Activation::tanh, candidate_gate, static_cast<std::size_t>(size));
            for (int k = 0; k < size; ++k) y[at + k] = (Real(1) - z[k]) * candidate_gate[k] + z[k] * h[k];
        }
    }
    stateAfter(pass, y, op.state_offset, size);
}

void backwardGru(Pass<Real>& pass, const PlanOp& op) {
    const int size = pass.size(op.output), n = pass.sequences;
    const GruTape tape(pass, op);
    const Real* dy = pass.gradient(op.output);
    const auto block = static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(size);
    // Gradients of the projections of input and state. They differ only in the candidate's third, where the
    // state's gradient is multiplied by the reset gate.
    Real *d_input = Pass<Real>::grown(pass.scratch, 6 * block), *d_recurrent = d_input + 3 * block;
    Real* dh = Pass<Real>::grown(pass.scratch2, static_cast<std::size_t>(n) * static_cast<std::size_t>(size));
    std::fill_n(dh, static_cast<std::size_t>(n) * static_cast<std::size_t>(size), Real(0));
    for (int t = pass.steps - 1; t >= 0; --t) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(t) * n * size;
        for (int s = 0; s < n; ++s) {
            const std::ptrdiff_t at = begin + static_cast<std::ptrdiff_t>(s) * size;
            const Real *r = tape.gates + 3 * at, *z = r + size, *c = z + size;
            Real *di = d_input + 3 * at, *dr = d_recurrent + 3 * at;
            for (int k = 0; k < size; ++k) {
                const Real h = dy[at + k] + dh[s * size + k];
                const Real d_candidate = h * (Real(1) - z[k]) * (Real(1) - c[k] * c[k]);
                di[k] = dr[k] = d_candidate * tape.candidate[at + k] * r[k] * (Real(1) - r[k]);
                di[size + k] = dr[size + k] = h * (tape.h_before[at + k] - c[k]) * z[k] * (Real(1) - z[k]);
                di[2 * size + k] = d_candidate;
                dr[2 * size + k] = d_candidate * r[k];
                dh[s * size + k] = h * z[k];
            }
        }
        gemm(n, size, 3 * size, Strided<Real>{d_recurrent + 3 * begin, 3 * size, 1}, pass.weight(op, 1), size,
             dh, size);
        // No gradient flows back across the start of an episode.
        for (int s = 0; s < n; ++s)
            if (pass.panel->first[t * n + s]) std::fill_n(dh + s * size, size, Real(0));
    }
    projectBackward(pass.rows, pass.xSize(op), 3 * size, d_input, pass.x(op), pass.weight(op, 0),
                    pass.weightGradient(op, 0), pass.weightGradient(op, 2), pass.xGradient(op));
    projectBackward(pass.rows, size, 3 * size, d_recurrent, tape.h_before, pass.weight(op, 1),
                    pass.weightGradient(op, 1), pass.weightGradient(op, 3), static_cast<Real*>(nullptr));
}

[[maybe_unused]] const bool registered_gru = registerKernels<Real>({
    .id = "gru",
    .forward = forwardGru,
    .backward = backwardGru,
    .transposed = 2,
});

}  // namespace

}  // namespace seedbed::reference
