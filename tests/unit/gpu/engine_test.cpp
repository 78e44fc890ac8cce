// SPDX-License-Identifier: Apache-2.0
// Properties of the Vulkan engine: rows are independent of each other, results repeat, parameters are
// transferred when they change, and the steady state creates nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "core/nn/engines/check/parity.hpp"
#include "gpu/vulkan/faults.hpp"
#include "gpu/vulkan/instance.hpp"
#include "tests/unit/base/allocation_count.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/gpu/calls.hpp"
#include "tests/unit/gpu/gpu_util.hpp"
#include "tests/unit/nn_torch/networks.hpp"

namespace seedbed::testing_gpu {

namespace {

using testing_torch::networkCases;
using testing_torch::planNamed;

// Sequences [begin, begin + count) of a panel of one step.
Rows partOf(const NetPlan& plan, const Rows& rows, int begin, int count) {
    Rows part = rows;
    part.sequences = count;
    for (std::size_t leaf = 0; leaf < part.obs.size(); ++leaf) {
        const ObsLeaf& spec = plan.spec.spaces.obs[leaf];
        part.obs[leaf] +=
            static_cast<std::size_t>(begin) * static_cast<std::size_t>(spec.stack) * spec.bytes();
    }
    if (part.first != nullptr) part.first += begin;
    if (part.state != nullptr) part.state += static_cast<std::ptrdiff_t>(begin) * plan.state_words;
    if (part.previous_action != nullptr)
        part.previous_action += static_cast<std::ptrdiff_t>(begin) * plan.spec.spaces.actionWords();
    if (part.previous_reward != nullptr) part.previous_reward += begin;
    return part;
}

TEST(GpuEngine, GivesARowTheSameBitsInEveryBatch) {
    SEEDBED_NEEDS_VULKAN();
    for (const auto& network : networkCases()) {
        const NetPlan& plan = network.plan;
        const int sequences = plan.macsPerRow() > 1e6 ? 9 : 75;
        Rng rng(6, RngPurpose::test);
        const SamplePanel panel = samplePanel(plan, sequences, 1, rng);
        const Params params(sampleBlob(plan, 6), 1);
        const auto net = vulkanNet(plan);
        const auto context = net->context();
        const auto words = static_cast<std::size_t>(plan.head_words);
        std::vector<float> whole(static_cast<std::size_t>(sequences) * words);
        ASSERT_TRUE(context->run(params, panel.rows(), {whole.data(), nullptr}, Keep::tape));
        for (const int count : {1, 5, 13}) {
            // Outside the long form about ten batches of each size, at every position in a group of rows.
            const int step = test::isLong() ? count : std::max(count, sequences / 10);
            for (int begin = 0; begin < sequences; begin += step) {
                const int here = std::min(count, sequences - begin);
                std::vector<float> heads(static_cast<std::size_t>(here) * words);
                ASSERT_TRUE(context->run(params, partOf(plan, panel.rows(), begin, here),
                                         {heads.data(), nullptr}, Keep::nothing));
                const auto* expected = whole.data() + static_cast<std::size_t>(begin) * words;
                ASSERT_TRUE(std::equal(heads.begin(), heads.end(), expected))
                    << network.name << ", " << count << " rows from " << begin;
            }
        }
    }
}

// Batches of several sizes that begin at several rows.
TEST(GpuEngine, GivesThousandsOfRowsTheSameBitsInEveryBatch) {
    SEEDBED_NEEDS_VULKAN();
    for (const char* name : {"mlp_wide", "several_leaves", "lstm_previous"}) {
        const int rows = !test::isLong() ? 3000 : name == std::string("mlp_wide") ? 1'000'000 : 100'000;
        const NetPlan& plan = planNamed(name);
        Rng rng(8, RngPurpose::test);
        const SamplePanel panel = samplePanel(plan, rows, 1, rng);
        const Params params(sampleBlob(plan, 8), 1);
        const auto net = vulkanNet(plan);
        const auto context = net->context();
        const auto words = static_cast<std::size_t>(plan.head_words);
        std::vector<float> whole(static_cast<std::size_t>(rows) * words);
        ASSERT_TRUE(context->run(params, panel.rows(), {whole.data(), nullptr}, Keep::nothing));
        for (const auto& [first, count] :
             std::vector<std::pair<int, int>>{{0, 64}, {3, 97}, {1, 512}, {17, 1000}, {999, 2001}}) {
            std::vector<float> heads(static_cast<std::size_t>(count) * words);
            std::size_t different = 0;
            for (int begin = first; begin < rows; begin += count) {
                const auto here = static_cast<std::size_t>(std::min(count, rows - begin)) * words;
                ASSERT_TRUE(context->run(params,
                                         partOf(plan, panel.rows(), begin, std::min(count, rows - begin)),
                                         {heads.data(), nullptr}, Keep::nothing));
                const float* expected = whole.data() + static_cast<std::size_t>(begin) * words;
                for (std::size_t i = 0; i < here; ++i)
                    if (std::memcmp(&heads[i], expected + i, sizeof(float)) != 0) ++different;
            }
            EXPECT_EQ(different, 0u) << name << ", batches of " << count << " from row " << first;
        }
    }
}

// Central inference forms batches of many sizes.
TEST(GpuEngine, RecordsNothingForSixtyRowCountsThatRepeat) {
    SEEDBED_NEEDS_VULKAN();
    const NetPlan& plan = planNamed("mlp_tanh_shared");
    Rng rng(9, RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, 60, 1, rng);
    const Params params(sampleBlob(plan, 9), 1);
    const auto net = vulkanNet(plan);
    const auto context = net->context();
    std::vector<float> heads(std::size_t{60} * static_cast<std::size_t>(plan.head_words));
    const auto callAll = [&] {
        for (int count = 60; count > 0; --count)
            EXPECT_TRUE(context->run(params, partOf(plan, panel.rows(), 0, count), {heads.data(), nullptr},
                                     Keep::nothing));
    };
    callAll();
    gpu::setFault({.after = 0, .result = VK_ERROR_UNKNOWN, .call = "vkAllocateCommandBuffers"});
    callAll();
    EXPECT_FALSE(gpu::clearFault());
}

TEST(GpuAllocations, CallsThatRepeatAllocateNothing) {
    SEEDBED_NEEDS_VULKAN();
    if (const char* layer = std::getenv("SEEDBED_VULKAN_VALIDATION"); layer && std::string(layer) == "1")
        GTEST_SKIP() << "the validation layer allocates; run as gpu.allocations";
    const NetPlan& plan = planNamed("lstm_previous");
    Rng rng(11, RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, 16, 1, rng);
    const Params params(sampleBlob(plan, 11), 1);
    const auto net = vulkanNet(plan);
    const auto context = net->context();
    std::vector<float> heads(std::size_t{16} * static_cast<std::size_t>(plan.head_words));
    std::vector<float> lane(plan.param_floats);
    const Rows rows = panel.rows();
    const auto call = [&] {
        const auto done = context->run(params, rows, {heads.data(), nullptr}, Keep::tape);
        return done && context->backward(heads.data(), lane.data());
    };
    ASSERT_TRUE(call());
    ASSERT_TRUE(call());
    const std::uint64_t before = testing::allocationCount();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(call());
    EXPECT_EQ(testing::allocationCount(), before);
}

// Without a new episode, errors accumulate over all steps.
TEST(GpuEngine, StaysCloseToTheReferenceOverTwoHundredSteps) {
    SEEDBED_NEEDS_VULKAN();
    constexpr int kSequences = 3, kSteps = 200;
    for (const char* name : {"lstm_previous", "gru_previous"}) {
        const NetPlan& plan = planNamed(name);
        Rng rng(10, RngPurpose::test);
        SamplePanel panel = samplePanel(plan, kSequences, kSteps, rng);
        std::fill(panel.first.begin(), panel.first.end(), std::uint8_t{0});
        const Params params(sampleBlob(plan, 10), 1);
        EngineOptions in_double;
        in_double.double_precision = true;
        const auto reference = compileNet("reference", plan, in_double);
        ASSERT_TRUE(reference) << reference.error().text();
        const auto tested = vulkanNet(plan);
        std::vector<float> heads[2], state[2];
        for (int i = 0; i < 2; ++i) {
            heads[i].resize(std::size_t{kSequences * kSteps} * static_cast<std::size_t>(plan.head_words));
            state[i].resize(std::size_t{kSequences} * static_cast<std::size_t>(plan.state_words));
            const auto context = (i == 0 ? *reference : tested)->context();
            const auto done =
                context->run(params, panel.rows(), {heads[i].data(), state[i].data()}, Keep::nothing);
            ASSERT_TRUE(done) << done.error().text();
        }
        const auto report = compareHeads(plan, kSequences * kSteps, heads[0].data(), heads[1].data());
        EXPECT_LE(report.forward, 1e-3) << name << ": " << report.worst_output;
        EXPECT_LE(compareStates(plan, kSequences, state[0].data(), state[1].data()).forward, 1e-3) << name;
    }
}

TEST(GpuEngine, DividesLargeCallsWithoutATapeAndGivesTheSameBits) {
    SEEDBED_NEEDS_VULKAN();
    const NetPlan& plan = planNamed("lstm_previous");
    constexpr int kSequences = 9001;  // more than two blocks
    Rng rng(7, RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, kSequences, 1, rng);
    const Params params(sampleBlob(plan, 7), 1);
    const auto net = vulkanNet(plan);
    const auto context = net->context();
    std::vector<float> heads[2], state[2];
    for (const Keep keep : {Keep::tape, Keep::nothing}) {
        const int i = keep == Keep::tape ? 0 : 1;
        heads[i].resize(std::size_t{kSequences} * static_cast<std::size_t>(plan.head_words));
        state[i].resize(std::size_t{kSequences} * static_cast<std::size_t>(plan.state_words));
        ASSERT_TRUE(context->run(params, panel.rows(), {heads[i].data(), state[i].data()}, keep));
    }
    EXPECT_EQ(heads[0], heads[1]);
    EXPECT_EQ(state[0], state[1]);
}

TEST(GpuEngine, RepeatsItsResultsBitForBitOnSeveralThreads) {
    SEEDBED_NEEDS_VULKAN();
    for (const char* name : {"mlp_tanh_shared", "minatar_conv_separate", "gru_shared"}) {
        const NetPlan& plan = planNamed(name);
        Rng rng(3, RngPurpose::test);
        const SamplePanel panel = samplePanel(plan, 12, plan.state_words > 0 ? 5 : 1, rng);
        const Params params(sampleBlob(plan, 3), 1);
        const auto net = vulkanNet(plan);
        std::vector<Result<CallResults>> results(6, fail("not run"));
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < 3; ++t)
            threads.emplace_back([&, t] {
                const auto context = net->context();
                for (std::size_t i = 2 * t; i < 2 * t + 2; ++i)
                    results[i] = callBothWays(*context, plan, params, panel.rows());
            });
        for (std::thread& thread : threads) thread.join();
        for (const auto& result : results) {
            ASSERT_TRUE(result) << result.error().text();
            EXPECT_EQ(*result, *results[0]) << name;
        }
    }
}

TEST(GpuEngine, AddsToTheLaneAndLeavesBuffersUnchanged) {
    SEEDBED_NEEDS_VULKAN();
    const NetPlan& plan = planNamed("normalised");
    Rng rng(4, RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, 20, 1, rng);
    const Params params(sampleBlob(plan, 4), 1);
    const auto net = vulkanNet(plan);
    const auto context = net->context();
    const auto once = callBothWays(*context, plan, params, panel.rows());
    ASSERT_TRUE(once) << once.error().text();
    std::vector<float> lane(plan.param_floats, 2.0f);
    ASSERT_TRUE(context->backward(once->heads.data(), lane.data()));
    for (const ParamEntry& entry : plan.params)
        for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i)
            ASSERT_EQ(lane[i], entry.role == ParamEntry::Role::buffer ? 2.0f : 2.0f + once->lane[i])
                << entry.name;
}

// The learner changes its blob in place and gives it a new version.
TEST(GpuEngine, ReadsABlobThatChangedInPlaceUnderANewVersion) {
    SEEDBED_NEEDS_VULKAN();
    const NetPlan& plan = planNamed("mlp_tanh_shared");
    Rng rng(5, RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, 8, 1, rng);
    const auto net = vulkanNet(plan);
    const auto context = net->context(), other = net->context();
    const auto blob = std::make_shared<std::vector<float>>(sampleBlob(plan, 1));
    for (std::uint64_t version = 1; version < 6; ++version) {
        *blob = sampleBlob(plan, version);
        const Params shared(blob, version), fresh(sampleBlob(plan, version), 100 + version);
        const auto a = callBothWays(*context, plan, shared, panel.rows());
        const auto b = callBothWays(*other, plan, fresh, panel.rows());
        ASSERT_TRUE(a && b);
        EXPECT_EQ(*a, *b) << version;
        EXPECT_NE(a->heads, std::vector<float>(a->heads.size(), a->heads[0]));
    }
}

}  // namespace

}  // namespace seedbed::testing_gpu
