// SPDX-License-Identifier: Apache-2.0
// One step of a long short-term memory.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writeLstm(CWriter& writer, const PlanOp& op, const std::string& title) {
    const std::size_t size = writer.sizeOf(op.output), scratch = writer.take(4 * size);
    const auto offset = static_cast<std::size_t>(op.state_offset);
    const std::string h = CWriter::state(offset), c = CWriter::state(offset + size), n = std::to_string(size);
    const std::size_t in = writer.sizeOf(op.inputs[0]);
    std::string text =
        CWriter::block("from the input", writer.pointer(op.inputs[0]), CWriter::work(scratch),
                       CWriter::product(in, 4 * size, writer.transposed(op, 0), writer.param(op, 2)));
    text += CWriter::block("from the state", h, CWriter::work(scratch),
                           "        int i, j;\n" +
                               CWriter::loop(4 * size, "y[i] += " + writer.param(op, 3) + "[i];") +
                               CWriter::addProduct(size, 4 * size, writer.transposed(op, 1)));
    text += CWriter::block(
        title, CWriter::work(scratch), "",
        "        float *POLICY_RESTRICT h = " + h + ", *POLICY_RESTRICT c = " + c + ";\n        int i;\n" +
            CWriter::loop(size, "{\n            c[i] = policy_sigmoid(x[" + n +
                                    " + i]) * c[i] + policy_sigmoid(x[i]) * policy_tanh(x[2 * " + n +
                                    " + i]);\n            h[i] = policy_sigmoid(x[3 * " + n +
                                    " + i]) * policy_tanh(c[i]);\n        }"));
    writer.release(scratch);
    writer.setPointer(op.output, h);
    return text;
}

[[maybe_unused]] const bool registered_lstm = registerCOperation("lstm", writeLstm);

}  // namespace

}  // namespace seedbed::c_operations
