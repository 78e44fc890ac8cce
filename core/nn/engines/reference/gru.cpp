// SPDX-License-Identifier: Apache-2.0
// Gated recurrent unit: Cho et al. 2014 in the form of torch.nn.GRUCell (the reset gate acts after the
// recurrent product); gates r, z, n.
#include <cmath>

#include "core/nn/engines/reference/activation.hpp"
#include "core/nn/engines/reference/recurrent.hpp"

namespace seedbed::reference {

namespace {

// Memory kept for backward: gates [rows, 3 H] (r, z, n), the candidate's recurrent part and the state before,
// [rows, H] each; and the recurrent projection of the current step [sequences, 3 H].
template <class F>
struct GruTape {
    F *gates, *candidate, *h_before, *recurrent;
    GruTape(Pass<F>& pass, const PlanOp& op) {
        const auto size = static_cast<std::size_t>(pass.size(op.output)),
                   block = static_cast<std::size_t>(pass.rows) * size;
        gates = pass.save(op, 5 * block + 3 * static_cast<std::size_t>(pass.sequences) * size);
        candidate = gates + 3 * block, h_before = candidate + block, recurrent = h_before + block;
    }
};

}  // namespace

template <class F>
void forwardGru(Pass<F>& pass, const PlanOp& op) {
    const int size = pass.size(op.output), n = pass.sequences;
    const GruTape<F> tape(pass, op);
    F* y = pass.value(op.output);
    project<F>(pass.rows, pass.xSize(op), 3 * size, pass.x(op), pass.weightT(op, 0), pass.weight(op, 2),
               nullptr, tape.gates);
    for (int t = 0; t < pass.steps; ++t) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(t) * n * size;
        stateBefore(pass, t, y, op.state_offset, size, tape.h_before + begin);
        project<F>(n, size, 3 * size, tape.h_before + begin, pass.weightT(op, 1), pass.weight(op, 3), nullptr,
                   tape.recurrent);
        for (int s = 0; s < n; ++s) {
            const std::ptrdiff_t at = begin + static_cast<std::ptrdiff_t>(s) * size;
            F *gates = tape.gates + 3 * at, *candidate = tape.candidate + at;
            const F *recurrent = tape.recurrent + static_cast<std::ptrdiff_t>(s) * 3 * size,
                    *h = tape.h_before + at;
            for (int k = 0; k < 2 * size; ++k) gates[k] += recurrent[k];
            sigmoid(gates, static_cast<std::size_t>(2 * size));
            const F *r = gates, *z = gates + size;
            F* candidate_gate = gates + 2 * size;
            for (int k = 0; k < size; ++k) {
                candidate[k] = recurrent[2 * size + k];
                candidate_gate[k] += r[k] * candidate[k];
            }
            activate(Activation::tanh, candidate_gate, static_cast<std::size_t>(size));
            for (int k = 0; k < size; ++k) y[at + k] = (F(1) - z[k]) * candidate_gate[k] + z[k] * h[k];
        }
    }
    stateAfter(pass, y, op.state_offset, size);
}

template <class F>
void backwardGru(Pass<F>& pass, const PlanOp& op) {
    const int size = pass.size(op.output), n = pass.sequences;
    const GruTape<F> tape(pass, op);
    const F* dy = pass.gradient(op.output);
    const auto block = static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(size);
    // Gradients of the projections of input and state; they differ in the candidate's third by the reset
    // gate.
    F *d_input = Pass<F>::grown(pass.scratch, 6 * block), *d_recurrent = d_input + 3 * block;
    F* dh = Pass<F>::grown(pass.scratch2, static_cast<std::size_t>(n) * static_cast<std::size_t>(size));
    std::fill_n(dh, static_cast<std::size_t>(n) * static_cast<std::size_t>(size), F(0));
    for (int t = pass.steps - 1; t >= 0; --t) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(t) * n * size;
        for (int s = 0; s < n; ++s) {
            const std::ptrdiff_t at = begin + static_cast<std::ptrdiff_t>(s) * size;
            const F *r = tape.gates + 3 * at, *z = r + size, *c = z + size;
            F *di = d_input + 3 * at, *dr = d_recurrent + 3 * at;
            for (int k = 0; k < size; ++k) {
                const F h = dy[at + k] + dh[s * size + k];
                const F d_candidate = h * (F(1) - z[k]) * (F(1) - c[k] * c[k]);
                di[k] = dr[k] = d_candidate * tape.candidate[at + k] * r[k] * (F(1) - r[k]);
                di[size + k] = dr[size + k] = h * (tape.h_before[at + k] - c[k]) * z[k] * (F(1) - z[k]);
                di[2 * size + k] = d_candidate;
                dr[2 * size + k] = d_candidate * r[k];
                dh[s * size + k] = h * z[k];
            }
        }
        gemm(n, size, 3 * size, Strided<F>{d_recurrent + 3 * begin, 3 * size, 1}, pass.weight(op, 1), size,
             dh, size);
        // Nothing flows back over the beginning of an episode.
        for (int s = 0; s < n; ++s)
            if (pass.panel->first[t * n + s]) std::fill_n(dh + s * size, size, F(0));
    }
    projectBackward(pass.rows, pass.xSize(op), 3 * size, d_input, pass.x(op), pass.weight(op, 0),
                    pass.weightGradient(op, 0), pass.weightGradient(op, 2), pass.xGradient(op));
    projectBackward(pass.rows, size, 3 * size, d_recurrent, tape.h_before, pass.weight(op, 1),
                    pass.weightGradient(op, 1), pass.weightGradient(op, 3), static_cast<F*>(nullptr));
}

SEEDBED_REFERENCE_KERNEL(forwardGru);
SEEDBED_REFERENCE_KERNEL(backwardGru);

}  // namespace seedbed::reference
