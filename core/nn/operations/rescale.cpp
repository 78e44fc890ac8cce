// SPDX-License-Identifier: Apache-2.0
// Scales the output of a value head to its targets; see popart.hpp.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildRescale(PlanBuilder& builder, const OpSpec& spec) {
    const std::size_t size = builder.value(spec.inputs[0]).size();
    const auto width = static_cast<int>(size);
    PlanOp op{.kind = "rescale", .inputs = spec.inputs};
    constexpr auto buffer = ParamEntry::Role::buffer;
    op.params = {builder.param(spec.name + ".mean", {width}, ParamEntry::Init::zero, 0, buffer),
                 builder.param(spec.name + ".std", {width}, ParamEntry::Init::one, 1, buffer),
                 builder.param(spec.name + ".count", {1}, ParamEntry::Init::zero, 0, buffer)};
    return builder.append(std::move(op), size);
}

[[maybe_unused]] const bool registered_rescale = registerOperation({
    .id = "rescale",
    .help = "y = x * std + mean; buffers mean, std (size of x), count (1).",
    .build = buildRescale,
});

}  // namespace

}  // namespace seedbed
