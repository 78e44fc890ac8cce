// SPDX-License-Identifier: Apache-2.0
// Convolutions.
#include <algorithm>

#include "core/nn/operation.hpp"
#include "core/nn/operations/shared/window.hpp"

namespace seedbed {

namespace {

int buildConv2d(PlanBuilder& builder, const OpSpec& spec) {
    const PlanValue from = builder.value(spec.inputs[0]);
    const int height = windowsAlong(from.height, spec), width = windowsAlong(from.width, spec);
    if (height == 0 || width == 0)
        builder.refuse("an image of " + std::to_string(from.width) + " x " + std::to_string(from.height) +
                       " pixels is too small for '" + builder.scope() + "." + spec.name +
                       "', whose kernel is " + std::to_string(spec.kernel) + " x " +
                       std::to_string(spec.kernel));
    PlanOp op{.kind = "conv2d",
              .inputs = spec.inputs,
              .activation = spec.activation,
              .kernel = spec.kernel,
              .stride = spec.stride,
              .pad = spec.pad};
    op.params = {builder.param(spec.name + ".weight", {spec.width, from.channels, spec.kernel, spec.kernel},
                               ParamEntry::Init::orthogonal, spec.gain),
                 builder.param(spec.name + ".bias", {spec.width}, ParamEntry::Init::zero, 0)};
    return builder.append(std::move(op), static_cast<std::size_t>(std::max(spec.width, 0)), height, width);
}

OperationCost costOfConv2d(const NetPlan& plan, const PlanOp& op) {
    const PlanValue& out = plan.values[static_cast<std::size_t>(op.output)];
    const auto weights = static_cast<double>(plan.params[static_cast<std::size_t>(op.params[0])].count);
    return {.input_macs = weights * out.height * out.width};
}

[[maybe_unused]] const bool registered_conv2d = registerOperation({
    .id = "conv2d",
    .help = "y = activation(W * x + b) with zero padding, images CHW; W [out, in, kernel, kernel], b [out].",
    .build = buildConv2d,
    .cost = costOfConv2d,
    .fields = {OpField::window},
});

}  // namespace

}  // namespace seedbed
