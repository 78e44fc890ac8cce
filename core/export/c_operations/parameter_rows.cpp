// SPDX-License-Identifier: Apache-2.0
// A learned vector, the same for every row.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeParameterRows(CWriter& writer, const PlanOp& op, const std::string& title) {
    const std::size_t size = writer.sizeOf(op.output);
    const std::string y = writer.place(op.output);
    return CWriter::block(title, "", y,
                          "        int i;\n" + CWriter::loop(size, "y[i] = " + writer.param(op, 0) + "[i];"));
}

[[maybe_unused]] const bool registered_parameter_rows =
    registerCOperation("parameter_rows", writeParameterRows);

}  // namespace

}  // namespace seedbed::c_operations
