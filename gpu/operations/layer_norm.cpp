// SPDX-License-Identifier: Apache-2.0
// Layer normalisation.
#include "gpu/operations/shared/product.hpp"

namespace seedbed::gpu {

namespace {

void forwardLayerNorm(Pass& pass, const PlanOp& op) {
    const std::uint32_t size = pass.size(op.output);
    struct Push {
        std::uint32_t rows, size, gain, bias, activation;
    };
    const Slice kept = pass.keep(op, std::uint64_t{pass.rows} * (size + 1));
    pass.dispatch("layer_norm", {pass.value(Pass::input(op)), pass.blob, pass.value(op.output), kept},
                  Push{pass.rows, size, pass.weight(op, 0), pass.weight(op, 1),
                       static_cast<std::uint32_t>(op.activation)},
                  pass.rows);
}

void backwardLayerNorm(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    const std::uint32_t size = pass.size(op.output);
    deactivate(pass, op);
    struct Push {
        std::uint32_t rows, size, gain, x_mode;
    };
    const Slice gain_terms = pass.scratch(pass.count(op.output)), dy = pass.gradient(op.output);
    const std::uint32_t x_mode = pass.wants(x) ? pass.adding(x) : 2u;
    pass.dispatch("layer_norm_backward", {dy, pass.blob, pass.kept(op), pass.gradient(x), gain_terms},
                  Push{pass.rows, size, pass.weight(op, 0), x_mode}, pass.rows);
    if (pass.grades(op, 0)) columnSums(pass, gain_terms, size, 1, pass.weight(op, 0));
    if (pass.grades(op, 1)) columnSums(pass, dy, size, 1, pass.weight(op, 1));
}

[[maybe_unused]] const bool registered_layer_norm = registerGpuOperation({
    .id = "layer_norm",
    .forward = forwardLayerNorm,
    .backward = backwardLayerNorm,
});

}  // namespace

}  // namespace seedbed::gpu
