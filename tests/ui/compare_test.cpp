// SPDX-License-Identifier: Apache-2.0
// Tests the page of all runs: finding, tagging and organizing runs, and comparing selected ones.
#include <cmath>
#include <set>
#include <tuple>

#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

#include "tests/ui/compare_fixture.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/charts/axis_marks.hpp"
#include "ui/views/charts/chart_controls.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/charts/qcustomplot.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/compare/difference_view.hpp"
#include "ui/views/compare/groups_view.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::testing {
namespace {

using ui::ChartWidget;

TEST_F(ComparePageTest, ChosenRunsAreGroupedWithBandsStatisticsDifferencesAndAVerdict) {
    const auto runs = twoGroups(5);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{runs});
    ASSERT_TRUE(shows(*page, 2));
    auto* chart = page->findChild<ChartWidget*>();
    for (const auto& series : *chart->model().series()) {
        EXPECT_EQ(series.run_count, 5U);
        EXPECT_NE(series.low, nullptr);
    }
    auto* groups = page->findChild<ui::GroupsView*>();
    EXPECT_TRUE(groups->verdicts().startsWith(QStringLiteral("learning_rate=0.01: better by 60")))
        << groups->verdicts().toStdString();
    auto* table = groups->findChild<QTableWidget*>();
    EXPECT_TRUE(table->item(1, 5)->text().startsWith(QLatin1Char('+')))
        << "the sign shows the direction, not only the colour";
    EXPECT_EQ(table->item(1, 7)->text(), QStringLiteral("0.0079")) << "2 of the 252 splits are as extreme";
    EXPECT_EQ(page->findChild<ui::DifferenceView*>()->fields(), 1);
    settle(300);
    picture(*page, "compare-curves");
    auto* tabs = page->findChild<QTabWidget*>();
    for (int tab = 1; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        settle(100);
        picture(*page, QStringLiteral("compare-%1").arg(tab).toLatin1().constData());
    }
    // Pinning the other group inverts the sign.
    table->selectRow(1);
    page->findChild<QPushButton*>(QStringLiteral("pin-baseline"))->click();
    ASSERT_TRUE(waitFor([&] { return groups->verdicts().contains(QStringLiteral("worse by 60")); }));
}

TEST_F(ComparePageTest, StatisticsAreReadWithoutHovering) {
    std::vector<RunId> runs = twoGroups(3);
    // Two runs with the same seed: the verdict contains a note.
    runs.push_back(makeRun({.seed = 1,
                            .learning_rate = 0.01,
                            .points = 50,
                            .returns = learning(90, 0.03, 9),
                            .checkpoint = true}));
    auto page = makePage(QStringLiteral("compare"), {1000, 700});
    page->open(ui::CompareLink{runs});
    ASSERT_TRUE(shows(*page, 2));
    auto* groups = page->findChild<ui::GroupsView*>();
    page->findChild<QTabWidget*>()->setCurrentWidget(groups);
    auto* table = groups->findChild<QTableWidget*>();
    ASSERT_TRUE(waitFor([&] { return table->rowCount() == 2 && table->item(1, 8) != nullptr; }));
    settle(100);
    picture(*page, "compare-statistics");
    EXPECT_TRUE(table->item(1, 1)->text().contains(QLatin1Char('!')));
    EXPECT_TRUE(table->item(1, 8)->text().contains(QStringLiteral("same seed")));
    EXPECT_LE(table->horizontalHeader()->length(), table->viewport()->width())
        << "the verdict is visible without scrolling";
    for (int row = 0; row < 2; ++row)
        for (int c = 0; c < table->columnCount(); ++c) {
            if (table->item(row, c) == nullptr) continue;
            const QSize cell = table->visualItemRect(table->item(row, c)).size();
            const QFontMetrics letters(table->item(row, c)->data(Qt::FontRole).value<QFont>());
            const QRect text = letters.boundingRect(QRect(0, 0, cell.width() - 6, 10000), Qt::TextWordWrap,
                                                    table->item(row, c)->text());
            EXPECT_GE(cell.height(), text.height()) << table->item(row, c)->text().toStdString();
            EXPECT_GE(cell.width() - 4, text.width()) << table->item(row, c)->text().toStdString();
        }
}

TEST_F(ComparePageTest, TheTableShowsTheSettingsThatDistinguishRunsAlsoNewOnes) {
    twoGroups(1);
    auto page = makePage(QStringLiteral("compare"));
    auto* table = page->findChild<QTableView*>(QStringLiteral("run-table"));
    const auto changed = [&](int row) {
        return table->model()->index(row, ui::RunTableModel::kChanged).data().toString();
    };
    // The first difference from other runs is the learning rate.
    ASSERT_TRUE(waitFor([&] { return changed(1).startsWith(QLatin1String("learning_rate=0.001")); }))
        << changed(1).toStdString();
    EXPECT_TRUE(changed(0).startsWith(QLatin1String("learning_rate=0.01"))) << changed(0).toStdString();
    makeRun({.seed = 9, .learning_rate = 0.5});
    ASSERT_TRUE(waitFor([&] { return changed(0).startsWith(QLatin1String("learning_rate=0.5")); }));
}

TEST_F(ComparePageTest, TheLegendShowsTheNewNameOfARun) {
    const auto runs = twoGroups(1);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{runs});
    ASSERT_TRUE(shows(*page, 2));
    services().editor->rename(runs[0], QStringLiteral("the other one"));
    auto* chart = page->findChild<ChartWidget*>();
    const auto named = [&] {
        const auto legends = chart->findChildren<QListWidget*>();
        return std::any_of(legends.begin(), legends.end(), [](const QListWidget* legend) {
            return legend->count() > 0 && legend->item(0)->text().contains(QStringLiteral("the other one"));
        });
    };
    EXPECT_TRUE(waitFor(named));
}

TEST_F(ComparePageTest, AnUnknownFieldBeforeAColonIsReported) {
    twoGroups(1);
    auto page = makePage(QStringLiteral("compare"));
    auto* filter = page->findChild<QLineEdit*>(QStringLiteral("run-filter"));
    const auto shows_text = [&](const char* text) {
        const auto labels = page->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](QLabel* label) { return label->text().contains(QLatin1String(text)); });
    };
    ASSERT_TRUE(waitFor([&] { return shows_text("2 run"); }));
    filter->setText(QStringLiteral("colour:red"));
    EXPECT_TRUE(shows_text("colour:"));
    EXPECT_TRUE(shows_text("tag:, notes:")) << "lists the existing fields";
    EXPECT_TRUE(shows_text("No run matches the filter"));
    filter->setText(QStringLiteral("env:cartpole"));
    EXPECT_FALSE(shows_text("is not a field"));
}

TEST_F(ComparePageTest, AFilterAndALongSelectionKeepTheChosenRuns) {
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
    compareSelected(*page);
    ASSERT_TRUE(shows(*page, 3));
    table->clearSelection();
    settle(200);
    EXPECT_TRUE(shows(*page, 3)) << "runs stay compared when they are not selected any more";
}

TEST_F(ComparePageTest, TwoSearchesSelectRunsAndAPlainClickDropsHiddenOnes) {
    const auto runs = twoGroups(1);
    const RunId other = makeRun({.name = "other", .env = "pendulum", .points = 3});
    auto page = makePage(QStringLiteral("compare"));
    auto* table = page->findChild<QTableView*>(QStringLiteral("run-table"));
    auto* filter = page->findChild<QLineEdit*>(QStringLiteral("run-filter"));
    const auto selected = [&] { return table->selectionModel()->selectedRows().size(); };
    // Compares the selected runs.
    const auto becomes = [&](const std::set<RunId>& runs_compared) {
        compareSelected(*page);
        const bool done = waitFor([&] { return compared(*page) == runs_compared; });
        showRuns(*page);
        return done;
    };
    const auto click = [&](int row, Qt::KeyboardModifiers keys) {
        QTest::mouseClick(table->viewport(), Qt::LeftButton, keys,
                          table->visualRect(table->model()->index(row, ui::RunTableModel::kEnv)).center());
    };
    page->open(ui::CompareLink{{runs[0]}});
    ASSERT_TRUE(waitFor([&] { return selected() == 1; }));
    ASSERT_TRUE(becomes({runs[0]}));
    filter->setText(QStringLiteral("pendulum"));
    ASSERT_EQ(table->model()->rowCount(), 1);
    EXPECT_TRUE(becomes({runs[0]})) << "selected runs are compared although the filter hides them";
    click(0, Qt::ControlModifier);
    ASSERT_TRUE(becomes({runs[0], other}));
    filter->clear();
    EXPECT_EQ(selected(), 2);
    EXPECT_TRUE(becomes({runs[0], other}));
    filter->setText(QStringLiteral("pendulum"));
    click(0, Qt::NoModifier);
    filter->clear();
    EXPECT_EQ(selected(), 1);
    ASSERT_TRUE(becomes({other}));
}

TEST_F(ComparePageTest, AnAnswerAfterOtherRunsWereComparedIsIgnored) {
    std::vector<RunId> runs;
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
        runs.push_back(makeRun(
            {.seed = seed, .learning_rate = seed % 2 ? 0.01 : 0.001, .points = 20, .checkpoint = true}));
    auto page = makePage(QStringLiteral("compare"));
    auto* table = page->findChild<QTableView*>(QStringLiteral("run-table"));
    ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 40; }));
    table->selectAll();
    compareSelected(*page);
    // Other runs are compared before the result arrives.
    ASSERT_TRUE(store().reading());
    page->open(ui::CompareLink{{runs[0]}});
    settle(1500);
    EXPECT_EQ(compared(*page), std::set<RunId>{runs[0]});
    EXPECT_EQ(page->findChild<ui::GroupsView*>()->findChild<QTableWidget*>()->rowCount(), 1);
}

TEST_F(ComparePageTest, LettersAreCommandsOnlyInTheTable) {
    const auto runs = twoGroups(1);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{runs});
    ASSERT_TRUE(shows(*page, 2));
    QComboBox* metric = nullptr;
    for (QComboBox* box : page->findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Metric")) metric = box;
    ASSERT_NE(metric, nullptr);
    page->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page.get()));
    const auto press = [&](QWidget* where, Qt::Key key) {
        where->setFocus();
        ASSERT_EQ(QApplication::focusWidget(), where);
        QTest::keyClick(where, key);
        settle(300);
    };
    for (const Qt::Key key : {Qt::Key_A, Qt::Key_S, Qt::Key_Delete}) press(metric, key);
    for (const RunId run : runs) {
        EXPECT_FALSE(store().find(run)->archived || store().find(run)->star || store().find(run)->in_trash);
    }
    showRuns(*page);
    auto* table = page->findChild<QTableView*>(QStringLiteral("run-table"));
    press(table, Qt::Key_S);
    EXPECT_TRUE(waitFor([&] { return store().find(runs[0])->star; }));
    press(table, Qt::Key_A);
    EXPECT_TRUE(waitFor([&] { return store().find(runs[0])->archived; }));
    EXPECT_TRUE(navigator.undoable.contains(QStringLiteral("archived.")));
}

TEST_F(ComparePageTest, StarsTagsAndTrashAreUndone) {
    const auto runs = twoGroups(1);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{{runs[0]}});
    auto* table = page->findChild<QTableView*>(QStringLiteral("run-table"));
    ASSERT_TRUE(waitFor([&] { return table->selectionModel()->selectedRows().size() == 1; }));
    const auto trigger = [&](const char* action) {
        page->findChild<QAction*>(QLatin1String(action))->trigger();
    };
    trigger("runs-star");
    ASSERT_TRUE(waitFor([&] { return store().find(runs[0])->star; }));
    trigger("runs-bin");
    ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 1; }));
    EXPECT_TRUE(navigator.undoable.contains(QStringLiteral("moved to trash")));
    undo.undo();
    ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 2; }));
    // The selection before the edit is restored.
    ASSERT_TRUE(waitFor([&] { return table->selectionModel()->selectedRows().size() == 1; }));
    EXPECT_EQ(table->selectionModel()->selectedRows(ui::RunTableModel::kId)[0].data().toString(),
              QString::number(runs[0]));
    // The selection is not restored if another selection was made in the meantime.
    trigger("runs-bin");
    ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 1; }));
    table->selectRow(0);
    undo.undo();
    ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 2; }));
    settle();
    ASSERT_EQ(table->selectionModel()->selectedRows().size(), 1);
    EXPECT_EQ(table->selectionModel()->selectedRows(ui::RunTableModel::kId)[0].data().toString(),
              QString::number(runs[1]));
    undo.undo();
    ASSERT_TRUE(waitFor([&] { return !store().find(runs[0])->star; }));
}

TEST_F(ComparePageTest, ResumesAreMarkedOnTheOverlay) {
    const RunId run = makeRun({.points = 100});
    {
        Store db = must(Store::open(folder()));
        auto lock = must(RunLock::acquire(folder(), run));
        must(db.beginSegment(lock, 64 * 50, ProcessInfo{}));
        auto writer = must(RunWriter::open(folder(), lock, {}));
        writer->status(RunStatus::finished, "");
        must(writer->flush());
    }
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{{run}});
    ASSERT_TRUE(shows(*page, 1));
    settle(100);
    auto& plot = page->findChild<ChartWidget*>()->plot();
    auto* marks = plot.findChild<ui::AxisMarks*>();
    ASSERT_NE(marks, nullptr);
    EXPECT_TRUE(marks->textAt(plot.xAxis->coordToPixel(64 * 50)).contains(QStringLiteral("resumed")));
    EXPECT_EQ(marks->textAt(plot.xAxis->coordToPixel(64 * 10)), QString());
}

TEST_F(ComparePageTest, AChartIsSavedAsPictureAndAsNumbers) {
    const auto runs = twoGroups(4);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{runs});
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
    EXPECT_EQ(save("c.csv", ChartWidget::Format::csv).count('\n'),
              401);  // 2 groups x 200 points, and the header
    EXPECT_TRUE(save("c.md", ChartWidget::Format::markdown).contains("| Series |"));
    const auto refused = chart->exportTo(QStringLiteral("/nonexistent/x.csv"), ChartWidget::Format::csv);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("/nonexistent/x.csv"), std::string::npos);
}

TEST_F(ComparePageTest, TablesAreSavedByAWorkerAndFailuresAreReported) {
    const auto runs = twoGroups(2);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{runs});
    ASSERT_TRUE(shows(*page, 2));
    ASSERT_TRUE(waitFor([&] { return !page->findChild<ui::GroupsView*>()->verdicts().isEmpty(); }));
    const auto save = [&](const char* entry, const QString& file) {
        navigator.clear();
        for (QMenu* menu : page->findChildren<QMenu*>())
            for (QAction* action : menu->actions())
                if (action->text() == QString::fromUtf8(entry)) action->trigger();
        auto* dialog = page->findChild<QFileDialog*>();
        ASSERT_NE(dialog, nullptr) << entry;
        Q_EMIT dialog->fileSelected(file);
        EXPECT_TRUE(navigator.status.isEmpty() && navigator.problem.isEmpty())
            << "the page waited for the file";
        dialog->close();
        ASSERT_TRUE(waitFor([&] { return !navigator.status.isEmpty() || !navigator.problem.isEmpty(); }));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    };
    for (const auto& [entry, name, part] : {std::tuple{"Runs as CSV…", "runs.csv", "star,id,name,"},
                                            {"Runs as Markdown…", "runs.md", "| Run |"},
                                            {"Comparison as CSV…", "comparison.csv", "group,runs,n"},
                                            {"Comparison as Markdown…", "comparison.md", "| Group |"}}) {
        const QString file = QString::fromStdString((folder() / name).string());
        save(entry, file);
        EXPECT_TRUE(navigator.status.contains(file))
            << navigator.status.toStdString() << navigator.problem.toStdString();
        QFile saved(file);
        ASSERT_TRUE(saved.open(QIODevice::ReadOnly));
        EXPECT_TRUE(QString::fromUtf8(saved.readAll()).contains(QLatin1String(part))) << entry;
    }
    save("Runs as CSV…", QStringLiteral("/nonexistent/runs.csv"));
    EXPECT_TRUE(navigator.problem.contains(QStringLiteral("/nonexistent/runs.csv")))
        << navigator.problem.toStdString();
}

TEST_F(ComparePageTest, ScoresAreTakenAtTheCommonStepUnlessTheLastIsSelected) {
    const RunId long_run = makeRun({.seed = 1, .points = 400}),
                short_run = makeRun({.seed = 2, .points = 100});
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{{long_run, short_run}});
    auto* groups = page->findChild<ui::GroupsView*>();
    auto* table = groups->findChild<QTableWidget*>();
    auto* at = groups->findChild<QComboBox*>(QStringLiteral("scores-at"));
    const auto range = [&] {
        return table->item(0, 4) == nullptr
                   ? QString()
                   : table->item(0, 4)->text().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
    };
    // The returns are 10, 11, 12 ...; this is the mean of the first hundred.
    ASSERT_TRUE(waitFor([&] { return range() == QStringLiteral("59.5 – 59.5"); })) << range().toStdString();
    EXPECT_TRUE(at->isEnabled());
    EXPECT_EQ(at->currentIndex(), 0);
    EXPECT_TRUE(at->itemText(0).contains(ui::countText(6400))) << at->itemText(0).toStdString();
    at->setCurrentIndex(1);
    Q_EMIT at->activated(1);
    ASSERT_TRUE(waitFor([&] { return range() == QStringLiteral("59.5 – 359.5"); })) << range().toStdString();
    EXPECT_TRUE(table->item(0, 1)->text().contains(QLatin1Char('!'))) << "the group has a warning";
    page->open(ui::CompareLink{{short_run}});
    ASSERT_TRUE(waitFor([&] { return !at->isEnabled(); })) << "there is nothing to choose";
}

TEST_F(ComparePageTest, TheSmoothingWidthKeepsItsShareAlongEveryAxis) {
    const auto runs = twoGroups(1);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{runs});
    ASSERT_TRUE(shows(*page, 2));
    auto& model = page->findChild<ChartWidget*>()->model();
    auto* axis = page->findChild<ui::ChartControls*>()->findChildren<QComboBox*>().front();
    const auto share = [&] { return model.options().smoothing.amount / model.length(); };
    const double steps = model.options().smoothing.amount, before = share();
    for (const ui::XAxis next :
         {ui::XAxis::train_time, ui::XAxis::updates, ui::XAxis::episodes, ui::XAxis::steps}) {
        axis->setCurrentIndex(static_cast<int>(next));
        // The slider has a hundred positions over nine decades: each is 23 % above the previous one.
        ASSERT_TRUE(waitFor([&] {
            return model.idle() && model.preparedAxis() == next &&
                   std::abs(std::log(share() / before)) < 0.25;
        })) << static_cast<int>(next)
            << ": " << model.options().smoothing.amount << " of " << model.length();
    }
    EXPECT_NEAR(model.options().smoothing.amount, steps, 0.25 * steps);
}

TEST_F(ComparePageTest, AClickOnAPointOffersTheAgentOfThatStep) {
    const RunId run = makeRun({.points = 100, .checkpoint = true});
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{{run}});
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
            if (action->text().contains(QStringLiteral("agent at this step")) && action->isEnabled())
                watch = action;
        return watch != nullptr;
    }));
    watch->trigger();
    const auto* watched = navigator.opened<ui::WatchLink>();
    ASSERT_NE(watched, nullptr);
    EXPECT_EQ(watched->run, run);
    EXPECT_EQ(watched->checkpoint_step, 6400);
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
}

TEST_F(ComparePageTest, UnusualSelectionsLookSensible) {
    const RunId nothing = makeRun({.name = "nothing yet"});
    const RunId nan =
        makeRun({.name = "قيم غير معروفة", .learning_rate = 0.5, .points = 20, .returns = [](int) {
                     return std::nan("");
                 }});
    const RunId one = makeRun({.name = std::string(100, 'x'), .learning_rate = 0.25, .points = 1});
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{{nothing, nan, one}});
    auto* chart = page->findChild<ChartWidget*>();
    ASSERT_TRUE(waitFor([&] { return chart->model().idle() && chart->model().series()->size() == 3; }));
    settle(300);
    picture(*page, "compare-odd");
}

TEST_F(ComparePageTest, EveryFocusableWidgetHasAName) {
    const auto runs = twoGroups(1);
    auto page = makePage(QStringLiteral("compare"));
    page->open(ui::CompareLink{runs});
    ASSERT_TRUE(shows(*page, 2));
    for (QWidget* widget : page->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QLatin1String("qt_")))
            continue;
        if (qobject_cast<QAbstractScrollArea*>(widget->parentWidget()) != nullptr ||
            qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr)
            continue;
        if (widget->window() != page.get()) continue;  // skips pop-ups of combo boxes
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(interface, nullptr);
        EXPECT_FALSE(interface->text(QAccessible::Name).isEmpty())
            << widget->metaObject()->className() << " " << widget->objectName().toStdString();
    }
}

}  // namespace
}  // namespace seedbed::testing
