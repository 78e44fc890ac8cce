// SPDX-License-Identifier: Apache-2.0
// Players: the data shown for each row, and the weights used while the run is training or after it has ended.
#include "core/play/player_session.hpp"
#include "core/play/replay.hpp"

#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "core/control/player_view.hpp"
#include "core/play/play_headless.hpp"
#include "core/play/published_params.hpp"
#include "core/run/run.hpp"
#include "tests/unit/play/player_fixture.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::eventually;
using test::PlayerTest;
using test::smallConfig;

TEST_F(PlayerTest, RowsContainOutputsActionsAndRewards) {
    train();
    const auto from = policy("1");
    const auto playing = player(*from, 3, Selection::sample);
    std::vector<double> returns(3, 0);
    int ends = 0;
    for (int step = 0; step < 400; ++step) {
        const std::vector<PlayerCell> before = playing->cells();
        for (const PlayerCell& cell : before) {
            ASSERT_EQ(cell.now.row, static_cast<std::uint64_t>(step));
            ASSERT_EQ(cell.now.policy.size(), 2u);
            ASSERT_EQ(cell.now.shown.size(), 2u);
            // Softmax of the two logits.
            const double p = 1 / (1 + std::exp(static_cast<double>(cell.now.policy[1] - cell.now.policy[0])));
            EXPECT_NEAR(cell.now.shown[0], p, 1e-6) << "rounded to float";
            EXPECT_NEAR(cell.now.shown[0] + cell.now.shown[1], 1, 1e-6) << "rounded to float";
            EXPECT_TRUE(std::isfinite(cell.now.value));
            EXPECT_FALSE(cell.scene.shapes.empty());
        }
        ASSERT_TRUE(playing->step(from->params(), true));
        for (std::size_t e = 0; e < 3; ++e) {
            const PlayerRecord& last = *(playing->trace(static_cast<int>(e)).rbegin() + 1);
            EXPECT_DOUBLE_EQ(last.return_so_far, returns[e]);
            if (!last.decided) {
                returns[e] = 0;
                continue;
            }
            EXPECT_EQ(last.reward, 1.0f) << "every step in CartPole has reward 1";
            returns[e] += 1;
            if (last.end == EpisodeMark::none) continue;
            ++ends;
            const PlayerCell& cell = playing->cells()[e];
            EXPECT_DOUBLE_EQ(cell.last_return, returns[e]);
            EXPECT_EQ(cell.last_end, last.end);
            EXPECT_NE(cell.scene, before[e].scene) << "the last state is shown, not the previous one";
            if (last.end != EpisodeMark::terminated) continue;
            EXPECT_EQ(cell.now.step, 0);
            returns[e] = 0;
        }
    }
    EXPECT_GT(ends, 3);
}

TEST_F(PlayerTest, ClearedHistoryLeavesTheRowAsAStart) {
    train();
    const auto from = policy("1");
    const auto playing = player(*from, 1, Selection::sample);
    while (playing->cells()[0].episodes < 1) ASSERT_TRUE(playing->step(from->params(), true));
    ASSERT_GT(playing->trace(0).size(), 2U);
    ASSERT_EQ(playing->cells()[0].last_end, EpisodeMark::terminated);
    const Scene last = playing->cells()[0].scene;
    const std::uint64_t row = playing->row();
    playing->clearPast();
    EXPECT_EQ(playing->row(), row);
    ASSERT_EQ(playing->trace(0).size(), 1U);
    EXPECT_EQ(playing->trace(0)[0].row, row);
    EXPECT_EQ(playing->cells()[0].last_end, EpisodeMark::none);
    EXPECT_NE(playing->cells()[0].scene, last)
        << "the first state is shown, not the last one of the previous episode";
    // The game continues as it would have without the change.
    ASSERT_TRUE(playing->step(from->params(), true));
    EXPECT_EQ(playing->cells()[0].now.step, 1);
    EXPECT_EQ(playing->trace(0).size(), 2U);
}

TEST_F(PlayerTest, EachAgentOfAGameHasItsOwnOutputsRewardsAndReturns) {
    train("connect_four");
    const auto from = policy("1");
    const auto playing = player(*from, 2, Selection::sample);
    ASSERT_EQ(playing->envSpec().agents, 2);
    std::vector<double> returns(4, 0);
    int ends = 0;
    for (int step = 0; step < 200; ++step) {
        for (const PlayerCell& cell : playing->cells()) {
            ASSERT_EQ(cell.agents(), 2);
            for (int agent = 0; agent < 2; ++agent)
                ASSERT_EQ(cell.nowOf(agent).row, static_cast<std::uint64_t>(step));
        }
        ASSERT_TRUE(playing->step(from->params(), false));
        for (std::size_t column = 0; column < 4; ++column) {
            const int env = static_cast<int>(column) / 2, agent = static_cast<int>(column) % 2;
            const PlayerRecord& last = *(playing->trace(env, agent).rbegin() + 1);
            EXPECT_DOUBLE_EQ(last.return_so_far, returns[column]);
            if (!last.decided) {
                returns[column] = 0;
                continue;
            }
            returns[column] += static_cast<double>(last.reward);
            if (last.end == EpisodeMark::none) continue;
            ++ends;
            EXPECT_DOUBLE_EQ(playing->cells()[column / 2].lastReturnOf(agent), returns[column]);
            if (last.end == EpisodeMark::terminated) returns[column] = 0;
        }
        // The game is zero-sum.
        for (const PlayerCell& cell : playing->cells())
            if (cell.last_end == EpisodeMark::terminated) {
                EXPECT_EQ(cell.lastReturnOf(0), -cell.lastReturnOf(1));
            }
    }
    EXPECT_GT(ends, 4);
    // The window receives all data unchanged.
    PlayerFrame frame;
    frame.cells = playing->cells();
    frame.focus = 1;
    frame.focus_agent = 1;
    const auto& trace = playing->trace(1, 1);
    frame.trace.assign(trace.begin(), trace.end());
    std::vector<std::byte> bytes = encodeHead(frame);
    const std::vector<std::byte> cells = encodeCells(frame.cells);
    bytes.insert(bytes.end(), cells.begin(), cells.end());
    const auto decoded = decodeFrame(bytes);
    ASSERT_TRUE(decoded) << decoded.error().text();
    EXPECT_EQ(decoded->focus_agent, 1);
    EXPECT_EQ(decoded->cells[1].nowOf(1).return_so_far, frame.cells[1].nowOf(1).return_so_far);
    EXPECT_EQ(decoded->trace.size(), frame.trace.size());
}

TEST_F(PlayerTest, EpisodesAreThoseOfAnEvaluationWithTheSameStreams) {
    train();
    const auto from = policy("1");
    // evaluate() and a player use the same environments and greedy actions.
    EvaluationRequest request{.env = &from->env(),
                              .env_params = from->envParams(),
                              .env_spec = from->env().spec(from->envParams()).value(),
                              .distribution = from->distribution(),
                              .episodes = 4,
                              .seed = 9,
                              .record = true};
    const std::shared_ptr<EngineNet> net(std::shared_ptr<void>(), &from->net());  // not owned
    const auto evaluation = evaluate(net, from->params(), request, 1);
    ASSERT_TRUE(evaluation);
    auto playing = Player::create({.env = &from->env(),
                                   .env_params = from->envParams(),
                                   .envs = 4,
                                   .seed = 9,
                                   .purpose = RngPurpose::evaluation_environment,
                                   .player = from->seatPlayer(),
                                   .record = true},
                                  from->params());
    ASSERT_TRUE(playing);
    std::vector<int> length(4, 0);
    while (std::count(length.begin(), length.end(), 0) > 0) {
        ASSERT_TRUE((*playing)->step(from->params(), false));
        for (const EpisodeEnd& end : (*playing)->ended())
            if (length[static_cast<std::size_t>(end.column)] == 0)
                length[static_cast<std::size_t>(end.column)] = end.length;
    }
    const auto tracks = (*playing)->takeTracks();
    for (std::size_t e = 0; e < 4; ++e) {
        EXPECT_EQ(length[e], evaluation->episodes[e].length);
        EXPECT_EQ(tracks[e].episodes.front().sha256, evaluation->tracks[e].episodes.front().sha256);
    }
}

TEST_F(PlayerTest, ContinuousActionsShowMeanAndDeviation) {
    train("pendulum", {{"run", {{"steps", 300}}}});
    const auto from = policy("1");
    const auto playing = player(*from, 1, Selection::sample);
    ASSERT_TRUE(playing->step(from->params(), true));
    const PlayerRecord& now = playing->cells()[0].now;
    ASSERT_EQ(now.shown.size(), 2u);
    EXPECT_FLOAT_EQ(now.shown[0], 2 * now.policy[0]) << "torques are between -2 and 2";
    EXPECT_NEAR(now.shown[1], 2 * std::exp(now.policy[1]), 1e-6) << "rounded to float";
    EXPECT_LE(std::abs(now.action[0]), 2.0f) << "the action that the environment receives";
}

TEST_F(PlayerTest, StoredReplaysShowTheOutputsOfTheirPolicy) {
    train();
    const auto from = policy("1");
    for (const char* kind : {"best", "median", "worst"}) {
        const auto replay = loadReplay(files_, from->folder() / replayFileName(kind));
        ASSERT_TRUE(replay) << replay.error().text();
        EXPECT_EQ(replay->source["kind"], kind);
        EXPECT_EQ(replay->source["step"], from->steps());
        const auto verified = verifyReplay(*replay);
        EXPECT_TRUE(verified) << verified.error().text();
        // Greedy: with these weights, the action of each row is the most probable one.
        auto shown = Player::create({.env = &from->env(),
                                     .env_params = from->envParams(),
                                     .seed = replay->seed,
                                     .purpose = replay->purpose,
                                     .first_lane = replay->tracks[0].lane,
                                     .player = from->seatPlayer(),
                                     .replay = &replay->tracks[0]},
                                    from->params());
        ASSERT_TRUE(shown) << shown.error().text();
        std::uint64_t decisions = 0;
        while (!(*shown)->finished()) {
            const PlayerRecord& now = (*shown)->cells()[0].now;
            if (now.decided) {
                ++decisions;
                EXPECT_EQ(now.action[0], now.shown[1] > now.shown[0] ? 1.0f : 0.0f);
            }
            ASSERT_TRUE((*shown)->step(from->params(), true));
        }
        EXPECT_EQ((*shown)->cells()[0].last_return, replay->selected().episode_return);
        EXPECT_EQ(decisions * 1, replay->tracks[0].actions.size());
    }
}

TEST_F(PlayerTest, CheckpointsOfAResumedRunKeepTheirReplays) {
    train("cartpole", {{"eval", {{"every_steps", 500}}}});
    const auto before = policy("1");
    const auto best = loadReplay(files_, before->folder() / replayFileName("best"));
    ASSERT_TRUE(best);
    ResumeRequest request{.run = 1,
                          .data_folder = folder(),
                          .cache_folder = {},
                          .selector = {},
                          .settings = {{"run.steps", "800"}, {"eval.final_episodes", "0"}}};
    const auto outcome = resumeRun(request, observer_, {}, files_, clock_);
    ASSERT_TRUE(outcome) << outcome.error().text();
    const auto after = policy("1");
    EXPECT_GT(after->steps(), before->steps());
    const auto still = loadReplay(files_, after->folder() / replayFileName("best"));
    ASSERT_TRUE(still) << "without a new evaluation the earlier replays are kept";
    EXPECT_EQ(still->sha256(), best->sha256());
}

TEST_F(PlayerTest, HeadlessGamesAreRecordedAndReproduced) {
    train();
    const auto from = policy("1");
    const auto played = playHeadless({.policy = from.get(),
                                      .envs = 2,
                                      .seed = 4,
                                      .selection = Selection::sample,
                                      .episodes = 5,
                                      .record = true},
                                     {});
    ASSERT_TRUE(played) << played.error().text();
    EXPECT_EQ(played->episodes.size(), 5u);
    ASSERT_TRUE(played->replay);
    EXPECT_EQ(played->replay->tracks[0].episodes.size() + played->replay->tracks[1].episodes.size(), 5u);
    EXPECT_TRUE(verifyReplay(*played->replay));
    const auto again = playHeadless({.policy = from.get(),
                                     .envs = 2,
                                     .seed = 4,
                                     .selection = Selection::sample,
                                     .episodes = 5,
                                     .record = true},
                                    {});
    ASSERT_TRUE(again);
    EXPECT_EQ(again->replay->sha256(), played->replay->sha256()) << "the same seed gives the same games";
}

TEST_F(PlayerTest, MissingPoliciesAreRejectedWithTheReason) {
    EXPECT_NE(refusal("1").find("there are no runs in"), std::string::npos) << refusal("1");
    train();
    EXPECT_NE(refusal("9").find("there is no run 9"), std::string::npos) << refusal("9");
    EXPECT_NE(refusal("1:77").find("no checkpoint at step 77"), std::string::npos) << refusal("1:77");
    EXPECT_NE(refusal("1:best", true).find("cannot follow"), std::string::npos);
    EXPECT_NE(refusal("/nowhere/at/all"), "opened");
}

TEST_F(PlayerTest, FollowsTheNewestWeightsOfARunUntilItEnds) {
    std::stop_source stop;
    Result<RunOutcome> outcome = fail("not run");
    std::thread training([&] {
        outcome = trainRun(
            {smallConfig("cartpole", {{"run", {{"minutes", 5}, {"steps", 0}}}}), "", "", folder(), ""},
            observer_, stop.get_token(), files_, clock_);
    });
    ASSERT_TRUE(eventually([&] { return observer_.steps > 0; }));
    auto from = policy("1", true);
    EXPECT_TRUE(from->followed());
    const auto playing = player(*from, 1);
    double now = 0;
    std::int64_t before = from->steps();
    int newer = 0;
    // Refreshes repeatedly while it plays.
    EXPECT_TRUE(eventually([&] {
        from->refresh(now += 0.01);
        EXPECT_TRUE(playing->step(from->params(), false));
        if (from->steps() > before) {
            ++newer;
            before = from->steps();
        }
        return newer >= 5;
    }));
    stop.request_stop();
    training.join();
    ASSERT_TRUE(outcome) << outcome.error().text();
    EXPECT_TRUE(eventually([&] {
        from->refresh(now += 0.1);
        return !from->followed();
    }));
    EXPECT_EQ(from->params().sha256(), outcome->params_sha256)
        << "the player continues with its last weights";
    const auto notices = from->takeNotices();
    ASSERT_FALSE(notices.empty());
    EXPECT_NE(notices.back().find("the run has ended"), std::string::npos);
    EXPECT_TRUE(playing->step(from->params(), false));
    // A run that has ended can be followed, too: newer weights arrive only after it is resumed.
    EXPECT_FALSE(policy("1", true)->followed());
}

TEST_F(PlayerTest, ParametersArePublishedOnlyToFollowersOfTheSameNetwork) {
    train();
    const auto from = policy("1");
    const NetSpec& spec = from->bundle().network.spec;
    const std::size_t floats = from->net().plan().param_floats;
    PublishedParams published(spec, floats);
    EXPECT_FALSE(published.wanted(0));
    auto offer = published.offer();
    ASSERT_TRUE(offer) << offer.error().text();
    published.setFollowers(1);
    EXPECT_TRUE(published.wanted(0));
    NetSpec other = spec;
    other.activation = "relu";
    const auto wrong = FollowedParams::attach(*offer->descriptor.duplicate(), other, floats);
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().text().find("different specifications"), std::string::npos)
        << wrong.error().text();
    auto reader = FollowedParams::attach(std::move(offer->descriptor), spec, floats);
    ASSERT_TRUE(reader) << reader.error().text();
    EXPECT_FALSE(reader->take());
    published.publish(from->params(), 600, 10.0);
    EXPECT_FALSE(published.wanted(10.0 + 0.9 * PublishedParams::kInterval))
        << "weights are published at most 30 times per second";
    EXPECT_TRUE(published.wanted(10.0 + 1.1 * PublishedParams::kInterval));
    const auto taken = reader->take();
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->steps, 600);
    EXPECT_EQ(taken->params.sha256(), from->params().sha256());
    published.setFollowers(0);
    EXPECT_FALSE(published.wanted(20));
    // A reader that connects to a paused run receives the last version.
    published.publish(from->params(), 700, 20.0);
    auto late = published.offer();
    ASSERT_TRUE(late);
    published.setFollowers(1);
    auto latecomer = FollowedParams::attach(std::move(late->descriptor), spec, floats);
    ASSERT_TRUE(latecomer);
    const auto kept = latecomer->take();
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->steps, 700);
}

}  // namespace
}  // namespace seedbed
