// SPDX-License-Identifier: Apache-2.0
// Max pooling.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeMaxPool(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    return layers.fromImage(graph.node("MaxPool", {layers.image(op.inputs[0])}, LayerWriter::window(op)),
                            op.output);
}

[[maybe_unused]] const bool registered_max_pool = registerOperation("max_pool", writeMaxPool);

}  // namespace

}  // namespace seedbed::onnx
