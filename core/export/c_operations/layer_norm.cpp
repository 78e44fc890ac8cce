// SPDX-License-Identifier: Apache-2.0
// Layer normalisation.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeLayerNorm(CWriter& writer, const PlanOp& op, const std::string& title) {
    const std::size_t size = writer.sizeOf(op.output);
    const std::string x = writer.pointer(op.inputs[0]), y = writer.place(op.output);
    return CWriter::block(title, x, y,
                          "        int i;\n        policy_layer_norm(x, " + writer.param(op, 0) + ", " +
                              writer.param(op, 1) + ", y, " + std::to_string(size) + ");\n" +
                              (op.activation == Activation::none ? "        (void)i;\n"
                                                                 : CWriter::activation(op.activation, size)));
}

[[maybe_unused]] const bool registered_layer_norm = registerCOperation("layer_norm", writeLayerNorm);

}  // namespace

}  // namespace seedbed::c_operations
