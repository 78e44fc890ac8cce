// SPDX-License-Identifier: Apache-2.0
// Whole runs whose Vulkan device is lost or out of memory at any call: they continue on the CPU, or end with
// an error and a checkpoint from which they can be resumed.
#include <gtest/gtest.h>

#include <string>

#include "core/base/os/clock.hpp"
#include "core/base/os/files.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/run.hpp"
#include "core/store/store_reader.hpp"
#include "gpu/vulkan/faults.hpp"
#include "gpu/vulkan/instance.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/gpu/gpu_util.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed::testing_gpu {

namespace {

constexpr std::uint64_t kSteps = 4 * 96;  // four updates

// Makes a call of Vulkan fail after the first update.
class Observer final : public RunObserver {
public:
    explicit Observer(gpu::Fault fault = {.after = -1}) : fault_(fault) {}
    void started(std::int64_t, const SessionPlan&) override {}
    void progress(const ProgressReport& report) override {
        if (report.updates != 1 || fault_.after < 0) return;
        gpu::setFault(fault_);
        fault_.after = -1;
    }
    void phase(const ProgressReport&) override {}
    void evaluated(std::uint64_t, const EvaluationResult&) override {}
    void message(const std::string& text) override { messages += text + "\n"; }

    std::string messages;

private:
    gpu::Fault fault_;
};

struct FailingRun {
    testing::TemporaryFolder folder;
    RealFileSystem files;
    RealClock clock;
    Observer observer;

    explicit FailingRun(gpu::Fault fault) : observer(fault) {}
    Result<RunOutcome> train(const std::string& on_failure) {
        const TrainingConfig config = test::smallConfig("cartpole", {{"network", {{"hidden", {8}}}},
                                                                     {"eval", {{"final_episodes", 2}}},
                                                                     {"run",
                                                                      {{"engine", "auto"},
                                                                       {"device", "vulkan:0"},
                                                                       {"on_device_failure", on_failure},
                                                                       {"steps", kSteps},
                                                                       {"keep_awake", false}}}});
        return trainRun({config, "", "", folder.path(), ""}, observer, {}, files, clock);
    }
    Result<RunOutcome> resumeOnTheCpu() {
        Observer undisturbed;
        return resumeRun({1, folder.path(), {}, "", {{"run.device", "cpu"}}}, undisturbed, {}, files, clock);
    }
    Result<LoadedCheckpoint> newest() { return CheckpointStore(files, folder.path(), 1).load(); }
    RunStatus status() {
        auto reader = StoreReader::open(folder.path());
        EXPECT_TRUE(reader.has_value());
        return reader->details(1)->run.status;
    }
};

class RunOnAFailingDevice : public ::testing::TestWithParam<VkResult> {};

TEST_P(RunOnAFailingDevice, FinishesOnTheCpuWhicheverCallFails) {
    SEEDBED_NEEDS_VULKAN();
    int moved = 0, ignored = 0;
    const int stride = test::isLong() ? 37 : 97;  // GpuFallback lets the calls of one use fail in turn
    for (int call = 0;; call += stride) {
        ASSERT_LT(call, 20'000);
        SCOPED_TRACE(call);
        FailingRun run({.after = call, .result = GetParam()});
        const auto outcome = run.train("cpu");
        const bool failed = gpu::clearFault();
        ASSERT_TRUE(outcome) << outcome.error().text();
        EXPECT_EQ(outcome->steps, kSteps);
        EXPECT_EQ(run.status(), RunStatus::finished);
        const auto newest = run.newest();
        ASSERT_TRUE(newest) << newest.error().text();
        EXPECT_EQ(newest->info.params_sha256, outcome->params_sha256);
        if (!failed) break;
        // The calls at the end of a session may fail without consequences.
        ++(run.observer.messages.find("continues on the CPU") != std::string::npos ? moved : ignored);
    }
    EXPECT_GT(moved, 10);
    EXPECT_LT(ignored, moved / 4);
}

TEST_P(RunOnAFailingDevice, EndsWithACheckpointIfTheSettingIsStop) {
    SEEDBED_NEEDS_VULKAN();
    int stopped = 0;
    const int stride = test::isLong() ? 97 : 211;
    for (int call = 0;; call += stride) {
        ASSERT_LT(call, 20'000);
        SCOPED_TRACE(call);
        FailingRun run({.after = call, .result = GetParam()});
        const auto outcome = run.train("stop");
        if (!gpu::clearFault()) break;
        if (outcome) continue;  // a call at the end
        ++stopped;
        EXPECT_NE(outcome.error().text().find(gpu::nameOf(GetParam())), std::string::npos)
            << outcome.error().text();
        EXPECT_EQ(run.status(), RunStatus::failed);
        const auto newest = run.newest();
        ASSERT_TRUE(newest) << newest.error().text();
        const auto resumed = run.resumeOnTheCpu();
        ASSERT_TRUE(resumed) << resumed.error().text();
        EXPECT_EQ(resumed->steps, kSteps);
        EXPECT_EQ(run.status(), RunStatus::finished);
    }
    EXPECT_GT(stopped, 5);
}

INSTANTIATE_TEST_SUITE_P(Results, RunOnAFailingDevice,
                         ::testing::Values(VK_ERROR_DEVICE_LOST, VK_ERROR_OUT_OF_DEVICE_MEMORY),
                         [](const auto& test) { return gpu::nameOf(test.param); });

}  // namespace

}  // namespace seedbed::testing_gpu
