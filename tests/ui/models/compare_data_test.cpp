// SPDX-License-Identifier: Apache-2.0
// Tests the data of comparisons: groups, statistics and differences of stored runs.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/doctor/findings.hpp"
#include "core/analysis/load_run.hpp"
#include "tests/ui/models/ui_fixture.hpp"
#include "ui/models/compare/explanation.hpp"
#include "ui/models/compare_data.hpp"
#include "ui/models/compare_text.hpp"

namespace seedbed::testing {
namespace {

using namespace ui;  // NOLINT(google-build-using-namespace): a test of one namespace

class CompareDataTest : public UiTest {
protected:
    CompareData compared(const std::vector<RunId>& runs, const QString& baseline = {}) {
        StoreReader reader = must(StoreReader::open(folder()));
        return compareRead(must(readCompared(reader, runs)), baseline);
    }
};

TEST(Explanations, EveryStatisticHasItsOwnDefinition) {
    std::set<QString> names, limits;
    for (int i = 0; i < static_cast<int>(Statistic::count); ++i) {
        const auto parts = definitionOf(static_cast<Statistic>(i));
        names.insert(nameOf(static_cast<Statistic>(i)));
        limits.insert(parts.back().text);
        for (const Explanation::Part& part : parts) EXPECT_FALSE(part.text.isEmpty()) << i;
        EXPECT_GE(parts.size(), 2U) << "how, and its limits";
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(Statistic::count));
    EXPECT_EQ(limits.size(), names.size());
    EXPECT_FALSE(names.contains(QString()));
}

TEST_F(CompareDataTest, GroupsAndNumbersAreThoseOfTheCommandLine) {
    std::vector<RunId> runs;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        for (const double rate : {0.001, 0.01})
            runs.push_back(makeRun({.seed = seed,
                                    .learning_rate = rate,
                                    .points = 20,
                                    .checkpoint = true,
                                    .evaluation = rate * 10000 + static_cast<double>(seed)}));
    const CompareData data = compared(runs);
    ASSERT_EQ(data.groups.size(), 2U);
    EXPECT_EQ(data.groups[0].label, QStringLiteral("learning_rate=0.001"));
    StoreReader reader = must(StoreReader::open(folder()));
    // The evaluations are 11 to 15, and 101 to 105.
    const auto goals = [&](double goal) {
        QStringList texts;
        const CompareData with =
            compareRead(must(readCompared(reader, runs, ScoreAt::common_step, {{"cartpole", goal}})), {});
        for (const ComparedGroup& group : with.groups) texts << goalText(with, group);
        return texts.join(QStringLiteral("; "));
    };
    EXPECT_EQ(goals(13), QStringLiteral("Solved by 3 of 5; Solved at 1.28k steps"));
    EXPECT_EQ(goals(1000), QStringLiteral("Not solved yet; Not solved yet"));
    EXPECT_EQ(goalText(data, data.groups[0]), QString()) << "without a goal";
    std::vector<RunScore> scores;
    for (const RunId run : runs) scores.push_back(must(loadScore(reader, run)));
    const Comparison expected = compareRuns(scores);
    for (std::size_t g = 0; g < 2; ++g) {
        ASSERT_TRUE(data.groups[g].statistics);
        EXPECT_EQ(data.groups[g].statistics->centre, expected.groups[g].centre);
        EXPECT_EQ(data.groups[g].statistics->ci_low, expected.groups[g].ci_low);
    }
    EXPECT_TRUE(data.groups[0].baseline);
    EXPECT_EQ(data.groups[1].difference->difference, expected.differences[1].difference);
    EXPECT_EQ(data.groups[1].difference->verdict, GroupDifference::Verdict::better);
    // The other baseline inverts the verdict; group keys stay the same.
    const CompareData turned = compared(runs, data.groups[1].key);
    EXPECT_TRUE(turned.groups[1].baseline);
    EXPECT_EQ(turned.groups[0].difference->verdict, GroupDifference::Verdict::worse);
    EXPECT_EQ(turned.groups[0].key, data.groups[0].key);
    // Excluding the runs of one group does not change the numbers of the others.
    std::vector<RunId> half;
    for (std::size_t i = 0; i < runs.size(); i += 2) half.push_back(runs[i]);
    const CompareData alone = compared(half);
    EXPECT_EQ(alone.groups[0].statistics->centre, data.groups[0].statistics->centre);
    EXPECT_EQ(alone.groups[0].key, data.groups[0].key);
}

TEST_F(CompareDataTest, EqualSettingsAreHiddenUnlessAllAreRequested) {
    const RunId a = makeRun({.seed = 1, .learning_rate = 0.001, .points = 2}),
                b = makeRun({.seed = 2, .learning_rate = 0.02, .points = 2});
    const CompareData data = compared({a, b});
    const DifferenceTable differing = differenceTable(data.groups, false),
                          all = differenceTable(data.groups, true);
    EXPECT_EQ(differing.fields, QStringList{QStringLiteral("algo.learning_rate")});
    EXPECT_EQ(differing.values[0], (QStringList{QStringLiteral("0.001"), QStringLiteral("0.02")}));
    // The fields are env.id, algo.id and algo.learning_rate: seed and length do not define groups.
    EXPECT_EQ(all.fields.size(), 3);
}

TEST_F(CompareDataTest, SavedTablesHaveThePValueInAColumn) {
    const RunId a = makeRun({.seed = 1, .points = 2, .checkpoint = true}),
                b = makeRun({.seed = 1, .learning_rate = 0.02, .points = 2, .checkpoint = true});
    const CompareData data = compared({a, b});
    const QStringList lines = compareCsv(data).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 3);
    const auto column = lines[0].split(QLatin1Char(',')).indexOf(QStringLiteral("p_value"));
    ASSERT_GE(column, 0);
    EXPECT_EQ(lines[1].split(QLatin1Char(',')).value(column), QString()) << "the baseline has no p-value";
    // The verdict contains no comma.
    EXPECT_EQ(lines[2].split(QLatin1Char(',')).value(column), QStringLiteral("1")) << lines[2].toStdString();
    for (const QString& row : compareMarkdown(data).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        EXPECT_EQ(row.count(QLatin1Char('|')), 9) << row.toStdString();
}

TEST_F(CompareDataTest, WithFewSeedsNewSeedsAreSuggested) {
    const RunId a = makeRun({.seed = 1, .points = 2, .checkpoint = true}),
                b = makeRun({.seed = 3, .learning_rate = 0.02, .points = 2, .checkpoint = true});
    const CompareData data = compared({a, b});
    EXPECT_EQ(data.groups[1].difference->verdict, GroupDifference::Verdict::too_few);
    EXPECT_EQ(seedsToAdd(data.groups[1], data.groups[0]), 4);
    EXPECT_EQ(nextSeeds(data, data.groups[1], 3),
              (QStringList{QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4")}));
}

TEST_F(CompareDataTest, RunsOfOneSeedAreOneSampleInTablesAndOneCurveInCharts) {
    const RunId a = makeRun({.seed = 1, .points = 2, .checkpoint = true}),
                b = makeRun({.seed = 1, .points = 2, .checkpoint = true}),
                c = makeRun({.seed = 2, .points = 2, .checkpoint = true});
    const CompareData data = compared({a, b, c});
    ASSERT_EQ(data.groups.size(), 1U);
    EXPECT_EQ(data.groups[0].runs, (std::vector<RunId>{a, b, c}));
    EXPECT_EQ(data.groups[0].drawn, (std::vector<RunId>{b, c}));
    EXPECT_EQ(data.groups[0].statistics->scores.size(), 2U);
    EXPECT_FALSE(data.groups[0].statistics->note.empty());
}

TEST_F(CompareDataTest, RunsOfDifferentLengthsAreComparedAtTheCommonStep) {
    // Evaluated every 1,000 steps; the score is the step in thousands, plus a tenth of that for the second
    // configuration.
    const auto evaluated = [&](std::uint64_t seed, double rate, int thousands) {
        NewRun run;
        run.env = "cartpole";
        run.algo = "ppo";
        run.seed = seed;
        run.config = {{"env", {{"id", "cartpole"}}},
                      {"algo", {{"id", "ppo"}, {"learning_rate", rate}}},
                      {"run", {{"seed", seed}}}};
        auto [store, owned, writer] = beginRun(folder(), run);
        for (int i = 1; i <= thousands; ++i)
            writer->evaluation({.step = 1000 * i + 3,
                                .time = 1.7e9,
                                .mean = i * (rate > 0.005 ? 1.1 : 1),
                                .episodes = {{1.0, 10}}});
        writer->status(RunStatus::finished, "");
        must(writer->flush());
        return owned.id;
    };
    const std::vector<RunId> runs{evaluated(1, 0.001, 30), evaluated(2, 0.001, 10), evaluated(1, 0.01, 10),
                                  evaluated(2, 0.01, 20)};
    StoreReader reader = must(StoreReader::open(folder()));
    const CompareData fair = compareRead(must(readCompared(reader, runs)), {});
    EXPECT_TRUE(fair.aligned);
    EXPECT_EQ(fair.common_steps, std::vector<std::int64_t>{10'003});
    EXPECT_EQ(fair.groups[0].statistics->scores, (std::vector<double>{10, 10}));
    EXPECT_EQ(fair.groups[1].statistics->scores, (std::vector<double>{11, 11}));
    EXPECT_EQ(fair.groups[0].statistics->last_steps, 10'003);
    EXPECT_TRUE(fair.groups[0].statistics->note.empty()) << fair.groups[0].statistics->note;
    EXPECT_EQ(fair.groups[1].difference->text.find("different numbers of steps"), std::string::npos);
    EXPECT_TRUE(compareCsv(fair).contains(QStringLiteral(",10003,10003,"))) << compareCsv(fair).toStdString();
    EXPECT_TRUE(compareMarkdown(fair).contains(QStringLiteral("Scores at step 10003")));
    const CompareData last = compareRead(must(readCompared(reader, runs, ScoreAt::last_step)), {});
    EXPECT_FALSE(last.aligned);
    EXPECT_EQ(last.common_steps, std::vector<std::int64_t>{10'003}) << "the step can still be selected";
    EXPECT_EQ(last.groups[0].statistics->scores, (std::vector<double>{30, 10}));
    EXPECT_FALSE(last.groups[0].statistics->note.empty());
    // With equal numbers of steps there is nothing to choose.
    const CompareData equal = compareRead(must(readCompared(reader, {runs[1], runs[2]})), {});
    EXPECT_FALSE(equal.aligned);
    EXPECT_TRUE(equal.common_steps.empty());
    // A run without evaluations is scored by its last 100 episodes before the step.
    const RunId episodes = makeRun({.seed = 3, .points = 500}), early = makeRun({.seed = 4, .points = 200});
    const LoadedScores loaded = must(loadScores(reader, {episodes, early}, ScoreAt::common_step));
    EXPECT_EQ(loaded.common_steps, std::vector<std::int64_t>{200 * 64});
    EXPECT_DOUBLE_EQ(loaded.scores[0]->score, loaded.scores[1]->score);
    EXPECT_EQ(loaded.scores[0]->steps, 200 * 64);
}

TEST_F(CompareDataTest, ThePlannedLengthSeparatesGroupsOnlyAtTheLastStepOfEachRun) {
    const auto planned = [&](std::uint64_t seed, int steps) {
        NewRun run;
        run.env = "cartpole";
        run.algo = "ppo";
        run.seed = seed;
        run.config = {{"env", {{"id", "cartpole"}}},
                      {"algo", {{"id", "ppo"}, {"lr_horizon", 9000}}},
                      {"run", {{"seed", seed}, {"steps", steps}}}};
        auto [store, owned, writer] = beginRun(folder(), run);
        for (int step = 1000; step <= steps; step += 1000)
            writer->evaluation({.step = step, .time = 1.7e9, .mean = 1.0 * step, .episodes = {{1.0, 10}}});
        must(writer->flush());
        return owned.id;
    };
    const std::vector<RunId> runs{planned(1, 3000), planned(2, 9000)};
    StoreReader reader = must(StoreReader::open(folder()));
    EXPECT_EQ(compareRead(must(readCompared(reader, runs)), {}).groups.size(), 1U);
    EXPECT_EQ(compareRead(must(readCompared(reader, runs, ScoreAt::last_step)), {}).groups.size(), 2U);
}

TEST_F(CompareDataTest, TheDoctorFindsACollapseInEvaluationsOfAStoredRun) {
    const RunId id = makeRun({.points = 10});
    const auto evaluate = [&](int from, int to, double mean) {
        auto lock = must(RunLock::acquire(folder(), id));
        auto writer = must(RunWriter::open(folder(), lock, {}));
        for (int i = from; i < to; ++i)
            writer->evaluation({.step = 64 * (i + 1),
                                .time = 1.7e9 + i,
                                .mean = mean,
                                .std = 10,
                                .episodes = {{mean, 10}, {mean, 10}}});
        must(writer->flush());
    };
    evaluate(0, 3, 20);
    evaluate(3, 9, 400);
    evaluate(9, 11, 30);
    StoreReader reader = must(StoreReader::open(folder()));
    const auto collapsed = [&] {
        const std::vector<Finding> findings = diagnose(must(loadView(reader, id)));
        return std::any_of(findings.begin(), findings.end(),
                           [](const Finding& one) { return one.rule == "collapse"; });
    };
    EXPECT_FALSE(collapsed()) << "two bad evaluations are not enough";
    evaluate(11, 12, 30);
    EXPECT_TRUE(collapsed());
}

TEST_F(CompareDataTest, RunsWithoutEpisodesHaveNoNumbersAndDeletedRunsAreOmitted) {
    const RunId a = makeRun({.seed = 1}), b = makeRun({.seed = 1, .learning_rate = 0.02, .points = 3});
    const CompareData data = compared({a, b, 99});
    ASSERT_EQ(data.groups.size(), 2U);
    EXPECT_FALSE(data.groups[0].statistics);
    EXPECT_TRUE(data.groups[1].statistics);
    EXPECT_EQ(data.unscored, 1);
    EXPECT_TRUE(data.some_training);
    EXPECT_TRUE(compareCsv(data).contains(QStringLiteral("learning_rate=0.02")));
    EXPECT_TRUE(compareMarkdown(data).contains(QStringLiteral("no score yet")));
    const QStringList latex = compareLatex(data).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    ASSERT_EQ(latex.size(), static_cast<qsizetype>(data.groups.size()) + 6);
    EXPECT_EQ(latex[0], QStringLiteral("\\begin{tabular}{lrrrrrr}"));
    EXPECT_TRUE(latex[4].contains(QStringLiteral(" & "))) << latex[4].toStdString();
    EXPECT_TRUE(latex.join(QLatin1Char('\n')).contains(QStringLiteral(" & 0 &  &  &  &  & ")));
    EXPECT_EQ(compared({}).groups.size(), 0U);
}

}  // namespace
}  // namespace seedbed::testing
