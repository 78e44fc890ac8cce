// SPDX-License-Identifier: Apache-2.0
#include "core/algo/actor_critic.hpp"

#include <algorithm>
#include <vector>

#include "core/algo/policy_terms.hpp"
#include "core/base/thread.hpp"

namespace seedbed {

NetworkDecl actorCriticNetwork(bool popart) {
    return {.name = "policy",
            .heads = {{.name = "policy", .kind = "policy"},
                      {.name = "value", .kind = "value", .width = 1, .popart = popart}}};
}

double remainingFraction(const Progress& progress, std::int64_t horizon) {
    return std::max(0.0, 1.0 - static_cast<double>(progress.steps) / static_cast<double>(horizon));
}

ValueColumn::ValueColumn(const NetPlan& plan)
    : stride(static_cast<std::size_t>(plan.head_words)),
      begin(static_cast<std::size_t>(plan.head("value")->begin)) {}

void ValueColumn::copy(const float* heads, std::size_t rows, float* values) const {
    for (std::size_t row = 0; row < rows; ++row) values[row] = heads[row * stride + begin];
}

std::size_t paddedRows(std::size_t rows) {
    constexpr std::size_t kLanes = PolicyEvaluator::kRowLanes;
    return (rows + kLanes - 1) / kLanes * kLanes;
}

float* algorithmScratch(std::size_t floats) {
    struct Scratch : std::vector<float> {};
    auto& scratch = perThread<Scratch>();
    if (scratch.size() < floats) scratch.resize(floats);
    return scratch.data();
}

}  // namespace seedbed
