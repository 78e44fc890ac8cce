// SPDX-License-Identifier: Apache-2.0
// Concatenation of values.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeConcat(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    std::vector<std::string> parts;
    for (const int x : op.inputs) parts.push_back(layers.matrix(x));
    return graph.concat(parts);
}

[[maybe_unused]] const bool registered_concat = registerOperation("concat", writeConcat);

}  // namespace

}  // namespace seedbed::onnx
