// SPDX-License-Identifier: Apache-2.0
// Player sessions: inspection, persons on seats, conditions, branches and films.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/env/batch_decorator.hpp"
#include "core/env/picture_files.hpp"
#include "core/play/player_action.hpp"
#include "core/play/replay.hpp"
#include "tests/unit/play/session_fixture.hpp"

namespace seedbed {
namespace {

using test::eventually;
using test::SessionTest;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class TheatreTest : public SessionTest {
protected:
    // A paused session with the newest row shown.
    void beginPaused(const std::string& env, int envs = 1) {
        train(env);
        // At this speed every row is drawn.
        begin({.policy = keep(policy("1")), .envs = envs, .speed = 10});
        ask("pause");
        ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    }
    void step(int count) {
        const std::uint64_t row = frame_.row + static_cast<std::uint64_t>(count);
        ask("step", {{"count", count}});
        ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == row; }));
    }
    const PlayerRecord& before() const { return *(frame_.trace.rbegin() + 1); }
    Path film(const std::string& name) const { return temporary_.path() / name; }
};

TEST_F(TheatreTest, InspectionsAreComputedOnlyWhileRequested) {
    beginPaused("cartpole");
    step(5);
    ASSERT_TRUE(untilStatus([&](const Json& s) { return s["row"] == frame_.row; }));
    EXPECT_EQ(status_["inspected"], 0) << "no forward pass without a request";
    ASSERT_TRUE(view_->inspect(true));
    Inspection seen;
    const auto inspected = [&](std::uint64_t row) {
        return eventually([&] {
            auto found = view_->inspection();
            EXPECT_TRUE(found) << found.error().text();
            if (found && *found) seen = std::move(**found);
            return seen.row == row && !seen.leaves.empty();
        });
    };
    step(1);
    ASSERT_TRUE(inspected(frame_.row));
    ASSERT_EQ(seen.leaves[0].seen.size(), 4u);
    EXPECT_EQ(seen.leaves[0].of_action.size(), 4u);
    EXPECT_EQ(seen.leaves[0].of_value.size(), 4u);
    EXPECT_NEAR(seen.value, frame_.trace.back().value, 1e-4);
    EXPECT_NEAR(seen.entropy, frame_.trace.back().entropy, 1e-4);
    const std::vector<float> first = seen.leaves[0].seen;
    step(1);
    ASSERT_TRUE(inspected(frame_.row));
    EXPECT_NE(seen.leaves[0].seen, first);
    // Stepping back shows what was inspected then; earlier rows are inspected now.
    ask("step", {{"count", -1}});
    ASSERT_TRUE(inspected(frame_.row - 1));
    EXPECT_EQ(seen.leaves[0].seen, first);
    ask("step", {{"count", -4}});
    ASSERT_TRUE(inspected(frame_.row - 5));
    EXPECT_NEAR(seen.value, (frame_.trace.rbegin() + 5)->value, 1e-4);
    ASSERT_TRUE(view_->inspect(false));
    ask("step", {{"count", 100}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == f.newest_row && f.row > 50; }));
    ASSERT_TRUE(untilStatus([&](const Json& s) { return s["row"] == frame_.row; }));
    EXPECT_LE(status_["inspected"].get<int>(), 5) << "nothing is computed after the last viewer left";
}

TEST_F(TheatreTest, RowsOfAnotherGameAreInspectedLater) {
    train("cartpole", {{"network", {{"core", "lstm"}, {"core_size", 8}}}});
    begin({.policy = keep(policy("1")), .envs = 2, .speed = 10});
    ask("pause");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    ASSERT_TRUE(view_->inspect(true));
    Inspection seen;
    const auto inspected = [&](std::uint32_t cell) {
        return eventually([&] {
            auto found = view_->inspection();
            if (found && *found) seen = std::move(**found);
            return seen.row == frame_.row && seen.env == cell && !seen.leaves.empty();
        });
    };
    ask("focus", {{"env", 1}});
    ask("branch");
    step(3);
    ask("focus", {{"env", 2}});
    ASSERT_TRUE(inspected(2));
    const Inspection live = std::move(seen);
    ask("focus", {{"env", 0}});
    step(2);
    step(-2);
    ask("focus", {{"env", 2}});
    ASSERT_TRUE(inspected(2));
    EXPECT_EQ(seen.value, live.value);
    EXPECT_EQ(seen.state_before, live.state_before);
    EXPECT_EQ(seen.leaves[0].seen, live.leaves[0].seen);
    EXPECT_EQ(seen.leaves[0].of_action, live.leaves[0].of_action);
    const std::vector<float> branch = seen.leaves[0].seen;
    ask("focus", {{"env", 0}});
    ASSERT_TRUE(inspected(0));
    EXPECT_NE(seen.leaves[0].seen, branch);
}

TEST_F(TheatreTest, APausedPlayerIsInspectedAsSoonAsItIsAsked) {
    beginPaused("cartpole");
    ASSERT_TRUE(view_->inspect(true));
    EXPECT_TRUE(eventually([&] {
        auto found = view_->inspection();
        return found && *found && !(*found)->leaves.empty();
    }));
}

TEST_F(TheatreTest, RowsOfEarlierWeightsAreNotInspectedLater) {
    std::stop_source stop;
    std::jthread training([&] {
        const auto outcome = trainRun(
            {test::smallConfig("cartpole", {{"run", {{"minutes", 5}, {"steps", 0}}}}), "", "", folder(), ""},
            observer_, stop.get_token(), files_, clock_);
        EXPECT_TRUE(outcome) << outcome.error().text();
    });
    ASSERT_TRUE(eventually([&] { return observer_.steps > 0; }));
    begin({.policy = keep(policy("1", true)), .speed = 10});
    ASSERT_TRUE(until([](const PlayerFrame&) { return true; }));
    const std::int64_t first = frame_.weights_steps;
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.weights_steps > first && f.row > 10; }));
    ask("pause");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    stop.request_stop();
    training.join();
    const std::int64_t last = frame_.weights_steps;
    while (frame_.weights_steps == last && frame_.row > 0) step(-1);
    ASSERT_LT(frame_.weights_steps, last);
    ASSERT_TRUE(view_->inspect(true));
    std::string problem;
    EXPECT_TRUE(eventually([&] {
        auto found = view_->inspection();
        if (found && *found) problem = (*found)->unavailable;
        return !problem.empty();
    }));
    EXPECT_TRUE(contains(problem, "played with earlier weights")) << problem;
}

TEST_F(TheatreTest, APersonTakesASeatAndGivesItBack) {
    beginPaused("cartpole");
    const auto reply = view_->ask("act", {{"action", "push left"}});
    ASSERT_TRUE(reply) << reply.error().text();
    EXPECT_EQ((*reply)["idle"], "wait") << "CartPole has no action that does nothing";
    step(1);
    EXPECT_EQ(before().source, DecisionSource::person);
    EXPECT_EQ(before().action, std::vector<float>{0});
    // Without an action the game waits.
    ask("resume");
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["state"] == "waiting"; }));
    EXPECT_EQ(status_["seats"][0]["waits"], true);
    const std::uint64_t row = status_["row"];
    ask("act", {{"action", 1}, {"rows", 3}});
    ASSERT_TRUE(untilStatus([&](const Json& s) { return s["row"] == row + 3 && s["state"] == "waiting"; }));
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == row + 3; }));
    for (std::size_t i = frame_.trace.size() - 4; i + 1 < frame_.trace.size(); ++i) {
        EXPECT_EQ(frame_.trace[i].action, std::vector<float>{1});
        EXPECT_EQ(frame_.trace[i].source, DecisionSource::person);
    }
    EXPECT_EQ(frame_.trace.back().source, DecisionSource::policy) << "not decided by the person yet";
    // The policy continues.
    ask("release");
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row > row + 20; }));
    EXPECT_EQ(before().source, DecisionSource::policy);
    EXPECT_TRUE(contains(refused("release"), "has taken no seat"));
}

TEST_F(TheatreTest, UnknownAndIllegalActionsAreRefusedWithTheLegalOnes) {
    beginPaused("cartpole");
    EXPECT_TRUE(contains(refused("act", {{"action", "push lef"}}), "did you mean 'push left'"));
    EXPECT_TRUE(contains(refused("act", {{"action", 2}}), "0 push left, 1 push right"));
    EXPECT_TRUE(contains(refused("act", {{"action", {0, 1}}}), "has 1 numbers"));
    EXPECT_TRUE(contains(refused("act", {{"rows", -1}}), "rows must be"));
    EXPECT_TRUE(contains(refused("act", {{"idle", "sleep"}}), "idle must be wait, nothing, hold or policy"));
    EXPECT_TRUE(contains(refused("act", {{"idle", "nothing"}}), "no action that does nothing"));
    EXPECT_TRUE(contains(refused("act", {{"agent", 1}}), "agent must be a number from 0 to 0"));
    ASSERT_TRUE(untilStatus([](const Json&) { return true; }));
    EXPECT_EQ(status_["seats"].size(), 0u) << "a refused request takes no seat";
}

TEST_F(TheatreTest, TurnsAreWaitedForAndMasksAreRespected) {
    train("tic_tac_toe");
    begin({.policy = keep(policy("1")), .envs = 1, .speed = 20});
    ask("pause");
    ask("restart");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused && f.row == 0; }));
    ask("act", {{"agent", 0}});
    ask("resume");
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["state"] == "waiting" && s["row"] == 0; }));
    EXPECT_TRUE(contains(refused("act", {{"action", "wait"}}), "'wait' is not allowed now; allowed: 0 "));
    ask("act", {{"action", 4}});
    // The policy answers; the person's forced move in between needs no action.
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["state"] == "waiting" && s["row"] == 2; }));
    EXPECT_TRUE(contains(refused("act", {{"action", 4}}), "is not allowed now"));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row == 2; }));
    EXPECT_EQ(frame_.cells[0].now.step, 2);
}

TEST_F(TheatreTest, ContinuousActionsAreTakenWithinTheirBounds) {
    beginPaused("pendulum");
    const auto reply = view_->ask("act", {{"action", {{"torque (N m)", 1.5}}}});
    ASSERT_TRUE(reply) << reply.error().text();
    EXPECT_EQ((*reply)["idle"], "nothing");
    step(1);
    EXPECT_EQ(before().action, std::vector<float>{1.5F});
    step(1);
    EXPECT_EQ(before().action, std::vector<float>{0}) << "no key is pressed";
    EXPECT_EQ(before().source, DecisionSource::person);
    ask("act", {{"action", -2}, {"rows", 0}});
    step(5);
    EXPECT_EQ(before().action, std::vector<float>{-2}) << "until the next action";
    ask("act", {{"action", nullptr}});
    step(1);
    EXPECT_EQ(before().action, std::vector<float>{0});
    EXPECT_TRUE(contains(refused("act", {{"action", 3}}), "must be from -2 to 2, not 3"));
    EXPECT_TRUE(contains(refused("act", {{"action", {{"force", 1}}}}), "unknown part 'force'"));
    EXPECT_TRUE(contains(refused("act", {{"action", "left"}}), "must be a number"));
}

TEST_F(TheatreTest, ASeatIsReleasedWhenItsViewerDisconnects) {
    beginPaused("cartpole");
    {
        auto other = PlayerView::connect(spec_.socket);
        ASSERT_TRUE(other);
        ASSERT_TRUE(other->ask("act", {{"action", 0}, {"idle", "hold"}}));
        ASSERT_TRUE(untilStatus([](const Json& s) { return s["seats"].size() == 1; }));
        EXPECT_TRUE(contains(refused("act", {{"action", 0}}), "another viewer has taken this seat"));
    }
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["seats"].empty(); }));
    ask("act", {{"action", 0}});
}

TEST_F(TheatreTest, RecordingsMarkThePersonsDecisions) {
    beginPaused("cartpole");
    ask("restart");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row == 0; }));
    const Path file = film("games.replay");
    ask("record", {{"file", file.string()}});
    EXPECT_TRUE(contains(event("record_failed").value("text", ""), "no episode has finished yet"));
    ask("act", {{"action", 0}, {"rows", 4}, {"idle", "policy"}});
    step(300);
    ask("record", {{"file", file.string()}});
    ASSERT_EQ(event("recorded").value("file", ""), file.string());
    const auto replay = loadReplay(files_, file);
    ASSERT_TRUE(replay) << replay.error().text();
    const std::vector<std::uint8_t>& persons = replay->tracks[0].persons;
    ASSERT_EQ(persons.size(), replay->tracks[0].actions.size());
    EXPECT_EQ(std::count(persons.begin(), persons.end(), 1), 4);
    const auto mark = std::find(persons.begin(), persons.end(), 1) - persons.begin();
    EXPECT_TRUE(
        std::all_of(persons.begin() + mark, persons.begin() + mark + 4, [](int m) { return m == 1; }));
    EXPECT_TRUE(verifyReplay(*replay)) << "the actions repeat the games";
    // The replay keeps the marks, and shows them.
    const auto again = decodeReplay(encodeReplay(*replay), "again");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->tracks[0].persons, persons);
    view_.reset();
    stop_.request_stop();
    thread_.join();
    stop_ = std::stop_source();
    ended_ = false;
    replay_ = *replay;
    begin({.replay = &*replay_, .speed = 100});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row > static_cast<std::uint64_t>(mark) + 6; }));
    int shown = 0;
    for (const PlayerRecord& record : frame_.trace) {
        shown += record.source == DecisionSource::person ? 1 : 0;
        EXPECT_NE(record.source, DecisionSource::policy);
    }
    EXPECT_EQ(shown, 4);
    EXPECT_TRUE(contains(refused("act", {{"action", 0}}), "are recorded"));
    EXPECT_TRUE(contains(refused("branch"), "a recorded game cannot branch"));
}

TEST_F(TheatreTest, ConditionsPauseThePlayerAndAreReported) {
    beginPaused("cartpole");
    ask("break", {{"when", "step >= 7 and reward > 0"}});
    ask("resume");
    const Json fired = event("break");
    EXPECT_EQ(fired.value("when", ""), "step >= 7 and reward > 0");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    EXPECT_EQ(frame_.cells[0].now.step, 7);
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["stopped_by"].is_object(); }));
    EXPECT_EQ(status_["stopped_by"]["row"], frame_.row);
    EXPECT_EQ(status_["breaks"].size(), 1u);
    // Steps over the condition stop, too.
    ask("step", {{"count", 1}});
    ASSERT_TRUE(
        until([](const PlayerFrame& f) { return f.cells[0].now.step == 8 || f.cells[0].now.step == 0; }));
    ask("break", {{"clear", 9}});
    EXPECT_TRUE(contains(event("message").value("text", ""), "there is no condition 9"));
    ask("break", {{"clear", true}});
    ask("resume");
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["stopped_by"].is_null() && s["breaks"].empty(); }));
    const std::uint64_t row = frame_.row;
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row > row + 30; }));
    EXPECT_TRUE(
        contains(refused("break", {{"when", "valu < 1"}}), "wrong at character 1: expected end, value"));
    EXPECT_TRUE(contains(refused("break", {{"when", 3}}), "break needs \"when\""));
}

TEST_F(TheatreTest, ABranchIsTheSameGameUntilAnActionDiffers) {
    beginPaused("cartpole", 2);
    ask("focus", {{"env", 1}});
    step(4);
    const std::uint64_t at = frame_.row;
    step(6);
    const std::vector<PlayerRecord> original = frame_.trace;
    const PlayerCell last = frame_.cells[1];
    // From an earlier moment: all games return to it.
    ask("branch", {{"row", at}});
    const Json branched = event("branched");
    EXPECT_EQ(branched.value("cell", 0), 2);
    EXPECT_EQ(branched.value("of", 0), 1);
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.cells.size() == 3 && f.row == at; }));
    EXPECT_EQ(frame_.newest_row, at);
    EXPECT_EQ(frame_.cells[2].scene, frame_.cells[1].scene);
    EXPECT_EQ(frame_.cells[2].now.action, frame_.cells[1].now.action);
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["branches"].size() == 1; }));
    step(6);
    EXPECT_EQ(frame_.cells[1].scene, last.scene) << "the original repeats its future";
    EXPECT_EQ(frame_.cells[2].scene, last.scene) << "and so does the branch";
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_EQ(frame_.trace[frame_.trace.size() - 1 - i].value, original[original.size() - 1 - i].value);
    // A second branch takes the other action.
    const float other = frame_.cells[1].now.action[0] == 0 ? 1.0F : 0.0F;
    ask("branch", {{"action", other}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 4; }));
    EXPECT_EQ(frame_.cells[3].now.action, std::vector<float>{other});
    EXPECT_EQ(frame_.cells[3].now.source, DecisionSource::person);
    step(2);  // the position of the cart changes with the second row
    EXPECT_EQ(frame_.cells[2].scene, frame_.cells[1].scene);
    EXPECT_NE(frame_.cells[3].scene, frame_.cells[1].scene);
    // Its trace contains the common past.
    ask("focus", {{"env", 3}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.focus == 3; }));
    EXPECT_EQ(frame_.trace.front().row, original.front().row);
    EXPECT_EQ((frame_.trace.rbegin() + 2)->source, DecisionSource::person);
    // Stepping back to before the branch shows the games that existed.
    ask("step", {{"count", -9}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 2; }));
    EXPECT_LT(frame_.focus, 2);
    ask("restart");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 2 && f.row == 0; }));
}

TEST_F(TheatreTest, ASeatEndsWithItsBranchAndAnActionWithItsGame) {
    beginPaused("cartpole");
    step(1);
    const std::uint64_t first = frame_.row;
    step(1);
    ask("branch");
    step(2);
    ask("branch");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 3; }));
    ask("focus", {{"env", 2}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.focus == 2; }));
    ask("act", {{"action", 1}, {"rows", 5}});
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["seats"].size() == 1; }));
    // The games return to before both of them, and all seats are free.
    ask("branch", {{"row", first}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.cells.size() == 4 && f.row == first; }));
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["seats"].empty(); }));
    ask("focus", {{"env", 0}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.focus == 0; }));
    step(2);
    EXPECT_EQ(before().source, DecisionSource::policy);

    ask("act", {{"action", 1}, {"rows", 5}});
    ask("restart");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row == 0 && f.cells.size() == 1; }));
    ask("resume");
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["state"] == "waiting" && s["row"] == 0; }))
        << "the action was for the last game";
}

TEST_F(TheatreTest, GamesRepeatWhatTheyDidAfterAReturn) {
    beginPaused("cartpole");
    step(3);
    const std::uint64_t first = frame_.row;
    step(4);
    // A person plays a branch, another one branches from it, and the newest weights play on.
    ask("branch", {{"row", first}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 2; }));
    ask("focus", {{"env", 1}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.focus == 1; }));
    const auto other = [&] { return 1 - frame_.cells[1].now.action[0]; };
    for (int i = 0; i < 4; ++i) {
        ask("act", {{"action", other()}});
        step(1);
    }
    ask("release");
    ask("branch", {{"action", other()}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 3; }));
    step(3);
    const PlayerFrame before = frame_;
    EXPECT_NE(before.cells[1].scene, before.cells[0].scene);
    EXPECT_NE(before.cells[2].scene, before.cells[1].scene);

    // Twice, the second time while they repeat.
    for (const std::uint64_t row : {first - 2, first - 1}) {
        ask("branch", {{"row", row}});
        const std::size_t games = row == first - 2 ? 4 : 5;
        ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.cells.size() == games && f.row == row; }));
        EXPECT_EQ(frame_.cells[2].scene, frame_.cells[0].scene) << "a branch is its original until its row";
        step(2);
    }
    step(static_cast<int>(before.row - frame_.row));
    for (std::size_t cell = 0; cell < 3; ++cell)
        EXPECT_EQ(frame_.cells[cell].scene, before.cells[cell].scene) << cell;
    EXPECT_EQ(frame_.focus, 1);
    ASSERT_EQ(frame_.trace.size(), before.trace.size());
    for (std::size_t i = 0; i < frame_.trace.size(); ++i) {
        EXPECT_EQ(frame_.trace[i].source, before.trace[i].source) << i;
        const bool executed = frame_.trace[i].row < frame_.row;
        EXPECT_TRUE(!executed || frame_.trace[i].action == before.trace[i].action) << i;
    }

    // A person's action ends the repetition of this game only.
    ask("branch", {{"row", first}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.cells.size() == 6 && f.row == first; }));
    ask("act", {{"action", 1}, {"idle", "policy"}});
    step(static_cast<int>(before.row - first));
    EXPECT_NE(frame_.cells[1].scene, before.cells[1].scene);
    EXPECT_EQ(frame_.cells[2].scene, before.cells[2].scene);
}

TEST_F(TheatreTest, TheFirstActionOfABranchIsRepeated) {
    beginPaused("cartpole");
    step(1);
    const std::uint64_t first = frame_.row;
    step(2);
    // Games return before the branch has executed its action.
    ask("branch", {{"action", 1 - frame_.cells[0].now.action[0]}});
    ask("branch", {{"row", first}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.cells.size() == 3 && f.row == first; }));
    step(2);
    EXPECT_EQ(frame_.cells[1].scene, frame_.cells[0].scene);
    step(2);
    EXPECT_NE(frame_.cells[1].scene, frame_.cells[0].scene);
    EXPECT_EQ(frame_.cells[2].scene, frame_.cells[0].scene);

    // A branch that is closed while the games repeat takes its future with it.
    ask("branch", {{"row", first}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.cells.size() == 4 && f.row == first; }));
    ask("close", {{"cell", 1}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.cells.size() == 3; }));
    step(4);
    EXPECT_EQ(frame_.cells[1].scene, frame_.cells[0].scene);

    // Traces are limited.
    step(2100);
    ask("branch", {{"row", first}});
    EXPECT_TRUE(contains(event("refused").value("text", ""), "more than 2048 rows ago"));
}

TEST_F(TheatreTest, AClosedBranchNoLongerHasStoppedTheGame) {
    beginPaused("cartpole");
    ask("branch");
    ask("branch");
    ask("focus", {{"env", 2}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 3 && f.focus == 2; }));
    ask("break", {{"when", "step >= 3"}});
    ask("resume");
    const auto isStoppedBy = [&](int env) {
        return untilStatus(
            [&](const Json& s) { return s["stopped_by"].is_object() && s["stopped_by"]["env"] == env; });
    };
    ASSERT_TRUE(isStoppedBy(2));
    ask("close", {{"cell", 1}});
    ASSERT_TRUE(isStoppedBy(1)) << "the game has moved up";
    ask("close", {{"cell", 1}});
    ASSERT_TRUE(
        untilStatus([](const Json& s) { return s["stopped_by"].is_null() && s["branches"].empty(); }));
}

TEST_F(TheatreTest, AClosedBranchIsInNoRow) {
    beginPaused("tic_tac_toe");
    ask("restart");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row == 0; }));
    for (int i = 0; i < 3; ++i) {
        const std::vector<float>& shown = frame_.cells[0].now.shown;  // 0: not allowed
        std::size_t other = 0;
        while (shown[other] == 0 || other == static_cast<std::size_t>(frame_.cells[0].now.action[0])) ++other;
        ask("branch", {{"action", other}});
        step(2);
    }
    ask("focus", {{"env", 3}});
    ask("branch");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 5 && f.focus == 3; }));
    const PlayerFrame before = frame_;
    for (const int cell : {0, 3, 9}) {
        ask("close", {{"cell", cell}});
        EXPECT_TRUE(
            contains(event("refused").value("text", ""), cell == 3 ? "close that first" : "is not a branch"));
    }
    ask("close", {{"cell", 2}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 4; }));
    EXPECT_EQ(frame_.focus, 2);
    EXPECT_EQ(frame_.cells[2].scene, before.cells[3].scene);
    ask("step", {{"count", -1}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == before.row - 1; }));
    EXPECT_EQ(frame_.cells.size(), 3u);
    // The states of earlier rows moved, too.
    ask("branch");
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.cells.size() == 5 && f.row == before.row - 1; }));
    step(1);
    EXPECT_EQ(frame_.cells[1].scene, before.cells[1].scene);
    EXPECT_EQ(frame_.cells[2].scene, before.cells[3].scene);
    ASSERT_TRUE(untilStatus([](const Json& s) { return s["branches"].size() == 4; }));
    EXPECT_EQ(status_["branches"][2]["of"], 2) << "of the game that moved up";
}

TEST_F(TheatreTest, BranchesThatAreImpossibleSayWhy) {
    beginPaused("cartpole");
    ask("branch", {{"row", 100000}});
    EXPECT_TRUE(contains(event("refused").value("text", ""), "row 100000 is not stored"));
    EXPECT_TRUE(contains(refused("branch", {{"action", "jump"}}), "unknown action 'jump'"));
    for (int i = 0; i < 8; ++i) ask("branch");
    ask("branch");
    EXPECT_TRUE(contains(event("refused").value("text", ""), "there are 8 branches already"));
}

TEST_F(TheatreTest, TheFirstActionOfABranchMustBeAllowed) {
    beginPaused("tic_tac_toe");
    ask("restart");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row == 0; }));
    ask("branch", {{"action", "wait"}});
    EXPECT_TRUE(contains(event("refused").value("text", ""), "'wait' is not allowed now; allowed: 0 "));
    step(1);
    // Of an earlier row: its own mask counts, and the games do not return to it.
    ask("branch", {{"row", 0}, {"action", "wait"}});
    EXPECT_TRUE(contains(event("refused").value("text", ""), "'wait' is not allowed now"));
    step(1);
    EXPECT_EQ(frame_.newest_row, 2u);
    EXPECT_EQ(frame_.cells.size(), 1u);
    ask("branch", {{"row", 0}, {"action", 4}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 2 && f.row == 0; }));
    EXPECT_EQ(frame_.cells[1].now.action, std::vector<float>{4});
}

// CartPole without saved state, like some environments in other programs.
class ForgetfulCartPole final : public BatchDecorator {
public:
    using BatchDecorator::BatchDecorator;
    bool canArchive() const override { return false; }
};

void registerForgetfulCartPole() {
    if (findEnv("forgetful_cartpole")) return;
    const EnvEntry& cartpole = *findEnv("cartpole").value();
    EnvEntry entry = cartpole;
    entry.id = "forgetful_cartpole";
    entry.aliases.clear();
    entry.spec = [&cartpole](const Json& params) -> Result<EnvSpec> {
        SEEDBED_ASSIGN(EnvSpec spec, cartpole.spec(params));
        spec.id = "forgetful_cartpole";
        return spec;
    };
    entry.makeLocal = nullptr;
    entry.make = [&cartpole, spec = entry.spec](const Json& params,
                                                int count) -> Result<std::unique_ptr<EnvBatch>> {
        SEEDBED_ASSIGN(auto inner, cartpole.makeLocal(params, count));
        SEEDBED_ASSIGN(EnvSpec described, spec(params));
        return std::make_unique<ForgetfulCartPole>(std::move(inner), std::move(described));
    };
    envRegistry().add(std::move(entry));
}

// Settings list the environments that exist when they are first used, so it is registered before any test.
class Registration final : public ::testing::Environment {
public:
    void SetUp() override { registerForgetfulCartPole(); }
};
[[maybe_unused]] const auto* const registration = ::testing::AddGlobalTestEnvironment(new Registration);

TEST_F(TheatreTest, EnvironmentsWithoutSavedStateCannotBranch) {
    beginPaused("forgetful_cartpole");
    EXPECT_TRUE(contains(refused("branch"), "cannot save its state"));
    EXPECT_TRUE(contains(view_->about()["no_branch"].get<std::string>(), "cannot save its state"));
    step(2);
}

TEST_F(TheatreTest, TheSameGameIsShownWithEarlierWeights) {
    beginPaused("cartpole");
    const std::int64_t newest = frame_.weights_steps;
    ask("weights", {{"step", 1}});
    const std::int64_t shown = event("weights").value("steps", std::int64_t{-1});
    EXPECT_LE(shown, newest);
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == 0 && f.weights_steps == shown; }));
    ask("weights", {{"step", -1}});
    EXPECT_EQ(event("weights").value("steps", std::int64_t{-1}), newest);
    EXPECT_TRUE(contains(refused("weights", {{"step", "soon"}}), "step must be a number"));
    // The run is deleted while it is watched: the game continues, and the message states the reason.
    std::filesystem::remove_all(folder() / "checkpoints");
    ask("weights", {{"step", 1}});
    EXPECT_TRUE(contains(event("refused").value("text", ""), "were removed"));
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == 0 && f.weights_steps == newest; }));
    step(3);
}

TEST_F(TheatreTest, TheLastSecondsBecomeAFilm) {
    beginPaused("cartpole");
    step(40);
    const Path gif = film("last.gif");
    ask("record", {{"file", gif.string()}, {"seconds", 1}, {"size", 64}});
    const Json done = event("recorded");
    EXPECT_EQ(done.value("frames", 0), 30);
    const auto bytes = readFile(files_, gif, 1 << 24);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->substr(0, 6), "GIF89a");
    ask("record", {{"file", film("part.gif").string()},
                   {"from", frame_.row - 9},
                   {"to", frame_.row - 5},
                   {"thoughts", true}});
    EXPECT_EQ(event("recorded").value("frames", 0), 5);
    ask("record", {{"file", film("none.gif").string()}, {"from", 5000}, {"to", 5001}});
    EXPECT_TRUE(contains(event("record_failed").value("text", ""), "there are no rows to record"));
    EXPECT_TRUE(
        contains(refused("record", {{"file", film("x.avi").string()}}), "must end with .gif or .mp4"));
    EXPECT_TRUE(contains(refused("record", {{"file", "x.gif"}}), "absolute path"));
    EXPECT_TRUE(contains(refused("record", {{"file", "/x.gif"}, {"from", 3}, {"to", 1}}), "larger than to"));
    ask("record", {{"file", "/nowhere/at/all/x.gif"}});
    EXPECT_FALSE(event("record_failed").value("text", "").empty());
}

}  // namespace
}  // namespace seedbed
