// SPDX-License-Identifier: Apache-2.0
// Tests the names of runs and the words for their success.
#include <gtest/gtest.h>

#include "core/store/store_reader.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/score_text.hpp"

namespace seedbed::testing {
namespace {

using namespace ui;  // NOLINT(google-build-using-namespace): a test of one namespace

TEST(RunTitle, ARunHasItsNameOrTheNumberOfItsEnvironment) {
    RunRecord run;
    run.id = 3;
    run.seed = 7;
    run.env = "gym:/home/me/my_env.py:MyEnv";
    run.algo = "vtrace";
    EXPECT_EQ(runTitle(run), QStringLiteral("MyEnv · run 3"));
    EXPECT_EQ(runEntry(run), runTitle(run));
    EXPECT_EQ(runFacts(run), QStringLiteral("V-trace · seed 7"));
    run.name = "first";
    EXPECT_EQ(runTitle(run), QStringLiteral("first"));
    EXPECT_EQ(runEntry(run), QStringLiteral("first · MyEnv · run 3")) << "runs may have the same name";
    EXPECT_EQ(runFacts(run), QStringLiteral("MyEnv · run 3 · V-trace · seed 7"));
    EXPECT_EQ(envTitle("atari:space_invaders"), QStringLiteral("Space invaders"));
    EXPECT_EQ(algoTitle("ppo"), QStringLiteral("PPO"));
}

TEST(ScoreText, AShareOfTheGoalIsStatedOnlyIfItHasAMeaning) {
    EXPECT_EQ(notSolvedText(0.581, 1), QStringLiteral("Not solved yet: best 0.58 of 1"));
    EXPECT_EQ(notSolvedText(466.41, 475), QStringLiteral("Not solved yet: best 466.4 of 475"));
    EXPECT_EQ(notSolvedText(-0.968, 0.8), QStringLiteral("Not solved yet: best −0.97, goal 0.8"));
    EXPECT_EQ(notSolvedText(-200, -110), QStringLiteral("Not solved yet: best −200, goal −110"));
    EXPECT_EQ(notSolvedText(5, 0), QStringLiteral("Not solved yet: best 5, goal 0"));
    // The best score never looks like the goal.
    EXPECT_EQ(notSolvedText(0.949, 0.95), QStringLiteral("Not solved yet: best 0.949 of 0.95"));
    EXPECT_EQ(notSolvedText(474.99, 475), QStringLiteral("Not solved yet: best 474.99 of 475"));
    EXPECT_EQ(solvedAtText(20214), QStringLiteral("Solved at 20,214 steps"));
    EXPECT_EQ(solvedAboutText(20214), QStringLiteral("Solved at 20.2k steps"));
}

}  // namespace
}  // namespace seedbed::testing
