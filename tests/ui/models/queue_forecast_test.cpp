// SPDX-License-Identifier: Apache-2.0
// Tests the estimates of the queue: speeds of earlier runs, when runs start and end, and the score of
// estimates.
#include <gtest/gtest.h>

#include "ui/models/queue/queue_forecast.hpp"

namespace seedbed::ui {
namespace {

TrainedRun trained(std::size_t settings, double started, double seconds, std::size_t kind = 1) {
    return {.kind = kind,
            .settings = settings,
            .steps = 1000,
            .seconds = seconds,
            .started = started,
            .ended = started + seconds,
            .finished = true,
            .length = {.steps = 1000}};
}

TEST(QueueForecastTest, SpeedsAreThoseOfRunsWithTheSameSettingsBeforeOthers) {
    const std::vector<TrainedRun> runs{trained(5, 400, 100), trained(5, 200, 50), trained(6, 0, 10)};
    const auto same = speedOf(runs, 1, 5);
    ASSERT_TRUE(same);
    EXPECT_DOUBLE_EQ(same->low, 10);
    EXPECT_DOUBLE_EQ(same->high, 20);
    EXPECT_DOUBLE_EQ(speedOf(runs, 1, 7)->high, 100) << "settings that no run had";
    EXPECT_DOUBLE_EQ(speedOf(runs, 1, 5, 300)->low, 18) << "one run is known to a tenth";
    EXPECT_DOUBLE_EQ(speedOf(runs, 1, 5, 240)->low, 90) << "a run that ended later was not known";
    EXPECT_FALSE(speedOf(runs, 2, 5)) << "another environment";
    const std::vector<TrainedRun> many(10, trained(5, 0, 100));
    std::vector<TrainedRun> with_old = many;
    with_old.push_back(trained(5, 0, 1));
    EXPECT_DOUBLE_EQ(speedOf(with_old, 1, 5)->high, 11) << "the newest ten";
}

TEST(QueueForecastTest, TheFirstLimitEndsARun) {
    const Span speed{10, 20};
    EXPECT_FALSE(secondsFor({}, speed));
    EXPECT_FALSE(secondsFor({.steps = 100}, std::nullopt));
    EXPECT_DOUBLE_EQ(secondsFor({.steps = 100}, speed)->low, 5);
    EXPECT_DOUBLE_EQ(secondsFor({.steps = 100}, speed)->high, 10);
    EXPECT_DOUBLE_EQ(secondsFor({.steps = 100, .seconds = 7}, speed)->high, 7);
    EXPECT_DOUBLE_EQ(secondsFor({.steps = 100, .seconds = 7}, std::nullopt)->low, 0);
    EXPECT_DOUBLE_EQ(secondsFor({.seconds = 7}, std::nullopt)->low, 7);
}

TEST(QueueForecastTest, ARunWithATargetTakesTheStepsOfEarlierOnes) {
    std::vector<TrainedRun> runs{trained(5, 200, 50), trained(5, 0, 50), trained(6, 0, 50)};
    EXPECT_FALSE(stepsToTarget(runs, 5)) << "none has a target";
    for (TrainedRun& run : runs) run.reached = true;
    runs[1].steps = 600;
    runs[2].steps = 10;
    const auto steps = stepsToTarget(runs, 5);
    ASSERT_TRUE(steps);
    EXPECT_DOUBLE_EQ(steps->low, 600);
    EXPECT_DOUBLE_EQ(steps->high, 1000);
    EXPECT_DOUBLE_EQ(stepsToTarget(runs, 5, 100)->high, 600) << "the other was not known yet";
    EXPECT_DOUBLE_EQ(secondsFor({.steps = 5000, .target_steps = steps}, Span{10, 20})->low, 30);
    EXPECT_DOUBLE_EQ(secondsFor({.target_steps = steps}, Span{10, 20})->high, 100);
    EXPECT_DOUBLE_EQ(secondsFor({.steps = 700, .target_steps = steps}, Span{10, 20})->high, 70);
    runs[0].reached = false;
    const auto missed = stepsToTarget(runs, 5);
    EXPECT_FALSE(secondsFor({.target_steps = missed}, Span{10, 20}));
    EXPECT_DOUBLE_EQ(secondsFor({.steps = 5000, .target_steps = missed}, Span{10, 20})->high, 500);
}

TEST(QueueForecastTest, RunsStartWhenAPlaceIsFree) {
    const Span ten{10, 20};
    std::vector<QueueWork> queue{{.live = true, .seconds = Span{2, 3}},
                                 {.live = true, .seconds = Span{6, 8}},
                                 {.seconds = ten},
                                 {.held = true, .seconds = ten},
                                 {.seconds = ten},
                                 {.seconds = ten}};
    auto times = forecastQueue(queue, 2);
    EXPECT_DOUBLE_EQ(times[2].starts->high, 3);
    EXPECT_DOUBLE_EQ(times[2].ends->high, 23);
    EXPECT_FALSE(times[3].starts) << "paused runs are passed over";
    EXPECT_DOUBLE_EQ(times[4].starts->low, 6);
    EXPECT_DOUBLE_EQ(times[5].starts->low, 12);
    EXPECT_DOUBLE_EQ(times[5].starts->high, 23);
    EXPECT_DOUBLE_EQ(forecastQueue(queue, 3)[2].starts->high, 0) << "one place is free";
    EXPECT_DOUBLE_EQ(forecastQueue(queue, 1)[2].starts->high, 8) << "more runs than places";
    queue[0].held = true;  // paused while it trains: it may keep its place
    times = forecastQueue(queue, 2);
    EXPECT_DOUBLE_EQ(times[2].starts->low, 2);
    EXPECT_DOUBLE_EQ(times[2].starts->high, 8);
    queue[1].seconds.reset();
    times = forecastQueue(queue, 2);
    EXPECT_FALSE(times[2].starts) << "nothing is known about either place";
}

TEST(QueueForecastTest, EstimatesAreScoredWithWhatWasKnownAtTheStart) {
    // Newest first.
    const std::vector<TrainedRun> runs{trained(5, 600, 100), trained(5, 500, 110), trained(5, 0, 100)};
    EXPECT_EQ(scoreEstimates(runs), (EstimateScore{.runs = 2, .close = 2})) << "the first has no estimate";
    std::vector<TrainedRun> slow = runs;
    slow[0].seconds = 140;
    EXPECT_EQ(scoreEstimates(slow), (EstimateScore{.runs = 2, .close = 1}));
    slow[0].finished = false;
    EXPECT_EQ(scoreEstimates(slow), (EstimateScore{.runs = 1, .close = 1}));
    slow[2].ended = 501;
    EXPECT_EQ(scoreEstimates(slow).runs, 0) << "it was not known yet";
}

}  // namespace
}  // namespace seedbed::ui
