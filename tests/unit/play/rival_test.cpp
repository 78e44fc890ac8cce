// SPDX-License-Identifier: Apache-2.0
// Two players at one game, and scripted players.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/env/scripted_player.hpp"
#include "core/play/duel.hpp"
#include "core/play/inspector.hpp"
#include "core/play/stage.hpp"
#include "tests/unit/play/session_fixture.hpp"

namespace seedbed {
namespace {

SeatPlayer scripted(const std::string& name) {
    SeatPlayer player;
    player.scripted = name;
    return player;
}

BundleEnv environment(const std::string& id) {
    BundleEnv env{.entry = envRegistry().find(id), .params = {}, .spec = {}};
    env.params = env.entry->params->defaults();
    env.spec = *env.entry->spec(env.params);
    return env;
}

PlayerSpec gameOf(const std::string& env, SeatPlayer player, SeatPlayer rival, int seat = 0) {
    PlayerSpec spec;
    spec.env = envRegistry().find(env);
    spec.env_params = spec.env->params->defaults();
    spec.player = std::move(player);
    spec.rival = std::move(rival);
    spec.seat = seat;
    return spec;
}

// A game whose actions come from direct calls of scripted players, one per seat.
class DirectGame {
public:
    DirectGame(const std::string& id, const std::vector<std::string>& players, std::uint64_t seed)
        : env_(environment(id)) {
        RingSpec ring{.spaces = env_.spec.spaces, .columns = env_.spec.agents};
        ring.rows = ring.history() + 3;
        ring_ = Ring::create(ring).value();
        vector_ = std::make_unique<VectorEnv>(
            env_.entry->make(env_.params, 1).value(), *ring_,
            VectorEnvOptions{.seed = seed, .purpose = RngPurpose::play, .horizon = env_.spec.horizon});
        for (const std::string& name : players) {
            const auto lane = (1u << 16) + static_cast<std::uint32_t>(players_.size());
            players_.push_back(makeScriptedPlayer(name, *env_.entry, env_.spec).value());
            rngs_.emplace_back(seed, RngPurpose::play, lane);
        }
        EXPECT_TRUE(vector_->reset());
    }
    // The actions of the row by seat, which have one word; empty after the end of an episode.
    std::vector<float> decide() {
        const std::uint64_t t = ring_->head();
        if (ring_->valid(t)[0] == 0) return {};
        const Json state = vector_->batch().state(0);
        const Spaces& spaces = ring_->spec().spaces;
        for (std::size_t seat = 0; seat < players_.size(); ++seat) {
            const std::uint8_t* obs = ring_->obs(0, t) + seat * spaces.obs[0].bytes();
            const auto mask_bytes = static_cast<std::size_t>(spaces.maskBytes());
            players_[seat]->act({.seat = static_cast<int>(seat),
                                 .leaves = &obs,
                                 .mask = spaces.has_mask ? ring_->mask(t) + seat * mask_bytes : nullptr,
                                 .state = &state},
                                rngs_[seat], ring_->action(t) + seat);
        }
        return {ring_->action(t), ring_->action(t) + players_.size()};
    }
    void step() {
        std::vector<EpisodeEnd> ended;
        EXPECT_TRUE(vector_->step(ended));
    }

private:
    BundleEnv env_;
    std::unique_ptr<Ring> ring_;
    std::unique_ptr<VectorEnv> vector_;
    std::vector<std::unique_ptr<ScriptedPlayer>> players_;
    std::vector<Rng> rngs_;
};

TEST(Rival, ScriptedSeatsActLikeDirectCalls) {
    const std::pair<std::string, std::string> games[] = {{"pong", "tracker:5"},
                                                         {"connect_four", "alpha_beta:2"}};
    for (const auto& [env, name] : games) {
        for (const int seat : {0, 1}) {
            PlayerSpec spec = gameOf(env, scripted(name), scripted("random"), seat);
            spec.seed = 6;
            const auto game = Player::create(std::move(spec), {});
            ASSERT_TRUE(game) << game.error().text();
            DirectGame direct(env,
                              seat == 0 ? std::vector<std::string>{name, "random"}
                                        : std::vector<std::string>{"random", name},
                              6);
            for (int row = 0; row < 2000; ++row) {
                const std::vector<float> actions = direct.decide();
                for (std::size_t agent = 0; agent < actions.size(); ++agent) {
                    const PlayerRecord& now = (*game)->cells()[0].nowOf(static_cast<int>(agent));
                    ASSERT_EQ(now.action, std::vector<float>{actions[agent]}) << env << " " << row;
                    EXPECT_TRUE(std::isnan(now.value) && std::isnan(now.entropy));
                    EXPECT_TRUE(now.policy.empty() && now.shown.empty());
                }
                direct.step();
                ASSERT_TRUE((*game)->step({}, false));
            }
            EXPECT_GT((*game)->cells()[0].episodes, 0U);
        }
    }
}

class RivalTest : public test::SessionTest {
protected:
    static inline const Json kRecurrent{{"network", {{"core", "lstm"}, {"core_size", 8}}}};
    // A duel of X and "random", and a game that X plays alone.
    void compareWithDuel(const std::string& env, const SeatPlayer& player) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            DuelRequest request;
            const BundleEnv own = environment(env);
            request.env = own.entry;
            request.env_params = own.params;
            request.env_spec = own.spec;
            request.a = player;
            request.b = scripted("random");
            request.seed = seed;
            const auto duel = playDuel(request, {});
            ASSERT_TRUE(duel) << duel.error().text();
            ASSERT_TRUE(duel->differs);
            const auto game = Player::create({.env = own.entry,
                                              .env_params = own.params,
                                              .seed = seed,
                                              .player = player,
                                              .selection = player.selection},
                                             player.params);
            ASSERT_TRUE(game) << game.error().text();
            for (std::int64_t row = 0; (*game)->ended().empty(); ++row) {
                const PlayerRecord& now = (*game)->cells()[0].nowOf(duel->agent);
                if (row == duel->step) {
                    EXPECT_EQ(now.action, duel->a.action);
                    EXPECT_EQ(now.shown, duel->a.shown);
                }
                ASSERT_TRUE((*game)->step(player.params, false));
            }
            EXPECT_EQ((*game)->ended()[0].length, duel->a.length);
            EXPECT_EQ((*game)->ended()[0].episode_return, duel->a.episode_return);
        }
    }
    // Two recurrent networks, run 1 on seat 2, which sample their actions.
    Result<std::unique_ptr<Stage>> stage(int envs = 1) {
        for (int run = 0; run < 2; ++run) {
            Json changes = kRecurrent;
            changes["run"]["seed"] = run + 1;
            train("pong", changes);
        }
        first_ = policy("1");
        second_ = policy("2");
        PlayerSpec spec = gameOf("pong", first_->seatPlayer(), second_->seatPlayer(), 1);
        spec.selection = Selection::sample;
        spec.envs = envs;
        return Stage::create(std::move(spec), first_->params());
    }
    std::unique_ptr<PlayerPolicy> first_, second_;
    GameSeats seats_;  // of a session, whose thread uses them
};

TEST_F(RivalTest, AGamePlaysTheEpisodeOfADuel) {
    train("cartpole");
    SeatPlayer network = policy("1")->seatPlayer();
    network.selection = Selection::sample;
    compareWithDuel("cartpole", network);
    compareWithDuel("pong", scripted("tracker:3"));
    compareWithDuel("connect_four", scripted("alpha_beta:1"));
}

TEST_F(RivalTest, EachNetworkDecidesItsOwnSeat) {
    const auto game = stage();
    ASSERT_TRUE(game) << game.error().text();
    const auto alone = player(*first_, 1), other = player(*second_, 1);
    const PlayerCell& cell = (*game)->cell(0);
    EXPECT_EQ(cell.nowOf(1).policy, alone->cells()[0].nowOf(1).policy);
    EXPECT_EQ(cell.nowOf(1).value, alone->cells()[0].nowOf(1).value);
    EXPECT_EQ(cell.nowOf(0).policy, other->cells()[0].nowOf(0).policy);
    EXPECT_EQ(cell.nowOf(0).value, other->cells()[0].nowOf(0).value);
    EXPECT_NE(cell.nowOf(0).value, alone->cells()[0].nowOf(0).value) << "the networks differ";
    for (int row = 0; row < 6; ++row) ASSERT_TRUE((*game)->step(first_->params(), false));
    RowInspections inspections;
    for (const int agent : {0, 1}) {
        const auto seen =
            decodeInspection(inspections.inspect(**game, first_->params(), {.cell = 0, .agent = agent}));
        ASSERT_TRUE(seen) << seen.error().text();
        EXPECT_EQ(seen->unavailable, "");
        const PlayerRecord& now = (*game)->cell(0).nowOf(agent);
        EXPECT_NEAR(seen->value, now.value, 1e-5) << "computed by another engine, seat " << agent;
        EXPECT_NEAR(seen->entropy, now.entropy, 1e-5) << "computed by another engine, seat " << agent;
    }
    auto mixed = Stage::create(gameOf("pong", scripted("random"), second_->seatPlayer()), {});
    ASSERT_TRUE(mixed) << mixed.error().text();
    RowInspections others;
    EXPECT_EQ(decodeInspection(others.inspect(**mixed, {}, {.cell = 0, .agent = 0}))->unavailable,
              "the seat is played by 'random', which has no network");
    EXPECT_EQ(decodeInspection(others.inspect(**mixed, {}, {.cell = 0, .agent = 1}))->unavailable, "");
}

TEST_F(RivalTest, SelectionAppliesToBothNetworks) {
    const auto game = stage();
    ASSERT_TRUE(game) << game.error().text();
    for (const bool is_greedy : {false, true}) {
        (*game)->select(is_greedy ? Selection::greedy : Selection::sample);
        int less_probable[2] = {0, 0};
        for (int row = 0; row < 40; ++row) {
            ASSERT_TRUE((*game)->step(first_->params(), false));
            for (const int agent : {0, 1}) {
                const PlayerRecord& now = (*game)->cell(0).nowOf(agent);
                if (!now.decided) continue;
                const auto best = std::max_element(now.shown.begin(), now.shown.end()) - now.shown.begin();
                if (now.action[0] != static_cast<float>(best)) ++less_probable[agent];
            }
        }
        for (const int count : less_probable) EXPECT_EQ(count == 0, is_greedy);
    }
}

TEST_F(RivalTest, BranchesAndReturnsHaveTheSameFuture) {
    auto networks = stage(2);
    ASSERT_TRUE(networks) << networks.error().text();
    auto scripts = Stage::create(gameOf("pong", first_->seatPlayer(), scripted("random")), first_->params());
    ASSERT_TRUE(scripts) << scripts.error().text();
    for (Stage* game : {networks->get(), scripts->get()}) {
        const Params& params = first_->params();
        for (int row = 0; row < 9; ++row) ASSERT_TRUE(game->step(params, true));
        const auto moment = game->moment();
        ASSERT_TRUE(moment) << moment.error().text();
        const std::vector<PlayerCell> cells = game->cells();
        ASSERT_TRUE(game->branch(0, params));
        std::vector<std::vector<std::byte>> future;
        for (int row = 0; row < 60; ++row) {
            ASSERT_TRUE(game->step(params, true));
            future.push_back(encodeCells({game->cell(0)}));
            ASSERT_EQ(encodeCells({game->cell(game->count() - 1)}), future.back()) << "branch, row " << row;
        }
        ASSERT_TRUE(game->returnTo(*moment, cells));
        for (std::size_t row = 0; row < future.size(); ++row) {
            ASSERT_TRUE(game->step(params, true));
            ASSERT_EQ(encodeCells({game->cell(0)}), future[row]) << "after a return, row " << row;
        }
    }
}

TEST_F(RivalTest, PlayersThatDoNotFitAreNamed) {
    GameSeats alone = seatsOfOne(environment("cartpole"), "random");
    EXPECT_EQ(addRival(alone, 0, scripted("random"), "random").error().text(),
              "'cartpole' has one seat; a second player needs another");
    GameSeats two = seatsOfOne(environment("pong"), "tracker");
    EXPECT_EQ(addRival(two, 2, scripted("random"), "random").error().text(),
              "'pong' has the seats 1 to 2; there is no seat 3");
    const auto unfit = Player::create(gameOf("pong", scripted("tracker"), scripted("alpha_beta:2")), {});
    ASSERT_FALSE(unfit);
    EXPECT_NE(unfit.error().text().find("it plays connect_four"), std::string::npos) << unfit.error().text();
    train("connect_four");
    const auto wrong = Player::create(gameOf("pong", scripted("tracker"), policy("1")->seatPlayer()), {});
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().text().find("other observations or actions than 'pong'"), std::string::npos)
        << wrong.error().text();
}

TEST_F(RivalTest, SessionsNameTheirPlayersAndRecordThem) {
    seats_ = seatsOfOne(environment("tic_tac_toe"), "random");
    seats_.scripted = "random";
    ASSERT_TRUE(addRival(seats_, 1, scripted("minimax"), "minimax"));
    begin({.seats = &seats_, .envs = 2, .speed = 10});
    const Json players{"minimax", "random"};
    EXPECT_EQ(view_->about()["players"], players);
    EXPECT_EQ(view_->about()["policy"], false);
    EXPECT_NE(refused("weights", {{"step", -1}}).find("'random' is a scripted player"), std::string::npos);
    EXPECT_NE(refused("select", {{"greedy", true}}).find("no probabilities"), std::string::npos);
    ask("pause");
    ASSERT_TRUE(view_->inspect(true));
    ask("step", {{"count", 60}});
    std::string unavailable;
    ASSERT_TRUE(test::eventually([&] {
        auto seen = view_->inspection();
        if (seen && *seen) unavailable = (*seen)->unavailable;
        return !unavailable.empty();
    }));
    EXPECT_EQ(unavailable, "the seat is played by 'minimax', which has no network");
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["row"] >= 60; }));
    const Path file = temporary_.path() / "games.replay";
    ask("record", {{"file", file.string()}});
    ASSERT_EQ(event("recorded")["file"], file.string());
    const auto replay = loadReplay(files_, file);
    ASSERT_TRUE(replay) << replay.error().text();
    EXPECT_GT(replay->episodeCount(), 2U);
    EXPECT_TRUE(verifyReplay(*replay));
    EXPECT_EQ(Json(recordedPlayers(*replay)), players);
    EXPECT_FALSE(replay->source.contains("step"));
}

}  // namespace
}  // namespace seedbed
