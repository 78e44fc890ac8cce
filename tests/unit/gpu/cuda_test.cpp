// SPDX-License-Identifier: Apache-2.0
// The engine "torch" on a CUDA device agrees with the reference engine in double, and trains with the
// algorithms of training_cases.hpp. Skipped where LibTorch has no CUDA device.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/nn/engines/check/parity.hpp"
#include "tests/unit/gpu/training_cases.hpp"
#include "tests/unit/nn_torch/networks.hpp"

namespace seedbed::testing_gpu {

namespace {

// Why there is no CUDA device for tests; empty if there is one.
std::string missingCuda() {
    const auto devices = engineRegistry().find("torch")->devices();
    if (!devices) return devices.error().text();
    const bool found = std::any_of(devices->begin(), devices->end(),
                                   [](const std::string& text) { return text.starts_with("cuda:0"); });
    return found ? "" : "LibTorch finds no CUDA device";
}

#define SEEDBED_NEEDS_CUDA() \
    if (const std::string reason = missingCuda(); !reason.empty()) GTEST_SKIP() << reason

std::unique_ptr<EngineNet> netOn(const std::string& device, const NetPlan& plan) {
    EngineOptions options;
    options.device = device;
    options.double_precision = device == "cpu";
    auto net = compileNet(device == "cpu" ? "reference" : "torch", plan, options);
    SEEDBED_CHECK(net.has_value(), net.error().text());
    return std::move(*net);
}

TEST(Cuda, EveryNetworkAgreesWithTheReferenceInDouble) {
    SEEDBED_NEEDS_CUDA();
    for (const testing_torch::NetworkCase& network : testing_torch::networkCases()) {
        SCOPED_TRACE(network.name);
        const auto truth = netOn("cpu", network.plan), tested = netOn("cuda:0", network.plan);
        for (const auto& [sequences, steps] : network.shapes) {
            const auto report = measureParity(*truth, *tested, sequences, steps, 17);
            ASSERT_TRUE(report) << report.error().text();
            const auto verdict = report->check(ParityTolerance{}, "cuda");
            EXPECT_TRUE(verdict) << sequences << " sequences of " << steps
                                 << " steps: " << verdict.error().text();
        }
    }
}

TEST(Cuda, AlgorithmsGiveTheParametersOfTheReferenceEngine) {
    SEEDBED_NEEDS_CUDA();
    for (const TrainingCase& each : trainingCases()) {
        SCOPED_TRACE(each.name);
        expectSameTraining(each, "cuda:0");
    }
}

TEST(Cuda, TheSameRunGivesTheSameBits) {
    SEEDBED_NEEDS_CUDA();
    const TrainingCase each = trainingCases().front();
    EXPECT_EQ(trained(each, "cuda:0"), trained(each, "cuda:0"));
}

}  // namespace

}  // namespace seedbed::testing_gpu
