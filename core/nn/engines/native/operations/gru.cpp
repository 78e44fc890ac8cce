// SPDX-License-Identifier: Apache-2.0
// Gated recurrent unit in the form of torch.nn.GRUCell (gates r, z, n; the reset gate is applied after the
// recurrent product).
#include <algorithm>

#include "core/nn/engines/native/weights.hpp"
#include "core/nn/engines/reference/operations/shared/recurrent.hpp"

namespace seedbed::native {

namespace {

// Memory kept for backward: gates [rows, 3 H], the candidate's recurrent part and the previous state, [rows,
// H] each, and the recurrent projection of the current step, [sequences, 3 H].
struct GruTape {
    float *gates, *candidate, *h_before, *recurrent;
    GruTape(Work& work, const PlanOp& op) {
        const auto size = static_cast<std::size_t>(work.pass.size(op.output)),
                   block = static_cast<std::size_t>(work.pass.rows) * size;
        gates = work.pass.save(op, 5 * block + 3 * static_cast<std::size_t>(work.pass.sequences) * size);
        candidate = gates + 3 * block;
        h_before = candidate + block;
        recurrent = h_before + block;
    }
};

void prepareGru(Work& work, const PlanOp& op) {
    packWeight(work, op, 0);
    packWeight(work, op, 1);
}

void forwardGru(Work& work, const PlanOp& op) {
    auto& pass = work.pass;
    const int size = pass.size(op.output), n = pass.sequences, in = pass.xSize(op);
    const GruTape tape(work, op);
    const View x = work.x(op);
    float* y = pass.value(op.output);
    work.kernels->product({.m = pass.rows,
                           .n = 3 * size,
                           .k = in,
                           .a = x.data,
                           .a_row = x.stride,
                           .b = work.packedWeight(op, 0),
                           .packed = true,
                           .c = tape.gates,
                           .c_row = 3 * size,
                           .bias = pass.weight(op, 2)});
    for (int t = 0; t < pass.steps; ++t) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(t) * n * size;
        reference::stateBefore(pass, t, y, op.state_offset, size, tape.h_before + begin);
        work.kernels->product({.m = n,
                               .n = 3 * size,
                               .k = size,
                               .a = tape.h_before + begin,
                               .a_row = size,
                               .b = work.packedWeight(op, 1),
                               .packed = true,
                               .c = tape.recurrent,
                               .c_row = 3 * size,
                               .bias = pass.weight(op, 3)});
        work.kernels->gruForward({.rows = n,
                                  .size = size,
                                  .gates = tape.gates + 3 * begin,
                                  .recurrent = tape.recurrent,
                                  .before = tape.h_before + begin,
                                  .candidate = tape.candidate + begin,
                                  .y = y + begin});
    }
    reference::stateAfter(pass, y, op.state_offset, size);
}

void backwardGru(Work& work, const PlanOp& op) {
    auto& pass = work.pass;
    const int size = pass.size(op.output), n = pass.sequences, in = pass.xSize(op);
    const GruTape tape(work, op);
    const View dy = work.gradients[static_cast<std::size_t>(op.output)];
    const auto block = static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(size);
    // Gradients of the projections of input and state. They differ only in the candidate's third, where the
    // state's gradient is multiplied by the reset gate.
    float *d_input = pass.grown(work.scratch2, 6 * block), *d_recurrent = d_input + 3 * block;
    float* dh = pass.grown(work.scratch3, static_cast<std::size_t>(n) * static_cast<std::size_t>(size));
    std::fill_n(dh, static_cast<std::size_t>(n) * static_cast<std::size_t>(size), 0.0f);
    for (int t = pass.steps - 1; t >= 0; --t) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(t) * n * size;
        work.kernels->gruBackward({.rows = n,
                                   .size = size,
                                   .gates = tape.gates + 3 * begin,
                                   .before = tape.h_before + begin,
                                   .candidate = tape.candidate + begin,
                                   .dy = dy.data + begin,
                                   .dh = dh,
                                   .d_input = d_input + 3 * begin,
                                   .d_recurrent = d_recurrent + 3 * begin});
        if (t == 0) break;
        work.kernels->product({.m = n,
                               .n = size,
                               .k = 3 * size,
                               .a = d_recurrent + 3 * begin,
                               .a_row = 3 * size,
                               .b = pass.weight(op, 1),
                               .b_row = size,
                               .c = dh,
                               .c_row = size,
                               .add = true});
        // No gradient flows back across the start of an episode.
        for (int s = 0; s < n; ++s)
            if (pass.panel->first[t * n + s]) std::fill_n(dh + s * size, size, 0.0f);
    }
    const View di{d_input, 3 * size}, dr{d_recurrent, 3 * size};
    if (pass.lane != nullptr) {
        work.kernels->addColumnSums(pass.rows, 3 * size, di.data, di.stride, pass.weightGradient(op, 2));
        work.kernels->addColumnSums(pass.rows, 3 * size, dr.data, dr.stride, pass.weightGradient(op, 3));
        addWeightGradient(work, pass.rows, in, 3 * size, work.x(op), di, pass.weightGradient(op, 0));
        addWeightGradient(work, pass.rows, size, 3 * size, {tape.h_before, size}, dr,
                          pass.weightGradient(op, 1));
    }
    Product p{.m = pass.rows,
              .n = in,
              .k = 3 * size,
              .a = di.data,
              .a_row = di.stride,
              .b = pass.weight(op, 0),
              .b_row = in};
    if (work.prepareInputGradient(op, 0, p)) work.kernels->product(p);
}

[[maybe_unused]] const bool registered_gru = registerNative({
    .id = "gru",
    .prepare = prepareGru,
    .forward = forwardGru,
    .backward = backwardGru,
    .takes_views = true,
});

}  // namespace

}  // namespace seedbed::native
