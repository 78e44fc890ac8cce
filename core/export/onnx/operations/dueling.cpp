// SPDX-License-Identifier: Apache-2.0
// Dueling heads.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeDueling(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    const std::string a = layers.matrix(op.inputs[1]);
    return graph.node("Add", {layers.matrix(op.inputs[0]), graph.node("Sub", {a, layers.mean(a)})});
}

[[maybe_unused]] const bool registered_dueling = registerOperation("dueling", writeDueling);

}  // namespace

}  // namespace seedbed::onnx
