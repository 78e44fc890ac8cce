// SPDX-License-Identifier: Apache-2.0
// Max pooling.
#include "core/nn/operation.hpp"
#include "core/nn/operations/shared/window.hpp"

namespace seedbed {

namespace {

int buildMaxPool(PlanBuilder& builder, const OpSpec& spec) {
    const PlanValue from = builder.value(spec.inputs[0]);
    SEEDBED_CHECK(spec.pad < spec.kernel, "every pooling window must contain a pixel");
    return builder.append({.kind = "max_pool",
                           .inputs = spec.inputs,
                           .kernel = spec.kernel,
                           .stride = spec.stride,
                           .pad = spec.pad},
                          static_cast<std::size_t>(from.channels), windowsAlong(from.height, spec),
                          windowsAlong(from.width, spec));
}

// The tape contains the index of the largest pixel of each window.
OperationCost costOfMaxPool(const NetPlan& plan, const PlanOp& op) {
    return {.tape_floats = plan.values[static_cast<std::size_t>(op.output)].size()};
}

[[maybe_unused]] const bool registered_max_pool = registerOperation({
    .id = "max_pool",
    .help = "y = the largest pixel of each window, padded with -infinity (IMPALA: window 3, stride 2).",
    .build = buildMaxPool,
    .cost = costOfMaxPool,
    .kinks = true,
    .fields = {OpField::window},
});

}  // namespace

}  // namespace seedbed
