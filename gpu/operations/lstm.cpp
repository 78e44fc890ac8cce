// SPDX-License-Identifier: Apache-2.0
// Long short-term memory: one kernel per step, then the gradients of weights over all steps at once.
#include "gpu/operations/shared/product.hpp"
#include "gpu/operations/shared/recurrent.hpp"

namespace seedbed::gpu {

namespace {

// Memory kept for backward in blocks of [rows, size]: gates (4), cell, tanh(cell), h before, c before.
constexpr std::uint64_t kKeptBlocks = 8, kBeforeBlock = 6;

void forwardLstm(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    const std::uint32_t size = pass.size(op.output);
    const Slice kept = pass.keep(op, kKeptBlocks * pass.rows * size);
    project(pass, op, pass.value(x), pass.size(x), kept, 4 * size, 0, 2, 3, Activation::none);
    for (std::uint32_t step = 0; step < pass.steps; ++step) {
        const StepPush push = stepOf(pass, op, step);
        pass.dispatch("lstm",
                      {kept, pass.blob, pass.panel.first, pass.panel.state, pass.value(op.output),
                       pass.panel.state_out},
                      push, push.threads(), push.macs(4));
    }
}

void backwardLstm(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    const std::uint32_t size = pass.size(op.output);
    const Slice d_gates = pass.scratch(std::uint64_t{pass.rows} * 4 * size),
                dc = pass.scratch(std::uint64_t{pass.sequences} * size);
    for (std::uint32_t step = pass.steps; step-- > 0;) {
        const StepPush push = stepOf(pass, op, step);
        pass.dispatch("lstm_backward",
                      {pass.kept(op), pass.blob, pass.panel.first, pass.gradient(op.output), d_gates, dc},
                      push, push.threads(), push.macs(4));
    }
    const bool wanted = pass.wants(x);
    projectBackward(pass, op, d_gates, {pass.value(x)}, pass.size(x), 4 * size, 0, 2,
                    wanted ? pass.gradient(x) : Slice{}, wanted ? pass.adding(x) : 0);
    const auto before = static_cast<std::uint32_t>(kBeforeBlock * pass.rows * size);
    projectBackward(pass, op, d_gates, {pass.kept(op), before}, size, 4 * size, 1, 3, Slice{}, 0);
}

[[maybe_unused]] const bool registered_lstm = registerGpuOperation({
    .id = "lstm",
    .forward = forwardLstm,
    .backward = backwardLstm,
});

}  // namespace

}  // namespace seedbed::gpu
