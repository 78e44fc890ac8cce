// SPDX-License-Identifier: Apache-2.0
// A learned vector, for example a standard deviation that does not depend on the state.
#include <algorithm>

#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

int buildParameterRows(PlanBuilder& builder, const OpSpec& spec) {
    const auto init = spec.initial == 0 ? ParamEntry::Init::zero : ParamEntry::Init::constant;
    PlanOp op{.kind = "parameter_rows"};
    op.params = {builder.param(spec.name, {spec.width}, init, spec.initial)};
    return builder.append(std::move(op), static_cast<std::size_t>(std::max(spec.width, 0)));
}

[[maybe_unused]] const bool registered_parameter_rows = registerOperation({
    .id = "parameter_rows",
    .help = "y = a learned vector, the same in every row; vector [width].",
    .build = buildParameterRows,
});

}  // namespace

}  // namespace seedbed
