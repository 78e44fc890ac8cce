// SPDX-License-Identifier: Apache-2.0
// An activation as a separate operation.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeActivation(LayerWriter& layers, const PlanOp& op) {
    return layers.activated(layers.value(op.inputs[0]), op.activation);
}

[[maybe_unused]] const bool registered_activation = registerOperation("activation", writeActivation);

}  // namespace

}  // namespace seedbed::onnx
