// SPDX-License-Identifier: Apache-2.0
// The push constants of shaders/step.glsl.
#pragma once

#include "gpu/pass.hpp"

namespace seedbed::gpu {

struct StepPush {
    std::uint32_t sequences, size, steps, step, weight, bias, state_words, offset;

    // An invocation computes one unit of four sequences.
    std::uint64_t threads() const { return std::uint64_t{(sequences + 3) / 4} * size; }
    double macs(int gates) const { return static_cast<double>(sequences) * size * size * gates; }
};

inline StepPush stepOf(const Pass& pass, const PlanOp& op, std::uint32_t step) {
    return {pass.sequences,
            pass.size(op.output),
            pass.steps,
            step,
            pass.weight(op, 1),
            pass.weight(op, 3),
            static_cast<std::uint32_t>(pass.plan().state_words),
            static_cast<std::uint32_t>(op.state_offset)};
}

}  // namespace seedbed::gpu
