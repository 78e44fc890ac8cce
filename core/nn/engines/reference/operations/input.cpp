// SPDX-License-Identifier: Apache-2.0
// Observations: floats are copied, bytes are divided by their upper bound, and discrete values are one-hot
// encoded.
#include <algorithm>
#include <cstring>

#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

namespace {

void forwardInput(Pass<Real>& pass, const PlanOp& op) {
    const ObsLeaf& leaf = pass.plan->spec.spaces.obs[static_cast<std::size_t>(op.leaf)];
    const std::uint8_t* bytes = pass.panel->obs[static_cast<std::size_t>(op.leaf)];
    const std::size_t count =
        static_cast<std::size_t>(pass.rows) * static_cast<std::size_t>(leaf.stack) * leaf.elements();
    Real* y = pass.value(op.output);
    switch (leaf.kind) {
        case ObsLeaf::Kind::vector:
            for (std::size_t i = 0; i < count; ++i) {
                float word;
                std::memcpy(&word, bytes + i * sizeof word, sizeof word);
                y[i] = static_cast<Real>(word);
            }
            break;
        case ObsLeaf::Kind::image: {
            const Real high = static_cast<Real>(leaf.high);
            for (std::size_t i = 0; i < count; ++i) y[i] = static_cast<Real>(bytes[i]) / high;
            break;
        }
        case ObsLeaf::Kind::discrete: {
            const auto cardinality = static_cast<std::size_t>(leaf.cardinality);
            std::fill_n(y, count * cardinality, Real(0));
            for (std::size_t i = 0; i < count; ++i) {
                std::int32_t word;
                std::memcpy(&word, bytes + i * sizeof word, sizeof word);
                // Values out of range are encoded as all zeros.
                if (word >= 0 && word < leaf.cardinality)
                    y[i * cardinality + static_cast<std::size_t>(word)] = Real(1);
            }
            break;
        }
    }
}

[[maybe_unused]] const bool registered_input = registerKernels<Real>({
    .id = "input",
    .forward = forwardInput,
});

}  // namespace

}  // namespace seedbed::reference
