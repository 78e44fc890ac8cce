// SPDX-License-Identifier: Apache-2.0
// Means of groups.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeGroupMean(CWriter& writer, const PlanOp& op, const std::string&) {
    const std::size_t groups = writer.sizeOf(op.output), size = writer.sizeOf(op.inputs[0]) / groups;
    const std::string x = writer.pointer(op.inputs[0]), y = writer.place(op.output), k = std::to_string(size);
    return CWriter::block(
        "means of groups", x, y,
        "        int i, j;\n" +
            CWriter::loop(groups, "{\n            float sum = 0.0f;\n    " +
                                      CWriter::loop(size, "sum += x[i * " + k + " + j];", "j") +
                                      "            y[i] = sum / " + k + ".0f;\n        }"));
}

[[maybe_unused]] const bool registered_group_mean = registerCOperation("group_mean", writeGroupMean);

}  // namespace

}  // namespace seedbed::c_operations
