// SPDX-License-Identifier: Apache-2.0
// Observations: converted to lists of ones or to float images, or left unconverted if their consumers read
// the panel.
#include "core/nn/engines/native/sparse.hpp"
#include "core/nn/engines/native/work.hpp"

namespace seedbed::native {

namespace {

void forwardInput(Work& work, const PlanOp& op) {
    const ValueFacts& facts = work.facts[toIndex(op.output)];
    if (facts.sparse) return listOnes(work, op);
    if (facts.borrowed) return;
    const ObsLeaf& leaf = work.pass.plan->spec.spaces.obs[toIndex(op.leaf)];
    if (leaf.kind != ObsLeaf::Kind::image) return work.fallback(op).forward(work.pass, op);
    work.kernels->scaleBytes(work.pass.panel->obs[toIndex(op.leaf)], static_cast<float>(leaf.high),
                             work.pass.value(op.output), work.pass.count(op.output));
}

[[maybe_unused]] const bool registered_input = registerNative({
    .id = "input",
    .forward = forwardInput,
});

}  // namespace

}  // namespace seedbed::native
