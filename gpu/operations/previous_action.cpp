// SPDX-License-Identifier: Apache-2.0
// The action of the previous row, one-hot or raw.
#include "gpu/pass.hpp"

namespace seedbed::gpu {

namespace {

void forwardPreviousAction(Pass& pass, const PlanOp& op) {
    struct Push {
        std::uint32_t rows, words, word, size, begin, width, discrete;
    };
    const Spaces& spaces = pass.plan().spec.spaces;
    Push push{pass.rows, static_cast<std::uint32_t>(spaces.actionWords()), 0, pass.size(op.output), 0, 0, 0};
    for (const ActionLeaf& leaf : spaces.actions) {
        push.discrete = leaf.kind == ActionLeaf::Kind::discrete ? 1 : 0;
        push.width = static_cast<std::uint32_t>(push.discrete != 0 ? leaf.n : leaf.words());
        pass.dispatch("previous_action",
                      {pass.panel.previous_action, pass.panel.first, pass.value(op.output)}, push,
                      std::uint64_t{push.rows} * push.width);
        push.word += static_cast<std::uint32_t>(leaf.words());
        push.begin += push.width;
    }
}

[[maybe_unused]] const bool registered_previous_action = registerGpuOperation({
    .id = "previous_action",
    .forward = forwardPreviousAction,
});

}  // namespace

}  // namespace seedbed::gpu
