// SPDX-License-Identifier: Apache-2.0
// Concatenation of values.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeConcat(CWriter& writer, const PlanOp& op, const std::string&) {
    const std::string y = writer.place(op.output);
    std::string body = "        int i;\n";
    std::size_t at = 0;
    for (const int x : op.inputs) {
        body += CWriter::loop(writer.sizeOf(x),
                              "y[" + std::to_string(at) + " + i] = " + writer.pointer(x) + "[i];");
        at += writer.sizeOf(x);
    }
    return CWriter::block("concatenation", "", y, body);
}

[[maybe_unused]] const bool registered_concat = registerCOperation("concat", writeConcat);

}  // namespace

}  // namespace seedbed::c_operations
