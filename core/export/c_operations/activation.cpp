// SPDX-License-Identifier: Apache-2.0
// An activation as a separate operation.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeActivation(CWriter& writer, const PlanOp& op, const std::string&) {
    const std::size_t size = writer.sizeOf(op.output);
    const std::string x = writer.pointer(op.inputs[0]), y = writer.place(op.output);
    return CWriter::block(
        "activation", x, y,
        "        int i;\n" + CWriter::loop(size, "y[i] = x[i];") + CWriter::activation(op.activation, size));
}

[[maybe_unused]] const bool registered_activation = registerCOperation("activation", writeActivation);

}  // namespace

}  // namespace seedbed::c_operations
