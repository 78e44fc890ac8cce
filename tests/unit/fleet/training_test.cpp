// SPDX-License-Identifier: Apache-2.0
// Training with environments in actors: it learns, and actors may join and leave.
#include <gtest/gtest.h>

#include "core/env/env_registry.hpp"
#include "core/session/session.hpp"
#include "tests/unit/fleet/fleet_rig.hpp"

namespace seedbed::test {
namespace {

constexpr std::uint64_t kMaxSteps = 300'000;

TrainingConfig fleetConfig(const std::shared_ptr<FleetServer>& server) {
    auto config = parseTrainingConfig(
        {{"env", {{"id", "cartpole"}, {"wrap", {{"reward_scale", 0.1}}}}},
         {"network", {{"hidden", {64, 64}}, {"activation", "tanh"}, {"separate_critic", true}}},
         {"optimiser", {{"max_grad_norm", 40}}},
         {"actor", {{"num_envs", 16}, {"groups", 2}, {"fleet", "127.0.0.1:0"}, {"stall_s", 5}}},
         {"run", {{"schedule", "async"}, {"engine", "native"}, {"threads", 1}, {"inference", "central"}}},
         {"algo",
          {{"id", "vtrace"}, {"rollout_length", 20}, {"learning_rate", 0.0006}, {"entropy_cost", 0.005}}}});
    EXPECT_TRUE(config.has_value()) << config.error().text();
    config->remote = server;
    return *config;
}

// The goal is far above a random policy (22) and far below the optimum (500).
TEST(FleetTraining, LearnsCartPoleWithActorsThatJoinAndLeave) {
    SEEDBED_NEEDS_FLEET();
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    const auto server = std::make_shared<FleetServer>(files, folder.path());
    auto session = Session::create(Session::plan(fleetConfig(server)).value());
    ASSERT_TRUE(session.has_value()) << session.error().text();
    server->admit(kRun);
    const ActorCredentials credentials =
        FleetAuthority::open(files, folder.path())
            ->actor(kRun, "127.0.0.1:" + std::to_string(server->port()), std::time(nullptr), 3600)
            .value();
    auto first = std::make_unique<ActorThread>(credentials, "first");
    const ActorThread second(credentials, "second");
    double recent = 0;
    std::uint64_t valid = 0;
    while (recent < 150 && (*session)->progress().steps < kMaxSteps) {
        auto stats = (*session)->iterate({});
        ASSERT_TRUE(stats.has_value()) << stats.error().text();
        valid += stats->decisions;
        for (const EpisodeEnd& end : stats->episodes) recent += 0.02 * (end.episode_return - recent);
        const std::uint64_t updates = (*session)->progress().updates;
        if (updates == 50) first->stop();
        if (updates == 60) first = std::make_unique<ActorThread>(credentials, "third");
    }
    EXPECT_GE(recent, 150);
    EXPECT_EQ(valid, (*session)->progress().steps);
    server->end(true);
}

TEST(FleetTraining, NeedsTheAsyncSchedule) {
    TrainingConfig config = fleetConfig(nullptr);
    config.run.schedule = "sync";
    const auto plan = Session::plan(config);
    ASSERT_FALSE(plan.has_value());
    EXPECT_NE(plan.error().text().find("actor.fleet requires run.schedule=async"), std::string::npos);
}

TEST(FleetTraining, NeedsAProgramWithFleets) {
    const auto session = Session::create(Session::plan(fleetConfig(nullptr)).value());
    ASSERT_FALSE(session.has_value());
    EXPECT_NE(session.error().text().find("needs the program seedbed"), std::string::npos);
}

}  // namespace
}  // namespace seedbed::test
