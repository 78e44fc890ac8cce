// SPDX-License-Identifier: Apache-2.0
// The operation as ONNX nodes.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {
namespace {

std::string writeTwice(LayerWriter& layers, const PlanOp& op) {
    const std::string x = layers.matrix(op.inputs[0]);
    return layers.shaped(layers.graph().node("Add", {x, x}), op.output);
}

[[maybe_unused]] const bool registered_nodes = registerOperation("one_file_operation", writeTwice);

}  // namespace
}  // namespace seedbed::onnx
