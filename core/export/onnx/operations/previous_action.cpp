// SPDX-License-Identifier: Apache-2.0
// The action of the previous row, one-hot or raw.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writePreviousAction(LayerWriter& layers, const PlanOp&) {
    GraphWriter& graph = layers.graph();
    std::vector<std::string> parts;
    std::int64_t at = 0;
    for (const ActionLeaf& leaf : layers.policy().spaces().actions) {
        const std::string words = graph.columns(layers.inputs().previous_action, at, at + leaf.words());
        parts.push_back(leaf.kind == ActionLeaf::Kind::discrete ? graph.oneHot(words, 1, leaf.n) : words);
        at += leaf.words();
    }
    return graph.concat(parts);
}

[[maybe_unused]] const bool registered_previous_action =
    registerOperation("previous_action", writePreviousAction);

}  // namespace

}  // namespace seedbed::onnx
