// SPDX-License-Identifier: Apache-2.0
// Dueling heads.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeDueling(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    const std::string v = layers.matrix(op.inputs[0]), a = layers.matrix(op.inputs[1]);
    const int size = layers.size(op.inputs[0]), actions = layers.size(op.output) / size;
    if (size == 1) return graph.node("Add", {v, graph.node("Sub", {a, layers.mean(a)})});
    // With several values per action, computes the mean over actions separately for each value.
    std::vector<std::string> advantages;
    for (int action = 0; action < actions; ++action)
        advantages.push_back(graph.columns(a, action * size, (action + 1) * size));
    std::string sum = advantages[0];
    for (std::size_t i = 1; i < advantages.size(); ++i) sum = graph.node("Add", {sum, advantages[i]});
    const std::string mean = graph.node("Div", {sum, graph.scalar(static_cast<float>(actions))});
    for (std::string& part : advantages) part = graph.node("Add", {v, graph.node("Sub", {part, mean})});
    return graph.concat(advantages);
}

[[maybe_unused]] const bool registered_dueling = registerOperation("dueling", writeDueling);

}  // namespace

}  // namespace seedbed::onnx
