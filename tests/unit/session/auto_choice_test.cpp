// SPDX-License-Identifier: Apache-2.0
// run.inference=auto: the decision for given times, the time limit of the measurement, the cache, and that
// sync results do not depend on the choice.
#include "core/session/auto_choice.hpp"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::smallConfig;

AutoOptions question() {
    return {.envs = 64,
            .columns = 64,
            .actors = 4,
            .fixed_groups = 2,
            .groups_are_free = true,
            .on_cpu = true,
            .engine = {}};
}

// forward(n) = fixed + n * per_row, in microseconds.
InferenceTimes timesOf(const AutoOptions& q, double fixed, double per_row, double hand_over = 20) {
    InferenceTimes times;
    for (const int rows : rowsToMeasure(q)) times.forward[rows] = (fixed + per_row * rows) * 1e-6;
    times.hand_over = hand_over * 1e-6;
    return times;
}

TEST(AutoChoice, ASmallNetworkRunsInlineWithOneGroupPerThread) {
    const AutoChoice choice = decide(question(), timesOf(question(), 0.5, 1));
    EXPECT_EQ(choice.inference, "inline");
    EXPECT_EQ(choice.groups, 4);  // 4 groups at once take a quarter of the time; 2 leave two threads idle
    EXPECT_NE(choice.why.find("inline inference on 4 threads"), std::string::npos) << choice.why;
}

TEST(AutoChoice, ANetworkWithMostlyOverheadRunsCentrally) {
    // 3 ms for any number of rows: four threads also take 3 ms, but with two groups per thread, central
    // inference halves the batches without a gain; with one thread, batching is faster.
    AutoOptions q = question();
    q.actors = 1;
    q.fixed_groups = 8;
    q.groups_are_free = false;
    const AutoChoice choice = decide(q, timesOf(q, 3000, 0));
    EXPECT_EQ(choice.inference, "central");
    EXPECT_EQ(choice.groups, 8);
    EXPECT_EQ(choice.batch_rows, 32);
    EXPECT_NEAR(choice.deadline_ms, 12, 1e-9);
}

TEST(AutoChoice, DifferencesOfLessThanATenthChangeNothing) {
    AutoOptions q = question();
    q.fixed_groups = 4;
    q.actors = 2;
    const AutoChoice choice = decide(q, timesOf(q, 0.3, 1));  // two groups would save 2 %
    EXPECT_EQ(choice.groups, 4);
    EXPECT_EQ(choice.inference, "inline");
}

TEST(AutoChoice, DevicesOtherThanTheCpuUseCentralInference) {
    AutoOptions q = question();
    q.on_cpu = false;
    const AutoChoice choice = decide(q, timesOf(q, 100, 0.1));
    EXPECT_EQ(choice.inference, "central");
    EXPECT_EQ(choice.groups, 8);
}

TEST(AutoChoice, EachOfSeveralDevicesClosesBatchesOfItsOwnShare) {
    AutoOptions q = question();
    q.on_cpu = false;
    EXPECT_EQ(decide(q, timesOf(q, 3000, 0)).batch_rows, 32);
    q.devices = 2;
    EXPECT_EQ(decide(q, timesOf(q, 3000, 0)).batch_rows, 16);
    const TrainingConfig config = smallConfig(
        "cartpole",
        {{"run", {{"inference", "auto"}}}, {"infer", {{"devices", "cpu,cpu"}}}, {"actor", {{"groups", 2}}}});
    EXPECT_EQ(autoOptionsOf(*Session::plan(config)).devices, 2);
}

TEST(AutoChoice, ConfiguredGroupsAreKept) {
    AutoOptions q = question();
    q.groups_are_free = false;
    EXPECT_EQ(decide(q, timesOf(q, 0.5, 1)).groups, 2);
}

TEST(AutoChoice, WithoutAMeasurementTheFixedRuleApplies) {
    const AutoChoice choice = decide(question(), InferenceTimes{});
    EXPECT_EQ(choice.inference, "inline");
    EXPECT_EQ(choice.groups, 2);
    EXPECT_NE(choice.why.find("too slow"), std::string::npos);
}

TEST(AutoChoice, GroupsOfLibTorchAreNotFreeInTheSyncSchedule) {
    auto plan = Session::plan(smallConfig("cartpole", {{"actor", {{"groups", 0}}}}));
    ASSERT_TRUE(plan.has_value());
    EXPECT_TRUE(autoOptionsOf(*plan).groups_are_free);
    plan->engine.id = "torch";
    EXPECT_FALSE(autoOptionsOf(*plan).groups_are_free);
    plan->config.run.schedule = "async";
    EXPECT_TRUE(autoOptionsOf(*plan).groups_are_free);
}

TEST(AutoChoice, MeasuresOnceAndCachesTheResult) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("seedbed-auto-" + std::to_string(getpid()));
    RealFileSystem files;
    const TrainingConfig config =
        smallConfig("cartpole", {{"run", {{"inference", "auto"}}}, {"actor", {{"groups", 0}}}});
    auto first = Session::plan(config), second = Session::plan(config), other = Session::plan(config);
    ASSERT_TRUE(resolveAuto(*first, files, folder).has_value());
    EXPECT_FALSE(first->auto_choice.at("cached").get<bool>());
    ASSERT_TRUE(resolveAuto(*second, files, folder).has_value());
    EXPECT_TRUE(second->auto_choice.at("cached").get<bool>());
    EXPECT_EQ(second->groups, first->groups);
    EXPECT_EQ(second->config.run.inference, first->config.run.inference);
    EXPECT_EQ(second->auto_choice.at("why"), first->auto_choice.at("why"));
    // A different network needs a new measurement.
    other->net.hidden.push_back(8);
    ASSERT_TRUE(resolveAuto(*other, files, folder).has_value());
    EXPECT_FALSE(other->auto_choice.at("cached").get<bool>());
    // A damaged cache causes a new measurement.
    for (const auto& entry : std::filesystem::directory_iterator(folder / "auto"))
        std::filesystem::resize_file(entry.path(), 3);
    auto again = Session::plan(config);
    ASSERT_TRUE(resolveAuto(*again, files, folder).has_value());
    EXPECT_FALSE(again->auto_choice.at("cached").get<bool>());
    std::filesystem::remove_all(folder);
}

TEST(AutoChoice, ARecordedChoiceIsReused) {
    const TrainingConfig config =
        smallConfig("cartpole", {{"run", {{"inference", "auto"}}}, {"actor", {{"groups", 0}}}});
    const AutoChoice recorded{.inference = "central",
                              .groups = 5,
                              .batch_rows = 3,
                              .deadline_ms = 1.5,
                              .why = "so it was",
                              .cached = false};
    auto plan = Session::plan(config);
    ASSERT_TRUE(applyRecordedAuto(*plan, recorded.json()).has_value());
    EXPECT_EQ(plan->groups, 5);
    EXPECT_EQ(plan->config.run.inference, "central");
    EXPECT_EQ(plan->config.infer.batch_rows, 3);
    EXPECT_EQ(plan->config.infer.deadline_ms, 1.5);
    const auto asked = smallConfig(
        "cartpole", {{"run", {{"inference", "auto"}}}, {"infer", {{"batch_rows", 4}, {"deadline_ms", 7}}}});
    auto as_asked = Session::plan(asked);
    ASSERT_TRUE(applyRecordedAuto(*as_asked, recorded.json()).has_value());
    EXPECT_EQ(as_asked->config.infer.batch_rows, 4);
    EXPECT_EQ(as_asked->config.infer.deadline_ms, 7);
    auto another = Session::plan(config);
    EXPECT_FALSE(applyRecordedAuto(*another, Json{{"inference", "psychic"}}).has_value());
    EXPECT_FALSE(applyRecordedAuto(*another, Json()).has_value());
}

TEST(AutoChoice, TheMeasurementStaysWithinItsBudget) {
    const auto plan = Session::plan(smallConfig("minatar_breakout", {{"network", {{"hidden", {512, 512}}}}}));
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    const auto net = compileNet("reference", *buildPlan(plan->net), {});
    const auto times = measureInference(**net, {1, 64, 4096, 1'000'000}, 0.1);
    ASSERT_TRUE(times.has_value());
    // A million rows of this network are about 10^12 operations.
    EXPECT_FALSE(times->forward.contains(1'000'000));
}

TEST(AutoChoice, KeepsTheModeIfItWouldChangeBits) {
    // LibTorch in the sync schedule: central inference would merge groups into one call, in which rows are
    // not independent of each other.
    AutoOptions q{.envs = 64,
                  .columns = 64,
                  .actors = 2,
                  .fixed_groups = 4,
                  .groups_are_free = false,
                  .mode_is_free = false,
                  .engine = {}};
    q.engine = "torch";
    const InferenceTimes central_wins{.forward = {{16, 1.0}, {32, 1e-6}}, .hand_over = 1e-6};
    EXPECT_EQ(decide(q, central_wins).inference, "inline");
    q.mode_is_free = true;
    EXPECT_EQ(decide(q, central_wins).inference, "central");
}

TEST(EngineChoice, FollowsTheFixedRuleAndReportsTheReason) {
    const auto automatic = chooseEngine("auto", "cpu");
    ASSERT_TRUE(automatic);
    EXPECT_EQ(automatic->id, "native");
    EXPECT_NE(automatic->why.find("fastest"), std::string::npos) << automatic->why;
    EXPECT_EQ(chooseEngine("check:native", "cpu")->id, "check:native");
    EXPECT_EQ(chooseEngine("reference", "cpu")->why, "configured");
    EXPECT_FALSE(chooseEngine("nativ", "cpu"));
    EXPECT_FALSE(chooseEngine("native", "cuda:0"));
}

TEST(AutoChoice, ChangesNoBitOfTheSyncSchedule) {
    std::vector<std::string> hashes;
    for (const Json& choice :
         {Json(),
          AutoChoice{.inference = "central", .groups = 6, .batch_rows = 2, .deadline_ms = 0.2, .why = ""}
              .json(),
          AutoChoice{.inference = "inline", .groups = 1, .why = ""}.json()}) {
        TrainingConfig config = smallConfig(
            "cartpole",
            {{"actor", {{"groups", 0}}}, {"run", {{"inference", choice.is_null() ? "inline" : "auto"}}}});
        config.recorded_auto = choice;
        const auto session = test::makeSession(config);
        for (int i = 0; i < 10; ++i) ASSERT_TRUE(session->iterate().has_value());
        hashes.push_back(session->learner().params().sha256());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace seedbed
