// SPDX-License-Identifier: Apache-2.0
// Central inference computes the same results as inline inference, passes on errors and reports its batches.
#include "core/session/async_session.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/session/sync_session.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/counting_env.hpp"

namespace seedbed {
namespace {

using test::countingControls;
using test::makeSession;
using test::metricOf;
using test::smallConfig;

// With engines whose rows are independent, the composition of batches does not change the results of the sync
// schedule, bit for bit.
TEST(CentralInference, ChangesNoBitOfTheSyncSchedule) {
    const Json lstm{{"core", "lstm"}, {"core_size", 8}, {"previous_action", true}, {"previous_reward", true}};
    for (const auto& [env, changes] :
         std::vector<std::pair<std::string, Json>>{{"cartpole", {{"network", {{"normalise_obs", true}}}}},
                                                   {"pendulum", Json::object()},
                                                   {"catch", {{"network", lstm}}},
                                                   {"catch", {{"env", {{"stack", 3}}}}},
                                                   {"connect_four", Json::object()}}) {
        std::vector<std::string> hashes;
        for (const Json& run : {Json{{"inference", "inline"}}, Json{{"inference", "central"}},
                                Json{{"inference", "central"}, {"threads", 4}}})
            for (const double deadline_ms : {0.0, -1.0}) {
                Json all = changes;
                all.merge_patch({{"run", run}, {"infer", {{"deadline_ms", deadline_ms}}}});
                if (run["inference"] == "central" && deadline_ms < 0)
                    all.merge_patch({{"infer", {{"devices", "cpu,cpu"}}}});
                const auto session = makeSession(smallConfig(env, all));
                for (int i = 0; i < 12; ++i) {
                    const auto stats = session->iterate();
                    ASSERT_TRUE(stats.has_value()) << stats.error().text();
                }
                hashes.push_back(session->learner().params().sha256() + " " +
                                 std::to_string(session->progress().steps));
            }
        for (const std::string& hash : hashes) EXPECT_EQ(hash, hashes[0]) << env << " " << changes.dump();
    }
}

TEST(CentralInference, TwoThreadsShareADevice) {
    TrainingConfig config;
    EXPECT_EQ(inferenceDevices(config, "native", 2), std::vector<std::string>{"cpu"});
    config.run.device = "vulkan:1";
    const std::vector<std::string> one{"vulkan:1"}, two{"vulkan:1", "vulkan:1"};
    EXPECT_EQ(inferenceDevices(config, "native", 2), two);
    EXPECT_EQ(inferenceDevices(config, "native", 1), one);
    config.run.schedule = "sync";
    EXPECT_EQ(inferenceDevices(config, "torch", 2), one) << "its rows are not independent";
    config.run.schedule = "async";
    EXPECT_EQ(inferenceDevices(config, "torch", 2), two);
    config.infer.devices = "vulkan:0,cpu,cpu";
    EXPECT_EQ(inferenceDevices(config, "native", 2), (std::vector<std::string>{"vulkan:0", "cpu"}));
    // Their batches contain the rows of all their groups, other ones the rows of half of the groups.
    for (const auto& [devices, rows] : {std::pair{"cpu,cpu", 8.0}, std::pair{"cpu", 8.0}}) {
        const auto session =
            makeSession(smallConfig("cartpole", {{"run", {{"inference", "central"}}},
                                                 {"actor", {{"num_envs", 16}, {"groups", 4}}},
                                                 {"infer", {{"deadline_ms", -1}, {"devices", devices}}}}));
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value()) << stats.error().text();
        EXPECT_EQ(metricOf(*stats, "infer/batch_rows_max"), rows) << devices;
    }
}

TEST(CentralInference, AnErrorOfAnEnvironmentEndsTheSyncIteration) {
    test::resetCountingControls();
    const auto session = makeSession(smallConfig("counting", {{"run", {{"inference", "central"}}}}));
    ASSERT_TRUE(session->iterate().has_value());
    countingControls().throws = 1;
    countingControls().throw_instance = 3;
    const auto stats = session->iterate();
    ASSERT_FALSE(stats.has_value());
    EXPECT_NE(stats.error().text().find("group 1 (environments 2 to 3)"), std::string::npos)
        << stats.error().text();
    // Nothing is learned from the remaining groups.
    const auto again = session->iterate();
    ASSERT_FALSE(again.has_value());
    EXPECT_EQ(again.error().text(), stats.error().text());
}

TEST(CentralInference, NanFromTheNetworkStopsTheRunInBothSchedules) {
    for (const char* schedule : {"sync", "async"}) {
        const auto session = makeSession(
            smallConfig("cartpole", {{"run", {{"inference", "central"}, {"schedule", schedule}}}}));
        std::vector<float> blob(session->learner().params().blob().size(),
                                std::numeric_limits<float>::quiet_NaN());
        session->learner().setParams(0, Params(std::move(blob), 7));
        const auto stats = session->iterate();
        ASSERT_FALSE(stats.has_value());
        EXPECT_NE(stats.error().text().find("NaN"), std::string::npos) << stats.error().text();
    }
}

TEST(CentralInference, ReportsItsBatches) {
    const auto session = makeSession(smallConfig(
        "cartpole", {{"run", {{"inference", "central"}}}, {"actor", {{"num_envs", 32}, {"groups", 4}}}}));
    ASSERT_TRUE(session->iterate().has_value());
    const auto stats = session->iterate();
    ASSERT_TRUE(stats.has_value());
    EXPECT_GE(metricOf(*stats, "infer/batch_rows_max"), 8);
    EXPECT_LE(metricOf(*stats, "infer/batch_rows_max"), 32);
    EXPECT_GT(metricOf(*stats, "infer/forward_ms_p50"), 0);
    EXPECT_GT(metricOf(*stats, "infer/wait_ms_max"), 0);
    double closed = 0;
    for (const char* why : {"size", "deadline", "all_arrived"})
        closed += metricOf(*stats, std::string("infer/closed_by_") + why);
    EXPECT_GE(closed, 16);
}

}  // namespace
}  // namespace seedbed
