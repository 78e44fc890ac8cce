// SPDX-License-Identifier: Apache-2.0
// Calls of an engine on random panels.
#pragma once

#include <vector>

#include "core/nn/engines/check/sample_panel.hpp"

namespace seedbed::testing_gpu {

// The results of a forward and a backward pass.
struct CallResults {
    std::vector<float> heads, state, lane;
    bool operator==(const CallResults&) const = default;
};

inline Result<CallResults> callBothWays(NetContext& context, const NetPlan& plan, const Params& params,
                                        const Rows& rows) {
    CallResults results;
    results.heads.resize(static_cast<std::size_t>(rows.count()) * static_cast<std::size_t>(plan.head_words));
    results.state.resize(static_cast<std::size_t>(rows.sequences) *
                         static_cast<std::size_t>(plan.state_words));
    results.lane.resize(plan.param_floats);
    SEEDBED_TRY(context.run(params, rows, {results.heads.data(), results.state.data()}, Keep::tape));
    SEEDBED_TRY(context.backward(results.heads.data(), results.lane.data()));
    return results;
}

}  // namespace seedbed::testing_gpu
