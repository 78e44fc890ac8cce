// SPDX-License-Identifier: Apache-2.0
// Normalises vector observations with running statistics; see normaliser.hpp.
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildNormalise(PlanBuilder& builder, const OpSpec& spec) {
    const std::size_t size = builder.value(spec.inputs[0]).size();
    const auto width = static_cast<int>(size);
    PlanOp op{.kind = "normalise", .inputs = spec.inputs, .clip = builder.spec().normalise_clip};
    constexpr auto buffer = ParamEntry::Role::buffer;
    op.params = {builder.param(spec.name + ".mean", {width}, ParamEntry::Init::zero, 0, buffer),
                 builder.param(spec.name + ".var", {width}, ParamEntry::Init::one, 1, buffer),
                 builder.param(spec.name + ".count", {1}, ParamEntry::Init::zero, 0, buffer)};
    return builder.append(std::move(op), size);
}

[[maybe_unused]] const bool registered_normalise = registerOperation({
    .id = "normalise",
    .help = "y = clip((x - mean) * rsqrt(var + 1e-8), +-clip); buffers mean, var (size of x), count (1).",
    .build = buildNormalise,
    .fields = {OpField::clip},
});

}  // namespace

}  // namespace seedbed
