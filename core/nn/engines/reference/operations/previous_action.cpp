// SPDX-License-Identifier: Apache-2.0
// The action of the previous row, one-hot or raw.
#include <algorithm>

#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardPreviousAction(Pass<Real>& pass, const PlanOp& op) {
    const int width = pass.size(op.output), words = pass.plan->spec.spaces.actionWords();
    std::fill_n(pass.value(op.output), static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(width),
                Real(0));
    for (int row = 0; row < pass.rows; ++row) {
        if (pass.panel->first[row]) continue;
        const float* action =
            pass.panel->previous_action + static_cast<std::size_t>(row) * static_cast<std::size_t>(words);
        Real* y = pass.value(op.output) + static_cast<std::size_t>(row) * static_cast<std::size_t>(width);
        for (const ActionLeaf& leaf : pass.plan->spec.spaces.actions) {
            if (leaf.kind == ActionLeaf::Kind::discrete) {
                const float choice = *action++;
                if (choice >= 0 && choice < static_cast<float>(leaf.n)) y[static_cast<int>(choice)] = Real(1);
                y += leaf.n;
            } else {
                for (int i = 0; i < leaf.words(); ++i) *y++ = static_cast<Real>(*action++);
            }
        }
    }
}

[[maybe_unused]] const bool registered_previous_action = registerKernels<Real>({
    .id = "previous_action",
    .forward = forwardPreviousAction,
});

}  // namespace

}  // namespace seedbed::reference
