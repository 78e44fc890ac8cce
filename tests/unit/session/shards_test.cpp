// SPDX-License-Identifier: Apache-2.0
// Shards: the same bits for any number of threads and ranks; clear errors for what cannot be divided.
#include <thread>

#include <gtest/gtest.h>

#include "core/base/finite.hpp"
#include "core/session/ranks/follow.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/troubled_env.hpp"

namespace seedbed {
namespace {

struct Case {
    std::string name, env, engine;
    Json algo;
    Json network = Json::object();

    friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

Json settingsOf(const Case& c, int shards, int threads) {
    return {{"algo", c.algo},
            {"network", c.network},
            {"actor", {{"num_envs", 8}, {"groups", 3}}},
            {"learner", {{"shards", shards}, {"chunk_rows", 16}}},
            {"run", {{"engine", c.engine}, {"threads", threads}}}};
}

// The outcome of a run: parameters, optimisers and environments, and the metrics of all updates.
struct Outcome {
    std::string params, state;
    std::vector<std::pair<std::string, double>> metrics;
    std::uint64_t steps = 0, episodes = 0;
    bool operator==(const Outcome&) const = default;
};

Outcome train(Session& session, int updates) {
    Outcome result;
    for (int i = 0; i < updates; ++i) {
        const auto stats = session.iterate();
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
        if (!stats) return result;
        result.metrics.insert(result.metrics.end(), stats->update.metrics.begin(),
                              stats->update.metrics.end());
        for (const EpisodeEnd& end : stats->episodes)
            result.metrics.emplace_back("episode " + std::to_string(end.column), end.episode_return);
        result.episodes += stats->episodes.size();
    }
    Archive archive = Archive::saving();
    EXPECT_TRUE(session.archive(archive).has_value());
    result.state = sha256Hex(std::as_bytes(std::span(archive.bytes())));
    result.params = session.learner().params().sha256();
    result.steps = session.progress().steps;
    return result;
}

std::shared_ptr<RankLink> linkOf(std::unique_ptr<Collective> collective) {
    return std::make_shared<RankLink>(std::make_shared<FixedRankGroup>(std::move(collective)));
}

// Ranks 1 ... of a run, as threads of this process.
class Followers {
public:
    explicit Followers(int ranks) {
        auto all = loopbackRanks(ranks);
        leader = linkOf(std::move(all[0]));
        for (int rank = 1; rank < ranks; ++rank) {
            stops.emplace_back();
            threads_.emplace_back(
                [link = linkOf(std::move(all[static_cast<std::size_t>(rank)])),
                 stop = stops.back().get_token()] { EXPECT_TRUE(followRun(link, stop).has_value()); });
        }
    }
    ~Followers() {
        EXPECT_TRUE(leader->command(RankCommand::end).has_value());
        for (std::thread& thread : threads_) thread.join();
    }
    std::shared_ptr<RankLink> leader;
    std::vector<std::stop_source> stops;

private:
    std::vector<std::thread> threads_;
};

Result<std::unique_ptr<Session>> makeRanked(const TrainingConfig& config, const Followers& followers) {
    auto plan = Session::plan(config, {0, followers.leader->ranks()});
    if (!plan) return tl::unexpected<Error>(plan.error());
    return Session::create(std::move(*plan), {}, followers.leader);
}

class Shards4 : public testing::TestWithParam<Case> {};

TEST_P(Shards4, GiveTheSameBitsForAnyNumberOfThreads) {
    const Case& c = GetParam();
    const auto of = [&](int shards, int threads) {
        const auto session = test::makeSession(test::smallConfig(c.env, settingsOf(c, shards, threads)));
        return train(*session, 4);
    };
    const Outcome once = of(4, 1);
    EXPECT_GT(once.episodes, 0u);
    EXPECT_EQ(once, of(4, 1)) << "a second run differs";
    EXPECT_EQ(once, of(4, 2));
    EXPECT_EQ(once, of(4, 4));
    EXPECT_NE(once.params, of(1, 1).params) << "shards are part of the result";
    EXPECT_NE(once.params, of(2, 1).params);
}

TEST_P(Shards4, GiveTheSameBitsForTwoAndFourRanks) {
    const Case& c = GetParam();
    const TrainingConfig config = test::smallConfig(c.env, settingsOf(c, 4, 1));
    const auto alone = test::makeSession(config);
    const Outcome expected = train(*alone, 4);
    for (const int ranks : {2, 4}) {
        const Followers followers(ranks);
        auto session = makeRanked(config, followers);
        ASSERT_TRUE(session.has_value()) << session.error().text();
        const Outcome result = train(**session, 4);
        EXPECT_EQ(result, expected) << ranks << " ranks";
        EXPECT_EQ(result.params, expected.params);
        EXPECT_EQ(result.state, expected.state);
        EXPECT_EQ(result.steps, expected.steps);
    }
}

TEST_P(Shards4, ResumeWithAnotherNumberOfRanks) {
    const Case& c = GetParam();
    const TrainingConfig config = test::smallConfig(c.env, settingsOf(c, 4, 1));
    const auto whole = test::makeSession(config);
    train(*whole, 2);
    const Outcome expected = train(*whole, 2);
    Archive saved = Archive::saving();
    std::vector<std::uint8_t> params;
    {
        const Followers followers(2);
        auto session = makeRanked(config, followers);
        ASSERT_TRUE(session.has_value()) << session.error().text();
        train(**session, 2);
        ASSERT_TRUE((*session)->archive(saved).has_value());
        Archive networks = Archive::saving();
        archiveParams(networks, (*session)->learner());
        params = networks.bytes();
    }
    std::string resumed;
    for (const int ranks : {1, 4}) {
        const Followers followers(ranks);
        auto session = makeRanked(config, followers);
        ASSERT_TRUE(session.has_value()) << session.error().text();
        Archive networks = Archive::loading(params), state = Archive::loading(saved.bytes());
        archiveParams(networks, (*session)->learner());
        const auto loaded = (*session)->archive(state);
        ASSERT_TRUE(loaded.has_value()) << loaded.error().text();
        const Outcome result = train(**session, 2);
        EXPECT_EQ(result.params, expected.params) << ranks << " ranks";
        EXPECT_EQ(result.metrics, expected.metrics) << ranks << " ranks";
        if (ranks == 1) resumed = result.state;
        EXPECT_EQ(result.state, resumed) << ranks << " ranks";
    }
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const std::string engine : {"native", "reference"}) {
        all.push_back({"ppo_" + engine, "cartpole", engine, {{"id", "ppo"}}});
        all.push_back({"vtrace_" + engine, "cartpole", engine, {{"id", "vtrace"}, {"rollout_length", 16}}});
        all.push_back({"normalised_popart_" + engine,
                       "pendulum",
                       engine,
                       {{"id", "ppo"}, {"popart", true}, {"rollout_length", 64}},
                       {{"normalise_obs", true}}});
        all.push_back({"lstm_" + engine,
                       "catch",
                       engine,
                       {{"id", "vtrace"}, {"rollout_length", 16}},
                       {{"core", "lstm"}, {"core_size", 8}}});
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Shards4, testing::ValuesIn(cases()),
                         [](const auto& each) { return each.param.name; });

TEST(Shards, RefuseWhatCannotBeDivided) {
    const auto problem = [](const Json& changes, int ranks = 1) -> std::string {
        Json all{{"actor", {{"num_envs", 8}}}};
        all.merge_patch(changes);
        const auto plan = Session::plan(test::smallConfig("cartpole", all), {0, ranks});
        return plan ? "" : plan.error().text();
    };
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    EXPECT_EQ(problem({{"learner", {{"shards", 8}}}}, 8), "");
    has(problem({{"learner", {{"shards", 3}}}}), "learner.shards=3 is not a power of two");
    has(problem({{"learner", {{"shards", 16}}}}), "at least 16 environments; actor.num_envs is 8");
    has(problem({{"learner", {{"shards", 4}}}, {"actor", {{"num_envs", 10}}}}), "evenly; 12 is possible");
    has(problem({{"learner", {{"shards", 2}}}}, 4), "4 ranks need learner.shards to be at least 4; it is 2");
    has(problem({{"learner", {{"shards", 4}}}}, 3), "3 ranks are not possible");
    has(problem({{"learner", {{"shards", 4}}}, {"algo", {{"novelty", "rnd"}}}}), "novelty");
    has(problem({{"learner", {{"shards", 4}}}, {"run", {{"schedule", "async"}}}}), "run.schedule=sync");
    const auto of = [](const std::string& algo) {
        const auto config = parseTrainingConfig({{"env", {{"id", "cartpole"}}},
                                                 {"algo", {{"id", algo}}},
                                                 {"learner", {{"shards", 2}}},
                                                 {"run", {{"engine", "reference"}}}});
        const auto plan = Session::plan(config.value());
        return plan ? std::string() : plan.error().text();
    };
    has(of("dqn"), "algo.id=dqn draws windows from a replay");
    has(of("vmpo"), "all rows of a minibatch");
}

// A shard has 32 rows, so most minibatches are empty in some shards and on some ranks.
TEST(Ranks, AcceptMinibatchesThatAreEmptyInSomeShards) {
    const TrainingConfig config = test::smallConfig(
        "cartpole",
        {{"algo", {{"minibatches", 64}}}, {"actor", {{"num_envs", 8}}}, {"learner", {{"shards", 4}}}});
    const auto alone = test::makeSession(config);
    const Outcome expected = train(*alone, 2);
    const Followers followers(4);
    auto session = makeRanked(config, followers);
    ASSERT_TRUE(session.has_value()) << session.error().text();
    EXPECT_EQ(train(**session, 2), expected);
}

// One environment fails, on any of the ranks.
TEST(Ranks, ShareTheErrorOfOne) {
    const TrainingConfig config =
        test::smallConfig("troubled", {{"actor", {{"num_envs", 8}}}, {"learner", {{"shards", 4}}}});
    for (const bool throws : {false, true}) {
        const test::Troubles troubles;
        const Followers followers(4);
        auto session = makeRanked(config, followers);
        ASSERT_TRUE(session.has_value()) << session.error().text();
        const auto healthy = (*session)->iterate();
        ASSERT_TRUE(healthy.has_value()) << healthy.error().text();
        const std::string before = (*session)->learner().params().sha256();
        if (throws) test::Troubles::state().throws_from = 7;
        else test::Troubles::state().nan_rewards = 1;
        const auto failed = (*session)->iterate();
        ASSERT_FALSE(failed.has_value());
        EXPECT_EQ(failed.error().code, throws ? ErrorCode::failure : kNonFinite) << failed.error().text();
        EXPECT_EQ((*session)->learner().params().sha256(), before);
        test::Troubles::state().throws_from = test::Troubles::kNever;
    }
}

TEST(Ranks, StopTogetherAfterOneStopRequest) {
    const TrainingConfig config =
        test::smallConfig("cartpole", {{"actor", {{"num_envs", 8}}}, {"learner", {{"shards", 2}}}});
    Followers followers(2);
    auto session = makeRanked(config, followers);
    ASSERT_TRUE(session.has_value()) << session.error().text();
    bool is_stopped = false;
    (*session)->setStopRequested([&is_stopped] { is_stopped = true; });
    ASSERT_TRUE((*session)->iterate().has_value());
    EXPECT_FALSE(is_stopped);
    followers.stops[0].request_stop();
    // The rollout of the stopped rank is complete or not; both end it for all ranks.
    const auto stats = (*session)->iterate();
    EXPECT_TRUE(is_stopped);
    EXPECT_TRUE(stats || stats.error().code == ErrorCode::interrupted);
    Archive archive = Archive::saving();
    EXPECT_TRUE((*session)->archive(archive).has_value());
}

}  // namespace
}  // namespace seedbed
