// SPDX-License-Identifier: Apache-2.0
// Gated recurrent unit: one kernel per step, then the gradients of weights over all steps at once.
#include "gpu/operations/shared/product.hpp"
#include "gpu/operations/shared/recurrent.hpp"

namespace seedbed::gpu {

namespace {

// Memory kept for backward in blocks of [rows, size]: gates (3), recurrent part of the candidate, h before.
constexpr std::uint64_t kGruKeptBlocks = 5, kGruBeforeBlock = 4;

void forwardGru(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    const std::uint32_t size = pass.size(op.output);
    const Slice kept = pass.keep(op, kGruKeptBlocks * pass.rows * size);
    project(pass, op, pass.value(x), pass.size(x), kept, 3 * size, 0, 2, -1, Activation::none);
    for (std::uint32_t step = 0; step < pass.steps; ++step) {
        const StepPush push = stepOf(pass, op, step);
        pass.dispatch("gru",
                      {kept, pass.blob, pass.panel.first, pass.panel.state, pass.value(op.output),
                       pass.panel.state_out},
                      push, push.threads(), push.macs(3));
    }
}

void backwardGru(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    const std::uint32_t size = pass.size(op.output);
    const Slice d_input = pass.scratch(std::uint64_t{pass.rows} * 3 * size),
                d_state = pass.scratch(std::uint64_t{pass.rows} * 3 * size),
                dh = pass.scratch(std::uint64_t{pass.sequences} * size);
    for (std::uint32_t step = pass.steps; step-- > 0;) {
        const StepPush push = stepOf(pass, op, step);
        pass.dispatch(
            "gru_backward",
            {pass.kept(op), pass.blob, pass.panel.first, pass.gradient(op.output), d_input, d_state, dh},
            push, push.threads(), push.macs(3));
    }
    const bool wanted = pass.wants(x);
    projectBackward(pass, op, d_input, {pass.value(x)}, pass.size(x), 3 * size, 0, 2,
                    wanted ? pass.gradient(x) : Slice{}, wanted ? pass.adding(x) : 0);
    const auto before = static_cast<std::uint32_t>(kGruBeforeBlock * pass.rows * size);
    projectBackward(pass, op, d_state, {pass.kept(op), before}, size, 3 * size, 1, 3, Slice{}, 0);
}

[[maybe_unused]] const bool registered_gru = registerGpuOperation({
    .id = "gru",
    .forward = forwardGru,
    .backward = backwardGru,
});

}  // namespace

}  // namespace seedbed::gpu
