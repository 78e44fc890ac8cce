// SPDX-License-Identifier: Apache-2.0
// Scales the output of a value head to its targets.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeRescale(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    const std::string scaled = graph.node("Mul", {layers.matrix(op.inputs[0]), layers.param(op, 1)});
    return graph.node("Add", {scaled, layers.param(op, 0)});
}

[[maybe_unused]] const bool registered_rescale = registerOperation("rescale", writeRescale);

}  // namespace

}  // namespace seedbed::onnx
