// SPDX-License-Identifier: Apache-2.0
// A group that returns while it is being marked as lost does not stay marked.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/log.hpp"
#include "core/session/actor_crew.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/counting_env.hpp"

namespace seedbed {
namespace {

TEST(CrewWatch, AnIdleGroupIsNotLost) {
    log::configure({.level = log::Level::off});
    test::resetCountingControls();
    const auto plan = Session::plan(test::smallConfig(
        "counting", {{"env", {{"busy_us", 20}}}, {"actor", {{"num_envs", 1}, {"groups", 1}}}}));
    ASSERT_TRUE(plan.has_value());
    const NetPlan net_plan = *buildPlan(plan->net);
    const std::shared_ptr<EngineNet> net = std::move(*compileNet("reference", net_plan, {}));
    auto group = ActorGroup::create(plan->groupSpecs(net.get())[0]);
    ASSERT_TRUE(group.has_value());
    ActingParams params(0);
    params.publish(initialParams(net_plan, 1));
    const RealClock clock;
    // Every step counts as too long.
    ActorCrew crew({group->get()}, params, clock, {.window_rows = 1 << 30, .stall_ns = 1, .first_env = {0}},
                   {});
    std::atomic<bool> done{false};
    std::atomic<int> found{0};
    std::jthread watcher([&] {
        while (!done) {
            found += crew.watch();
            (void)crew.takeNotices();
        }
    });
    ThreadTimes times;
    int resting_and_lost = 0;
    for (std::uint64_t row = 1; row <= 200'000 && found < 2000 && resting_and_lost == 0; ++row) {
        crew.setGoal(row);
        crew.start();
        while (crew.idle() == 0) {
            const auto taken = crew.take();
            if (taken) ASSERT_TRUE(crew.process(*taken, times).has_value());
        }
        // The watcher may be about to clear a flag.
        for (int i = 0; i < 10'000 && crew.lost() > 0; ++i) std::this_thread::yield();
        resting_and_lost += crew.lost();
    }
    done = true;
    watcher.join();
    EXPECT_EQ(resting_and_lost, 0);
    EXPECT_GT(found, 0);
    log::configure({});
}

}  // namespace
}  // namespace seedbed
