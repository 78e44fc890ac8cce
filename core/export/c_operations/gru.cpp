// SPDX-License-Identifier: Apache-2.0
// One step of a gated recurrent unit.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeGru(CWriter& writer, const PlanOp& op, const std::string& title) {
    const std::size_t size = writer.sizeOf(op.output), from_x = writer.take(3 * size),
                      from_h = writer.take(3 * size);
    const std::string h = CWriter::state(static_cast<std::size_t>(op.state_offset)), n = std::to_string(size);
    std::string text = CWriter::block("from the input", writer.pointer(op.inputs[0]), CWriter::work(from_x),
                                      CWriter::product(writer.sizeOf(op.inputs[0]), 3 * size,
                                                       writer.transposed(op, 0), writer.param(op, 2)));
    text += CWriter::block("from the state", h, CWriter::work(from_h),
                           CWriter::product(size, 3 * size, writer.transposed(op, 1), writer.param(op, 3)));
    text += CWriter::block(
        title, CWriter::work(from_x), "",
        "        const float *POLICY_RESTRICT u = " + CWriter::work(from_h) +
            ";\n        float *POLICY_RESTRICT h = " + h + ";\n        int i;\n" +
            CWriter::loop(
                size, "{\n            const float r = policy_sigmoid(x[i] + u[i]), z = policy_sigmoid(x[" +
                          n + " + i] + u[" + n +
                          " + i]);\n            h[i] = (1.0f - z) * policy_tanh(x[2 * " + n +
                          " + i] + r * u[2 * " + n + " + i]) + z * h[i];\n        }"));
    writer.release(from_x);
    writer.release(from_h);
    writer.setPointer(op.output, h);
    return text;
}

[[maybe_unused]] const bool registered_gru = registerCOperation("gru", writeGru);

}  // namespace

}  // namespace seedbed::c_operations
