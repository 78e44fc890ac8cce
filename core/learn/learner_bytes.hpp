// SPDX-License-Identifier: Apache-2.0
// Estimates the memory that a learner needs before it is created.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/learn/learner.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed {

// The sizes of a learner, for its memory estimate.
struct LearnerNeed {
    const Algorithm& algorithm;
    const std::vector<NetPlan>& nets;  // plans of its networks
    LearnerOptions options;
    std::string engine;  // engine of all networks
    int columns = 1;     // columns of all windows
    int threads = 1;
    bool lagging = false;  // rows may come from older parameters
};

// The memory that updates need, in bytes, excluding the published parameters.
std::size_t learnerBytes(const LearnerNeed& need);

// Bytes on a device on which the learner keeps gradients and moments (core/nn/learn_device.hpp).
std::size_t learnerDeviceBytes(const LearnerNeed& need);

}  // namespace seedbed
