// SPDX-License-Identifier: Apache-2.0
// One step of a long short-term memory.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string gateOf(LayerWriter& layers, const std::string& gates, int index, int size, const char* op) {
    return layers.graph().node(
        op, {layers.graph().columns(gates, std::int64_t{index} * size, std::int64_t{index + 1} * size)});
}

std::string writeLstm(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    const int size = layers.size(op.output);
    const std::string h = layers.stateColumns(op.state_offset, size),
                      c = layers.stateColumns(op.state_offset + size, size);
    const std::string gates =
        graph.node("Add", {layers.gemm(layers.matrix(op.inputs[0]), layers.param(op, 0), layers.param(op, 2)),
                           layers.gemm(h, layers.param(op, 1), layers.param(op, 3))});
    const std::string i = gateOf(layers, gates, 0, size, "Sigmoid"),
                      f = gateOf(layers, gates, 1, size, "Sigmoid"),
                      g = gateOf(layers, gates, 2, size, "Tanh"),
                      o = gateOf(layers, gates, 3, size, "Sigmoid");
    const std::string c_after = graph.node("Add", {graph.node("Mul", {f, c}), graph.node("Mul", {i, g})});
    const std::string h_after = graph.node("Mul", {o, graph.node("Tanh", {c_after})});
    layers.setState(op.state_offset, size, h_after);
    layers.setState(op.state_offset + size, size, c_after);
    return h_after;
}

[[maybe_unused]] const bool registered_lstm = registerOperation("lstm", writeLstm);

}  // namespace

}  // namespace seedbed::onnx
