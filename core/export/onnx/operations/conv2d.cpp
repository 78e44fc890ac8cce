// SPDX-License-Identifier: Apache-2.0
// Convolution.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeConv2d(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    const std::string y =
        graph.node("Conv", {layers.image(op.inputs[0]), layers.param(op, 0), layers.param(op, 1)},
                   LayerWriter::window(op));
    return layers.fromImage(layers.activated(y, op.activation), op.output);
}

[[maybe_unused]] const bool registered_conv2d = registerOperation("conv2d", writeConv2d);

}  // namespace

}  // namespace seedbed::onnx
