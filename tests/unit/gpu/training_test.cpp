// SPDX-License-Identifier: Apache-2.0
// Algorithms train on Vulkan unchanged: the parameters after a few updates agree with those of the engine
// "reference".
#include <gtest/gtest.h>

#include <cmath>

#include "core/session/session.hpp"
#include "gpu/vulkan/faults.hpp"
#include "gpu/vulkan/instance.hpp"
#include "tests/unit/gpu/gpu_util.hpp"
#include "tests/unit/gpu/training_cases.hpp"

namespace seedbed::testing_gpu {

namespace {

class GpuTraining : public ::testing::TestWithParam<std::size_t> {};

TEST_P(GpuTraining, GivesTheParametersOfTheReferenceEngine) {
    SEEDBED_NEEDS_VULKAN();
    const TrainingCase each = trainingCases()[GetParam()];
    expectSameTraining(each, "vulkan:0");
}

INSTANTIATE_TEST_SUITE_P(Algorithms, GpuTraining, ::testing::Range<std::size_t>(0, trainingCases().size()),
                         [](const auto& test) { return trainingCases()[test.param].name; });

// Central inference, the default on a device, forms other batches, which change no bit.
TEST(GpuTrainingSession, CentralInferenceGivesTheBitsOfInlineInference) {
    SEEDBED_NEEDS_VULKAN();
    for (const TrainingCase& each : trainingCases()) {
        if (each.name != "ppo" && each.name != "ppo_lstm" && each.name != "dqn") continue;
        EXPECT_EQ(trained(each, "vulkan:0", "central"), trained(each, "vulkan:0", "inline")) << each.name;
    }
}

TEST(GpuTrainingSession, AResumedRunContinuesWithTheSameBits) {
    SEEDBED_NEEDS_VULKAN();
    const TrainingConfig config = configOf(trainingCases()[1], "vulkan:0");
    const auto whole = test::makeSession(config), resumed = test::makeSession(config);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(whole->iterate());
    Archive saved = Archive::saving();
    ASSERT_TRUE(whole->archive(saved));
    for (std::size_t net = 0; net < whole->learner().networkCount(); ++net)
        resumed->learner().setParams(net, whole->learner().params(net));
    Archive loaded = Archive::loading(saved.bytes());
    ASSERT_TRUE(resumed->archive(loaded));
    for (int i = 0; i < 3; ++i) {
        const auto a = whole->iterate(), b = resumed->iterate();
        ASSERT_TRUE(a && b);
        EXPECT_EQ(a->update.metrics, b->update.metrics);
    }
    EXPECT_EQ(whole->learner().params().sha256(), resumed->learner().params().sha256());
}

TEST(GpuTrainingFailure, ContinuesOnTheCpuWithANotice) {
    SEEDBED_NEEDS_VULKAN();
    const TrainingCase each{"ppo", "cartpole", Json::object()};
    TrainingConfig config = configOf(each, "vulkan:0");
    config.run.on_device_failure = "cpu";
    const auto session = test::makeSession(config);
    ASSERT_TRUE(session->iterate());
    gpu::setFault({.after = 5, .result = VK_ERROR_DEVICE_LOST});
    std::vector<std::string> notices;
    for (int i = 0; i < 3; ++i) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats) << stats.error().text();
        EXPECT_TRUE(stats->update.stepped);
        EXPECT_EQ(stats->decisions, 16u * 6u);
        notices.insert(notices.end(), stats->notices.begin(), stats->notices.end());
    }
    EXPECT_TRUE(gpu::clearFault());
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_NE(notices[0].find("VK_ERROR_DEVICE_LOST"), std::string::npos) << notices[0];
}

TEST(GpuMemory, TheEstimateContainsTheDriverAndOmitsCuda) {
    SEEDBED_NEEDS_VULKAN();
    const TrainingCase each{"ppo", "cartpole", Json::object()};
    const auto on_cpu = Session::plan(configOf(each, "cpu"));
    const auto on_device = Session::plan(configOf(each, "vulkan:0"));
    ASSERT_TRUE(on_cpu && on_device);
    EXPECT_GE(on_device->memory.process, on_cpu->memory.process + (std::size_t{50} << 20));
    EXPECT_GT(on_device->memory.device, 0u);
    EXPECT_LT(on_device->memory.device, std::size_t{10} << 20);
    EXPECT_EQ(on_cpu->memory.device, 0u);
}

TEST(GpuTrainingFailure, StopsTheRunIfTheSettingIsStop) {
    SEEDBED_NEEDS_VULKAN();
    const auto session = test::makeSession(configOf({"ppo", "cartpole", Json::object()}, "vulkan:0"));
    ASSERT_TRUE(session->iterate());
    gpu::setFault({.after = 5, .result = VK_ERROR_DEVICE_LOST});
    const auto stats = session->iterate();
    EXPECT_TRUE(gpu::clearFault());
    ASSERT_FALSE(stats);
    EXPECT_EQ(stats.error().code, ErrorCode::device);
}

}  // namespace

}  // namespace seedbed::testing_gpu
