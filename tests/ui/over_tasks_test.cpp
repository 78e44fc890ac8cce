// SPDX-License-Identifier: Apache-2.0
// Tests the comparison of methods over several tasks: performance profiles and their numbers.
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

#include "core/analysis/over_tasks.hpp"
#include "tests/ui/compare_fixture.hpp"
#include "ui/models/compare/over_tasks_data.hpp"
#include "ui/views/compare/over_tasks_view.hpp"

namespace seedbed::testing {
namespace {

class OverTasksTest : public ComparePageTest {
protected:
    // Three seeds of two learning rates; the second one is better in both environments.
    std::vector<RunId> methodsIn(const std::vector<std::string>& envs) {
        std::vector<RunId> runs;
        for (const std::string& env : envs)
            for (const double rate : {0.001, 0.01})
                for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                    const double share = (rate > 0.005 ? 0.8 : 0.4) + 0.05 * static_cast<double>(seed);
                    const double score = env == "catch" ? -0.6 + 1.55 * share : 475 * share;
                    runs.push_back(makeRun({.env = env,
                                            .seed = seed,
                                            .learning_rate = rate,
                                            .points = 5,
                                            .checkpoint = true,
                                            .evaluation = score}));
                    scores.push_back({rate > 0.005 ? "0.01" : "0.001", env, score});
                }
        return runs;
    }
    void openPage(const std::vector<RunId>& runs) {
        page = makePage(QStringLiteral("compare"), {1280, 800});
        page->open(ui::CompareLink{runs});
        view = page->findChild<ui::OverTasksView*>();
        page->findChild<QTabWidget*>()->setCurrentWidget(view);
    }
    QString emptyText() const {
        const auto* text = view->findChild<QLabel*>(QStringLiteral("over-tasks-empty"));
        return text->isVisible() ? text->text() : QString();
    }

    std::vector<NormalisedScore> scores;  // not normalised yet
    std::unique_ptr<ui::Page> page;
    ui::OverTasksView* view = nullptr;
};

void expectEqual(const Estimate& shown, const Estimate& expected) {
    EXPECT_EQ(shown.value, expected.value);
    EXPECT_EQ(shown.low, expected.low);
    EXPECT_EQ(shown.high, expected.high);
}

TEST_F(OverTasksTest, NumbersAndProfilesAreThoseOfTheAnalysis) {
    openPage(methodsIn({"cartpole", "catch"}));
    ASSERT_TRUE(waitFor([&] { return view->shown().has_value(); })) << emptyText().toStdString();
    const ui::OverTasksData& data = *view->shown();
    ASSERT_EQ(data.ranges.size(), 2U);
    EXPECT_EQ(data.ranges[1].random, -0.6);
    EXPECT_EQ(data.ranges[1].goal, 0.95);
    for (NormalisedScore& score : scores) {
        const auto& range = data.ranges[score.task == "catch" ? 1 : 0];
        score.score = (score.score - range.random) / (range.goal - range.random);
    }
    const OverTasks expected = must(compareOverTasks(scores));
    EXPECT_EQ(data.over.thresholds, expected.thresholds);
    ASSERT_EQ(data.over.methods.size(), 2U);
    for (std::size_t m = 0; m < 2; ++m) {
        const MethodScores &shown = data.over.methods[m], &method = expected.methods[m];
        EXPECT_EQ(shown.method, method.method);
        EXPECT_EQ(shown.fewest, 3U);
        expectEqual(shown.iqm, method.iqm);
        expectEqual(shown.median, method.median);
        expectEqual(shown.mean, method.mean);
        expectEqual(shown.optimality_gap, method.optimality_gap);
        expectEqual(shown.improvement, method.improvement);
        ASSERT_EQ(shown.profile.size(), method.profile.size());
        const ui::PreparedSeries& curve = (*view->chart().model().series())[m];
        for (std::size_t i = 0; i < method.profile.size(); ++i) {
            expectEqual(shown.profile[i], method.profile[i]);
            EXPECT_EQ(curve.raw->curve().y[i], method.profile[i].value);
            EXPECT_EQ(curve.low->curve().y[i], method.profile[i].low);
            EXPECT_EQ(curve.high->curve().y[i], method.profile[i].high);
        }
    }
    EXPECT_TRUE(view->findChild<QLabel*>(QStringLiteral("over-tasks-verdict"))
                    ->text()
                    .startsWith(QStringLiteral("0.01 is better than 0.001 over these tasks")));
    OverTasks even = expected;
    even.methods[1].improvement = {0.6, 0.4, 0.8};
    EXPECT_TRUE(ui::overTasksVerdicts(even).front().startsWith(QStringLiteral("No difference")));
    even.methods[1].improvement = {0.3, 0.1, 0.49};
    EXPECT_TRUE(ui::overTasksVerdicts(even).front().contains(QStringLiteral("worse")));
    even.methods[0].fewest = 2;
    EXPECT_TRUE(ui::overTasksVerdicts(even).isEmpty());
    // The table has the same numbers, and each of them is explained.
    auto* table = view->findChild<QTableWidget*>(QStringLiteral("over-tasks-table"));
    settle(200);
    picture(*page, "compare-over-tasks");
    for (int row = 0; row < 2; ++row)
        for (int column = 1; column < table->columnCount(); ++column) {
            EXPECT_EQ(table->item(row, column)->text(),
                      ui::overTasksRows(expected)[static_cast<std::size_t>(row)][column]);
            table->setCurrentCell(row, column);
            ASSERT_TRUE(view->explainCurrent());
            QWidget* popup = QApplication::activePopupWidget();
            ASSERT_NE(popup, nullptr);
            EXPECT_TRUE(popup->accessibleDescription().contains(table->item(row, column)->text()));
            EXPECT_TRUE(popup->accessibleDescription().contains(QLatin1String("catch -0.6 to 0.95")));
            popup->close();
        }
}

TEST_F(OverTasksTest, ProfilesAreSavedAndShownAsATable) {
    openPage(methodsIn({"cartpole", "catch"}));
    ASSERT_TRUE(waitFor([&] { return view->shown() && view->chart().model().idle(); }));
    const TemporaryFolder to;
    const QString file = QString::fromStdString((to.path() / "profiles.svg").string());
    must(view->chart().exportTo(file, ui::ChartWidget::Format::svg));
    QFile svg(file);
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    for (const char* part : {"0.001", "0.01", "cartpole, catch"}) EXPECT_TRUE(text.contains(part)) << part;
    page->findChild<QAction*>(QStringLiteral("compare-table"))->trigger();
    EXPECT_EQ(view->chart().findChild<QTableView*>()->model()->rowCount(),
              static_cast<int>(2 * view->shown()->over.thresholds.size()));
}

TEST_F(OverTasksTest, MissingRunsAndTasksAreStated) {
    std::vector<RunId> runs = methodsIn({"cartpole"});
    openPage(runs);
    ASSERT_TRUE(waitFor([&] { return emptyText().contains(QLatin1String("at least two environments")); }));
    EXPECT_FALSE(view->shown());
    // One method only in the second environment.
    runs.push_back(makeRun({.env = "catch", .learning_rate = 0.01, .points = 5, .checkpoint = true}));
    page->open(ui::CompareLink{runs});
    ASSERT_TRUE(waitFor([&] { return emptyText().contains(QLatin1String("has no run of")); }))
        << emptyText().toStdString();
    // With one method there is nothing to be missing.
    auto* by = view->findChild<QComboBox*>(QStringLiteral("methods-by"));
    by->setCurrentIndex(by->findText(QStringLiteral("algo.id")));
    Q_EMIT by->activated(by->currentIndex());
    ASSERT_TRUE(waitFor([&] { return view->shown().has_value(); })) << emptyText().toStdString();
}

}  // namespace
}  // namespace seedbed::testing
