// SPDX-License-Identifier: Apache-2.0
// Observations: images are divided by their upper bound, and discrete values are one-hot encoded.
#include "core/export/c_text.hpp"
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeInput(CWriter& writer, const PlanOp& op, const std::string&) {
    const ObsLeaf& leaf = writer.model().spaces().obs[static_cast<std::size_t>(op.leaf)];
    const std::string x = writer.names().obs(static_cast<std::size_t>(op.leaf));
    const std::size_t size = writer.sizeOf(op.output);
    if (leaf.kind == ObsLeaf::Kind::vector || (leaf.kind == ObsLeaf::Kind::image && leaf.high == 1)) {
        writer.setPointer(op.output, x);
        return "";
    }
    const std::string y = writer.place(op.output);
    if (leaf.kind == ObsLeaf::Kind::image)
        return CWriter::block(
            "pixels of " + leaf.name, x, y,
            "        int i;\n" +
                CWriter::loop(size, "y[i] = x[i] / " + floatText(static_cast<float>(leaf.high)) + ";"));
    const std::string n = std::to_string(leaf.cardinality);
    return CWriter::block("one-hot " + leaf.name, x, y,
                          "        int i;\n" + CWriter::loop(size, "y[i] = x[i / " + n + "] == (float)(i % " +
                                                                       n + ") ? 1.0f : 0.0f;"));
}

[[maybe_unused]] const bool registered_input = registerCOperation("input", writeInput);

}  // namespace

}  // namespace seedbed::c_operations
