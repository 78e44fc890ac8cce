// SPDX-License-Identifier: Apache-2.0
// Nets, panels and results for tests of the torch engine.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "core/nn/engine.hpp"
#include "core/nn/engines/check/sample_panel.hpp"

// Skips a test if LibTorch is not installed.
#define SEEDBED_NEEDS_TORCH()                                                     \
    do {                                                                          \
        if (const auto found = engineRegistry().find("torch")->devices(); !found) \
            GTEST_SKIP() << found.error().text();                                 \
    } while (false)

namespace seedbed::testing_torch {

inline std::unique_ptr<EngineNet> torchNet(const NetPlan& plan) {
    auto net = compileNet("torch", plan, {});
    SEEDBED_CHECK(net.has_value(), net.error().text());
    return std::move(*net);
}

// The results of one training call: heads, new state, gradient lane.
struct Call {
    Call(const NetPlan& plan, int sequences, int steps, std::uint64_t seed)
        : rng(seed, RngPurpose::test, 3), panel(samplePanel(plan, sequences, steps, rng)) {
        heads.resize(static_cast<std::size_t>(sequences * steps * plan.head_words));
        state.resize(static_cast<std::size_t>(sequences * plan.state_words));
        lane.resize(plan.param_floats);
        for (std::size_t i = 0; i < heads.size(); ++i)
            head_gradients.push_back(static_cast<float>(rng.normal()));
    }

    Result<> run(NetContext& context, const Params& params) {
        std::fill(lane.begin(), lane.end(), 0.0f);
        SEEDBED_TRY(context.run(params, panel.rows(), {heads.data(), state.data()}, Keep::tape));
        return context.backward(head_gradients.data(), lane.data());
    }

    Rng rng;
    SamplePanel panel;
    std::vector<float> heads, state, head_gradients, lane;
};

}  // namespace seedbed::testing_torch
