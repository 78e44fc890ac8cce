// SPDX-License-Identifier: Apache-2.0
// Tests the scatter plot of the page of all runs, and that updates of numbers keep scroll positions and
// selections.
#include <set>
#include <vector>

#include <QAbstractItemModel>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QTabWidget>
#include <QTableWidget>
#include <QTest>

#include "tests/ui/compare_fixture.hpp"
#include "ui/views/charts/qcustomplot.hpp"
#include "ui/views/compare/difference_view.hpp"
#include "ui/views/compare/groups_view.hpp"
#include "ui/views/compare/scatter_view.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"

namespace seedbed::testing {
namespace {

TEST_F(ComparePageTest, AScatterPlotHasAPointPerRunForNumbersAndForWords) {
    const auto runs = twoGroups(3);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{runs});
    auto* scatter = page->findChild<ui::ScatterView*>();
    page->findChild<QTabWidget*>()->setCurrentWidget(scatter);
    ASSERT_TRUE(waitFor([&] { return scatter->points().size() == 6; }));
    // By default the first setting that differs is selected.
    EXPECT_EQ(scatter->points()[0].x_text, QStringLiteral("0.001"));
    scatter->choose(QStringLiteral("algo.learning_rate"), QStringLiteral("loss/value"));
    ASSERT_TRUE(waitFor([&] { return scatter->points().size() == 6 && scatter->points()[0].y < 1; }));
    std::set<double> rates;
    for (const auto& point : scatter->points()) rates.insert(point.x);
    EXPECT_EQ(rates, (std::set<double>{0.001, 0.01}));
    // The mean over the last tenth: 20 points of 1 / (1 + i).
    double expected = 0;
    for (int i = 180; i < 200; ++i) expected += 1.0 / (1 + i) / 20;
    EXPECT_NEAR(scatter->points()[0].y, expected, 1e-6);  // stored as 32-bit numbers if they fit
    scatter->choose(QStringLiteral("env.id"), QStringLiteral(" score"));
    ASSERT_TRUE(waitFor([&] {
        return scatter->points().size() == 6 && scatter->points()[0].x_text == QStringLiteral("cartpole");
    }));
}

TEST_F(ComparePageTest, AScatterPlotOmitsRunsWithoutTheSettingAndNamesItsGroups) {
    const auto runs = twoGroups(2);
    // A run of an algorithm without a learning rate.
    RunId without = 0;
    {
        Store db = must(Store::open(folder()));
        NewRun run;
        run.env = "cartpole";
        run.algo = "other";
        run.seed = 1;
        run.engine = "reference";
        run.config = {{"env", {{"id", "cartpole"}}}, {"algo", {{"id", "other"}}}};
        OwnedRun owned = must(db.createRun(run));
        must(db.beginSegment(*owned.lock, 0, ProcessInfo{}));
        auto writer = must(RunWriter::open(folder(), *owned.lock, {}));
        const EpisodeRecord episode{
            .step = 64, .time = 1.7e9, .episode_return = 7, .length = 10, .column = 0};
        writer->episodes(std::vector<EpisodeRecord>{episode});
        writer->progress({.steps = 64, .frames = 64, .updates = 1, .train_seconds = 1});
        writer->status(RunStatus::finished, "");
        must(writer->flush());
        without = owned.id;
    }
    std::vector<RunId> all = runs;
    all.push_back(without);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{all});
    auto* scatter = page->findChild<ui::ScatterView*>();
    page->findChild<QTabWidget*>()->setCurrentWidget(scatter);
    ASSERT_TRUE(waitFor(
        [&] { return scatter->points().size() + static_cast<std::size_t>(scatter->leftOut()) == 5; }));
    scatter->choose(QStringLiteral("algo.learning_rate"), QStringLiteral(" score"));
    ASSERT_TRUE(waitFor([&] { return scatter->points().size() == 4; }));
    EXPECT_EQ(scatter->leftOut(), 1);
    for (const auto& point : scatter->points()) EXPECT_NE(point.run, without);
    EXPECT_TRUE(scatter->findChild<QLabel*>(QStringLiteral("scatter-note"))->isVisible());
    auto* plot = scatter->findChild<QCustomPlot*>();
    EXPECT_TRUE(qSharedPointerDynamicCast<QCPAxisTickerText>(plot->xAxis->ticker()).isNull())
        << "the axis of a numeric setting is numeric";
    EXPECT_EQ(plot->legend->itemCount(), 2);
    settle(100);
    // Tooltips contain the full names of points and legend entries.
    plot->replot();
    const auto& first = scatter->points()[0];
    EXPECT_TRUE(scatter->textAt({plot->xAxis->coordToPixel(first.x), plot->yAxis->coordToPixel(first.y)})
                    .startsWith(QStringLiteral("CartPole · run %1\n").arg(first.run)));
    EXPECT_TRUE(
        scatter->textAt(plot->legend->item(0)->rect().center()).contains(QStringLiteral("learning_rate=")));
    EXPECT_EQ(scatter->textAt({-100, -100}), QString());
    picture(*page, "compare-scatter");

    // The Return key opens the run that is selected in the table.
    auto* table = scatter->findChild<QTableWidget*>();
    for (QCheckBox* box : scatter->findChildren<QCheckBox*>())
        if (box->text() == QLatin1String("Show as table")) box->setChecked(true);
    table->setCurrentCell(1, 0);
    const RunId expected = table->item(1, 0)->text().toLongLong();
    QTest::keyClick(table, Qt::Key_Return);
    const auto* shown = navigator.opened<ui::DashboardLink>();
    ASSERT_NE(shown, nullptr);
    EXPECT_EQ(shown->run, expected);
}

// While a run is training, its numbers are updated every second; open boxes and selections are kept.
TEST_F(ComparePageTest, ListsAndTablesKeepTheirPositionWhileNumbersArrive) {
    const auto runs = twoGroups(3);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{runs});
    ASSERT_TRUE(shows(*page, 2));
    auto* scatter = page->findChild<ui::ScatterView*>();
    page->findChild<QTabWidget*>()->setCurrentWidget(scatter);
    ASSERT_TRUE(waitFor([&] { return scatter->points().size() == 6; }));
    auto* field = scatter->findChildren<QComboBox*>().first();
    ASSERT_GT(field->count(), 2);
    int resets = 0;
    QObject::connect(field->model(), &QAbstractItemModel::rowsRemoved, page.get(), [&] { ++resets; });
    QObject::connect(field->model(), &QAbstractItemModel::modelReset, page.get(), [&] { ++resets; });
    auto* groups = page->findChild<ui::GroupsView*>()->findChild<QTableWidget*>();
    const QTableWidgetItem* cell = groups->item(0, 2);
    const QString before = cell->text();
    auto* differences = page->findChild<ui::DifferenceView*>()->findChild<QTableWidget*>();
    const QTableWidgetItem* setting = differences->item(0, 0);
    // An evaluation changes the statistics.
    {
        auto lock = must(RunLock::acquire(folder(), runs[0]));
        auto writer = must(RunWriter::open(folder(), lock, {}));
        writer->evaluation({.step = 64 * 200, .time = 1.8e9, .mean = 500, .episodes = {{500, 10}}});
        must(writer->flush());
    }
    store().refresh();
    ASSERT_TRUE(
        waitFor([&] { return groups->item(0, 2) != nullptr && groups->item(0, 2)->text() != before; }));
    EXPECT_EQ(groups->item(0, 2), cell) << "the same cell with a different number";
    EXPECT_EQ(differences->item(0, 0), setting);
    EXPECT_EQ(resets, 0);
}

}  // namespace
}  // namespace seedbed::testing
