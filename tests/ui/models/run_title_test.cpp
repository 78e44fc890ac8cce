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
    EXPECT_EQ(notSolvedText(-5, 0), QStringLiteral("Not solved yet: best −5, goal 0"));
    // The mean of several runs, of which one misses the goal.
    EXPECT_EQ(notSolvedText(4.38, 4.2), QStringLiteral("Not solved in every run"));
    // The best score never looks like the goal.
    EXPECT_EQ(notSolvedText(0.949, 0.95), QStringLiteral("Not solved yet: best 0.949 of 0.95"));
    EXPECT_EQ(notSolvedText(474.99, 475), QStringLiteral("Not solved yet: best 474.99 of 475"));
    EXPECT_EQ(solvedAtText(20214), QStringLiteral("Solved at 20,214 steps"));
    EXPECT_EQ(solvedAboutText(20214), QStringLiteral("Solved at 20.2k steps"));
}

TEST(CheckpointText, NamesTheBestEvaluationOfTheRunIfAnotherOneScoredTheCheckpoint) {
    CheckpointRecord checkpoint;
    const auto text = [&](std::optional<double> best) {
        return checkpointText(QStringLiteral("Step 5"), checkpoint, best).toStdString();
    };
    EXPECT_EQ(text(454.6), "Step 5");
    checkpoint.score = 452.2;
    EXPECT_EQ(text(454.6), "Step 5, return 452.2") << "not the best checkpoint";
    checkpoint.best = true;
    EXPECT_EQ(text(454.6), "Step 5, return 452.2 (best; 454.6 in an earlier evaluation)");
    EXPECT_EQ(text(452.2), "Step 5, return 452.2 (best)");
    EXPECT_EQ(text(std::nullopt), "Step 5, return 452.2 (best)");
    RunRecord run;
    run.best_return = 454.6;
    run.return_source = "training";
    EXPECT_EQ(bestEvaluation(&run), std::nullopt);
    run.return_source = "evaluation";
    EXPECT_EQ(bestEvaluation(&run), 454.6);
}

}  // namespace
}  // namespace seedbed::testing
