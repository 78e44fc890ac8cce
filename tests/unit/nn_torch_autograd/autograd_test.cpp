// SPDX-License-Identifier: Apache-2.0
// The engine's hand-written backward pass agrees with LibTorch's own autograd in double: a reference that is
// independent of the reference engine.
#include <string>

#include <gtest/gtest.h>

#include "core/nn/engines/check/parity.hpp"
#include "tests/unit/nn_torch/networks.hpp"
#include "tests/unit/nn_torch/torch_util.hpp"
#include "tests/unit/nn_torch_autograd/autograd_net.hpp"

namespace seedbed::testing_torch {

namespace {

class Autograd : public testing::TestWithParam<std::size_t> {};

TEST_P(Autograd, AgreesWithTheEngine) {
    SEEDBED_NEEDS_TORCH();
    const NetworkCase& network = networkCases()[GetParam()];
    const auto net = torchNet(network.plan);
    const std::vector<float> blob = sampleBlob(network.plan, 11);
    const auto [sequences, steps] = network.shapes.back();
    Call call(network.plan, sequences, steps, 4);
    const auto result = call.run(*net->context(), Params(blob, 1));
    ASSERT_TRUE(result) << result.error().text();

    AutogradNet truth(network.plan, blob, call.panel);
    const at::Tensor heads = truth.heads();
    const at::Tensor weights = at::from_blob(call.head_gradients.data(), heads.sizes().vec()).to(at::kDouble);
    const std::vector<float> lane = truth.gradientLane((heads * weights).sum());
    const at::Tensor exact = heads.to(at::kFloat).contiguous();

    ParityReport report =
        compareHeads(network.plan, sequences * steps, exact.data_ptr<float>(), call.heads.data());
    report.include(compareGradients(network.plan, lane, call.lane));
    const auto verdict = report.check(ParityTolerance{}, "torch");
    EXPECT_TRUE(verdict) << verdict.error().text();
}

std::string nameOf(const testing::TestParamInfo<std::size_t>& info) {
    return networkCases()[info.param].name;
}

INSTANTIATE_TEST_SUITE_P(EveryNetwork, Autograd, testing::Range<std::size_t>(0, networkCases().size()),
                         nameOf);

}  // namespace

}  // namespace seedbed::testing_torch
