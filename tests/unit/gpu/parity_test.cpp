// SPDX-License-Identifier: Apache-2.0
// Every kind of network on Vulkan agrees with the reference engine in double, forward and backward, for every
// call shape.
#include <gtest/gtest.h>

#include "core/nn/engines/check/parity.hpp"
#include "tests/unit/gpu/gpu_util.hpp"
#include "tests/unit/nn_torch/networks.hpp"

namespace seedbed::testing_gpu {

namespace {

using testing_torch::NetworkCase;
using testing_torch::networkCases;

class GpuParity : public testing::TestWithParam<std::size_t> {};

TEST_P(GpuParity, WithReferenceInDouble) {
    SEEDBED_NEEDS_VULKAN();
    const NetworkCase& network = networkCases()[GetParam()];
    EngineOptions in_double;
    in_double.double_precision = true;
    auto truth = compileNet("reference", network.plan, in_double);
    ASSERT_TRUE(truth) << truth.error().text();
    const auto tested = vulkanNet(network.plan);
    for (const auto& [sequences, steps] : network.shapes) {
        const auto report = measureParity(**truth, *tested, sequences, steps, 17);
        ASSERT_TRUE(report) << report.error().text();
        const auto verdict = report->check(ParityTolerance{}, "vulkan");
        EXPECT_TRUE(verdict) << sequences << " sequences of " << steps
                             << " steps: " << verdict.error().text();
    }
}

std::string nameOf(const testing::TestParamInfo<std::size_t>& info) {
    return networkCases()[info.param].name;
}

INSTANTIATE_TEST_SUITE_P(EveryNetwork, GpuParity, testing::Range<std::size_t>(0, networkCases().size()),
                         nameOf);

}  // namespace

}  // namespace seedbed::testing_gpu
