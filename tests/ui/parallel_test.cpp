// SPDX-License-Identifier: Apache-2.0
// Tests parallel coordinates and the importance of settings in the comparison.
#include <cmath>
#include <memory>
#include <vector>

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableWidget>
#include <QTest>

#include "tests/ui/compare_fixture.hpp"
#include "ui/models/sweep/parallel_data.hpp"
#include "ui/views/compare/parallel_plot.hpp"
#include "ui/views/compare/parallel_view.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"

namespace seedbed::testing {
namespace {

ui::CompareData sweepOf(const std::vector<std::pair<Json, std::optional<double>>>& runs) {
    ui::ComparedRuns read;
    for (const auto& [algo, score] : runs) {
        ui::ComparedRun run;
        run.record.id = static_cast<RunId>(read.runs.size() + 1);
        run.record.env = "cartpole";
        run.group_config = {{"env", {{"id", "cartpole"}}}, {"algo", algo}};
        if (score)
            run.score =
                RunScore{.id = run.record.id, .name = {}, .config = run.group_config, .score = *score};
        read.runs.push_back(std::move(run));
    }
    return compareRead(std::move(read), {});
}

// Four runs; the last one has neither a score nor the setting "layers".
ui::CompareData fourRuns() {
    return sweepOf({{{{"id", "ppo"}, {"rate", 0.001}, {"gamma", 0.9}, {"layers", {64, 64}}, {"same", 1}}, 10},
                    {{{"id", "ppo"}, {"rate", 0.01}, {"gamma", 0.95}, {"layers", {32}}, {"same", 1}}, 20},
                    {{{"id", "ppo"}, {"rate", 0.1}, {"gamma", 1.0}, {"layers", {64, 64}}, {"same", 1}}, 40},
                    {{{"id", "dqn"}, {"rate", 0.1}, {"gamma", 0.9}, {"same", 1}}, std::nullopt}});
}

TEST(ParallelData, AxesAreLinearLogarithmicOrCategories) {
    const ui::ParallelData data = ui::parallelData(fourRuns());
    QStringList titles;
    std::vector<ui::ParallelAxis::Scale> scales;
    for (const ui::ParallelAxis& axis : data.axes) {
        titles << axis.title;
        scales.push_back(axis.scale);
    }
    EXPECT_EQ(titles.join(QLatin1Char(' ')), QStringLiteral("algo rate gamma layers Score"));
    using enum ui::ParallelAxis::Scale;
    EXPECT_EQ(scales, (std::vector{categories, logarithmic, linear, categories, linear}));
    EXPECT_NEAR(data.lines[1].places[1], 0.5, 1e-12);  // 0.01 is halfway between 0.001 and 0.1
    EXPECT_NEAR(data.lines[1].places[2], 0.5, 1e-12);
    EXPECT_NEAR(data.lines[1].score(), 1. / 3, 1e-12);
    EXPECT_EQ(data.axes[1].textAt(0.5), QStringLiteral("0.01"));
    EXPECT_EQ(data.axes[3].categories, (QStringList{QStringLiteral("64,64"), QStringLiteral("32")}));
    EXPECT_TRUE(std::isnan(data.lines[3].places[3]));
    EXPECT_TRUE(std::isnan(data.lines[3].score()));
    EXPECT_EQ(data.lines[3].texts[3], QStringLiteral("–"));
}

TEST(ParallelData, AtMostTwentySettingsHaveAxes) {
    Json low = Json::object(), high = Json::object();
    for (int i = 0; i < 25; ++i) {
        low["s" + std::to_string(i)] = 0;
        high["s" + std::to_string(i)] = 1;
    }
    const ui::ParallelData data = ui::parallelData(sweepOf({{low, 1}, {high, 2}}));
    EXPECT_EQ(data.axes.size(), 21U);
    EXPECT_EQ(data.more_settings, 5);
    EXPECT_TRUE(ui::parallelData(sweepOf({{low, 1}, {low, 2}})).axes.empty());
}

class ParallelPlotTest : public ::testing::Test {
protected:
    ParallelPlotTest() {
        plot.resize(800, 400);
        plot.setData(ui::parallelData(fourRuns()));
        plot.show();
    }
    std::vector<bool> inside() const {
        std::vector<bool> lines;
        for (std::size_t i = 0; i < plot.data().lines.size(); ++i) lines.push_back(plot.isInside(i));
        return lines;
    }
    ui::Theme theme;
    ui::ParallelPlot plot{theme};
};

TEST_F(ParallelPlotTest, DraggingSelectsARangeAndAClickClearsIt) {
    const QPoint low = plot.pointOf(1, 1).toPoint(), top = plot.pointOf(2, 1).toPoint();
    QTest::mousePress(&plot, Qt::LeftButton, {}, low + QPoint(0, 4));
    QTest::mouseMove(&plot, top - QPoint(0, 4));
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, top - QPoint(0, 4));
    EXPECT_EQ(inside(), (std::vector{false, true, true, true}));
    // A run without a value is outside.
    plot.setRange(3, std::pair(0.0, 1.0));
    EXPECT_EQ(inside(), (std::vector{false, true, true, false}));
    QTest::mouseClick(&plot, Qt::LeftButton, {}, low);
    EXPECT_EQ(inside(), (std::vector{true, true, true, false}));
    EXPECT_TRUE(plot.hasRanges());
    plot.clearRanges();
    EXPECT_FALSE(plot.hasRanges());
}

TEST_F(ParallelPlotTest, ThePointerShowsARunAndADoubleClickOpensIt) {
    const QPoint between = (0.8 * plot.pointOf(1, 1) + 0.2 * plot.pointOf(1, 2)).toPoint();
    QTest::mouseMove(&plot, between);
    EXPECT_EQ(plot.shown(), 1U);
    EXPECT_EQ(plot.textOf(plot.shown()),
              QStringLiteral("CartPole · run 2: algo ppo, rate 0.01, gamma 0.95, layers 32, Score 20"));
    const QSignalSpy opened(&plot, &ui::ParallelPlot::runRequested);
    QTest::mouseDClick(&plot, Qt::LeftButton, {}, between);
    ASSERT_EQ(opened.size(), 1);
    EXPECT_EQ(opened[0][0].toLongLong(), 2);
}

TEST_F(ParallelPlotTest, KeysDoWhatThePointerDoes) {
    QTest::keyClick(&plot, Qt::Key_Up);
    EXPECT_EQ(plot.shown(), 2U) << "the best run";
    QTest::keyClick(&plot, Qt::Key_Down);
    EXPECT_EQ(plot.shown(), 1U);
    QTest::keyClick(&plot, Qt::Key_PageDown);  // on the axis of the score
    EXPECT_EQ(inside(), (std::vector{false, true, true, false}));
    EXPECT_TRUE(plot.accessibleDescription().contains(QStringLiteral("2 run(s) inside the ranges.")));
    EXPECT_TRUE(plot.accessibleDescription().contains(QStringLiteral("CartPole · run 2: ")));
    for (int i = 0; i < 3; ++i) QTest::keyClick(&plot, Qt::Key_Left);
    QTest::keyClick(&plot, Qt::Key_PageUp);  // rate
    EXPECT_EQ(inside(), (std::vector{false, true, false, false}));
    QTest::keyClick(&plot, Qt::Key_Delete);
    EXPECT_EQ(inside(), (std::vector{false, true, true, false}));
    const QSignalSpy opened(&plot, &ui::ParallelPlot::runRequested);
    QTest::keyClick(&plot, Qt::Key_Return);
    EXPECT_EQ(opened.size(), 1);
    QTest::keyClick(&plot, Qt::Key_Escape);
    EXPECT_FALSE(plot.hasRanges());
    EXPECT_EQ(plot.shown(), std::nullopt);
}

TEST_F(ParallelPlotTest, NewNumbersKeepTheRangesAndTheRun) {
    plot.select(2);
    plot.setRange(1, std::pair(0.9, 1.0));
    ui::CompareData fewer = fourRuns();
    fewer.runs.erase(fewer.runs.begin());
    plot.setData(ui::parallelData(fewer));
    EXPECT_EQ(plot.shown(), 1U);
    EXPECT_TRUE(plot.hasRanges());
    plot.setData(ui::parallelData(sweepOf({{{{"x", 1}}, 1}, {{{"x", 2}}, 2}})));
    EXPECT_FALSE(plot.hasRanges());
    EXPECT_EQ(plot.shown(), std::nullopt) << "run 3 is not there";
}

TEST_F(ComparePageTest, TheTabParallelShowsRunsAndTheImportanceOfTheirSettings) {
    const auto runs = twoGroups(6);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{runs});
    auto* view = page->findChild<ui::ParallelView*>();
    page->findChild<QTabWidget*>()->setCurrentWidget(view);
    auto* plot = view->findChild<ui::ParallelPlot*>();
    ASSERT_TRUE(waitFor([&] { return plot->data().lines.size() == 12; }));
    auto* importance = view->findChild<QTableWidget*>(QStringLiteral("importance"));
    ASSERT_EQ(importance->rowCount(), 1);
    EXPECT_EQ(importance->item(0, 0)->text(), QStringLiteral("learning_rate"));
    EXPECT_TRUE(importance->item(0, 2)->text().startsWith(QStringLiteral("p = "))) << "a planted effect";
    view->findChild<QCheckBox*>()->setChecked(true);
    QTableWidget* table = nullptr;
    for (auto* one : view->findChildren<QTableWidget*>())
        if (one != importance) table = one;
    ASSERT_EQ(table->rowCount(), 12);
    EXPECT_EQ(table->item(0, 1)->text(), QStringLiteral("0.001"));
    EXPECT_TRUE(table->isVisible());
    table->setCurrentCell(2, 0);
    QTest::keyClick(table, Qt::Key_Return);
    const auto* shown = navigator.opened<ui::DashboardLink>();
    ASSERT_NE(shown, nullptr);
    EXPECT_EQ(shown->run, plot->data().lines[2].run);
    // Too few runs for the importance.
    page->open(ui::CompareLink{{runs[0], runs[1]}});
    ASSERT_TRUE(waitFor([&] { return plot->data().lines.size() == 2; }));
    EXPECT_FALSE(importance->isVisible());
    EXPECT_EQ(view->findChild<QLabel*>(QStringLiteral("importance-note"))->text(),
              QStringLiteral("Importance needs at least 10 runs with a score; these are 2."));
    view->findChild<QCheckBox*>()->setChecked(false);
    picture(*page, "compare-parallel");
}

}  // namespace
}  // namespace seedbed::testing
