// SPDX-License-Identifier: Apache-2.0
// Residual connections.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeAdd(CWriter& writer, const PlanOp& op, const std::string&) {
    const std::size_t size = writer.sizeOf(op.output);
    const std::string x = writer.pointer(op.inputs[0]), x2 = writer.pointer(op.inputs[1]),
                      y = writer.place(op.output);
    return CWriter::block("add", x, y,
                          "        const float *POLICY_RESTRICT x2 = " + x2 + ";\n        int i;\n" +
                              CWriter::loop(size, "y[i] = x[i] + x2[i];"));
}

[[maybe_unused]] const bool registered_add = registerCOperation("add", writeAdd);

}  // namespace

}  // namespace seedbed::c_operations
