// SPDX-License-Identifier: Apache-2.0
// Guarantees of the torch engine other than numerical results: repeatable results, use by several threads, no
// threads of LibTorch, changing shapes, and errors.
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <thread>

#include "tests/unit/nn_torch/networks.hpp"
#include "tests/unit/nn_torch/torch_util.hpp"

namespace seedbed::testing_torch {

namespace {

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}
bool sameBits(const Call& a, const Call& b) {
    return sameBits(a.heads, b.heads) && sameBits(a.state, b.state) && sameBits(a.lane, b.lane);
}

double seconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::size_t threadsOfThisProcess() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

const char* const kSome[] = {"mlp_tanh_separate", "minatar_conv", "lstm_previous", "gru_separate",
                             "impala_shallow"};

TEST(TorchEngine, SameInputGivesTheSameBitsInAnyContextAfterOtherShapes) {
    SEEDBED_NEEDS_TORCH();
    for (const char* name : kSome) {
        const NetPlan& plan = planNamed(name);
        const auto net = torchNet(plan);
        const Params params(sampleBlob(plan, 5), 1);
        Call first(plan, 12, 2, 1), other(plan, 3, 1, 2), again(plan, 12, 2, 1);
        const auto context = net->context(), fresh = net->context();
        ASSERT_TRUE(first.run(*context, params));
        ASSERT_TRUE(other.run(*context, params));
        ASSERT_TRUE(again.run(*context, params));
        EXPECT_TRUE(sameBits(first, again)) << name << ": same context";
        ASSERT_TRUE(again.run(*fresh, params));
        EXPECT_TRUE(sameBits(first, again)) << name << ": new context";
    }
}

TEST(TorchEngine, FourConcurrentThreadsGetTheSameBitsAsOne) {
    SEEDBED_NEEDS_TORCH();
    for (const char* name : kSome) {
        const NetPlan& plan = planNamed(name);
        const auto net = torchNet(plan);
        const Params params(sampleBlob(plan, 5), 1);
        std::vector<Call> alone, together;
        for (std::uint64_t i = 0; i < 4; ++i) {
            alone.emplace_back(plan, 8 + static_cast<int>(i), 3, i);
            together.emplace_back(plan, 8 + static_cast<int>(i), 3, i);
        }
        for (Call& call : alone) ASSERT_TRUE(call.run(*net->context(), params));
        std::vector<int> wrong(4, 0);
        {
            std::vector<std::jthread> threads;
            for (std::size_t i = 0; i < 4; ++i) {
                threads.emplace_back([&, i] {
                    const auto context = net->context();
                    for (int repeat = 0; repeat < 20; ++repeat)
                        if (!together[i].run(*context, params) || !sameBits(alone[i], together[i]))
                            ++wrong[i];
                });
            }
        }
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(wrong[i], 0) << name << ", thread " << i;
    }
}

// BLAS processes rows in blocks, so a row's sums may be ordered differently in another batch; this bounds the
// rounding difference.
TEST(TorchEngine, RowsDependOnTheBatchOnlyByRounding) {
    SEEDBED_NEEDS_TORCH();
    for (const char* name : {"mlp_tanh_separate", "mlp_wide", "minatar_conv", "several_leaves"}) {
        const NetPlan& plan = planNamed(name);
        const auto net = torchNet(plan);
        const Params params(sampleBlob(plan, 5), 1);
        Call whole(plan, 256, 1, 1);
        const auto context = net->context();
        ASSERT_TRUE(whole.run(*context, params));
        const auto words = static_cast<std::size_t>(plan.head_words);
        double largest = 0;
        for (const int batch : {1, 8, 64, 128}) {
            Rows part = whole.panel.rows();
            part.sequences = batch;
            std::vector<float> heads(static_cast<std::size_t>(batch) * words);
            ASSERT_TRUE(context->run(params, part, {heads.data(), nullptr}, Keep::nothing));
            for (std::size_t i = 0; i < heads.size(); ++i)
                largest = std::max(largest, static_cast<double>(std::abs(heads[i] - whole.heads[i]) /
                                                                std::max(1.0f, std::abs(heads[i]))));
        }
        std::cout << name << ": " << largest << "\n";
        // A dozen roundings of 2^-24 in the sums of a few hundred terms.
        EXPECT_LE(largest, 2e-6) << name;
    }
}

TEST(TorchEngine, ComputesInTheCallingThreadOnly) {
    SEEDBED_NEEDS_TORCH();
    const NetPlan& plan = planNamed("nature");
    const auto net = torchNet(plan);
    const Params params(sampleBlob(plan, 5), 1);
    Call call(plan, 16, 1, 1);
    double process = 0, own = 0;
    std::size_t threads = 0;
    std::jthread([&] {
        const auto context = net->context();
        ASSERT_TRUE(call.run(*context, params));
        process = -seconds(CLOCK_PROCESS_CPUTIME_ID);
        own = -seconds(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; i < 5; ++i) ASSERT_TRUE(call.run(*context, params));
        own += seconds(CLOCK_THREAD_CPUTIME_ID);
        process += seconds(CLOCK_PROCESS_CPUTIME_ID);
        threads = threadsOfThisProcess();
    }).join();
    // Other threads use no CPU time, except for the difference between the two clocks.
    EXPECT_LE(process, 1.05 * own + 0.005);
    EXPECT_EQ(threads, 2U) << "LibTorch or a library below it started threads";
}

TEST(TorchEngine, ParametersOfTheSameBlobMayChangeWithTheirVersion) {
    SEEDBED_NEEDS_TORCH();
    const NetPlan& plan = planNamed("mlp_tanh_shared");
    const auto net = torchNet(plan);
    const auto blob = std::make_shared<std::vector<float>>(sampleBlob(plan, 5));
    Call working(plan, 4, 1, 1), fresh(plan, 4, 1, 1);
    const auto context = net->context();
    ASSERT_TRUE(working.run(*context, Params(blob, 1)));
    const std::vector<float> before = working.heads;
    *blob = sampleBlob(plan, 6);
    ASSERT_TRUE(working.run(*context, Params(blob, 2)));
    EXPECT_FALSE(sameBits(before, working.heads));
    ASSERT_TRUE(fresh.run(*net->context(), Params(sampleBlob(plan, 6), 1)));
    EXPECT_TRUE(sameBits(working, fresh));
}

TEST(TorchEngine, GradientsAreAddedToTheLaneAndGapsAreUnchanged) {
    SEEDBED_NEEDS_TORCH();
    const NetPlan& plan = planNamed("normalised");
    const auto net = torchNet(plan);
    const Params params(sampleBlob(plan, 5), 1);
    Call call(plan, 9, 1, 1);
    const auto context = net->context();
    ASSERT_TRUE(call.run(*context, params));
    std::vector<float> lane(plan.param_floats, 0.25f);
    ASSERT_TRUE(context->backward(call.head_gradients.data(), lane.data()));
    std::vector<bool> learned(lane.size(), false);
    for (const ParamEntry& entry : plan.params)
        for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i)
            learned[i] = entry.role == ParamEntry::Role::weight;
    for (std::size_t i = 0; i < lane.size(); ++i) {
        if (learned[i]) EXPECT_NEAR(lane[i], 0.25f + call.lane[i], 1e-5 * (1 + std::abs(call.lane[i]))) << i;
        else EXPECT_EQ(lane[i], 0.25f) << i;
    }
}

// The reward and state before an episode's first row may be anything, even NaN.
TEST(TorchEngine, FirstRowsOfEpisodesIgnoreEarlierRows) {
    SEEDBED_NEEDS_TORCH();
    for (const char* name : {"lstm_previous", "gru_previous"}) {
        const NetPlan& plan = planNamed(name);
        const auto net = torchNet(plan);
        const Params params(sampleBlob(plan, 5), 1);
        Call clean(plan, 4, 2, 1), dirty(plan, 4, 2, 1);
        for (Call* call : {&clean, &dirty}) {
            std::fill(call->panel.first.begin(), call->panel.first.end(), std::uint8_t{0});
            std::fill_n(call->panel.first.begin(), 4, std::uint8_t{1});
        }
        std::fill(dirty.panel.state.begin(), dirty.panel.state.end(), std::nanf(""));
        std::fill_n(dirty.panel.previous_reward.begin(), 4, std::nanf(""));
        std::fill_n(dirty.panel.previous_action.begin(), 4 * plan.spec.spaces.actionWords(), std::nanf(""));
        const auto context = net->context();
        ASSERT_TRUE(clean.run(*context, params));
        ASSERT_TRUE(dirty.run(*context, params));
        EXPECT_TRUE(sameBits(clean, dirty)) << name;
    }
}

TEST(TorchEngine, InputGradientsOverwriteAndMatchTheReference) {
    SEEDBED_NEEDS_TORCH();
    const NetPlan& plan = planNamed("several_leaves");
    const Params params(sampleBlob(plan, 5), 1);
    const auto& leaves = plan.spec.spaces.obs;
    std::vector<std::vector<float>> results[2];
    int which = 0;
    for (const char* engine : {"reference", "torch"}) {
        const auto net = compileNet(engine, plan, {});
        ASSERT_TRUE(net) << net.error().text();
        const auto context = (*net)->context();
        Call call(plan, 6, 1, 1);
        ASSERT_TRUE(context->run(params, call.panel.rows(), {call.heads.data(), nullptr}, Keep::tape));
        std::vector<float*> pointers;
        for (const ObsLeaf& leaf : leaves) {
            results[which].emplace_back(6 * static_cast<std::size_t>(leaf.stack) * leaf.elements(), 99.0f);
            pointers.push_back(leaf.kind == ObsLeaf::Kind::vector ? results[which].back().data() : nullptr);
        }
        ASSERT_TRUE(context->backward(call.head_gradients.data(), call.lane.data(), &pointers));
        ++which;
    }
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
        for (std::size_t i = 0; i < results[0][leaf].size(); ++i)
            EXPECT_NEAR(results[0][leaf][i], results[1][leaf][i], 1e-5) << leaves[leaf].name << " " << i;
}

TEST(TorchEngine, BackwardWithoutATapeIsAnError) {
    SEEDBED_NEEDS_TORCH();
    const NetPlan& plan = planNamed("mlp_tanh_shared");
    const auto net = torchNet(plan);
    const Params params(sampleBlob(plan, 5), 1);
    Call call(plan, 2, 1, 1);
    const auto context = net->context();
    ASSERT_TRUE(context->run(params, call.panel.rows(), {call.heads.data(), nullptr}, Keep::nothing));
    const auto result = context->backward(call.head_gradients.data(), call.lane.data());
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("tape"), std::string::npos) << result.error().text();
}

TEST(TorchEngine, AMissingDeviceListsTheAvailableOnes) {
    SEEDBED_NEEDS_TORCH();
    EngineOptions options;
    for (const char* device : {"cuda:99", "cuda:", "cuda:-1", "tpu", ""}) {
        options.device = device;
        const auto net = compileNet("torch", planNamed("mlp_tanh_shared"), options);
        ASSERT_FALSE(net) << device;
        EXPECT_EQ(net.error().code, ErrorCode::device);
        EXPECT_NE(net.error().message.find("can use cpu"), std::string::npos) << net.error().text();
    }
}

TEST(TorchEngine, ReportsVersionAndMatrixLibrary) {
    SEEDBED_NEEDS_TORCH();
    const auto devices = engineRegistry().find("torch")->devices();
    ASSERT_TRUE(devices);
    ASSERT_FALSE(devices->empty());
    std::cout << devices->front() << "\n";
    EXPECT_EQ(devices->front().rfind("cpu (LibTorch ", 0), 0U);
}

// Runs in its own process, because the module is searched for only once.
TEST(TorchEngineDeathTest, AMissingModuleGivesAReasonAndARemedy) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("SEEDBED_TORCH_MODULE", "/nowhere/seedbed_torch.so", 1);
            const auto net = compileNet("torch", planNamed("mlp_tanh_shared"), {});
            std::cerr << (net ? "compiled" : net.error().text());
            _exit(net ? 0 : exitCode(net.error().code));
        },
        testing::ExitedWithCode(4), "not built .no /nowhere/seedbed_torch.so.; install LibTorch");
}

}  // namespace

}  // namespace seedbed::testing_torch
