// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_verdict.hpp"

#include "tests/ui/models/ui_fixture.hpp"

namespace seedbed::testing {
namespace {

using namespace ui;  // NOLINT(google-build-using-namespace): a test of one namespace
using Kind = RunVerdict::Kind;

EvaluationRecord evaluated(std::int64_t step, double mean) {
    EvaluationRecord record;
    record.step = step;
    record.mean = mean;
    return record;
}

TEST(RunVerdict, StatesTheStepOfTheGoalOrTheReasonOfTheEnd) {
    // The order of rows is not that of steps after a resume.
    const std::vector<EvaluationRecord> rows{evaluated(3000, 480), evaluated(1000, 100), evaluated(2000, 475),
                                             evaluated(4000, 90)};
    RunRecord run;
    run.status = RunStatus::running;
    EXPECT_EQ(solvedAt(rows, 475), 2000);
    EXPECT_EQ(solvedAt(rows, 481), std::nullopt);
    const RunVerdict solved = runVerdict(run, rows, 475, OtherRuns{.runs = 1, .later = 1});
    EXPECT_EQ(solved.kind, Kind::solved);
    EXPECT_EQ(solved.step, 2000);
    EXPECT_EQ(solved.text, QStringLiteral("Solved at 2,000 steps.")) << "one other run is not enough";
    EXPECT_EQ(runVerdict(run, rows, 475, OtherRuns{.runs = 10, .later = 9}).text,
              QStringLiteral(
                  "Solved at 2,000 steps, sooner than 9 of 10 other finished runs of this environment."));
    EXPECT_EQ(runVerdict(run, rows, 500, {}).kind, Kind::none) << "it may still reach it";
    run.status = RunStatus::finished;
    EXPECT_EQ(runVerdict(run, rows, 500, {}).text, QStringLiteral("Not solved yet: best 480 of 500."));
    EXPECT_FALSE(runVerdict(run, rows, 500, {}, 22).like_random);
    EXPECT_TRUE(runVerdict(run, rows, 500, {}, 490).like_random);
    EXPECT_EQ(runVerdict(run, rows, std::nullopt, {}).kind, Kind::none);
    EXPECT_EQ(runVerdict(run, {}, 475, {}).kind, Kind::none);
    run.status = RunStatus::interrupted;
    run.status_text = kStoppedOnRequest;
    EXPECT_EQ(runVerdict(run, rows, 500, {}).kind, Kind::none) << "the user knows why";
    run.status_text = "no space left";
    EXPECT_EQ(runVerdict(run, rows, 475, {}).kind, Kind::interrupted);
    run.status = RunStatus::failed;
    EXPECT_EQ(runVerdict(run, rows, 475, {}).text, QStringLiteral("no space left"));
}

class VerdictTest : public UiTest {};

TEST_F(VerdictTest, OtherFinishedRunsOfTheEnvironmentAreCounted) {
    // Evaluated at the steps 640, 320, 1280 (missed the goal), 640 (no evaluation), 320 (elsewhere).
    const RunId run = makeRun({.seed = 1, .points = 10, .checkpoint = true, .evaluation = 100});
    makeRun({.seed = 2, .points = 5, .checkpoint = true, .evaluation = 100});
    makeRun({.seed = 3, .points = 20, .checkpoint = true, .evaluation = 99});
    makeRun({.seed = 4, .points = 10});
    makeRun({.env = "pendulum", .seed = 5, .points = 5, .checkpoint = true, .evaluation = 100});
    StoreReader reader = must(StoreReader::open(folder()));
    const OtherRuns others = must(compareSolved(reader, must(reader.run(run)), 640, 100));
    EXPECT_EQ(others.runs, 2);
    EXPECT_EQ(others.later, 1) << "the one that never reached it";
}

}  // namespace
}  // namespace seedbed::testing
