// SPDX-License-Identifier: Apache-2.0
// Long short-term memory in the gate order of torch.nn.LSTMCell (i, f, g, o). Matrix products cover all steps
// where possible; otherwise they are computed step by step.
#include <algorithm>

#include "core/nn/engines/native/weights.hpp"
#include "core/nn/engines/reference/operations/shared/recurrent.hpp"

namespace seedbed::native {

namespace {

// Memory kept for backward, each [rows, ...].
struct LstmTape {
    float *gates, *cell, *tanh_cell, *h_before, *c_before;
    LstmTape(Work& work, const PlanOp& op) {
        const auto block =
            static_cast<std::size_t>(work.pass.rows) * static_cast<std::size_t>(work.pass.size(op.output));
        gates = work.pass.save(op, 8 * block);
        cell = gates + 4 * block;
        tanh_cell = cell + block;
        h_before = tanh_cell + block;
        c_before = h_before + block;
    }
};

LstmRows lstmRows(const LstmTape& tape, int rows, int size, std::ptrdiff_t begin) {
    return {.rows = rows,
            .size = size,
            .gates = tape.gates + 4 * begin,
            .before = tape.c_before + begin,
            .cell = tape.cell + begin,
            .tanh_cell = tape.tanh_cell + begin};
}

void prepareLstm(Work& work, const PlanOp& op) {
    packWeight(work, op, 0);
    packWeight(work, op, 1);
    // Adds the two biases once, in advance.
    std::vector<float>& bias = work.packedOf(op, 2);
    bias.resize(work.pass.entry(op, 2).count);
    for (std::size_t i = 0; i < bias.size(); ++i)
        bias[i] = work.pass.weight(op, 2)[i] + work.pass.weight(op, 3)[i];
}

void forwardLstm(Work& work, const PlanOp& op) {
    auto& pass = work.pass;
    const int size = pass.size(op.output), n = pass.sequences, in = pass.xSize(op);
    const LstmTape tape(work, op);
    const View x = work.x(op);
    float* y = pass.value(op.output);
    const auto projectInput = [&](int first_row, int rows) {
        work.kernels->product({.m = rows,
                               .n = 4 * size,
                               .k = in,
                               .a = x.data + first_row * x.stride,
                               .a_row = x.stride,
                               .b = work.packedWeight(op, 0),
                               .packed = true,
                               .c = tape.gates + std::ptrdiff_t{first_row} * 4 * size,
                               .c_row = 4 * size,
                               .bias = work.packedWeight(op, 2)});
    };
    // Gates that are computed one step at a time stay in the cache until they are complete. With few
    // sequences, the cost of reading the weights in every step would exceed this benefit.
    const bool by_step = n >= 8;
    if (!by_step) projectInput(0, pass.rows);
    for (int t = 0; t < pass.steps; ++t) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(t) * n * size;
        if (by_step) projectInput(t * n, n);
        reference::stateBefore(pass, t, y, op.state_offset, size, tape.h_before + begin);
        reference::stateBefore(pass, t, tape.cell, op.state_offset + size, size, tape.c_before + begin);
        work.kernels->product({.m = n,
                               .n = 4 * size,
                               .k = size,
                               .a = tape.h_before + begin,
                               .a_row = size,
                               .b = work.packedWeight(op, 1),
                               .packed = true,
                               .c = tape.gates + 4 * begin,
                               .c_row = 4 * size,
                               .add = true});
        LstmRows rows = lstmRows(tape, n, size, begin);
        rows.y = y + begin;
        work.kernels->lstmForward(rows);
    }
    reference::stateAfter(pass, y, op.state_offset, size);
    reference::stateAfter(pass, tape.cell, op.state_offset + size, size);
}

void backwardLstm(Work& work, const PlanOp& op) {
    auto& pass = work.pass;
    const int size = pass.size(op.output), n = pass.sequences, in = pass.xSize(op);
    const LstmTape tape(work, op);
    const View dy = work.gradients[static_cast<std::size_t>(op.output)];
    const auto block = static_cast<std::size_t>(n) * static_cast<std::size_t>(size);
    float* d_gates =
        pass.grown(work.scratch2, static_cast<std::size_t>(pass.rows) * 4 * static_cast<std::size_t>(size));
    // Gradients from the next step, [n, size] each.
    float *dh = pass.grown(work.scratch3, 2 * block + 4 * static_cast<std::size_t>(size)), *dc = dh + block,
          *bias = dc + block;
    std::fill_n(dh, 2 * block, 0.0f);
    for (int t = pass.steps - 1; t >= 0; --t) {
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(t) * n * size;
        LstmRows rows = lstmRows(tape, n, size, begin);
        rows.dy = dy.data + begin;
        rows.dh = dh;
        rows.dc = dc;
        rows.d_gates = d_gates + 4 * begin;
        work.kernels->lstmBackward(rows);
        if (t == 0) break;
        work.kernels->product({.m = n,
                               .n = size,
                               .k = 4 * size,
                               .a = rows.d_gates,
                               .a_row = 4 * size,
                               .b = pass.weight(op, 1),
                               .b_row = size,
                               .c = dh,
                               .c_row = size});
        // No gradient flows back across the start of an episode.
        for (int s = 0; s < n; ++s)
            if (pass.panel->first[t * n + s]) {
                std::fill_n(dh + s * size, size, 0.0f);
                std::fill_n(dc + s * size, size, 0.0f);
            }
    }
    const View d{d_gates, 4 * size};
    if (pass.lane != nullptr) {
        std::fill_n(bias, 4 * size, 0.0f);
        work.kernels->addColumnSums(pass.rows, 4 * size, d_gates, 4 * size, bias);
        for (int i = 2; i < 4; ++i)
            for (int k = 0; k < 4 * size; ++k) pass.weightGradient(op, i)[k] += bias[k];
        addWeightGradient(work, pass.rows, in, 4 * size, work.x(op), d, pass.weightGradient(op, 0));
        addWeightGradient(work, pass.rows, size, 4 * size, {tape.h_before, size}, d,
                          pass.weightGradient(op, 1));
    }
    Product p{.m = pass.rows,
              .n = in,
              .k = 4 * size,
              .a = d.data,
              .a_row = d.stride,
              .b = pass.weight(op, 0),
              .b_row = in};
    if (work.prepareInputGradient(op, 0, p)) work.kernels->product(p);
}

[[maybe_unused]] const bool registered_lstm = registerNative({
    .id = "lstm",
    .prepare = prepareLstm,
    .forward = forwardLstm,
    .backward = backwardLstm,
    .takes_views = true,
});

}  // namespace

}  // namespace seedbed::native
