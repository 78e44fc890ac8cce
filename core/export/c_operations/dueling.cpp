// SPDX-License-Identifier: Apache-2.0
// Dueling heads.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeDueling(CWriter& writer, const PlanOp& op, const std::string&) {
    const std::size_t size = writer.sizeOf(op.output);
    const std::string v = writer.pointer(op.inputs[0]), x = writer.pointer(op.inputs[1]),
                      y = writer.place(op.output);
    return CWriter::block("dueling", x, y,
                          "        float mean = 0.0f;\n        int i;\n" +
                              CWriter::loop(size, "mean += x[i];") +
                              "        mean /= " + std::to_string(size) + ".0f;\n" +
                              CWriter::loop(size, "y[i] = " + v + "[0] + x[i] - mean;"));
}

[[maybe_unused]] const bool registered_dueling = registerCOperation("dueling", writeDueling);

}  // namespace

}  // namespace seedbed::c_operations
