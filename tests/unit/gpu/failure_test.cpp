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
    // The same code handles all results, so outside the long form every call returns only one of them.
    const int stride = test::isLong() || GetParam() == VK_ERROR_DEVICE_LOST ? 1 : 3;
    for (int call = 0;; call += stride) {
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
        EXPECT_THAT(result.error().message, ::testing::HasSubstr("vulkan:0 ("));
        EXPECT_THAT(result.error().message, ::testing::ContainsRegex("vk[A-Z][A-Za-z]+ returned VK_"));
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
    const int stride = test::isLong() ? 1 : 3;  // EveryCall lets each of them fail
    for (int call = 0;; call += stride) {
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
    // Other calls do not wait; they return VK_TIMEOUT in the long form only.
    const char* waiting = test::isLong() ? "" : "vkWaitForFences";
    for (int call = 0;; ++call) {
        ASSERT_LT(call, 4000);
        gpu::setFault({.after = call, .result = VK_TIMEOUT, .call = waiting});
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

// The second context completes its batches while the first one waits.
TEST(GpuFailure, AWaitDuringWhichOtherSubmissionsCompleteIsNotAHang) {
    SEEDBED_NEEDS_VULKAN();
    const Subject subject;
    const Params params(sampleBlob(subject.plan, 2), 1);
    const auto net = vulkanNet(subject.plan);
    const auto context = net->context(), other = net->context();
    const auto truth = callBothWays(*context, subject.plan, params, subject.panel.rows());
    ASSERT_TRUE(truth) << truth.error().text();
    bool completed = false;
    const auto complete = [&] {
        const auto results = callBothWays(*other, subject.plan, params, subject.panel.rows());
        completed = results && *results == *truth;
    };
    gpu::setFault({.after = 0, .result = VK_TIMEOUT, .call = "vkWaitForFences", .instead = complete});
    const auto result = callBothWays(*context, subject.plan, params, subject.panel.rows());
    EXPECT_TRUE(gpu::clearFault());
    EXPECT_TRUE(completed);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(*result, *truth);
    gpu::setFault({.after = 0, .result = VK_TIMEOUT, .call = "vkWaitForFences"});
    const auto hung = callBothWays(*context, subject.plan, params, subject.panel.rows());
    EXPECT_TRUE(gpu::clearFault());
    ASSERT_FALSE(hung);
    EXPECT_NE(hung.error().message.find("does not finish"), std::string::npos) << hung.error().text();
}

TEST(GpuFailure, CallsSucceedAgainAfterALargeOneFoundNoMemory) {
    SEEDBED_NEEDS_VULKAN();
    const Subject small;
    Rng rng(3, RngPurpose::test);
    const SamplePanel large = samplePanel(small.plan, test::isLong() ? 3000 : 600, 4, rng);
    const Params params(sampleBlob(small.plan, 2), 1);
    int failures = 0;
    for (int allocation = 0;; ++allocation) {
        SCOPED_TRACE(allocation);
        const auto net = vulkanNet(small.plan);
        const auto context = net->context();
        const auto before = callBothWays(*context, small.plan, params, small.panel.rows());
        ASSERT_TRUE(before) << before.error().text();
        gpu::setFault(
            {.after = allocation, .result = VK_ERROR_OUT_OF_DEVICE_MEMORY, .call = "vkAllocateMemory"});
        const auto result = callBothWays(*context, small.plan, params, large.rows());
        if (!gpu::clearFault()) break;
        ++failures;
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::out_of_memory);
        const auto after = callBothWays(*context, small.plan, params, small.panel.rows());
        ASSERT_TRUE(after) << after.error().text();
        EXPECT_EQ(*after, *before);
        EXPECT_TRUE(callBothWays(*context, small.plan, params, large.rows()));
    }
    EXPECT_GT(failures, 0);
}

TEST(GpuFailure, ErrorsNameOnlyRemediesThatFit) {
    gpu::Api api;
    api.device = "vulkan:0 (a card)";
    const auto text = [&api](VkResult result) {
        return api.error(result, "vkMapMemory(device, memory)", "testing").value().message;
    };
    EXPECT_EQ(text(VK_ERROR_MEMORY_MAP_FAILED),
              "the Vulkan device vulkan:0 (a card) failed: vkMapMemory returned VK_ERROR_MEMORY_MAP_FAILED "
              "while testing; update the graphics driver or use --run.device cpu");
    EXPECT_THAT(text(VK_ERROR_INCOMPATIBLE_DRIVER), ::testing::HasSubstr("install a Vulkan driver"));
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

TEST(GpuDevice, UnusableDevicesAreListedWithTheReason) {
    const auto texts = gpu::deviceTexts(
        {deviceNamed("vulkan:0", "discrete", "it is too old"), deviceNamed("vulkan:1", "integrated")});
    ASSERT_TRUE(texts);
    ASSERT_EQ(texts->size(), 3u);
    EXPECT_TRUE((*texts)[0].starts_with("vulkan:1 ("));
    EXPECT_EQ((*texts)[1], "vulkan (vulkan:1)");
    EXPECT_TRUE((*texts)[2].starts_with("unusable: vulkan:0 (") && (*texts)[2].ends_with(": it is too old"));
    const auto none = gpu::deviceTexts({deviceNamed("vulkan:0", "discrete", "it is too old")});
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("it is too old"), std::string::npos);
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
    // A driver may refuse data of another version.
    gpu::setFault({.after = 0, .result = VK_ERROR_UNKNOWN, .call = "vkCreatePipelineCache"});
    const auto refused = wholeUse(subject.plan, subject.panel, false);
    EXPECT_TRUE(gpu::clearFault());
    ASSERT_TRUE(refused) << refused.error().text();
    EXPECT_EQ(*refused, *truth);
    // Caches of other drivers of the same device are removed.
    const std::string name = written[0].filename().string();
    const auto old = written[0].parent_path() / (name.substr(0, name.rfind('-')) + "-0123456789abcdef.bin");
    const auto foreign = written[0].parent_path() / "vulkan-1-2-0123456789abcdef.bin";
    std::ofstream(old) << "x";
    std::ofstream(foreign) << "x";
    EXPECT_TRUE(wholeUse(subject.plan, subject.panel, false));
    EXPECT_FALSE(std::filesystem::exists(old));
    EXPECT_TRUE(std::filesystem::exists(foreign) && std::filesystem::exists(written[0]));
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
