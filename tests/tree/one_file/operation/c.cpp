// SPDX-License-Identifier: Apache-2.0
// The operation as a block of C.
#include "core/export/c_writer.hpp"

namespace seedbed {
namespace {

std::string writeTwice(CWriter& writer, const PlanOp& op, const std::string&) {
    const std::string x = writer.pointer(op.inputs[0]), y = writer.place(op.output);
    return CWriter::block(
        "twice", x, y, "        int i;\n" + CWriter::loop(writer.sizeOf(op.output), "y[i] = x[i] + x[i];"));
}

[[maybe_unused]] const bool registered_block = registerCOperation("one_file_operation", writeTwice);

}  // namespace
}  // namespace seedbed
