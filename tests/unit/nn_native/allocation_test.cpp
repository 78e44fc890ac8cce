// SPDX-License-Identifier: Apache-2.0
// The native engine allocates nothing in its steady state, not even for new parameters.
#include <gtest/gtest.h>

#include "core/nn/engines/check/sample_panel.hpp"
#include "tests/unit/base/allocation_count.hpp"
#include "tests/unit/nn_torch/networks.hpp"

namespace seedbed::testing_native {

namespace {

TEST(NativeEngine, AllocatesNothingAfterTheFirstCall) {
    for (const auto& network : testing_torch::networkCases()) {
        const NetPlan& plan = network.plan;
        const auto [sequences, steps] = network.shapes.back();
        Rng rng(8, RngPurpose::test);
        const SamplePanel panel = samplePanel(plan, sequences, steps, rng);
        const Rows rows = panel.rows();
        auto net = compileNet("native", plan, {});
        ASSERT_TRUE(net);
        const auto context = (*net)->context();
        std::vector<float> heads(static_cast<std::size_t>(rows.count() * plan.head_words)),
            state(static_cast<std::size_t>(sequences * plan.state_words)), lane(plan.param_floats);
        const std::vector<Params> contents{Params(sampleBlob(plan, 1), 1), Params(sampleBlob(plan, 2), 2)};
        const auto work = [&](std::size_t turn) {
            return context->run(contents[turn % 2], rows, {heads.data(), state.data()}, Keep::tape) &&
                   context->backward(heads.data(), lane.data()) &&
                   context->run(contents[turn % 2], rows, {heads.data(), state.data()}, Keep::nothing);
        };
        for (std::size_t turn = 0; turn < 2; ++turn) ASSERT_TRUE(work(turn));
        const auto before = seedbed::testing::allocationCount();
        bool done = true;
        for (std::size_t turn = 0; turn < 4; ++turn) done = done && work(turn);
        EXPECT_EQ(seedbed::testing::allocationCount(), before) << network.name;
        EXPECT_TRUE(done);
    }
}

}  // namespace

}  // namespace seedbed::testing_native
