// SPDX-License-Identifier: Apache-2.0
#include "core/nn/operations/shared/recurrent.hpp"

namespace seedbed {

int buildRecurrent(PlanBuilder& builder, const OpSpec& spec, const std::string& kind, int gates,
                   int state_blocks) {
    const int size = spec.width;
    if (size < 1 || size > (1 << 16)) {
        builder.refuse("the size of the recurrent core is outside 1 to 65536");
        return spec.inputs[0];
    }
    const auto in = static_cast<int>(builder.value(spec.inputs[0]).size());
    PlanOp op{.kind = kind, .inputs = spec.inputs};
    op.params = {
        builder.param(spec.name + ".weight_ih", {gates * size, in}, ParamEntry::Init::orthogonal, 1),
        builder.param(spec.name + ".weight_hh", {gates * size, size}, ParamEntry::Init::orthogonal, 1),
        builder.param(spec.name + ".bias_ih", {gates * size}, ParamEntry::Init::zero, 0),
        builder.param(spec.name + ".bias_hh", {gates * size}, ParamEntry::Init::zero, 0)};
    return builder.append(std::move(op), static_cast<std::size_t>(size), 1, 1, state_blocks * size);
}

OperationCost recurrentCost(const NetPlan& plan, const PlanOp& op, std::size_t tape_blocks) {
    const auto weights = [&](std::size_t i) {
        return static_cast<double>(plan.params[static_cast<std::size_t>(op.params[i])].count);
    };
    return {.input_macs = weights(0),
            .state_macs = weights(1),
            .tape_floats = tape_blocks * plan.values[static_cast<std::size_t>(op.output)].size()};
}

}  // namespace seedbed
