// SPDX-License-Identifier: Apache-2.0
// Every call of Vulkan can fail: the engine then returns an error and can be used again, or continues on the
// CPU without losing a row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "core/nn/operation.hpp"
#include "gpu/vulkan/faults.hpp"
#include "gpu/vulkan/instance.hpp"
#include "tests/unit/base/own_time.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/gpu/calls.hpp"
#include "tests/unit/gpu/gpu_util.hpp"
#include "tests/unit/nn_torch/networks.hpp"

namespace seedbed::testing_gpu {

namespace {

using gpu::Fault;
using testing_torch::planNamed;

// Opens the device, compiles a network and runs it both ways.
Result<CallResults> wholeUse(const NetPlan& plan, const SamplePanel& panel, bool fallback) {
    EngineOptions options;
    options.device = "vulkan:0";
    options.cpu_fallback = fallback;
    SEEDBED_ASSIGN(const auto net, compileNet("vulkan", plan, options));
    const auto context = net->context();
    return callBothWays(*context, plan, Params(sampleBlob(plan, 2), 1), panel.rows());
}

struct Subject {
    const NetPlan& plan = planNamed("lstm_shared");
    SamplePanel panel;
    Subject() {
        Rng rng(2, RngPurpose::test);
        panel = samplePanel(plan, 3, 4, rng);
    }
};

class EveryCall : public ::testing::TestWithParam<VkResult> {};

TEST_P(EveryCall, MayFailAndTheEngineReportsIt) {
    SEEDBED_NEEDS_VULKAN();
    const Subject subject;
    const auto truth = wholeUse(subject.plan, subject.panel, false);
    ASSERT_TRUE(truth) << truth.error().text();
    int failures = 0, ignored = 0;
    for (int call = 0;; ++call) {
        ASSERT_LT(call, 4000);
        gpu::setFault({.after = call, .result = GetParam()});
        const auto result = wholeUse(subject.plan, subject.panel, false);
        if (!gpu::clearFault()) break;
        // The calls that save the pipeline cache and wait at the end may fail without consequences.
        if (result) {
            EXPECT_EQ(*result, *truth) << "call " << call;
            ++ignored;
            continue;
        }
        ++failures;
        const ErrorCode code = result.error().code;
        EXPECT_TRUE(code == ErrorCode::device || code == ErrorCode::out_of_memory) << result.error().text();
        EXPECT_NE(result.error().message.find(gpu::nameOf(GetParam())), std::string::npos)
            << result.error().text();
        EXPECT_NE(result.error().message.find("; "), std::string::npos) << "an error names the remedy";
    }
    EXPECT_GT(failures, 30);
    EXPECT_LT(ignored, 8);
    const auto again = wholeUse(subject.plan, subject.panel, false);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, *truth);
}

INSTANTIATE_TEST_SUITE_P(Results, EveryCall,
                         ::testing::Values(VK_ERROR_DEVICE_LOST, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                                           VK_ERROR_OUT_OF_HOST_MEMORY),
                         [](const auto& test) { return gpu::nameOf(test.param); });

TEST(GpuFallback, ContinuesOnTheCpuWithoutLosingARow) {
    SEEDBED_NEEDS_VULKAN();
    const Subject subject;
    const auto truth = wholeUse(subject.plan, subject.panel, false);
    ASSERT_TRUE(truth) << truth.error().text();
    EngineOptions options;
    options.device = "vulkan:0";
    options.cpu_fallback = true;
    const Params params(sampleBlob(subject.plan, 2), 1);
    int moved = 0;
    for (int call = 0;; ++call) {
        ASSERT_LT(call, 4000);
        auto net = compileNet("vulkan", subject.plan, options);
        ASSERT_TRUE(net) << net.error().text();
        const auto context = (*net)->context();
        gpu::setFault({.after = call, .result = VK_ERROR_DEVICE_LOST});
        const test::OwnTime time;
        const auto result = callBothWays(*context, subject.plan, params, subject.panel.rows());
        const double seconds = time.seconds();
        const bool failed = gpu::clearFault();
        ASSERT_TRUE(result) << "call " << call << ": " << result.error().text();
        if (!failed) break;
        EXPECT_LT(seconds, test::measuredLimit(2));
        ++moved;
        // The engines add the same numbers in different orders.
        for (std::size_t i = 0; i < truth->heads.size(); ++i)
            ASSERT_NEAR(result->heads[i], truth->heads[i], 1e-5) << "call " << call;
        for (std::size_t i = 0; i < truth->lane.size(); ++i)
            ASSERT_NEAR(result->lane[i], truth->lane[i], 1e-3) << "call " << call;
        EXPECT_NE((*net)->takeNotice().find("continues on the CPU"), std::string::npos);
        EXPECT_EQ((*net)->takeNotice(), "");
    }
    EXPECT_GT(moved, 20);
}

TEST(GpuFailure, AHangingBatchIsAnErrorAndTheDeviceIsOpenedAgain) {
    SEEDBED_NEEDS_VULKAN();
    const Subject subject;
    int hung = 0;
    for (int call = 0;; ++call) {
        ASSERT_LT(call, 4000);
        gpu::setFault({.after = call, .result = VK_TIMEOUT});
        const auto result = wholeUse(subject.plan, subject.panel, false);
        if (!gpu::clearFault()) break;
        if (!result && result.error().message.find("does not finish") != std::string::npos &&
            result.error().message.find("waiting for a batch") != std::string::npos)
            ++hung;
    }
    // A device whose memory the host cannot map also waits for the transfer of the parameters.
    EXPECT_THAT(hung, ::testing::AnyOf(2, 3)) << "the waits of the forward and the backward pass";
    EXPECT_TRUE(wholeUse(subject.plan, subject.panel, false));
}

TEST(GpuLoader, AMissingLibraryIsAnErrorWithTheRemedy) {
    const auto instance = gpu::Instance::create("/nowhere/libvulkan.so.1");
    ASSERT_FALSE(instance);
    EXPECT_EQ(instance.error().code, ErrorCode::device);
    EXPECT_NE(instance.error().message.find("/nowhere/libvulkan.so.1"), std::string::npos);
    EXPECT_NE(instance.error().message.find("--run.engine"), std::string::npos);
}

TEST(GpuLoader, ALibraryThatIsNoVulkanLoaderIsAnError) {
    const auto instance = gpu::Instance::create("libc.so.6");
    ASSERT_FALSE(instance);
    EXPECT_NE(instance.error().message.find("is not a Vulkan loader"), std::string::npos);
}

gpu::DeviceInfo deviceNamed(const std::string& id, const std::string& kind, const std::string& problem = {}) {
    gpu::DeviceInfo info;
    info.id = id;
    info.name = "test";
    info.kind = kind;
    info.software = kind == "software";
    info.problem = problem;
    return info;
}

TEST(GpuDevice, ASoftwareDeviceIsOnlyUsedIfItIsNamed) {
    const std::vector<gpu::DeviceInfo> software{deviceNamed("vulkan:0", "software")};
    EXPECT_EQ(*gpu::chooseDevice(software, "vulkan:0"), 0u);
    const auto best = gpu::chooseDevice(software, "vulkan");
    ASSERT_FALSE(best);
    EXPECT_NE(best.error().message.find("must be named by its number"), std::string::npos);
    EXPECT_FALSE(gpu::chooseDevice(software, "vulkan:1"));
    EXPECT_FALSE(gpu::chooseDevice({}, "vulkan:0"));
    const std::vector<gpu::DeviceInfo> several{deviceNamed("vulkan:0", "discrete", "it is too old"),
                                               deviceNamed("vulkan:1", "integrated"),
                                               deviceNamed("vulkan:2", "software")};
    EXPECT_EQ(*gpu::chooseDevice(several, "vulkan"), 1u);
    const auto old = gpu::chooseDevice(several, "vulkan:0");
    ASSERT_FALSE(old);
    EXPECT_NE(old.error().message.find("it is too old"), std::string::npos);
}

TEST(GpuDevice, IgnoresADamagedPipelineCache) {
    SEEDBED_NEEDS_VULKAN();
    const testing::TemporaryFolder folder;
    ASSERT_EQ(setenv("XDG_CACHE_HOME", folder.path().c_str(), 1), 0);
    const Subject subject;
    const auto truth = wholeUse(subject.plan, subject.panel, false);
    ASSERT_TRUE(truth) << truth.error().text();
    std::vector<std::filesystem::path> written;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path()))
        if (file.path().filename().string().starts_with("vulkan-")) written.push_back(file.path());
    ASSERT_EQ(written.size(), 1u);
    const auto size = std::filesystem::file_size(written[0]);
    ASSERT_GT(size, 64u) << "only a hash";
    for (const auto damage : {std::uintmax_t{0}, std::uintmax_t{10}, size / 2}) {
        std::filesystem::resize_file(written[0], damage);
        EXPECT_EQ(*wholeUse(subject.plan, subject.panel, false), *truth) << damage << " bytes left";
        std::ofstream(written[0], std::ios::binary) << std::string(static_cast<std::size_t>(size), 'x');
        EXPECT_EQ(*wholeUse(subject.plan, subject.panel, false), *truth);
    }
    unsetenv("XDG_CACHE_HOME");
}

TEST(GpuEngine, NamesWhatItDoesNotSupport) {
    SEEDBED_NEEDS_VULKAN();
    EngineOptions options;
    options.device = "vulkan:0";
    options.double_precision = true;
    const auto in_double = compileNet("vulkan", planNamed("dueling"), options);
    ASSERT_FALSE(in_double);
    EXPECT_EQ(in_double.error().code, ErrorCode::config);
    NetPlan unknown = planNamed("dueling");
    unknown.ops.back().kind = "attention";
    options.double_precision = false;
    const auto unsupported = compileNet("vulkan", unknown, options);
    ASSERT_FALSE(unsupported);
    EXPECT_NE(unsupported.error().message.find("'attention'"), std::string::npos);
}

}  // namespace

}  // namespace seedbed::testing_gpu
