// SPDX-License-Identifier: Apache-2.0
// The page of all runs: finding, marking and tidying them, and the chosen ones side by side.
#include <set>

#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>

#include "tests/ui/page_fixture.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/compare/difference_view.hpp"
#include "ui/views/compare/groups_view.hpp"
#include "ui/views/compare/scatter_view.hpp"

namespace seedbed::testing {
namespace {

using ui::ChartWidget;

class ComparePageTest : public PageTest {
protected:
    // Two configurations with `seeds` runs each; the second one is better.
    std::vector<RunId> twoGroups(std::uint64_t seeds, double difference = 60) {
        std::vector<RunId> runs;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed)
            for (const double rate : {0.001, 0.01}) {
                const double top = 120 + 5 * static_cast<double>(seed % 4) + (rate > 0.005 ? difference : 0);
                runs.push_back(makeRun({.seed = seed,
                                        .learning_rate = rate,
                                        .points = 200,
                                        .returns = learning(top, 0.03, static_cast<unsigned>(seed)),
                                        .checkpoint = true,
                                        .evaluation = top}));
            }
        return runs;
    }
    // Everything that was asked for is shown.
    static bool shows(ui::Page& page, std::size_t series) {
        auto* chart = page.findChild<ChartWidget*>();
        return waitFor([&] {
            const auto& prepared = *chart->model().series();
            return chart->model().idle() && prepared.size() == series &&
                   std::all_of(prepared.begin(), prepared.end(), [](const auto& one) { return one.raw->statistics().points > 0; });
        });
    }
};

TEST_F(ComparePageTest, ChosenRunsAreGroupedWithBandsStatisticsDifferencesAndAVerdict) {
    const auto runs = twoGroups(5);
    auto page = makePage(QStringLiteral("compare"));
    page->open({.runs = runs});
    ASSERT_TRUE(shows(*page, 2));
    auto* chart = page->findChild<ChartWidget*>();
    for (const auto& series : *chart->model().series()) {
        EXPECT_EQ(series.run_count, 5U);
        EXPECT_NE(series.low, nullptr);
    }
    auto* groups = page->findChild<ui::GroupsView*>();
    EXPECT_TRUE(groups->verdicts().startsWith(QStringLiteral("learning_rate=0.01: better by 60"))) << groups->verdicts().toStdString();
    auto* table = groups->findChild<QTableWidget*>();
    EXPECT_TRUE(table->item(1, 5)->text().startsWith(QLatin1Char('+'))) << "the sign says it, not only the colour";
    EXPECT_EQ(page->findChild<ui::DifferenceView*>()->fields(), 1);
    settle(300);
    picture(*page, "compare-curves");
    auto* tabs = page->findChild<QTabWidget*>();
    for (int tab = 1; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        settle(100);
        picture(*page, QStringLiteral("compare-%1").arg(tab).toLatin1().constData());
    }
    // Pinning the other group turns the sign round.
    table->selectRow(1);
    page->findChild<QPushButton*>(QStringLiteral("pin-baseline"))->click();
    ASSERT_TRUE(waitFor([&] { return groups->verdicts().contains(QStringLiteral("worse by 60")); }));
}

TEST_F(ComparePageTest, AFilterAndALongSelectionLeaveTheChosenRunsAlone) {
    const auto runs = twoGroups(3);
    makeRun({.name = "other", .env = "pendulum", .points = 3});
    auto page = makePage(QStringLiteral("compare"));
    auto* table = page->findChild<QTableView*>(QStringLiteral("run-table"));
    ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 7; }));
    page->findChild<QLineEdit*>(QStringLiteral("run-filter"))->setText(QStringLiteral("pendulum"));
    EXPECT_EQ(table->model()->rowCount(), 1);
    page->findChild<QLineEdit*>(QStringLiteral("run-filter"))->clear();
    EXPECT_EQ(table->model()->rowCount(), 7);
    table->selectAll();
    ASSERT_TRUE(shows(*page, 3));
    table->clearSelection();
    ASSERT_TRUE(waitFor([&] { return page->findChild<ChartWidget*>()->model().specs().empty(); }));
}

TEST_F(ComparePageTest, RunsAreStarredTaggedBinnedAndBroughtBackByUndo) {
    const auto runs = twoGroups(1);
    auto page = makePage(QStringLiteral("compare"));
    page->open({.runs = {runs[0]}});
    auto* table = page->findChild<QTableView*>(QStringLiteral("run-table"));
    ASSERT_TRUE(waitFor([&] { return table->selectionModel()->selectedRows().size() == 1; }));
    const auto trigger = [&](const char* action) { page->findChild<QAction*>(QLatin1String(action))->trigger(); };
    trigger("runs-star");
    ASSERT_TRUE(waitFor([&] { return store().find(runs[0])->star; }));
    trigger("runs-bin");
    ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 1; }));
    EXPECT_TRUE(navigator.said.contains(QStringLiteral("Undo")));
    undo.undo();
    ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 2; }));
    undo.undo();
    ASSERT_TRUE(waitFor([&] { return !store().find(runs[0])->star; }));
}

TEST_F(ComparePageTest, AScatterPlotHasAPointPerRunForNumbersAndForWords) {
    const auto runs = twoGroups(3);
    auto page = makePage(QStringLiteral("compare"));
    page->open({.runs = runs});
    auto* scatter = page->findChild<ui::ScatterView*>();
    ASSERT_TRUE(waitFor([&] { return scatter->points().size() == 6; }));
    // Unless somebody chooses, it is what differs.
    EXPECT_EQ(scatter->points()[0].x_text, QStringLiteral("0.001"));
    scatter->choose(QStringLiteral("algo.learning_rate"), QStringLiteral("loss/value"));
    ASSERT_TRUE(waitFor([&] { return scatter->points().size() == 6 && scatter->points()[0].y < 1; }));
    std::set<double> rates;
    for (const auto& point : scatter->points()) rates.insert(point.x);
    EXPECT_EQ(rates, (std::set<double>{0.001, 0.01}));
    // The mean of the last tenth: 20 points of 1 / (1 + i).
    double expected = 0;
    for (int i = 180; i < 200; ++i) expected += 1.0 / (1 + i) / 20;
    EXPECT_NEAR(scatter->points()[0].y, expected, 1e-6);  // stored as 32-bit numbers where they fit
    scatter->choose(QStringLiteral("env.id"), QStringLiteral(" score"));
    ASSERT_TRUE(waitFor([&] { return scatter->points().size() == 6 && scatter->points()[0].x_text == QStringLiteral("cartpole"); }));
}

TEST_F(ComparePageTest, AChartIsSavedAsPictureAndAsNumbers) {
    const auto runs = twoGroups(4);
    auto page = makePage(QStringLiteral("compare"));
    page->open({.runs = runs});
    ASSERT_TRUE(shows(*page, 2));
    auto* chart = page->findChild<ChartWidget*>();
    settle(100);
    const auto save = [&](const char* name, ChartWidget::Format format) {
        const QString file = QString::fromStdString((folder() / name).string());
        must(chart->exportTo(file, format));
        QFile saved(file);
        EXPECT_TRUE(saved.open(QIODevice::ReadOnly));
        return saved.readAll();
    };
    QImage image;
    ASSERT_TRUE(image.loadFromData(save("c.png", ChartWidget::Format::png)));
    EXPECT_GE(image.width(), 1000);
    const QByteArray svg = save("c.svg", ChartWidget::Format::svg);
    EXPECT_TRUE(svg.contains("<svg"));
    EXPECT_TRUE(svg.contains("polyline") || svg.contains("<path"));
    EXPECT_EQ(save("c.csv", ChartWidget::Format::csv).count('\n'), 401);  // 2 groups x 200 points, and the head
    EXPECT_TRUE(save("c.md", ChartWidget::Format::markdown).contains("| Series |"));
    const auto refused = chart->exportTo(QStringLiteral("/nonexistent/x.csv"), ChartWidget::Format::csv);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("/nonexistent/x.csv"), std::string::npos);
}

TEST_F(ComparePageTest, AClickOnAPointOffersTheAgentOfThatMoment) {
    const RunId run = makeRun({.points = 100, .checkpoint = true});
    auto page = makePage(QStringLiteral("compare"));
    page->open({.runs = {run}});
    ASSERT_TRUE(shows(*page, 1));
    auto* chart = page->findChild<ChartWidget*>();
    settle(100);
    auto& plot = chart->plot();
    const auto& line = (*chart->model().series())[0].line->curve();
    const QPointF pixel(plot.xAxis->coordToPixel(line.x[50]), plot.yAxis->coordToPixel(line.y[50]));
    const auto point = plot.pointAt(pixel);
    ASSERT_TRUE(point.has_value());
    EXPECT_NEAR(point->step, line.x[50], 200);  // within a few pixels
    Q_EMIT plot.pointClicked(*point, QPoint(10, 10));
    QAction* watch = nullptr;
    ASSERT_TRUE(waitFor([&] {
        for (QAction* action : chart->findChildren<QAction*>())
            if (action->text().contains(QStringLiteral("agent of this moment")) && action->isEnabled()) watch = action;
        return watch != nullptr;
    }));
    watch->trigger();
    EXPECT_EQ(navigator.watched, run);
    EXPECT_EQ(navigator.watched_step, 6400);
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
}

TEST_F(ComparePageTest, OneRunManyNamesNoNumbersAndNothingAtAllLookSensible) {
    const RunId nothing = makeRun({.name = "nothing yet"});
    const RunId nan = makeRun({.name = "قيم غير معروفة", .learning_rate = 0.5, .points = 20, .returns = [](int) { return std::nan(""); }});
    const RunId one = makeRun({.name = std::string(100, 'x'), .learning_rate = 0.25, .points = 1});
    auto page = makePage(QStringLiteral("compare"));
    page->open({.runs = {nothing, nan, one}});
    auto* chart = page->findChild<ChartWidget*>();
    ASSERT_TRUE(waitFor([&] { return chart->model().idle() && chart->model().series()->size() == 3; }));
    settle(300);
    picture(*page, "compare-odd");
}

TEST_F(ComparePageTest, EveryFocusableWidgetHasAName) {
    const auto runs = twoGroups(1);
    auto page = makePage(QStringLiteral("compare"));
    page->open({.runs = runs});
    ASSERT_TRUE(shows(*page, 2));
    for (QWidget* widget : page->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QLatin1String("qt_"))) continue;
        if (qobject_cast<QAbstractScrollArea*>(widget->parentWidget()) != nullptr ||
            qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr)
            continue;
        if (widget->window() != page.get()) continue;  // pop-ups of combo boxes
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(interface, nullptr);
        EXPECT_FALSE(interface->text(QAccessible::Name).isEmpty())
            << widget->metaObject()->className() << " " << widget->objectName().toStdString();
    }
}

}  // namespace
}  // namespace seedbed::testing
