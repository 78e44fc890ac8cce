// SPDX-License-Identifier: Apache-2.0
// Training with environments in actors: it learns, and actors may join and leave.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/env/env_registry.hpp"
#include "core/session/create_groups.hpp"
#include "core/session/session.hpp"
#include "tests/unit/fleet/fleet_rig.hpp"
#include "tests/unit/fleet/relay.hpp"

namespace seedbed::test {
namespace {

constexpr std::uint64_t kMaxSteps = 300'000;

TrainingConfig fleetConfig(const std::shared_ptr<FleetServer>& server, const Json& changes = Json::object()) {
    Json document{
        {"env", {{"id", "cartpole"}, {"wrap", {{"reward_scale", 0.1}}}}},
        {"network", {{"hidden", {64, 64}}, {"activation", "tanh"}, {"separate_critic", true}}},
        {"optimiser", {{"max_grad_norm", 40}}},
        {"actor", {{"num_envs", 16}, {"groups", 2}, {"fleet", "127.0.0.1:0"}, {"stall_s", 5}}},
        {"run", {{"schedule", "async"}, {"engine", "native"}, {"threads", 1}, {"inference", "central"}}},
        {"algo",
         {{"id", "vtrace"}, {"rollout_length", 20}, {"learning_rate", 0.0006}, {"entropy_cost", 0.005}}}};
    document.merge_patch(changes);
    auto config = parseTrainingConfig(document);
    EXPECT_TRUE(config.has_value()) << config.error().text();
    config->remote = server;
    return *config;
}

// The goal is far above a random policy (22) and far below the optimum (500).
class FleetForms : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, FleetForms, ::testing::Values("actions", "windows", "auto"));

TEST_P(FleetForms, LearnCartPoleWithActorsThatJoinAndLeave) {
    SEEDBED_NEEDS_FLEET();
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    const auto server = std::make_shared<FleetServer>(files, folder.path());
    Json changes{{"actor", {{"fleet_form", GetParam()}}}};
    if (changes["actor"]["fleet_form"] == "windows") changes["run"]["inference"] = "auto";
    auto session = Session::create(Session::plan(fleetConfig(server, changes)).value());
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

// Rows that are older than learner.max_policy_lag arrive, count as decisions, and are not learned from.
TEST(FleetTraining, WindowsThatAreTooOldAreMasked) {
    SEEDBED_NEEDS_FLEET();
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    const auto server = std::make_shared<FleetServer>(files, folder.path());
    auto session = Session::create(
        Session::plan(fleetConfig(server, {{"actor", {{"fleet_form", "windows"}, {"groups", 1}}},
                                           {"run", {{"inference", "auto"}}},
                                           {"learner", {{"max_policy_lag", 0}}}}))
            .value());
    ASSERT_TRUE(session.has_value()) << session.error().text();
    server->admit(kRun);
    Relay relay(server->port());
    relay.delay(10);
    const ActorThread actor(
        FleetAuthority::open(files, folder.path())
            ->actor(kRun, "127.0.0.1:" + std::to_string(relay.port()), std::time(nullptr), 3600)
            .value(),
        "far");
    double masked = 0, lag = 0;
    for (int i = 0; i < 30; ++i) {
        auto stats = (*session)->iterate({});
        ASSERT_TRUE(stats.has_value()) << stats.error().text();
        for (const auto& [name, value] : stats->metrics) {
            if (name == "async/masked_rows") masked += value;
            if (name == "policy/lag_max") lag = std::max(lag, value);
        }
    }
    EXPECT_GT(masked, 0);
    EXPECT_GT(lag, 0);
    EXPECT_LT(masked, static_cast<double>((*session)->progress().steps));
}

TEST(FleetTraining, ActorsThatChooseActionsNeedAFittingRun) {
    const std::pair<Json, const char*> cases[] = {
        {{{"actor", {{"fleet", ""}}}}, "requires actor.fleet"},
        {{{"algo", {{"id", "dqn"}}}}, "such as vtrace, ppo or a2c; algo.id=dqn"},
        {{{"algo", {{"id", "pqn"}}}}, "such as vtrace, ppo or a2c; algo.id=pqn"},
        {{{"infer", {{"devices", "cpu"}}}}, "infer.devices has no use with actor.fleet_form=windows"},
        {{{"run", {{"inference", "central"}}}},
         "run.inference=central has no use with actor.fleet_form=windows, because actors choose all actions; "
         "remove it, or use actor.fleet_form=auto or actions"}};
    for (const auto& [change, text] : cases) {
        Json changes{{"actor", {{"fleet_form", "windows"}}}};
        changes.merge_patch(change);
        if (change.contains("algo"))
            for (const char* other : {"rollout_length", "learning_rate", "entropy_cost"})
                changes["algo"][other] = nullptr;
        const auto plan = Session::plan(fleetConfig(nullptr, changes));
        ASSERT_FALSE(plan.has_value()) << text;
        EXPECT_NE(plan.error().text().find(text), std::string::npos) << plan.error().text();
    }
}

// Environments whose actions, always 0, come with their rows, except for the first ones.
class ActingEnvs final : public EnvBatch, public RemoteActions {
public:
    explicit ActingEnvs(std::unique_ptr<EnvBatch> envs) : envs_(std::move(envs)) {}
    void follow(const ActingParams&, Ring& ring) override { ring_ = &ring; }
    bool act() override {
        if (++rows_ <= kRowsWithout) return false;
        const std::uint64_t row = ring_->head();
        const auto columns = static_cast<std::size_t>(ring_->columns());
        std::fill_n(ring_->action(row), columns, 0.0F);
        std::fill_n(ring_->logProb(row), columns, std::log(0.5F));
        std::fill_n(ring_->policy(row), 2 * columns, 0.0F);
        std::fill_n(ring_->value(row), columns, 0.0F);
        std::fill_n(ring_->version(row), columns, 0U);
        return true;
    }
    int count() const override { return envs_->count(); }
    const EnvSpec& spec() const override { return envs_->spec(); }
    Result<> begin(const Exchange& exchange) override {
        for (int env = 0; env < count(); ++env) {
            if (exchange.commands[env] != EnvCommand::step || rows_ <= kRowsWithout) continue;
            EXPECT_EQ(exchange.actions[env], 0.0F);
            ++steps;
        }
        return envs_->begin(exchange);
    }
    Result<> await() override { return envs_->await(); }
    void draw(int, Scene&) const override {}
    void archive(int, Archive&) override {}
    Json state(int) const override { return Json::object(); }
    Result<> setState(int, const Json&) override { return {}; }

    static inline std::atomic<int> steps{0};

private:
    static constexpr int kRowsWithout = 30;

    std::unique_ptr<EnvBatch> envs_;
    Ring* ring_ = nullptr;
    int rows_ = 0;
};

// The actors of the first group choose its actions.
struct OneActingGroup final : RemoteEnvs {
    Result<> provide(std::vector<GroupSpec>& specs, const RemoteOptions&) override {
        specs.front().make = [spec = specs.front()]() -> Result<std::unique_ptr<EnvBatch>> {
            SEEDBED_ASSIGN(auto envs, spec.env->make(spec.env_params, spec.envs));
            return std::make_unique<ActingEnvs>(std::move(envs));
        };
        return {};
    }
    std::size_t bytes(const std::vector<GroupSpec>&, const NetPlan&, const std::string&) const override {
        return 0;
    }
    void close() override {}
};

// With fleet_form=auto, central inference serves the groups whose actions the learner chooses, and no others.
TEST(FleetTraining, CentralInferenceServesTheOtherGroups) {
    TrainingConfig config =
        fleetConfig(nullptr, {{"actor", {{"fleet_form", "auto"}, {"num_envs", 12}, {"groups", 3}}},
                              {"infer", {{"deadline_ms", -1}, {"batch_rows", 12}}}});
    config.remote = std::make_shared<OneActingGroup>();
    const SessionPlan plan = Session::plan(config).value();
    EXPECT_EQ(plan.config.run.inference, "central");
    auto session = Session::create(plan);
    ASSERT_TRUE(session.has_value()) << session.error().text();
    double most = 0;  // rows of a batch, after the first group's rows without actions
    for (int i = 0; i < 20; ++i) {
        auto stats = (*session)->iterate({});
        ASSERT_TRUE(stats.has_value()) << stats.error().text();
        for (const auto& [name, value] : stats->metrics)
            if (name == "infer/batch_rows_max" && i >= 10) most = std::max(most, value);
    }
    EXPECT_GT(ActingEnvs::steps, 0);
    EXPECT_GT(most, 0);
    EXPECT_LE(most, 8);  // the rows of two groups
}

TEST(FleetTraining, TheMemoryOfTheFleetIsPartOfTheEstimate) {
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    const auto server = std::make_shared<FleetServer>(files, folder.path());
    const auto need = [&](const Json& changes) {
        return Session::plan(fleetConfig(server, changes)).value().memory;
    };
    const MemoryNeed none = need({{"actor", {{"fleet", ""}}}}), actions = need(Json::object()),
                     windows = need({{"actor", {{"fleet_form", "auto"}}}}),
                     more = need({{"actor", {{"fleet_form", "auto"}, {"groups", 16}}}});
    EXPECT_EQ(none.fleet, 0U);
    EXPECT_GT(actions.fleet, 0U);
    // 32 windows of 20 rows, and parameters, for each group.
    EXPECT_GT(windows.fleet, 20 * actions.fleet);
    EXPECT_GT(windows.total(), none.total() + windows.fleet);
    EXPECT_GT(more.fleet, 2 * windows.fleet);
}

TEST(FleetTraining, NothingListensWithoutAFleet) {
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    const auto server = std::make_shared<FleetServer>(files, folder.path(), []() -> Result<LinkTransport*> {
        ADD_FAILURE() << "the transport is used";
        return fail("no transport");
    });
    server->admit(kRun);
    auto session = Session::create(Session::plan(fleetConfig(server, {{"actor", {{"fleet", ""}}}})).value());
    ASSERT_TRUE(session.has_value()) << session.error().text();
    EXPECT_TRUE((*session)->iterate({}).has_value());
    EXPECT_EQ(server->port(), 0);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "fleet"));
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
