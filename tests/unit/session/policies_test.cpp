// SPDX-License-Identifier: Apache-2.0
// Several policies in one run: which seats they play, and reproducible and resumable runs.
#include <gtest/gtest.h>

#include "core/session/seats.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/seat_games.hpp"

namespace seedbed {
namespace {

using test::makeSession;
using test::metricOf;
using test::smallConfig;

TrainingConfig tag(const std::string& seats, const Json& changes = Json::object()) {
    Json all{{"policies", {{"seats", seats}}}};
    all.update(changes, true);
    return smallConfig("simple_tag", all);
}

constexpr const char* kRoles = "pursuer,pursuer,pursuer,evader";

std::vector<std::string> hashesOf(Session& session) {
    std::vector<std::string> hashes;
    for (std::size_t i = 0; i < session.learner().networkCount(); ++i)
        hashes.push_back(session.learner().params(i).sha256());
    return hashes;
}

std::vector<std::string> hashesAfter(const TrainingConfig& config, int updates) {
    const auto session = makeSession(config);
    for (int i = 0; i < updates; ++i) {
        const auto stats = session->iterate();
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
    }
    return hashesOf(*session);
}

class Policies : public testing::TestWithParam<std::tuple<const char*, const char*>> {
protected:
    static TrainingConfig config(const Json& changes = Json::object()) {
        const auto& [algo, core] = GetParam();
        Json all{{"network", {{"core", core}}}, {"actor", {{"num_envs", 5}, {"groups", 2}}}};
        if (std::string(algo) != "ppo")
            all["algo"] = {{"id", algo}, {"epochs", nullptr}, {"minibatches", nullptr}};
        all.merge_patch(changes);
        return tag(kRoles, all);
    }
};

TEST_P(Policies, GiveTheSameBitsForAnyNumberOfThreads) {
    const auto hashes = [](int threads) { return hashesAfter(config({{"run", {{"threads", threads}}}}), 5); };
    const std::vector<std::string> once = hashes(1);
    ASSERT_EQ(once.size(), 2U);
    EXPECT_NE(once[0], once[1]);
    EXPECT_EQ(once, hashes(2));
    EXPECT_EQ(once, hashes(4));
}

TEST_P(Policies, ContinueBitForBitFromTheirArchiveAndParameters) {
    for (const int before : {0, 1, 3}) {
        const auto whole = makeSession(config()), resumed = makeSession(config());
        for (int i = 0; i < before; ++i) ASSERT_TRUE(whole->iterate().has_value());
        Archive saved = Archive::saving();
        ASSERT_TRUE(whole->archive(saved).has_value());
        for (std::size_t i = 0; i < 2; ++i) resumed->learner().setParams(i, whole->learner().params(i));
        Archive loaded = Archive::loading(saved.bytes());
        ASSERT_TRUE(resumed->archive(loaded).has_value());
        ASSERT_TRUE(loaded.finish().has_value());
        for (int i = 0; i < 3; ++i) {
            const auto a = whole->iterate(), b = resumed->iterate();
            ASSERT_TRUE(a.has_value() && b.has_value());
            EXPECT_EQ(a->update.metrics, b->update.metrics) << "update " << before + i;
            EXPECT_EQ(a->episodes.size(), b->episodes.size());
        }
        EXPECT_EQ(hashesOf(*whole), hashesOf(*resumed));
    }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Policies,
                         testing::Combine(testing::Values("ppo", "vtrace", "a2c"),
                                          testing::Values("none", "gru")),
                         [](const auto& test) {
                             return std::string(std::get<0>(test.param)) + "_" + std::get<1>(test.param);
                         });

TEST(PoliciesSession, OnePolicyForAllSeatsIsTheRunWithoutTheSetting) {
    for (const char* core : {"none", "gru"}) {
        const Json network{{"network", {{"core", core}}}};
        const std::vector<std::string> plain = hashesAfter(tag("", network), 4);
        EXPECT_EQ(plain, hashesAfter(tag("all,all,all,all", network), 4));
        // The first policy begins with the same parameters, and then learns from fewer seats.
        EXPECT_EQ(makeSession(tag("", network))->learner().params().sha256(),
                  makeSession(tag(kRoles, network))->learner().params().sha256());
        EXPECT_NE(plain[0], hashesAfter(tag(kRoles, network), 4)[0]);
    }
}

TEST(PoliciesSession, TrainInPiecesWithTheSameResult) {
    const auto pieces = makeSession(tag(kRoles));
    for (int update = 0; update < 3;) {
        const auto pumped = pieces->pump(TimeBudget(std::chrono::nanoseconds(0)));
        ASSERT_TRUE(pumped.has_value()) << pumped.error().text();
        if (*pumped) ++update;
    }
    EXPECT_EQ(hashesOf(*pieces), hashesAfter(tag(kRoles), 3));
}

TEST(PoliciesSession, ReportReturnsAndMetricsOfEachPolicy) {
    const auto session = makeSession(tag(kRoles, {{"env", {{"wrap", {{"time_limit", 7}}}}}}));
    const auto stats = session->iterate();
    ASSERT_TRUE(stats.has_value()) << stats.error().text();
    double sums[2] = {}, counts[2] = {};
    for (const EpisodeEnd& end : stats->episodes) {
        const int policy = end.column % 4 == 3 ? 1 : 0;
        sums[policy] += end.episode_return;
        ++counts[policy];
    }
    ASSERT_GT(counts[1], 0);
    EXPECT_DOUBLE_EQ(metricOf(*stats, "pursuer/episode/return"), sums[0] / counts[0]);
    EXPECT_DOUBLE_EQ(metricOf(*stats, "evader/episode/return"), sums[1] / counts[1]);
    EXPECT_EQ(metricOf(*stats, "policy/lag_max"), 0) << "every policy acts with its newest parameters";
}

// Makes a policy choose one action: the bias of its action head is large.
void alwaysChoose(Session& session, std::size_t network, int action) {
    Learner& learner = session.learner();
    const auto blob = learner.params(network).blob();
    std::vector<float> changed(blob.size(), 0);
    const ParamEntry* bias = nullptr;
    for (const ParamEntry& entry : learner.networkPlan(network).params)
        if (entry.count == 4) bias = &entry;
    ASSERT_NE(bias, nullptr);
    changed[bias->offset + static_cast<std::size_t>(action)] = 50;
    learner.setParams(network, Params(std::move(changed), 0));
}

// In pays_action the reward of a seat is its action, four times.
class PoliciesOfAGame : public testing::Test {
protected:
    void SetUp() override {
        session_ = makeSession(config());
        alwaysChoose(*session_, 0, 1);
        alwaysChoose(*session_, 1, 3);
    }
    // The schema of configurations knows only environments that were registered before its first use.
    static TrainingConfig config() {
        test::registerSeatGames();
        TrainingConfig config = smallConfig("tic_tac_toe", {{"policies", {{"seats", "a,b"}}}});
        config.env_id = "pays_action";
        config.env_params = envRegistry().find(config.env_id)->params->defaults();
        return config;
    }
    std::unique_ptr<Session> session_;
};

TEST_F(PoliciesOfAGame, TrainingActsOnEachSeatWithItsPolicy) {
    const auto stats = session_->iterate();
    ASSERT_TRUE(stats.has_value()) << stats.error().text();
    ASSERT_GT(stats->episodes.size(), 20U);
    for (const EpisodeEnd& end : stats->episodes)
        EXPECT_EQ(end.episode_return, end.column % 2 == 0 ? 4 : 12) << end.column;
}

TEST_F(PoliciesOfAGame, EvaluationsPlayEachSeatWithItsPolicy) {
    EvaluationRequest request = session_->evaluationRequest(20, Selection::greedy, 3);
    const auto alone = session_->evaluate(request, {});
    ASSERT_TRUE(alone.has_value()) << alone.error().text();
    for (const EpisodeResult& episode : alone->episodes) EXPECT_EQ(episode.episode_return, 4);
    EXPECT_EQ(policyMeans(session_->plan().policies, *alone),
              (std::vector<std::pair<std::string, double>>{{"a", 4}, {"b", 12}}));

    // Against a player that always takes action 2, the evaluated side has either seat.
    request.opponent = scriptedOpponent("chooses:2");
    const auto swapped = session_->evaluate(request, {});
    ASSERT_TRUE(swapped.has_value()) << swapped.error().text();
    for (std::size_t i = 0; i < swapped->episodes.size(); ++i) {
        EXPECT_EQ(swapped->episodes[i].episode_return, swapped->games[i].seat == 0 ? 4 : 12);
        EXPECT_EQ(swapped->games[i].other_return, 8);
    }
}

TEST_F(PoliciesOfAGame, AMatchGivesEachSideThePoliciesOfItsSeats) {
    const auto other = makeSession(config());
    alwaysChoose(*other, 0, 2);
    alwaysChoose(*other, 1, 0);
    EvaluationRequest request = session_->evaluationRequest(20, Selection::greedy, 3);
    const EvaluationRequest theirs = other->evaluationRequest(20, Selection::greedy, 3);
    auto net = compileNet("reference", other->learner().networkPlan(0), {});
    ASSERT_TRUE(net.has_value());
    SeatPlayer opponent;
    opponent.net = std::move(*net);
    opponent.params = other->learner().params();
    opponent.policies = theirs.policies;
    opponent.distribution = theirs.distribution;
    request.opponent = opponent;
    const auto played = session_->evaluate(request, {});
    ASSERT_TRUE(played.has_value()) << played.error().text();
    for (std::size_t i = 0; i < played->episodes.size(); ++i) {
        const bool first = played->games[i].seat == 0;
        EXPECT_EQ(played->episodes[i].episode_return, first ? 4 : 12);
        EXPECT_EQ(played->games[i].other_return, first ? 0 : 8);
    }
}

TEST(PoliciesSettings, WrongSettingsAreErrorsBeforeTheRun) {
    const auto refused = [](const std::string& env, const std::string& seats, const Json& changes,
                            const std::string& part) {
        Json all{{"policies", {{"seats", seats}}}};
        if (!changes.is_null()) all.update(changes, true);
        const auto plan = Session::plan(smallConfig(env, all));
        ASSERT_FALSE(plan.has_value()) << seats;
        EXPECT_EQ(plan.error().code, ErrorCode::config);
        EXPECT_NE(plan.error().text().find(part), std::string::npos) << plan.error().text();
    };
    refused("simple_tag", "a,b", {}, "2 seats; 'simple_tag' has 4");
    refused("simple_tag", "a,b,c,d,e", {}, "5 seats");
    refused("simple_tag", "a,,b,c", {}, "'' is not a name");
    refused("simple_tag", "a,B,b,c", {}, "'B' is not a name");
    refused("simple_tag", "a,a__b,b,c", {}, "'a__b' is not a name");
    refused("cartpole", "a", {}, "has one");
    refused("simple_tag", kRoles, {{"run", {{"schedule", "async"}}}}, "run.schedule=sync");
    refused("simple_tag", kRoles, {{"run", {{"inference", "central"}}}}, "run.inference=inline");
    refused("simple_tag", kRoles, {{"run", {{"forced_lag", 1}}}}, "run.forced_lag=0");
    refused("simple_tag", kRoles, {{"self_play", {{"past", 0.5}}}}, "self_play");
    refused("simple_tag", kRoles, {{"self_play", {{"opening", 2}}}}, "self_play.opening");
    refused("simple_tag", kRoles, {{"learner", {{"shards", 2}}}}, "learner.shards=1");
    refused("simple_tag", kRoles,
            {{"algo",
              {{"id", "dqn"}, {"rollout_length", nullptr}, {"epochs", nullptr}, {"minibatches", nullptr}}}},
            "ppo, a2c or vtrace");
    EXPECT_FALSE(SeatPolicies::parse("a,b,c,d,e,f,g,h,i").has_value());
    const auto parsed = SeatPolicies::parse(" b , a,b ");
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(parsed->names, (std::vector<std::string>{"b", "a"}));
    EXPECT_EQ(parsed->text(), "b,a,b");
}

}  // namespace
}  // namespace seedbed
