// SPDX-License-Identifier: Apache-2.0
// The operations of a network plan as ONNX nodes. Inner part of core/export/onnx.
#pragma once

#include <string>
#include <vector>

#include "core/export/onnx/graph_writer.hpp"
#include "core/export/policy_model.hpp"

namespace seedbed::onnx {

// Names of the graph's inputs as the layers need them: matrices [batch, n], pictures [batch, channels,
// height, width].
struct LayerInputs {
    std::vector<std::string> obs;  // per leaf
    std::vector<float> divisor;    // of pictures, per leaf
    std::string previous_action, previous_reward, state;
};

// Writes all operations that the outputs in `wanted` (indices into NetPlan::values) and the recurrent state
// need. Returns the name of each value ("" where it was not needed); `state_out` becomes the name of the
// state after the step, columns that nothing writes pass through. error: config, an operation that ONNX has
// no form of here (named).
Result<std::vector<std::string>> writeLayers(const PolicyModel& policy, const LayerInputs& inputs,
                                             const std::vector<int>& wanted, GraphWriter& writer,
                                             std::string& state_out);

}  // namespace seedbed::onnx
