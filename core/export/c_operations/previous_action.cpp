// SPDX-License-Identifier: Apache-2.0
// The action of the previous row, one-hot or raw.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writePreviousAction(CWriter& writer, const PlanOp& op, const std::string&) {
    const std::string y = writer.place(op.output);
    std::string body = "        int i;\n";
    std::size_t from = 0, to = 0;
    for (const ActionLeaf& leaf : writer.model().spaces().actions) {
        const auto words = static_cast<std::size_t>(leaf.words());
        const bool choice = leaf.kind == ActionLeaf::Kind::discrete;
        const std::size_t width = choice ? static_cast<std::size_t>(leaf.n) : words;
        const std::string source =
            writer.previousAction() + "[" + std::to_string(from) + (choice ? "]" : " + i]");
        body += CWriter::loop(width, "y[" + std::to_string(to) + " + i] = " + source +
                                         (choice ? " == (float)i ? 1.0f : 0.0f;" : ";"));
        from += words;
        to += width;
    }
    return CWriter::block("previous action", "", y, body);
}

[[maybe_unused]] const bool registered_previous_action =
    registerCOperation("previous_action", writePreviousAction);

}  // namespace

}  // namespace seedbed::c_operations
