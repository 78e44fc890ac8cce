// SPDX-License-Identifier: Apache-2.0
// Fully connected layers.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeLinear(LayerWriter& layers, const PlanOp& op) {
    return layers.activated(
        layers.gemm(layers.matrix(op.inputs[0]), layers.param(op, 0), layers.param(op, 1)), op.activation);
}

[[maybe_unused]] const bool registered_linear = registerOperation("linear", writeLinear);

}  // namespace

}  // namespace seedbed::onnx
