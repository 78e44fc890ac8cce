// SPDX-License-Identifier: Apache-2.0
// Residual connections.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeAdd(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    return layers.shaped(graph.node("Add", {layers.matrix(op.inputs[0]), layers.matrix(op.inputs[1])}),
                         op.output);
}

[[maybe_unused]] const bool registered_add = registerOperation("add", writeAdd);

}  // namespace

}  // namespace seedbed::onnx
