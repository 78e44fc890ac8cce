// SPDX-License-Identifier: Apache-2.0
#include "core/run/tensorboard/live_events.hpp"

#include <gmock/gmock.h>

#include "core/tensorboard/event_log.hpp"
#include "tests/unit/base/failing_files.hpp"
#include "tests/unit/base/temporary_folder.hpp"

using namespace seedbed;
using seedbed::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

class LiveEventsTest : public ::testing::Test {
protected:
    void add(LiveEvents& events, std::int64_t step) {
        const MetricValue value{"loss/policy", static_cast<double>(step)};
        events.add(step, clock_.rowTime(), {&value, 1});
    }
    std::vector<std::int64_t> storedSteps() {
        RealFileSystem files;
        const auto curves = tensorboard::readCurves(files, path());
        if (!curves || curves->empty()) return {};
        return curves->front().steps;
    }
    Path path() const { return folder_.path() / "logs/run-1"; }

    TemporaryFolder folder_;
    ManualClock time_;
    RunClock clock_{time_};
    seedbed::testing::FailingFiles files_;
};

TEST_F(LiveEventsTest, PointsCanBeReadWhileTheRunTrains) {
    LiveEvents events(files_, clock_);
    events.open(path(), 0);
    for (std::int64_t step = 1; step <= 3; ++step) {
        time_.advance(2 * kSecond);
        add(events, step * 10);
    }
    EXPECT_THAT(storedSteps(), ElementsAre(10, 20, 30));
    add(events, 40);  // within a second of the last write
    EXPECT_THAT(storedSteps(), ElementsAre(10, 20, 30));
    events.close();
    EXPECT_THAT(storedSteps(), ElementsAre(10, 20, 30, 40));
    EXPECT_THAT(events.takeNotices(), IsEmpty());
}

TEST_F(LiveEventsTest, AResumeReplacesThePointsAfterItsStep) {
    LiveEvents events(files_, clock_);
    events.open(path(), 0);
    for (const std::int64_t step : {10, 20, 30}) add(events, step);
    events.open(path(), 20);
    for (const std::int64_t step : {25, 35}) add(events, step);
    events.close();
    EXPECT_THAT(storedSteps(), ElementsAre(10, 20, 25, 35));
}

TEST_F(LiveEventsTest, APointThatAResumeComputesAgainIsWrittenOnce) {
    LiveEvents events(files_, clock_);
    events.open(path(), 0);
    for (const std::int64_t step : {10, 20}) add(events, step);
    events.open(path(), 20);
    for (const std::int64_t step : {20, 30}) add(events, step);
    events.close();
    EXPECT_THAT(storedSteps(), ElementsAre(10, 20, 30));
    events.open(path(), 40);  // where no point was written
    add(events, 40);
    events.close();
    EXPECT_THAT(storedSteps(), ElementsAre(10, 20, 30, 40));
}

TEST_F(LiveEventsTest, FailuresOfAnyOperationOnlyCauseANotice) {
    int failed = 0;
    for (int at = 1; at <= 12; ++at) {
        std::filesystem::remove_all(folder_.path() / "logs");
        files_.failAt(at, false, ENOSPC);
        LiveEvents events(files_, clock_);
        events.open(path(), 0);
        for (std::int64_t step = 1; step <= 40; ++step) {
            time_.advance(2 * kSecond);
            add(events, step);
        }
        events.close();
        files_.failAt(0, false);
        const auto notices = events.takeNotices();
        if (notices.empty()) continue;
        ++failed;
        EXPECT_THAT(notices.front(), HasSubstr("training continues"));
        // After half a minute, points are written again.
        const auto steps = storedSteps();
        ASSERT_FALSE(steps.empty()) << at;
        EXPECT_EQ(steps.back(), 40) << at;
        ASSERT_EQ(notices.size(), 2u) << at;
        EXPECT_THAT(notices.back(), HasSubstr("written again"));
    }
    EXPECT_GE(failed, 5);
}

TEST_F(LiveEventsTest, APermanentFailureIsReportedOnce) {
    files_.failAt(1, true, EIO);
    LiveEvents events(files_, clock_);
    events.open(path(), 0);
    for (std::int64_t step = 1; step <= 100; ++step) {
        time_.advance(10 * kSecond);
        add(events, step);
    }
    events.close();
    EXPECT_EQ(events.takeNotices().size(), 1u);
}

TEST(EventFolder, NamesAreSafeFileNames) {
    EXPECT_EQ(eventFolderName(3, "cartpole", "ppo"), "run-3-cartpole-ppo");
    EXPECT_EQ(eventFolderName(4, "gym:/home/a b/my_env.py:MyEnv", "dqn"), "run-4-my_env.py_MyEnv-dqn");
    EXPECT_LE(eventFolderName(5, std::string(500, 'x'), "ppo").size(), 80u);
}

}  // namespace
