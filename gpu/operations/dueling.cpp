// SPDX-License-Identifier: Apache-2.0
// Dueling heads.
#include "gpu/pass.hpp"

namespace seedbed::gpu {

namespace {

void forwardDueling(Pass& pass, const PlanOp& op) {
    const int v = Pass::input(op, 0), a = Pass::input(op, 1);
    struct Push {
        std::uint32_t rows, n, k;
    };
    const Push push{pass.rows, pass.size(a) / pass.size(v), pass.size(v)};
    pass.dispatch("dueling", {pass.value(v), pass.value(a), pass.value(op.output)}, push, pass.count(v));
}

void backwardDueling(Pass& pass, const PlanOp& op) {
    const int v = Pass::input(op, 0), a = Pass::input(op, 1);
    struct Push {
        std::uint32_t rows, n, k, v_mode, a_mode;
    };
    const auto mode = [&pass](int x) { return pass.wants(x) ? pass.adding(x) : 2u; };
    const std::uint32_t v_mode = mode(v), a_mode = mode(a);
    pass.dispatch("dueling_backward", {pass.gradient(op.output), pass.gradient(v), pass.gradient(a)},
                  Push{pass.rows, pass.size(a) / pass.size(v), pass.size(v), v_mode, a_mode}, pass.count(v));
}

[[maybe_unused]] const bool registered_dueling = registerGpuOperation({
    .id = "dueling",
    .forward = forwardDueling,
    .backward = backwardDueling,
});

}  // namespace

}  // namespace seedbed::gpu
