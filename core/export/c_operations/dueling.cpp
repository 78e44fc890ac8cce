// SPDX-License-Identifier: Apache-2.0
// Dueling heads.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeDueling(CWriter& writer, const PlanOp& op, const std::string&) {
    const std::size_t size = writer.sizeOf(op.inputs[0]), actions = writer.sizeOf(op.output) / size;
    const std::string v = writer.pointer(op.inputs[0]), x = writer.pointer(op.inputs[1]),
                      y = writer.place(op.output), k = std::to_string(size), n = std::to_string(actions);
    const std::string at = "[i * " + k + " + j]";
    return CWriter::block(
        "dueling", x, y,
        "        int i, j;\n" +
            CWriter::loop(
                size,
                "{\n            float mean = 0.0f;\n    " + CWriter::loop(actions, "mean += x" + at + ";") +
                    "            mean /= " + n + ".0f;\n    " +
                    CWriter::loop(actions, "y" + at + " = " + v + "[j] + x" + at + " - mean;") + "        }",
                "j"));
}

[[maybe_unused]] const bool registered_dueling = registerCOperation("dueling", writeDueling);

}  // namespace

}  // namespace seedbed::c_operations
