// SPDX-License-Identifier: Apache-2.0
// Scales the output of a value head to its targets.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeRescale(CWriter& writer, const PlanOp& op, const std::string& title) {
    const std::string x = writer.pointer(op.inputs[0]), y = writer.place(op.output);
    return CWriter::block(title, x, y,
                          "        int i;\n" + CWriter::loop(writer.sizeOf(op.output),
                                                             "y[i] = x[i] * " + writer.param(op, 1) +
                                                                 "[i] + " + writer.param(op, 0) + "[i];"));
}

[[maybe_unused]] const bool registered_rescale = registerCOperation("rescale", writeRescale);

}  // namespace

}  // namespace seedbed::c_operations
