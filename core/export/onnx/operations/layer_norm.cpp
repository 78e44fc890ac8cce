// SPDX-License-Identifier: Apache-2.0
// Layer normalisation in basic operators, which every runtime for operator set 15 supports.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeLayerNorm(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    const std::string x = layers.matrix(op.inputs[0]);
    const std::string centred = graph.node("Sub", {x, layers.mean(x)});
    const std::string variance = layers.mean(graph.node("Mul", {centred, centred}));
    const std::string deviation = graph.node("Sqrt", {graph.node("Add", {variance, graph.scalar(1e-5f)})});
    const std::string normalised = graph.node("Div", {centred, deviation});
    const std::string y =
        graph.node("Add", {graph.node("Mul", {normalised, layers.param(op, 0)}), layers.param(op, 1)});
    return layers.shaped(layers.activated(y, op.activation), op.output);
}

[[maybe_unused]] const bool registered_layer_norm = registerOperation("layer_norm", writeLayerNorm);

}  // namespace

}  // namespace seedbed::onnx
