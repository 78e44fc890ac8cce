// SPDX-License-Identifier: Apache-2.0
// Normalisation with running statistics.
#include <cmath>

#include "core/export/c_text.hpp"
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeNormalise(CWriter& writer, const PlanOp& op, const std::string& title) {
    const ParamEntry& var = writer.entry(op, 1);
    std::vector<float> scale;
    for (std::size_t i = 0; i < var.count; ++i)
        scale.push_back(1.0f / std::sqrt(writer.model().params().at(var)[i] + 1e-8f));
    const std::string name = writer.array("w_" + title + "_scale", scale);
    const std::string x = writer.pointer(op.inputs[0]), y = writer.place(op.output),
                      clip = floatText(static_cast<float>(op.clip));
    return CWriter::block(
        title, x, y,
        "        int i;\n" +
            CWriter::loop(writer.sizeOf(op.output),
                          "{\n            const float z = (x[i] - " + writer.param(op, 0) + "[i]) * " + name +
                              "[i];\n            y[i] = z < -" + clip + " ? -" + clip + " : z > " + clip +
                              " ? " + clip + " : z;\n        }"));
}

[[maybe_unused]] const bool registered_normalise = registerCOperation("normalise", writeNormalise);

}  // namespace

}  // namespace seedbed::c_operations
