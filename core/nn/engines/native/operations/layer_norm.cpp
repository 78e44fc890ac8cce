// SPDX-License-Identifier: Apache-2.0
// Layer normalisation.
#include "core/nn/engines/native/work.hpp"

namespace seedbed::native {

namespace {

NormRows normRows(Work& work, const PlanOp& op) {
    const int size = work.pass.size(op.output);
    // Saved per row: the normalised features, then the inverse deviation.
    return {.rows = work.pass.rows,
            .size = size,
            .gain = work.pass.weight(op, 0),
            .bias = work.pass.weight(op, 1),
            .activation = op.activation,
            .saved = work.pass.save(
                op, static_cast<std::size_t>(work.pass.rows) * (static_cast<std::size_t>(size) + 1))};
}

void forwardNorm(Work& work, const PlanOp& op) {
    NormRows rows = normRows(work, op);
    rows.x = work.pass.x(op);
    rows.y = work.pass.value(op.output);
    work.kernels->normForward(rows);
}

void backwardNorm(Work& work, const PlanOp& op) {
    NormRows rows = normRows(work, op);
    rows.dy = work.outputGradient(op).data;
    rows.d_gain = work.pass.weightGradient(op, 0);
    rows.d_bias = work.pass.weightGradient(op, 1);
    Product given{};
    if (work.prepareInputGradient(op, 0, given)) {
        rows.dx = given.c;
        rows.add = given.add;
    }
    work.kernels->normBackward(rows);
    if (given.derive != nullptr)
        work.kernels->deactivate(given.derive_activation, given.derive, given.c,
                                 static_cast<std::size_t>(rows.rows) * static_cast<std::size_t>(rows.size));
}

[[maybe_unused]] const bool registered_layer_norm = registerNative({
    .id = "layer_norm",
    .forward = forwardNorm,
    .backward = backwardNorm,
    .activates = true,
});

}  // namespace

}  // namespace seedbed::native
