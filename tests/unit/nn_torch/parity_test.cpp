// SPDX-License-Identifier: Apache-2.0
// Every kind of network on LibTorch agrees with the reference engine in double, forward and backward, for
// every call shape.
#include <gtest/gtest.h>

#include "core/nn/engines/check/parity.hpp"
#include "tests/unit/nn_torch/networks.hpp"
#include "tests/unit/nn_torch/torch_util.hpp"

namespace seedbed::testing_torch {

namespace {

class Parity : public testing::TestWithParam<std::size_t> {};

TEST_P(Parity, WithReferenceInDouble) {
    SEEDBED_NEEDS_TORCH();
    const NetworkCase& network = networkCases()[GetParam()];
    EngineOptions in_double;
    in_double.double_precision = true;
    auto truth = compileNet("reference", network.plan, in_double);
    ASSERT_TRUE(truth) << truth.error().text();
    const auto tested = torchNet(network.plan);
    for (const auto& [sequences, steps] : network.shapes) {
        const auto report = measureParity(**truth, *tested, sequences, steps, 17);
        ASSERT_TRUE(report) << report.error().text();
        const auto verdict = report->check(ParityTolerance{}, "torch");
        EXPECT_TRUE(verdict) << sequences << " sequences of " << steps
                             << " steps: " << verdict.error().text();
    }
}

std::string nameOf(const testing::TestParamInfo<std::size_t>& info) {
    return networkCases()[info.param].name;
}

INSTANTIATE_TEST_SUITE_P(EveryNetwork, Parity, testing::Range<std::size_t>(0, networkCases().size()), nameOf);

}  // namespace

}  // namespace seedbed::testing_torch
