// SPDX-License-Identifier: Apache-2.0
// The reward of the previous row.
#include "core/export/c_text.hpp"
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

std::string writePreviousReward(CWriter& writer, const PlanOp& op, const std::string&) {
    const RewardView& view = writer.model().bundle.reward;
    std::string body = "        y[0] = previous_reward;\n";
    if (view.clip > 0) {
        const std::string clip = floatText(view.clip);
        body += "        y[0] = y[0] < -" + clip + " ? -" + clip + " : y[0] > " + clip + " ? " + clip +
                " : y[0];\n";
    }
    if (view.scale != 1) body += "        y[0] *= " + floatText(view.scale) + ";\n";
    return CWriter::block("previous reward, as in training", "", writer.place(op.output), body);
}

[[maybe_unused]] const bool registered_previous_reward =
    registerCOperation("previous_reward", writePreviousReward);

}  // namespace

}  // namespace seedbed::c_operations
