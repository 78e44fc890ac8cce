// SPDX-License-Identifier: Apache-2.0
// An activation as a separate operation; the backward pass uses the reference kernel.
#include <algorithm>

#include "core/nn/engines/native/work.hpp"

namespace seedbed::native {

namespace {

void forwardActivation(Work& work, const PlanOp& op) {
    std::copy_n(work.pass.x(op), work.pass.count(op.output), work.pass.value(op.output));
    work.kernels->activate(op.activation, work.pass.value(op.output), work.pass.count(op.output));
}

[[maybe_unused]] const bool registered_activation = registerNative({
    .id = "activation",
    .forward = forwardActivation,
});

}  // namespace

}  // namespace seedbed::native
