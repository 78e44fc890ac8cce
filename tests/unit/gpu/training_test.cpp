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

Json optimiserOf(const std::string& kind) { return {{"kind", kind}, {"momentum", 0.5}}; }

// A session with the parameters and the state of another one.
std::unique_ptr<Session> resumed(Session& from, const TrainingConfig& config) {
    auto session = test::makeSession(config);
    Archive saved = Archive::saving();
    EXPECT_TRUE(from.archive(saved));
    for (std::size_t net = 0; net < from.learner().networkCount(); ++net)
        session->learner().setParams(net, from.learner().params(net));
    Archive loaded = Archive::loading(saved.bytes());
    EXPECT_TRUE(session->archive(loaded));
    return session;
}

std::vector<std::uint8_t> learnerState(Session& session) {
    Archive saved = Archive::saving();
    session.learner().archive(saved);
    return saved.bytes();
}

TEST(GpuTrainingSession, AResumedRunContinuesWithTheSameBits) {
    SEEDBED_NEEDS_VULKAN();
    for (const char* kind : {"adam", "rmsprop", "sgd"})
        for (TrainingCase each : trainingCases()) {
            if (each.name != (kind == std::string("adam") ? "ppo_lstm" : "ppo_popart")) continue;
            SCOPED_TRACE(kind);
            each.changes["optimiser"] = optimiserOf(kind);
            const TrainingConfig config = configOf(each, "vulkan:0");
            const auto whole = test::makeSession(config);
            for (int i = 0; i < 3; ++i) ASSERT_TRUE(whole->iterate());
            const auto again = resumed(*whole, config);
            for (int i = 0; i < 3; ++i) {
                const auto a = whole->iterate(), b = again->iterate();
                ASSERT_TRUE(a && b);
                EXPECT_EQ(a->update.metrics, b->update.metrics);
            }
            EXPECT_EQ(whole->learner().params().sha256(), again->learner().params().sha256());
            EXPECT_EQ(learnerState(*whole), learnerState(*again));
        }
}

TEST(GpuTrainingSession, CheckpointsMoveBetweenTheDeviceAndTheCpu) {
    SEEDBED_NEEDS_VULKAN();
    const TrainingCase each{"ppo", "cartpole", Json::object()};
    for (const bool from_device : {true, false}) {
        const auto first = test::makeSession(configOf(each, from_device ? "vulkan:0" : "cpu"));
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(first->iterate());
        const auto second = resumed(*first, configOf(each, from_device ? "cpu" : "vulkan:0"));
        EXPECT_EQ(learnerState(*first), learnerState(*second));
        for (int i = 0; i < 2; ++i) ASSERT_TRUE(first->iterate() && second->iterate());
        const auto a = first->learner().params().blob(), b = second->learner().params().blob();
        // With lost moments the difference is about 1e-2.
        for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-4);
    }
}

// The engine `check` compares passes, gradients, optimiser steps and target networks.
TEST(GpuTrainingSession, TheCheckEngineFindsNoDifference) {
    SEEDBED_NEEDS_VULKAN();
    for (const TrainingCase& each : trainingCases()) {
        if (each.name != "ppo_lstm" && each.name != "ppo_popart" && each.name != "dqn" && each.name != "sac")
            continue;
        SCOPED_TRACE(each.name);
        TrainingConfig config = configOf(each, "vulkan:0");
        config.run.engine = "check:vulkan";
        const auto session = test::makeSession(config);
        for (int i = 0; i < each.updates; ++i) {
            const auto stats = session->iterate();
            ASSERT_TRUE(stats) << stats.error().text();
        }
    }
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
