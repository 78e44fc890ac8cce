// SPDX-License-Identifier: Apache-2.0
// Self-play: who plays which seat, what the learner learns from, and reproducible and resumable runs.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/algo/forced_rows.hpp"
#include "core/rollout/gather.hpp"
#include "core/session/group.hpp"
#include "core/session/self_play/past_selves.hpp"
#include "core/session/self_play/seat_router.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/seat_games.hpp"

namespace seedbed {
namespace {

using test::makeSession;
using test::metricOf;
using test::smallConfig;
using Opponent = SeatAssignment::Opponent;

Json selfPlay(const Json& changes) { return {{"self_play", changes}}; }
// Small pools, so that past selves are replaced during a test.
Json mixed() {
    return {{"past", 0.5},           {"pool", 3},   {"every", 2}, {"scripted", "random"},
            {"scripted_share", 0.2}, {"opening", 3}};
}

Params params(float value, std::uint64_t version) { return Params(std::vector<float>{value}, version); }

Opponents opponents(double past, double scripted, const std::vector<double>& weights) {
    Opponents table;
    table.past_share = past;
    table.scripted_share = scripted;
    for (std::size_t i = 0; i < weights.size(); ++i) table.past.push_back({params(0, i), 10 * i, weights[i]});
    return table;
}

TEST(SelfPlayRouter, ChoosesOpponentsByTheirSharesAndWeights) {
    const Opponents table = opponents(0.5, 0.3, {1, 0, 3});
    std::map<Opponent, int> kinds;
    std::map<std::uint32_t, int> slots;
    constexpr int kEpisodes = 20000;
    for (std::uint32_t env = 0; env < 20; ++env)
        for (std::uint64_t episode = 0; episode < kEpisodes / 20; ++episode) {
            const SeatAssignment chosen = assignSeats(table, 3, env, episode, 2);
            ++kinds[chosen.opponent];
            if (chosen.opponent != Opponent::past) continue;
            ++slots[chosen.slot];
            EXPECT_EQ(chosen.snapshot, 10 * chosen.slot);
        }
    // Five standard errors of a share.
    const auto near = [](int count, double share, double of) {
        EXPECT_NEAR(count / of, share, 5 * std::sqrt(share * (1 - share) / of));
    };
    near(kinds[Opponent::past], 0.5, kEpisodes);
    near(kinds[Opponent::scripted], 0.3, kEpisodes);
    near(kinds[Opponent::self], 0.2, kEpisodes);
    near(slots[0], 0.25, kinds[Opponent::past]);
    EXPECT_EQ(slots[1], 0) << "its weight is 0";
}

TEST(SelfPlayRouter, RivalsHaveTheirOwnShareAndWeights) {
    Opponents table = opponents(0.3, 0.2, {1, 1});
    const Opponents without = table;
    table.rival_share = 0.4;
    for (const double weight : {3.0, 0.0, 1.0}) table.rivals.push_back({params(0, 0), 0, weight});
    std::map<std::uint32_t, int> slots;
    int rivals = 0;
    constexpr int kEpisodes = 20000;
    for (std::uint64_t episode = 0; episode < kEpisodes; ++episode) {
        const SeatAssignment chosen = assignSeats(table, 3, 1, episode, 2),
                             before = assignSeats(without, 3, 1, episode, 2);
        if (chosen.opponent == Opponent::rival) {
            ++rivals;
            ++slots[chosen.slot];
            EXPECT_EQ(before.opponent, Opponent::self);
        } else {
            EXPECT_EQ(chosen.opponent, before.opponent);
            EXPECT_EQ(chosen.slot, before.slot);
        }
    }
    // Five standard errors.
    EXPECT_NEAR(rivals, 0.4 * kEpisodes, 5 * std::sqrt(0.24 * kEpisodes));
    EXPECT_NEAR(slots[0], 0.75 * rivals, 5 * std::sqrt(0.1875 * rivals));
    EXPECT_EQ(slots[1], 0) << "its weight is 0";
}

TEST(SelfPlayRouter, GivesTheLearnerEachSeatEquallyOftenAndDependsOnItsArgumentsOnly) {
    const Opponents table = opponents(1, 0, {1, 1});
    for (std::uint32_t env = 0; env < 3; ++env)
        for (std::uint64_t episode = 0; episode < 10; ++episode) {
            const SeatAssignment chosen = assignSeats(table, 3, env, episode, 2);
            EXPECT_EQ(chosen.seat, (env + episode) % 2);
            EXPECT_EQ(chosen.slot, assignSeats(table, 3, env, episode, 2).slot);
        }
    const auto slots = [&](std::uint64_t seed, std::uint32_t env) {
        std::vector<std::uint32_t> chosen;
        for (std::uint64_t episode = 0; episode < 64; ++episode)
            chosen.push_back(assignSeats(table, seed, env, episode, 2).slot);
        return chosen;
    };
    EXPECT_NE(slots(1, 0), slots(2, 0));
    EXPECT_NE(slots(1, 0), slots(1, 1));
}

TEST(SelfPlayRouter, WithoutPastSelvesTheLearnerPlaysAllSeats) {
    const Opponents table = opponents(1, 0, {});
    EXPECT_EQ(assignSeats(table, 1, 0, 0, 2).opponent, Opponent::self);
}

// Rivals with the parameters of the learner, changed by these factors of a pattern; 0: equal.
void setRivals(Session& session, const std::vector<float>& changes) {
    std::vector<Params> rivals;
    for (const float number : changes) {
        std::vector<float> blob(session.learner().params().blob().begin(),
                                session.learner().params().blob().end());
        // A pattern that changes the order of the actions' probabilities.
        for (std::size_t i = 0; i < blob.size(); ++i) blob[i] += number * (static_cast<float>(i % 7) - 3);
        rivals.emplace_back(std::move(blob), 0);
    }
    session.setRivals(std::move(rivals));
}

SelfPlaySettings settings(const std::string& choice) {
    SelfPlaySettings settings;
    settings.past = 1;
    settings.pool = 2;
    settings.every = 3;
    settings.choice = choice;
    return settings;
}

std::vector<std::uint64_t> snapshots(const PastSelves& selves) {
    std::vector<std::uint64_t> numbers;
    for (const Opponents::Past& past : selves.opponents()->past) numbers.push_back(past.snapshot);
    return numbers;
}

TEST(PastSelves, AreTakenEveryFewUpdatesAndReplaceTheOldest) {
    PastSelves selves(settings("newest"));
    for (std::uint64_t update = 0; update < 10; ++update) {
        selves.advance(update, params(static_cast<float>(update), update));
        selves.advance(update, params(-1, 100));  // no effect
    }
    EXPECT_EQ(snapshots(selves), (std::vector<std::uint64_t>{6, 9}));
    const auto& past = selves.opponents()->past;
    EXPECT_EQ(past[0].params.blob()[0], 6);
    EXPECT_EQ(past[0].weight, 0);
    EXPECT_EQ(past[1].weight, 1);
}

TEST(PastSelves, ThatWinAreChosenMoreOften) {
    PastSelves selves(settings("prioritised"));
    for (std::uint64_t update = 0; update <= 3; ++update) selves.advance(update, params(0, update));
    const auto play = [&](std::uint32_t slot, std::uint64_t snapshot, Outcome outcome) {
        SeatAssignment assignment{.opponent = Opponent::past, .slot = slot, .snapshot = snapshot, .seat = 0};
        selves.finished(assignment, outcome);
    };
    for (int game = 0; game < 8; ++game) {
        play(0, 0, Outcome::win);
        play(1, 3, Outcome::loss);
        play(1, 0, Outcome::win);  // of a past self that was replaced: does not count
    }
    std::vector<std::pair<std::string, double>> metrics;
    selves.appendMetrics(metrics);
    EXPECT_EQ(metrics, (std::vector<std::pair<std::string, double>>{{"self_play/pool", 2.0},
                                                                    {"self_play/score_past", 0.5}}));
    EXPECT_DOUBLE_EQ(selves.opponents()->past[0].weight, 0.25) << "the table changes with advance() only";
    selves.advance(4, params(0, 4));
    // One win and one loss more: 9 of 10 and 1 of 10.
    EXPECT_DOUBLE_EQ(selves.opponents()->past[0].weight, 0.1 * 0.1);
    EXPECT_DOUBLE_EQ(selves.opponents()->past[1].weight, 0.9 * 0.9);
    // Older results count half after the next past self, which begins without results.
    selves.advance(6, params(0, 6));
    EXPECT_DOUBLE_EQ(selves.opponents()->past[0].weight, 0.25);
    EXPECT_DOUBLE_EQ(selves.opponents()->past[1].weight, 25.0 / 36);
}

TEST(PastSelves, RivalsThatWinAreChosenMoreOften) {
    SelfPlaySettings with = settings("prioritised");
    with.past = 0;
    with.rivals = "3:best, 4 ,";
    with.rival_share = 1;
    EXPECT_EQ(with.rivalNames(), (std::vector<std::string>{"3:best", "4"}));
    PastSelves selves(with);
    selves.setRivals({params(7, 0), params(8, 0)});
    selves.advance(0, params(0, 0));
    for (int game = 0; game < 8; ++game)
        for (const std::uint32_t slot : {0U, 1U})
            selves.finished({.opponent = Opponent::rival, .slot = slot},
                            slot == 0 ? Outcome::win : Outcome::loss);
    std::vector<std::pair<std::string, double>> metrics;
    selves.appendMetrics(metrics);
    EXPECT_EQ(metrics, (std::vector<std::pair<std::string, double>>{{"self_play/pool", 0.0},
                                                                    {"self_play/score_rivals", 0.5},
                                                                    {"self_play/score_rival_1", 1.0},
                                                                    {"self_play/score_rival_2", 0.0}}));
    selves.advance(1, params(0, 1));
    const auto& rivals = selves.opponents()->rivals;
    EXPECT_EQ(rivals[1].params.blob()[0], 8);
    EXPECT_DOUBLE_EQ(rivals[0].weight, 0.1 * 0.1);
    EXPECT_DOUBLE_EQ(rivals[1].weight, 0.9 * 0.9);
    selves.advance(3, params(0, 3));
    EXPECT_DOUBLE_EQ(selves.opponents()->rivals[1].weight, 25.0 / 36) << "older results count half";
}

std::string hashOf(const TrainingConfig& config, int updates, const std::vector<float>& rivals = {}) {
    const auto session = makeSession(config);
    setRivals(*session, rivals);
    for (int i = 0; i < updates; ++i) {
        const auto stats = session->iterate();
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
    }
    return session->learner().params().sha256();
}

Json algorithm(const std::string& id) {
    if (id == "ppo") return Json::object();
    return {{"algo", {{"id", id}, {"epochs", nullptr}, {"minibatches", nullptr}}}};
}

TrainingConfig connectFour(const std::string& algo, const std::string& core, const Json& self_play,
                           const Json& more = Json::object()) {
    Json changes = algorithm(algo);
    changes.merge_patch({{"network", {{"core", core}}}});
    changes.merge_patch(selfPlay(self_play));
    changes.update(more, true);
    Json all{{"algo", {{"rollout_length", 16}}}};
    all.update(changes, true);
    return smallConfig("connect_four", all);
}

class SelfPlay : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(SelfPlay, GivesTheSameBitsForAnyNumberOfThreads) {
    const auto& [algo, core] = GetParam();
    const auto hash = [&](int threads) {
        return hashOf(connectFour(algo, core, mixed(), {{"run", {{"threads", threads}}}}), 12);
    };
    const std::string once = hash(1);
    EXPECT_EQ(once, hash(2));
    EXPECT_EQ(once, hash(4));
    EXPECT_NE(once, hashOf(connectFour(algo, core, Json::object()), 12));
}

TEST_P(SelfPlay, ContinuesBitForBitFromItsArchiveAndParameters) {
    const auto& [algo, core] = GetParam();
    const TrainingConfig config = connectFour(algo, core, mixed());
    for (const int before : {0, 1, 5, 8}) {
        const auto whole = makeSession(config), resumed = makeSession(config);
        for (int i = 0; i < before; ++i) ASSERT_TRUE(whole->iterate().has_value());
        Archive saved = Archive::saving();
        ASSERT_TRUE(whole->archive(saved).has_value());
        resumed->learner().setParams(0, whole->learner().params());
        Archive loaded = Archive::loading(saved.bytes());
        ASSERT_TRUE(resumed->archive(loaded).has_value());
        ASSERT_TRUE(loaded.finish().has_value());
        for (int i = 0; i < 8; ++i) {
            const auto a = whole->iterate(), b = resumed->iterate();
            ASSERT_TRUE(a.has_value() && b.has_value());
            EXPECT_EQ(a->update.metrics, b->update.metrics) << "update " << before + i;
            EXPECT_EQ(a->decisions, b->decisions);
            EXPECT_EQ(a->episodes.size(), b->episodes.size());
        }
        EXPECT_EQ(whole->learner().params().sha256(), resumed->learner().params().sha256());
    }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, SelfPlay,
                         testing::Combine(testing::Values("ppo", "vtrace", "a2c"),
                                          testing::Values("none", "gru")),
                         [](const auto& test) {
                             return std::string(std::get<0>(test.param)) + "_" + std::get<1>(test.param);
                         });

TEST(SelfPlaySession, TheNativeEngineGivesTheSameBitsForAnyNumberOfThreads) {
    const auto hash = [](int threads) {
        return hashOf(
            connectFour("ppo", "gru", mixed(), {{"run", {{"threads", threads}, {"engine", "native"}}}}), 8);
    };
    EXPECT_EQ(hash(1), hash(3));
}

TEST(SelfPlaySession, UnusedSettingsChangeNothing) {
    for (const char* algo : {"ppo", "vtrace"})
        EXPECT_EQ(hashOf(connectFour(algo, "none", Json::object()), 6),
                  hashOf(connectFour(algo, "none", {{"pool", 3}, {"every", 1}, {"choice", "newest"}}), 6));
}

// Against the parameters with which it acts itself, a learner sees the games of a run without opponents.
TEST(SelfPlaySession, PlaysTheSameGamesAgainstItsOwnParameters) {
    const auto plain = makeSession(connectFour("ppo", "gru", Json::object()));
    const auto routed =
        makeSession(connectFour("ppo", "gru", {{"past", 1}, {"choice", "newest"}, {"every", 1}}));
    const auto a = plain->iterate(), b = routed->iterate();
    ASSERT_TRUE(a.has_value() && b.has_value());
    // One seat of two counts and is reported.
    EXPECT_EQ(a->decisions, 2 * b->decisions);
    ASSERT_EQ(a->episodes.size(), 2 * b->episodes.size());
    ASSERT_GT(b->episodes.size(), 0U);
    std::set<std::pair<int, std::uint64_t>> ends;
    for (const EpisodeEnd& end : a->episodes) ends.emplace(end.column, end.row);
    std::map<int, int> seats;
    for (const EpisodeEnd& end : b->episodes) {
        EXPECT_TRUE(ends.contains({end.column, end.row}));
        ++seats[end.column % 2];
    }
    EXPECT_EQ(seats.size(), 2U) << "the learner plays both seats";
}

// Settings of games against the first past self, whose parameters are the initial ones.
Json againstTheFirst(double share) { return {{"past", share}, {"choice", "newest"}, {"every", 1000}}; }

TEST(SelfPlaySession, GamesAgainstARivalAreThoseAgainstAPastSelfWithItsParameters) {
    const auto hash = [](const Json& self_play, const std::vector<float>& rivals) {
        return hashOf(connectFour("ppo", "gru", self_play), 6, rivals);
    };
    const std::string past = hash(againstTheFirst(1), {});
    const Json one{{"rivals", "a"}, {"rival_share", 1}}, two{{"rivals", "a,b"}, {"rival_share", 1}};
    EXPECT_EQ(hash(one, {0}), past);
    EXPECT_EQ(hash(two, {0, 0}), past);
    EXPECT_NE(hash(two, {0, 1}), past);
    EXPECT_NE(hash(two, {1, 0}), past);
    // Rivals that never play change nothing, although the table has both kinds.
    Json both = againstTheFirst(0.999999);
    both.update({{"rivals", "a,b"}, {"rival_share", 1e-9}});
    EXPECT_EQ(hash(both, {1, 2}), hash(againstTheFirst(0.999999), {}));
}

TEST(SelfPlaySession, RivalsAreInTheArchive) {
    Json play = mixed();
    play.update({{"rivals", "a,b"}, {"rival_share", 0.3}});
    for (const char* schedule : {"sync", "async"}) {
        const TrainingConfig config = connectFour("ppo", "gru", play, {{"run", {{"schedule", schedule}}}});
        const auto whole = makeSession(config), resumed = makeSession(config);
        setRivals(*whole, {0.5F, -0.5F});
        for (int i = 0; i < 5; ++i) ASSERT_TRUE(whole->iterate().has_value());
        Archive saved = Archive::saving();
        ASSERT_TRUE(whole->archive(saved).has_value());
        resumed->learner().setParams(0, whole->learner().params());
        Archive loaded = Archive::loading(saved.bytes());
        ASSERT_TRUE(resumed->archive(loaded).has_value());
        for (int i = 0; i < 6; ++i) {
            const auto a = whole->iterate(), b = resumed->iterate();
            ASSERT_TRUE(a.has_value() && b.has_value());
            if (std::string(schedule) == "sync") {
                EXPECT_EQ(a->update.metrics, b->update.metrics);
            }
        }
        Archive other = Archive::loading(saved.bytes());
        play["rivals"] = "a";
        const auto fewer = makeSession(connectFour("ppo", "gru", play, {{"run", {{"schedule", schedule}}}}));
        fewer->learner().setParams(0, whole->learner().params());
        EXPECT_FALSE(fewer->archive(other).has_value() && other.finish().has_value());
        play["rivals"] = "a,b";
    }
}

TEST(SelfPlaySession, WithoutItsRivalsARunDoesNotBegin) {
    const auto session = makeSession(connectFour("ppo", "none", {{"rivals", "a"}, {"rival_share", 0.5}}));
    const auto stats = session->iterate();
    ASSERT_FALSE(stats.has_value());
    EXPECT_NE(stats.error().text().find("self_play.rivals needs a recorded run"), std::string::npos);
}

TEST(SelfPlaySession, LearnsNothingFromTheSeatsOfOpponents) {
    const auto session =
        makeSession(smallConfig("tic_tac_toe", selfPlay({{"scripted", "minimax"}, {"scripted_share", 1}})));
    for (int update = 0; update < 4; ++update) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value()) << stats.error().text();
        EXPECT_EQ(stats->decisions, 16U * 6U) << "one seat of each environment";
        ASSERT_GT(stats->episodes.size(), 0U);
        // A perfect player never loses, so the learner never wins.
        for (const EpisodeEnd& end : stats->episodes) EXPECT_LE(end.episode_return, 0);
        EXPECT_LE(metricOf(*stats, "self_play/score_scripted"), 0.5);
        EXPECT_EQ(metricOf(*stats, "self_play/pool"), 0);
    }
}

TEST(SelfPlaySession, RandomOpeningsHaveEveryLengthAndDoNotTeach) {
    test::registerSeatGames();
    const auto decisionsWith = [](int opening) {
        TrainingConfig config = smallConfig(
            "tic_tac_toe", {{"self_play", {{"opening", opening}}}, {"actor", {{"num_envs", 600}}}});
        config.env_id = "pays_action";
        config.env_params = envRegistry().find(config.env_id)->params->defaults();
        const auto stats = makeSession(config)->iterate();
        return stats.has_value() ? static_cast<double>(stats->decisions) : 0.0;
    };
    const double plain = decisionsWith(0);
    // Episodes have four decisions, of which half of `opening` are random on average; five standard errors.
    for (const int opening : {1, 3})
        EXPECT_NEAR(decisionsWith(opening) / plain, 1 - opening / 8.0, 0.03) << opening;
}

TEST(SelfPlaySession, LearnsToBeatTheRandomPlayer) {
    const auto session = makeSession(
        smallConfig("tic_tac_toe", {{"self_play", {{"scripted", "random"}, {"scripted_share", 1}}},
                                    {"actor", {{"num_envs", 48}}},
                                    {"learner", {{"chunk_rows", 128}}},
                                    {"algo", {{"learning_rate", 0.003}, {"epochs", 4}}}}));
    double first = 0, last = 0;
    for (int update = 0; update < 80; ++update) {
        const auto stats = session->iterate();
        ASSERT_TRUE(stats.has_value());
        if (update < 10) first += metricOf(*stats, "self_play/score_scripted") / 10;
        if (update >= 70) last += metricOf(*stats, "self_play/score_scripted") / 10;
    }
    EXPECT_LT(first, 0.65);
    EXPECT_GT(last, 0.75) << "perfect play scores about 0.95";
}

TEST(SelfPlaySession, TrainsInTheAsyncSchedule) {
    for (const char* algo : {"ppo", "vtrace"}) {
        const auto session = makeSession(
            connectFour(algo, "gru", mixed(), {{"run", {{"schedule", "async"}, {"threads", 2}}}}));
        std::uint64_t decisions = 0;
        for (int update = 0; update < 12; ++update) {
            const auto stats = session->iterate();
            ASSERT_TRUE(stats.has_value()) << stats.error().text();
            decisions += stats->decisions;
            EXPECT_LE(stats->decisions, 16U * 12U);
        }
        // 70 % of the episodes leave one seat of two to an opponent.
        EXPECT_LT(static_cast<double>(decisions), 0.85 * 12 * 16 * 12);
        Archive saved = Archive::saving(), windows = Archive::saving();
        ASSERT_TRUE(session->archive(saved, &windows).has_value());
        const auto resumed = makeSession(
            connectFour(algo, "gru", mixed(), {{"run", {{"schedule", "async"}, {"threads", 2}}}}));
        resumed->learner().setParams(0, session->learner().params());
        Archive loaded = Archive::loading(saved.bytes()), loaded_windows = Archive::loading(windows.bytes());
        ASSERT_TRUE(resumed->archive(loaded, &loaded_windows).has_value());
        EXPECT_TRUE(resumed->iterate().has_value());
    }
}

std::string refusal(const TrainingConfig& config) {
    const auto plan = Session::plan(config);
    return plan ? "" : plan.error().text();
}

TEST(SelfPlaySettingsCheck, NamesWhatDoesNotFit) {
    const auto with = [](const std::string& env, const Json& self_play, const Json& more = Json::object()) {
        Json changes = selfPlay(self_play);
        changes.update(more, true);  // keeps null, which removes a setting
        return refusal(smallConfig(env, changes));
    };
    EXPECT_EQ(with("connect_four", {{"past", 0.5}}), "");
    EXPECT_NE(with("cartpole", {{"past", 0.5}}).find("'cartpole' has one seat; self_play needs a second"),
              std::string::npos);
    EXPECT_NE(with("connect_four", {{"scripted", "nobody"}, {"scripted_share", 1}})
                  .find("checking self_play.scripted"),
              std::string::npos);
    EXPECT_NE(
        with("pong", {{"scripted", "alpha_beta:2"}, {"scripted_share", 1}}).find("it plays connect_four"),
        std::string::npos);
    EXPECT_NE(with("connect_four", {{"scripted_share", 0.5}}).find("names no player"), std::string::npos);
    EXPECT_NE(with("connect_four", {{"scripted", "random"}}).find("needs self_play.scripted_share above 0"),
              std::string::npos);
    EXPECT_NE(with("connect_four", {{"past", 0.7}, {"scripted", "random"}, {"scripted_share", 0.5}})
                  .find("add up to 1.2; at most 1 is possible"),
              std::string::npos);
    EXPECT_NE(with("connect_four", {{"past", 0.7}, {"rivals", "1"}, {"rival_share", 0.5}})
                  .find("add up to 1.2; at most 1 is possible"),
              std::string::npos);
    EXPECT_NE(with("connect_four", {{"rival_share", 0.5}}).find("self_play.rivals names no policy"),
              std::string::npos);
    EXPECT_NE(with("connect_four", {{"rivals", "1"}}).find("needs self_play.rival_share above 0"),
              std::string::npos);
    EXPECT_NE(with("cartpole", {{"rivals", "1"}, {"rival_share", 1}}).find("has one seat"),
              std::string::npos);
    EXPECT_NE(with("connect_four", {{"past", 0.5}}, {{"run", {{"inference", "central"}}}})
                  .find("self_play needs run.inference=inline"),
              std::string::npos);
    EXPECT_NE(with("connect_four", {{"past", 0.5}},
                   {{"algo", {{"id", "dqn"}, {"epochs", nullptr}, {"minibatches", nullptr}}}})
                  .find("algo.id=dqn learns from a replay"),
              std::string::npos);
}

class Crashes final : public ScriptedPlayer {
public:
    void act(const SeatView&, Rng&, float*) const override { throw std::runtime_error("out of ideas"); }
};

TEST(SelfPlaySession, ReportsAScriptedPlayerThatThrows) {
    static const bool registered = [] {
        scriptedPlayerRegistry().add({.id = "crashes", .summary = "Throws.", .make = [](const EnvSpec&, int) {
                                          return Result<std::unique_ptr<ScriptedPlayer>>(
                                              std::make_unique<Crashes>());
                                      }});
        return true;
    }();
    (void)registered;
    const auto session =
        makeSession(smallConfig("connect_four", selfPlay({{"scripted", "crashes"}, {"scripted_share", 1}})));
    const auto stats = session->iterate();
    ASSERT_FALSE(stats.has_value());
    EXPECT_NE(stats.error().text().find("the scripted player 'crashes' failed: out of ideas"),
              std::string::npos);
}

// Waiting rows have one action and entropy 0; in Tic-tac-toe they are half of all rows.
TEST(SelfPlaySession, LearnsFromWaitingRowsUnlessItSkipsThem) {
    std::uint64_t rows = 0;
    const auto entropyOf = [&](bool skips) {
        const auto session = makeSession(smallConfig("tic_tac_toe", {{"algo", {{"skip_forced", skips}}}}));
        const auto stats = session->iterate();
        EXPECT_TRUE(stats.has_value());
        rows = stats->update.passes[0].backward;
        for (const auto& [name, value] : stats->update.metrics)
            if (name == "policy/entropy") return value;
        return -1.0;
    };
    const double all = entropyOf(false);
    const std::uint64_t all_rows = rows;
    const double decisions = entropyOf(true);
    EXPECT_EQ(all_rows, 2U * 16 * 12) << "two epochs";
    EXPECT_LE(rows, all_rows / 2) << "the network runs on decisions only";
    EXPECT_GT(rows, all_rows / 3);
    EXPECT_GT(decisions, 1.8 * all);
    EXPECT_LT(decisions, std::log(9.0));
    const auto refused = [](const std::string& env, const Json& algo) {
        const auto plan = Session::plan(smallConfig(env, {{"algo", algo}}));
        return plan ? std::string() : plan.error().text();
    };
    EXPECT_NE(refused("cartpole", {{"skip_forced", true}}).find("'cartpole' has none"), std::string::npos);
    EXPECT_NE(refused("tic_tac_toe", {{"skip_forced", true}, {"rollout_length", 1}}).find("above 1"),
              std::string::npos);
    EXPECT_NE(refused("tic_tac_toe", {{"skip_forced", true}, {"novelty", "rnd"}}).find("algo.novelty"),
              std::string::npos);
}

// With a past self that is never met, the router acts like inference without it, except for forced rows.
TEST(SelfPlaySession, NoNetworkRunsAtForcedRowsThatAreSkippedAndTheBitsAreTheSame) {
    const auto paramsAfter = [](const char* algo, const Json& self_play) {
        const auto session = makeSession(smallConfig(
            "tic_tac_toe", {{"algo", {{"id", algo}, {"skip_forced", true}}}, {"self_play", self_play}}));
        for (int update = 0; update < 4; ++update) EXPECT_TRUE(session->iterate().has_value());
        const auto& blob = session->learner().params().blob();
        return std::vector<float>(blob.begin(), blob.end());
    };
    EXPECT_EQ(paramsAfter("ppo", {{"past", 1e-12}}), paramsAfter("ppo", Json::object()));

    for (const bool skips : {false, true}) {
        const TrainingConfig config = smallConfig("tic_tac_toe", {{"algo", {{"skip_forced", skips}}}});
        const auto plan = Session::plan(config);
        ASSERT_TRUE(plan.has_value());
        const NetPlan net_plan = *buildPlan(plan->net);
        const std::shared_ptr<EngineNet> net = std::move(*compileNet("reference", net_plan, {}));
        GroupSpec spec = plan->groupSpecs(net.get())[0];
        spec.selves = std::make_shared<PastSelves>(settings("newest"));
        spec.skips_forced = skips;
        auto group = ActorGroup::create(spec);
        ASSERT_TRUE(group.has_value()) << group.error().text();
        ThreadTimes times;
        std::vector<EpisodeEnd> ended;
        Acting acting{.params = initialParams(net_plan, 1), .opponents = spec.selves->opponents()};
        int forced = 0;
        for (int row = 0; row < 20; ++row) {
            Ring& ring = (*group)->ring();
            const std::uint64_t t = ring.head();
            ASSERT_TRUE((*group)->tick(acting, ended, times).has_value());
            for (int column = 0; column < ring.columns(); ++column) {
                const std::uint8_t* mask =
                    ring.mask(t) + std::ptrdiff_t{column} * ring.spec().spaces.maskBytes();
                const bool is_forced = allowsOneAction(ring.spec().spaces, mask);
                forced += is_forced ? 1 : 0;
                EXPECT_EQ(ring.value(t)[column] == 0, is_forced && skips);
                if (is_forced) EXPECT_EQ(ring.logProb(t)[column], 0);
                EXPECT_EQ(mask[static_cast<int>(ring.action(t)[column])], 1);
            }
        }
        EXPECT_GT(forced, 20 * (*group)->ring().columns() / 3);
    }
}

}  // namespace
}  // namespace seedbed
