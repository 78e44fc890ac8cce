// SPDX-License-Identifier: Apache-2.0
// Every kind of network on the native engine agrees with the reference engine in double, forward and
// backward, for every call shape and on every instruction set.
#include <gtest/gtest.h>

#include "core/nn/engines/check/parity.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/nn_native/isa_util.hpp"
#include "tests/unit/nn_torch/networks.hpp"

namespace seedbed::testing_native {

namespace {

using testing_torch::NetworkCase;
using testing_torch::networkCases;

class Parity : public testing::TestWithParam<std::tuple<std::size_t, Isa>> {};

TEST_P(Parity, WithReferenceInDouble) {
    const auto& [number, isa] = GetParam();
    SEEDBED_NEEDS_ISA(isa);
    const IsaLimit limit(isa);
    const NetworkCase& network = networkCases()[number];
    EngineOptions in_double;
    in_double.double_precision = true;
    auto truth = compileNet("reference", network.plan, in_double);
    ASSERT_TRUE(truth) << truth.error().text();
    auto tested = compileNet("native", network.plan, {});
    ASSERT_TRUE(tested) << tested.error().text();
    // The reference takes most of the time. Outside the long form, each of three instruction sets has a third
    // of the shapes; EveryNetwork.GivesARowTheSameBitsInEveryBatch compares shapes in each of them.
    const std::size_t turns = std::min<std::size_t>(3, network.shapes.size());
    for (std::size_t i = 0; i < network.shapes.size(); ++i) {
        if (!test::isLong() && (i + static_cast<std::size_t>(isa)) % turns != 0) continue;
        const auto [sequences, steps] = network.shapes[i];
        const auto report = measureParity(**truth, **tested, sequences, steps, 17);
        ASSERT_TRUE(report) << report.error().text();
        const auto verdict = report->check(ParityTolerance{}, "native");
        EXPECT_TRUE(verdict) << sequences << " sequences of " << steps
                             << " steps: " << verdict.error().text();
    }
}

std::string nameOfCase(const testing::TestParamInfo<std::tuple<std::size_t, Isa>>& info) {
    return networkCases()[std::get<0>(info.param)].name + "_" + nameOf(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(EveryNetwork, Parity,
                         testing::Combine(testing::Range<std::size_t>(0, networkCases().size()),
                                          testing::Values(Isa::base, Isa::avx2, Isa::avx512)),
                         nameOfCase);

}  // namespace

}  // namespace seedbed::testing_native
