// SPDX-License-Identifier: Apache-2.0
// The reward of the previous row.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writePreviousReward(LayerWriter& layers, const PlanOp&) {
    return layers.inputs().previous_reward;
}

[[maybe_unused]] const bool registered_previous_reward =
    registerOperation("previous_reward", writePreviousReward);

}  // namespace

}  // namespace seedbed::onnx
