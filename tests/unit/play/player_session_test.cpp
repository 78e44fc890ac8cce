// SPDX-License-Identifier: Apache-2.0
// Player sessions: requests of viewers and published frames.
#include "core/play/player_session.hpp"

#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "core/control/player_view.hpp"
#include "core/play/play_headless.hpp"
#include "core/play/published_params.hpp"
#include "core/play/replay.hpp"
#include "core/run/run.hpp"
#include "tests/unit/play/session_fixture.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::eventually;
using test::SessionTest;
using test::smallConfig;

TEST_F(SessionTest, AppliesRequestsAndNeverDropsSteps) {
    train();
    PlayerPolicy* from = keep(policy("1"));
    begin({.policy = from, .envs = 2, .speed = 8});
    EXPECT_EQ(view_->about().value("env", ""), "cartpole");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 20; }));
    EXPECT_EQ(frame_.cells.size(), 2u);
    // The trace contains all rows, even if frames were missed.
    for (std::size_t i = 1; i < frame_.trace.size(); ++i)
        ASSERT_EQ(frame_.trace[i].row, frame_.trace[i - 1].row + 1);
    EXPECT_EQ(frame_.trace.back().row, frame_.row);

    ask("pause");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    const std::uint64_t at = frame_.row;
    const Scene scene = frame_.cells[0].scene;
    ask("step", {{"count", -3}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == at - 3; }));
    EXPECT_NE(frame_.cells[0].scene, scene);
    EXPECT_EQ(frame_.newest_row, at);
    ask("step", {{"count", 3}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == at; }));
    EXPECT_EQ(frame_.cells[0].scene, scene) << "the picture must be the same as before";
    ask("step", {{"count", 1}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == at + 1 && f.newest_row == at + 1; }));
    ask("seek", {{"row", at - 10}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == at - 10; }));
    ask("seek", {{"row", at + 50}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == at + 50; }));

    ask("focus", {{"env", 1}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.focus == 1; }));
    EXPECT_EQ(frame_.trace.back().step, frame_.cells[1].now.step);
    ask("select", {{"greedy", false}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return !f.greedy; }));
    const std::uint32_t generation = frame_.generation;
    ask("envs", {{"count", 16}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 16; }));
    EXPECT_GT(frame_.generation, generation) << "rows start again from 0";
    ask("speed", {{"times", 0}});
    ask("resume");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2000; })) << "plays at full speed";
    ask("stop");
    ASSERT_TRUE(eventually([&] { return ended_.load(); }));
    EXPECT_TRUE(result_);
    EXPECT_TRUE(eventually([&] { return !view_->events().has_value(); }))
        << "the view detects that the player has exited";
}

TEST_F(SessionTest, AViewerThatShowsFewerFramesGetsFewer) {
    train();
    begin({.policy = keep(policy("1")), .speed = 10});  // 300 rows per second
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 0; }));
    ask("pace", {{"ms", 1000}});
    std::vector<std::uint64_t> rows;
    ASSERT_TRUE(until([&](const PlayerFrame& f) {
        if (rows.empty() || rows.back() != f.row) rows.push_back(f.row);
        return rows.size() == 5;
    }));
    EXPECT_GT(rows[4] - rows[3], 20u);
    // The decisions between two frames are made at once; a condition stops them at its row.
    ask("break", {{"when", "reward > 0"}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    EXPECT_EQ(event("break").value("row", 0u), frame_.newest_row);
    EXPECT_NE(refused("pace", {{"ms", 1001}}), "obeyed");
}

TEST_F(SessionTest, InvalidRequestsAreRejectedAndChangeNothing) {
    train();
    PlayerPolicy* from = keep(policy("1"));
    begin({.policy = from, .envs = 1, .speed = 1, .until_viewer_leaves = true});
    EXPECT_NE(refused("dance").find("unknown request 'dance'"), std::string::npos);
    EXPECT_NE(refused("speed", {{"times", -1}}).find("times must be a number from 0"), std::string::npos);
    EXPECT_NE(refused("speed", {{"times", "fast"}}).find("times must be a number"), std::string::npos);
    EXPECT_NE(refused("speed", {{"times", nullptr}}), "obeyed");
    EXPECT_NE(refused("envs", {{"count", 65}}), "obeyed");
    EXPECT_NE(refused("envs", {{"count", 1e300}}), "obeyed");
    EXPECT_NE(refused("focus", {{"env", -1}}), "obeyed");
    EXPECT_NE(refused("seek"), "obeyed");
    EXPECT_NE(refused("step", {{"count", 1e18}}), "obeyed");
    ask("focus", {{"env", 63}});  // out of range: selects the last one
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; }));
    EXPECT_EQ(frame_.focus, 0);
    EXPECT_EQ(frame_.cells.size(), 1u);
    // The player exits when the last viewer disconnects.
    view_.reset();
    EXPECT_TRUE(eventually([&] { return ended_.load(); }));
}

TEST_F(SessionTest, AReplayPlaysToItsEndAndCanBeReplayed) {
    train();
    PlayerPolicy* from = keep(policy("1"));
    const auto loaded = loadReplay(files_, from->folder() / replayFileName("worst"));
    ASSERT_TRUE(loaded);
    const std::optional<Replay>& replay = replay_ = *loaded;
    // Works without the policy: only the environment and the actions are needed.
    begin({.replay = &*replay, .speed = 100});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.finished && f.row == f.newest_row; }));
    EXPECT_EQ(frame_.cells[0].last_return, replay->selected().episode_return);
    EXPECT_TRUE(frame_.trace.front().policy.empty());
    EXPECT_TRUE(std::isnan(frame_.trace.front().value));
    EXPECT_NE(refused("select", {{"greedy", true}}).find("are recorded"), std::string::npos);
    EXPECT_NE(refused("envs", {{"count", 4}}), "obeyed");
    const std::uint64_t end = frame_.row;
    ask("pause");
    ask("seek", {{"row", 0}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row == 0; }));
    ask("resume");
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == end; }));
    const std::uint32_t generation = frame_.generation;
    ask("resume");
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.generation > generation; }))
        << "starts again from the beginning";
}

TEST_F(SessionTest, ARowNamesTheWeightsThatDecidedItDuringTraining) {
    std::stop_source stop;
    Result<RunOutcome> outcome = fail("not run");
    std::thread training([&] {
        outcome = trainRun(
            {smallConfig("cartpole", {{"run", {{"minutes", 5}, {"steps", 0}}}}), "", "", folder(), ""},
            observer_, stop.get_token(), files_, clock_);
    });
    EXPECT_TRUE(eventually([&] { return observer_.steps > 0; }));
    PlayerSessionSpec spec;
    spec.policy = keep(policy("1", true));
    begin(std::move(spec));
    EXPECT_TRUE(until([](const PlayerFrame& f) { return f.row >= 5; }));
    ask("pause");
    EXPECT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    const std::uint64_t row = frame_.row;
    const std::int64_t steps = frame_.weights_steps;
    // Later rows use newer weights, which the player polls for several times per second.
    EXPECT_TRUE(eventually([&] {
        const std::uint64_t before = frame_.row;
        ask("step", {{"count", 1}});
        return until([&](const PlayerFrame& f) { return f.row > before; }) && frame_.weights_steps > steps;
    }));
    ask("seek", {{"row", row}});
    EXPECT_TRUE(until([&](const PlayerFrame& f) { return f.row == row; }));
    EXPECT_EQ(frame_.weights_steps, steps) << "the weights that were used at that row";
    stop.request_stop();
    training.join();
}

}  // namespace
}  // namespace seedbed
