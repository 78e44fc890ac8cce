// SPDX-License-Identifier: Apache-2.0
// One step of a gated recurrent unit.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeGru(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    const int size = layers.size(op.output);
    const std::string h = layers.stateColumns(op.state_offset, size);
    const std::string from_x =
                          layers.gemm(layers.matrix(op.inputs[0]), layers.param(op, 0), layers.param(op, 2)),
                      from_h = layers.gemm(h, layers.param(op, 1), layers.param(op, 3));
    const auto part = [&](const std::string& gates, int index) {
        return graph.columns(gates, std::int64_t{index} * size, std::int64_t{index + 1} * size);
    };
    const std::string r = graph.node("Sigmoid", {graph.node("Add", {part(from_x, 0), part(from_h, 0)})});
    const std::string z = graph.node("Sigmoid", {graph.node("Add", {part(from_x, 1), part(from_h, 1)})});
    const std::string n =
        graph.node("Tanh", {graph.node("Add", {part(from_x, 2), graph.node("Mul", {r, part(from_h, 2)})})});
    const std::string fresh = graph.node("Mul", {graph.node("Sub", {graph.scalar(1.0f), z}), n});
    const std::string h_after = graph.node("Add", {fresh, graph.node("Mul", {z, h})});
    layers.setState(op.state_offset, size, h_after);
    return h_after;
}

[[maybe_unused]] const bool registered_gru = registerOperation("gru", writeGru);

}  // namespace

}  // namespace seedbed::onnx
