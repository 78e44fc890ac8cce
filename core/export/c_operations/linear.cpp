// SPDX-License-Identifier: Apache-2.0
// Fully connected layers.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeLinear(CWriter& writer, const PlanOp& op, const std::string& title) {
    const std::size_t size = writer.sizeOf(op.output);
    const std::string x = writer.pointer(op.inputs[0]), y = writer.place(op.output);
    return CWriter::block(
        title, x, y,
        CWriter::product(writer.sizeOf(op.inputs[0]), size, writer.transposed(op, 0), writer.param(op, 1)) +
            CWriter::activation(op.activation, size));
}

[[maybe_unused]] const bool registered_linear = registerCOperation("linear", writeLinear);

}  // namespace

}  // namespace seedbed::c_operations
