// SPDX-License-Identifier: Apache-2.0
// The timing tree: sums, names of metrics, and the bottleneck reported for sessions with a known one.
#include "core/session/timing.hpp"

#include <gtest/gtest.h>

#include "core/session/acting_params.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

RoleTimes role(const std::string& name, double threads, std::vector<std::pair<Phase, double>> shares) {
    RoleTimes times{.role = name, .thread_s = threads, .seconds = {}};
    for (const auto& [phase, seconds] : shares) times.seconds[static_cast<std::size_t>(phase)] = seconds;
    times.fillIdle();
    return times;
}

TEST(TimingTree, NamesTheBottleneckOfTheSyncSchedule) {
    const auto named = [](std::vector<std::pair<Phase, double>> shares, std::vector<RoleTimes> more = {}) {
        TimingTree tree{.wall_s = 1, .roles = {role("worker", 2, std::move(shares))}};
        tree.roles.insert(tree.roles.end(), more.begin(), more.end());
        return tree.bottleneck();
    };
    EXPECT_EQ(named({{Phase::env, 1.2}, {Phase::forward, 0.5}}), "env");
    EXPECT_EQ(named({{Phase::inference_forward, 1.0}, {Phase::env, 0.5}}), "inference");
    EXPECT_EQ(named({{Phase::backward, 0.9}, {Phase::forward, 0.4}, {Phase::env, 0.5}}), "learning");
    EXPECT_EQ(named({{Phase::env, 0.5}}), "idle threads");
    EXPECT_EQ(named({{Phase::env, 0.3}, {Phase::wait_inference, 1.6}},
                    {role("inference", 1, {{Phase::inference_forward, 0.95}})}),
              "inference");
    EXPECT_EQ(named({{Phase::env, 0.3}, {Phase::wait_inference, 1.6}},
                    {role("inference", 1, {{Phase::inference_forward, 0.1}})}),
              "waiting for inference");
    EXPECT_EQ(TimingTree{}.bottleneck(), "");
}

TEST(TimingTree, NamesTheBottleneckOfTheAsyncSchedule) {
    const auto named = [](RoleTimes actor, RoleTimes learner, std::vector<RoleTimes> more = {}) {
        TimingTree tree{.wall_s = 1, .roles = {std::move(actor), std::move(learner)}};
        tree.roles.insert(tree.roles.end(), more.begin(), more.end());
        return tree.bottleneck();
    };
    const RoleTimes waiting_learner = role("learner", 2, {{Phase::wait, 1.8}, {Phase::forward, 0.2}});
    EXPECT_EQ(named(role("actor", 2, {{Phase::env, 1.9}}), waiting_learner), "env");
    EXPECT_EQ(named(role("actor", 2, {{Phase::inference_forward, 1.5}, {Phase::env, 0.4}}), waiting_learner),
              "inference");
    EXPECT_EQ(named(role("actor", 2, {{Phase::env, 0.4}, {Phase::wait_room, 1.5}}),
                    role("learner", 2, {{Phase::backward, 1.9}})),
              "learning");
    EXPECT_EQ(named(role("actor", 2, {{Phase::env, 0.4}, {Phase::wait_inference, 1.5}}), waiting_learner,
                    {role("inference", 1, {{Phase::inference_forward, 0.9}})}),
              "inference");
    EXPECT_EQ(named(role("actor", 2, {{Phase::env, 0.4}, {Phase::wait_inference, 1.5}}), waiting_learner,
                    {role("inference", 1, {{Phase::wait, 0.8}})}),
              "waiting for inference");
}

TEST(TimingTree, MetricsSumOverRolesAndDistinguishRoles) {
    TimingTree tree{.wall_s = 1,
                    .roles = {role("actor", 1, {{Phase::env, 0.5}, {Phase::inference_forward, 0.25}}),
                              role("learner", 1, {{Phase::wait, 0.75}, {Phase::forward, 0.125}})}};
    std::map<std::string, double> metrics;
    for (const auto& [name, value] : tree.metrics())
        EXPECT_TRUE(metrics.emplace(name, value).second) << name << " twice";
    EXPECT_EQ(metrics["time/env"], 0.5);
    EXPECT_EQ(metrics["time/inference"], 0.25);
    EXPECT_EQ(metrics["time/forward"], 0.125);
    EXPECT_EQ(metrics["time/wait"], 0.75);
    EXPECT_EQ(metrics["time/idle"], 0.375);
    EXPECT_EQ(metrics["time/actor/inference/forward"], 0.25);
    EXPECT_EQ(metrics["time/learner/wait/work"], 0.75);
    EXPECT_FALSE(metrics.contains("time/learner/env"));
}

TEST(TimingTree, PartsOfTheSyncScheduleAddUpToTheTimeOfItsThreads) {
    for (const char* inference : {"inline", "central"}) {
        const auto session =
            test::makeSession(test::smallConfig("cartpole", {{"run", {{"inference", inference}}}}));
        TimingTree times;
        // Idle time is the remainder; a sum above the threads' time would mean double counting. The inference
        // thread's last wait may extend into the next iteration, once per measurement.
        double largest_error = 1;
        for (int round = 0; round < 50 && largest_error > 0.1; ++round) {
            for (int i = 0; i < 20; ++i) times.add(session->iterate()->times);
            largest_error = test::largestTimingError(times);
        }
        EXPECT_LE(largest_error, 0.1) << inference;
        EXPECT_GT(times.sum(Phase::env), 0);
        EXPECT_GT(times.sum(Phase::inference_forward), 0);
        EXPECT_GT(times.sum(Phase::backward), 0);
    }
}

TEST(ActingParams, LagCountsPublicationsNotVersions) {
    ActingParams params(0);
    const auto publish = [&](std::uint64_t version) {
        params.publish(Params(std::vector<float>{1}, version));
    };
    publish(10);
    publish(50);
    publish(51);
    EXPECT_EQ(params.lagOf(51), 0u);
    EXPECT_EQ(params.lagOf(50), 1u);
    EXPECT_EQ(params.lagOf(10), 2u);
    publish(51);  // nothing new
    EXPECT_EQ(params.lagOf(50), 1u);
    EXPECT_EQ(params.oldestWithin(0), 51u);
    EXPECT_EQ(params.oldestWithin(1), 50u);
    EXPECT_EQ(params.oldestWithin(9), 0u) << "everything is young enough";
}

TEST(ActingParams, ReadersGetTheForcedLagAndTheArchiveKeepsIt) {
    ActingParams params(2);
    ActingParams::Reader reader(params);
    const auto publish = [](ActingParams& to, std::uint64_t version) {
        to.publish(Params(std::vector<float>{static_cast<float>(version)}, version));
    };
    for (std::uint64_t version = 1; version <= 5; ++version) {
        publish(params, version);
        EXPECT_EQ(reader.acting().params.version(), version <= 3 ? 1 : version - 2);
        EXPECT_EQ(reader.acting().params.blob()[0], static_cast<float>(reader.acting().params.version()));
    }
    Archive saved = Archive::saving();
    params.archive(saved);
    ActingParams restored(2);
    publish(restored, 5);
    Archive loaded = Archive::loading(saved.bytes());
    restored.archive(loaded);
    ASSERT_TRUE(loaded.finish().has_value());
    ActingParams::Reader again(restored);
    EXPECT_EQ(again.acting().params.version(), 3u);
    EXPECT_EQ(again.acting().publication, 3u) << "counted on";
    publish(restored, 6);
    EXPECT_EQ(again.acting().params.version(), 4u);
    EXPECT_EQ(again.acting().publication, 4u);
    EXPECT_EQ(restored.lagOf(4), 2u);
}

TEST(ActingParams, AnotherRuleReachesReadersWithoutAnotherVersion) {
    ActingParams params(0);
    const Params first(std::vector<float>(4, 1.0f), 1);
    params.publish(first, {.kind = ActingRule::Kind::epsilon_greedy, .epsilon = 0.5});
    ActingParams::Reader reader(params);
    EXPECT_EQ(reader.acting().rule.epsilon, 0.5);
    params.publish(first, {.kind = ActingRule::Kind::epsilon_greedy, .epsilon = 0.25});
    EXPECT_EQ(reader.acting().rule.epsilon, 0.25);
    EXPECT_EQ(reader.acting().params.version(), 1u);
    EXPECT_EQ(params.lagOf(1), 0u) << "not a publication of parameters";
}

}  // namespace
}  // namespace seedbed
