// SPDX-License-Identifier: Apache-2.0
// Observations: images are divided by their upper bound, and discrete values are one-hot encoded.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeInput(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    const ObsLeaf& leaf = layers.policy().spaces().obs[static_cast<std::size_t>(op.leaf)];
    const std::string& x = layers.inputs().obs[static_cast<std::size_t>(op.leaf)];
    if (leaf.kind == ObsLeaf::Kind::vector) return x;
    if (leaf.kind == ObsLeaf::Kind::discrete)
        return graph.oneHot(x, static_cast<int>(layers.policy().obsWords(static_cast<std::size_t>(op.leaf))),
                            leaf.cardinality);
    const float divisor = layers.inputs().divisor[static_cast<std::size_t>(op.leaf)];
    const std::string scaled = divisor == 1.0f ? x : graph.node("Div", {x, graph.scalar(divisor)});
    return layers.fromImage(scaled, op.output);
}

[[maybe_unused]] const bool registered_input = registerOperation("input", writeInput);

}  // namespace

}  // namespace seedbed::onnx
