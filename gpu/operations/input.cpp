// SPDX-License-Identifier: Apache-2.0
// Observations.
#include "gpu/pass.hpp"

namespace seedbed::gpu {

namespace {

void forwardInput(Pass& pass, const PlanOp& op) {
    const auto index = static_cast<std::size_t>(op.leaf);
    const ObsLeaf& leaf = pass.plan().spec.spaces.obs[index];
    struct Push {
        std::uint32_t count, kind, cardinality;
        float high;
    };
    const Push push{pass.count(op.output), static_cast<std::uint32_t>(leaf.kind),
                    leaf.kind == ObsLeaf::Kind::discrete ? static_cast<std::uint32_t>(leaf.cardinality) : 0,
                    static_cast<float>(leaf.high)};
    pass.dispatch("input", {pass.panel.obs[index], pass.value(op.output)}, push, push.count);
}

static_assert(static_cast<int>(ObsLeaf::Kind::vector) == 0 && static_cast<int>(ObsLeaf::Kind::image) == 1 &&
                  static_cast<int>(ObsLeaf::Kind::discrete) == 2,
              "input.comp uses these numbers");

[[maybe_unused]] const bool registered_input = registerGpuOperation({.id = "input", .forward = forwardInput});

}  // namespace

}  // namespace seedbed::gpu
