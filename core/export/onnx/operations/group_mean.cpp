// SPDX-License-Identifier: Apache-2.0
// Means of groups.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeGroupMean(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    const std::string x = layers.matrix(op.inputs[0]);
    const int groups = layers.size(op.output), size = layers.size(op.inputs[0]) / groups;
    std::vector<std::string> means;
    for (int group = 0; group < groups; ++group)
        means.push_back(layers.mean(graph.columns(x, group * size, (group + 1) * size)));
    return graph.concat(means);
}

[[maybe_unused]] const bool registered_group_mean = registerOperation("group_mean", writeGroupMean);

}  // namespace

}  // namespace seedbed::onnx
