// SPDX-License-Identifier: Apache-2.0
// Tests the comparison of the page of all runs: what is compared, the rows of groups, and the verdict.
#include <algorithm>
#include <set>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

#include "tests/ui/compare_fixture.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/views/compare/group_row.hpp"
#include "ui/views/compare/group_rows.hpp"
#include "ui/views/compare/groups_view.hpp"
#include "ui/views/compare/verdict_strip.hpp"
#include "ui/views/duel/duel_link.hpp"

namespace seedbed::testing {
namespace {

class CompareViewTest : public ComparePageTest {
protected:
    // Shows the comparison of these runs.
    void openPage(const std::vector<RunId>& runs, std::size_t groups, QSize size = {1200, 800}) {
        page = makePage(QStringLiteral("compare"), size);
        page->open(ui::CompareLink{runs});
        ASSERT_TRUE(shows(*page, groups));
        ASSERT_EQ(rows().size(), groups);
    }
    const std::vector<ui::GroupRow*>& rows() const { return page->findChild<ui::GroupRows*>()->rows(); }
    ui::VerdictStrip& verdict() const { return *page->findChild<ui::VerdictStrip*>(); }
    ui::ChartModel& chart() const { return page->findChild<ui::ChartWidget*>()->model(); }
    QTabBar& views() const { return *page->findChild<QTabBar*>(QStringLiteral("runs-or-compare")); }
    QTableView& table() const { return *page->findChild<QTableView*>(QStringLiteral("run-table")); }
    QTableWidget& statistics() const {
        return *page->findChild<ui::GroupsView*>()->findChild<QTableWidget*>();
    }
    // Triggers an entry of the menu of a row.
    void chooseInMenu(std::size_t row, const char* entry) {
        rows()[row]->findChild<QAbstractButton*>(QStringLiteral("group-menu"))->click();
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr);
        for (QAction* action : menu->actions())
            if (action->text().startsWith(QLatin1String(entry))) {
                menu->close();
                return action->trigger();
            }
        menu->close();
        FAIL() << "no entry " << entry;
    }

    // Copies the explanation that is shown, which closes it.
    static QString copied() {
        QApplication::clipboard()->clear();
        QWidget* popup = QApplication::activePopupWidget();
        if (popup == nullptr) return {};
        popup->findChild<QPushButton*>(QStringLiteral("copy-explanation"))->click();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return QApplication::clipboard()->text();
    }

    std::unique_ptr<ui::Page> page;
};

TEST_F(CompareViewTest, SelectingRunsComparesNothingUntilTheUserDoes) {
    const auto runs = twoGroups(2);
    openPage({runs[0], runs[1]}, 2);
    EXPECT_EQ(views().currentIndex(), 1);
    EXPECT_EQ(table().selectionModel()->selectedRows().size(), 2) << "a link also selects its runs";
    showRuns(*page);
    table().selectAll();
    settle(300);
    EXPECT_EQ(compared(*page), (std::set<RunId>{runs[0], runs[1]}));
    page->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page.get()));
    table().setFocus();
    QTest::keyClick(&table(), Qt::Key_C);
    EXPECT_EQ(views().currentIndex(), 1);
    ASSERT_TRUE(waitFor([&] { return compared(*page) == std::set<RunId>(runs.begin(), runs.end()); }));
    ASSERT_TRUE(waitFor([&] { return views().tabText(1) == QLatin1String("Compare (2)"); }));
    showRuns(*page);
    table().selectRow(0);
    auto* button = page->findChild<QPushButton*>(QStringLiteral("runs-compare-button"));
    EXPECT_TRUE(button->isEnabled());
    button->click();
    ASSERT_TRUE(waitFor([&] { return compared(*page).size() == 1; }));
    table().clearSelection();
    settle(200);
    EXPECT_FALSE(button->isEnabled());
    EXPECT_EQ(compared(*page).size(), 1U);
}

TEST_F(CompareViewTest, AnEyeHidesTheCurveAsTheLegendDoesAndNoNumberChanges) {
    openPage(twoGroups(5), 2);
    const QString score = rows()[0]->score(), difference = rows()[1]->difference(),
                  sentence = verdict().sentence();
    auto* legend = page->findChild<ui::ChartWidget*>()->findChild<QListWidget*>();
    ui::EyeBox& eye = rows()[1]->eye();
    ASSERT_TRUE(eye.isChecked());
    const auto shown = [&] { return chart().specs()[1].visible; };
    eye.setFocus();
    QTest::keyClick(&eye, Qt::Key_Space);
    EXPECT_FALSE(shown());
    EXPECT_EQ(legend->item(1)->checkState(), Qt::Unchecked);
    EXPECT_EQ(legend->item(0)->checkState(), Qt::Checked);
    legend->item(1)->setCheckState(Qt::Checked);
    EXPECT_TRUE(shown());
    EXPECT_TRUE(eye.isChecked());
    eye.click();
    settle(200);
    EXPECT_EQ(rows()[0]->score(), score);
    EXPECT_EQ(rows()[1]->difference(), difference);
    EXPECT_EQ(verdict().sentence(), sentence);
    EXPECT_FALSE(eye.accessibleName().isEmpty());
}

TEST_F(CompareViewTest, AnEyeHidesAllRunsOfItsGroupIfTheyAreDrawnOneByOne) {
    openPage(twoGroups(2), 2);
    const auto* caption = page->findChild<QLabel*>(QStringLiteral("compare-caption"));
    EXPECT_TRUE(caption->text().contains(QStringLiteral("95 % band")));
    for (QComboBox* box : page->findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String("Grouping")) box->setCurrentIndex(1);
    ASSERT_TRUE(shows(*page, 4));
    EXPECT_EQ(caption->text(), QString());
    rows()[0]->eye().click();
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(chart().specs()[i].visible, i >= 2) << i;
    EXPECT_FALSE(rows()[0]->eye().isChecked());
    EXPECT_TRUE(rows()[1]->eye().isChecked());
}

TEST_F(CompareViewTest, RowsAndVerdictShowTheNumbersOfTheStatistics) {
    openPage(twoGroups(5), 2);
    const auto cell = [&](int row, int column) {
        return statistics().item(row, column)->text().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
    };
    for (const int row : {0, 1}) {
        EXPECT_EQ(rows()[static_cast<std::size_t>(row)]->label(), cell(row, 0));
        EXPECT_EQ(rows()[static_cast<std::size_t>(row)]->score(), cell(row, 2));
    }
    EXPECT_EQ(rows()[0]->difference(), QLatin1String("baseline"));
    EXPECT_EQ(rows()[1]->difference(), QLatin1String("+60"));
    EXPECT_TRUE(cell(1, 5).startsWith(rows()[1]->difference() + QLatin1Char(' ')));
    EXPECT_EQ(verdict().sentence(), QLatin1String("learning_rate=0.01 is better than learning_rate=0.001"));
    EXPECT_TRUE(verdict().details().startsWith(QLatin1String("by 60 (95 %: ")))
        << verdict().details().toStdString();
    EXPECT_TRUE(verdict().details().contains(QLatin1String("against 5")));
    EXPECT_TRUE(verdict().details().contains(QStringLiteral("p = %1").arg(cell(1, 7))));
    EXPECT_TRUE(verdict().details().contains(QLatin1String("returns of greedy episodes")));
    settle(300);
    picture(*page, "compare-rows");
    // Another baseline inverts the difference, not the verdict.
    const QString details = verdict().details();
    chooseInMenu(1, "Set as baseline");
    ASSERT_TRUE(waitFor([&] { return rows()[1]->difference() == QLatin1String("baseline"); }));
    EXPECT_EQ(rows()[0]->difference(), QStringLiteral("−60"));
    EXPECT_EQ(verdict().sentence(), QLatin1String("learning_rate=0.01 is better than learning_rate=0.001"));
    EXPECT_EQ(verdict().details(), details);
    page->findChild<QPushButton*>(QStringLiteral("verdict-explain"))->click();
    EXPECT_TRUE(
        copied().startsWith(QStringLiteral("Verdict · learning_rate=0.001: learning_rate=0.01 is better")))
        << "the group that is judged is the one that is not the baseline";
    page->findChild<QPushButton*>(QStringLiteral("verdict-explain"))->click();
    QApplication::activePopupWidget()->findChild<QPushButton*>(QStringLiteral("explanation-link"))->click();
    EXPECT_TRUE(statistics().isVisible());
}

TEST_F(CompareViewTest, EveryNumberIsExplainedByMouseKeyboardAndMenu) {
    openPage(twoGroups(5), 2);
    page->findChild<QTabWidget*>()->setCurrentIndex(1);
    std::set<QString> copies;
    for (int row = 0; row < 2; ++row)
        for (int column = 1; column < statistics().columnCount(); ++column) {
            const QTableWidgetItem* item = statistics().item(row, column);
            if (item == nullptr || item->text().isEmpty()) continue;
            QTest::mouseClick(statistics().viewport(), Qt::LeftButton, {},
                              statistics().visualItemRect(item).center());
            const QString text = copied();
            EXPECT_TRUE(text.contains(item->text())) << text.toStdString();
            EXPECT_TRUE(text.contains(QLatin1String("5 run"))) << text.toStdString();
            EXPECT_TRUE(text.contains(QLatin1String("seeds: 1, 2, 3, 4, 5")));
            copies.insert(text);
            // The same with the keyboard.
            page->findChild<QAction*>(QStringLiteral("compare-explain"))->trigger();
            EXPECT_EQ(copied(), text);
        }
    EXPECT_EQ(copies.size(), 13U) << "8 numbers of a group, 5 of the baseline, each with its own text";
    QTest::mouseClick(rows()[1], Qt::LeftButton, {}, rows()[1]->placeOf(ui::Statistic::difference).center());
    EXPECT_TRUE(copied().startsWith(QStringLiteral("Difference from the baseline · learning_rate=0.01: %1\n")
                                        .arg(rows()[1]->difference())));
    chooseInMenu(1, "Explain the return");
    EXPECT_TRUE(copied().startsWith(QStringLiteral("Score · learning_rate=0.01: ")));
    // Without a number, or on other views, the verdict is explained.
    page->findChild<QTabWidget*>()->setCurrentIndex(0);
    page->findChild<QAction*>(QStringLiteral("compare-explain"))->trigger();
    EXPECT_TRUE(copied().contains(QLatin1String("Against learning_rate=0.001: 5 run")));
}

TEST_F(CompareViewTest, TwoRunsOrTheBestOfTwoSettingsPlayADuel) {
    const std::vector<RunId> runs = twoGroups(3);
    openPage(runs, 2);
    auto* button = verdict().findChild<QPushButton*>(QStringLiteral("verdict-duel"));
    ASSERT_TRUE(button->isVisible());
    button->click();
    const auto* link = navigator.opened<ui::DuelLink>();
    ASSERT_NE(link, nullptr);
    // Seed 3 of each setting has the highest score.
    EXPECT_EQ(std::set<RunId>({link->a.toLongLong(), link->b.toLongLong()}),
              std::set<RunId>({runs[4], runs[5]}));
    // Of the table, exactly two selected runs.
    navigator.clear();
    showRuns(*page);
    auto* duel = page->findChild<QAction*>(QStringLiteral("runs-duel"));
    EXPECT_FALSE(duel->isEnabled()) << "six runs are selected";
    page->open(ui::CompareLink{{runs[0], runs[3]}});
    showRuns(*page);
    ASSERT_TRUE(waitFor([&] { return duel->isEnabled(); }));
    duel->trigger();
    link = navigator.opened<ui::DuelLink>();
    ASSERT_NE(link, nullptr);
    EXPECT_EQ(link->a.toLongLong(), runs[3]) << "the newer run is the first player";
    EXPECT_EQ(link->b.toLongLong(), runs[0]);
}

TEST_F(CompareViewTest, TheBestOfSeveralSettingsIsComparedWithTheBaseline) {
    std::vector<RunId> runs = twoGroups(5);
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        runs.push_back(makeRun({.seed = seed,
                                .learning_rate = 0.1,
                                .points = 200,
                                .checkpoint = true,
                                .evaluation = 300.0 + static_cast<double>(seed)}));
    openPage(runs, 3);
    EXPECT_EQ(verdict().sentence(), QLatin1String("learning_rate=0.1 is better than learning_rate=0.001"));
    EXPECT_TRUE(verdict().details().contains(QLatin1String("the best of 2 settings")));
}

TEST_F(CompareViewTest, TooFewSeedsAreNamedAndQueuedForBothSettings) {
    openPage(twoGroups(1), 2);
    EXPECT_EQ(verdict().sentence(),
              QLatin1String("Too few seeds to distinguish learning_rate=0.01 from learning_rate=0.001"));
    EXPECT_TRUE(verdict().details().contains(QLatin1String("against 1")))
        << verdict().details().toStdString();
    EXPECT_TRUE(verdict().details().contains(QLatin1String("at least 5 of each")));
    std::vector<ui::SeedRequest> queued;
    // Instead of the page, which would start the queue.
    QObject::disconnect(&verdict(), &ui::VerdictStrip::seedsRequested, nullptr, nullptr);
    QObject::connect(&verdict(), &ui::VerdictStrip::seedsRequested, page.get(),
                     [&](const auto& seeds) { queued = seeds; });
    auto* button = page->findChild<QPushButton*>(QStringLiteral("verdict-queue"));
    ASSERT_TRUE(button->isVisible());
    EXPECT_TRUE(button->text().startsWith(QLatin1String("Queue 8 run")));
    button->click();
    EXPECT_EQ(queued, (std::vector<ui::SeedRequest>{{rows()[1]->key(), 4}, {rows()[0]->key(), 4}}));
    EXPECT_FALSE(button->isEnabled()) << "a second click would queue the same seeds again";
    // A single setting.
    chooseInMenu(1, "Remove");
    ASSERT_TRUE(waitFor([&] { return rows().size() == 1; }));
    EXPECT_EQ(verdict().sentence(), QLatin1String("Only one setting is compared"));
    button->click();
    EXPECT_EQ(queued, (std::vector<ui::SeedRequest>{{rows()[0]->key(), 4}}));
}

TEST_F(CompareViewTest, WithoutComparedRunsAButtonLeadsToTheTable) {
    const auto runs = twoGroups(1);
    page = makePage(QStringLiteral("compare"));
    page->open({});
    EXPECT_EQ(views().currentIndex(), 0);
    views().setCurrentIndex(1);
    auto* first = page->findChild<QPushButton*>(QStringLiteral("compare-first"));
    ASSERT_TRUE(first->isVisible());
    first->click();
    EXPECT_EQ(views().currentIndex(), 0);
    // The empty state comes back after the last group is removed.
    page->open(ui::CompareLink{{runs[0]}});
    ASSERT_TRUE(shows(*page, 1));
    EXPECT_FALSE(first->isVisible());
    chooseInMenu(0, "Remove");
    ASSERT_TRUE(waitFor([&] { return first->isVisible(); }));
    EXPECT_EQ(views().tabText(1), QLatin1String("Compare"));
    EXPECT_TRUE(chart().specs().empty());
}

TEST_F(CompareViewTest, AnotherWindowRestoresComparisonSelectionAndView) {
    const auto runs = twoGroups(2);
    openPage(runs, 2);
    chooseInMenu(1, "Set as baseline");
    ASSERT_TRUE(waitFor([&] { return rows()[1]->difference() == QLatin1String("baseline"); }));
    page->findChild<QTabWidget*>()->setCurrentIndex(2);
    showRuns(*page);
    table().selectRow(0);
    views().setCurrentIndex(1);
    const QVariantMap state = page->saveState();
    page.reset();
    page = makePage(QStringLiteral("compare"));
    page->restoreState(state);
    page->open({});
    EXPECT_EQ(views().currentIndex(), 1);
    EXPECT_EQ(page->findChild<QTabWidget*>()->currentIndex(), 2);
    ASSERT_TRUE(waitFor([&] { return compared(*page) == std::set<RunId>(runs.begin(), runs.end()); }));
    ASSERT_TRUE(waitFor([&] { return rows().size() == 2; }));
    EXPECT_EQ(rows()[1]->difference(), QLatin1String("baseline"));
    ASSERT_TRUE(waitFor([&] { return table().selectionModel()->selectedRows().size() == 1; }));
}

TEST_F(CompareViewTest, SixtySettingsWithLongNamesScrollAndLeaveRoomForTheChart) {
    std::vector<RunId> runs;
    for (int i = 0; i < 60; ++i)
        runs.push_back(makeRun({.name = i == 0 ? std::string(90, 'x') + "🎈" : std::string(),
                                .learning_rate = 0.001 * (i + 1),
                                .points = 20}));
    openPage(runs, 60, {700, 520});
    const int visible = page->findChild<ui::GroupRows*>()->height() / rows()[0]->height();
    EXPECT_LE(visible, 5) << "four rows and the titles";
    EXPECT_GE(page->findChild<ui::ChartWidget*>()->height(), 150);
    EXPECT_EQ(page->size(), QSize(700, 520)) << "long names do not widen the page";
    const auto before = chart().series();
    rows()[0]->eye().click();
    settle(200);
    ASSERT_EQ(chart().series()->size(), before->size());
    for (std::size_t i = 0; i < before->size(); ++i)
        EXPECT_EQ((*chart().series())[i].line, (*before)[i].line) << "one click computes no curve";
    picture(*page, "compare-sixty");
    // The keyboard reaches rows that are not visible.
    ui::EyeBox& last = rows()[59]->eye();
    page->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page.get()));
    rows()[58]->findChild<QAbstractButton*>(QStringLiteral("group-menu"))->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_TRUE(last.hasFocus());
    EXPECT_FALSE(last.visibleRegion().isEmpty());
}

// At 800 x 600 a row is about 700 pixels wide.
TEST(GroupColumns, TheResultStaysVisibleAndNoPartCoversAnother) {
    for (int width = 540; width < 1600; width += 10)
        for (const bool with_goal : {false, true}) {
            const ui::GroupColumns columns(QRect(0, 0, width, 40), with_goal);
            EXPECT_EQ(!columns.goal.isEmpty(), with_goal) << width;
            EXPECT_GE(columns.name.width(), 60) << width;
            int right = columns.swatch.right();
            for (const QRect& part : {columns.name, columns.runs, columns.curve, columns.score,
                                      columns.difference, columns.goal, columns.menu}) {
                if (part.isEmpty()) continue;
                EXPECT_GT(part.left(), right) << width;
                right = part.right();
            }
        }
}

TEST_F(CompareViewTest, LongNamesOfSettingsDoNotWidenThePage) {
    openPage(twoGroups(1), 2);
    const QString longest = QString(200, QLatin1Char('x')) + QStringLiteral("🎈");
    auto data = std::make_shared<ui::CompareData>();
    data->groups.resize(2);
    for (ui::ComparedGroup& group : data->groups) group.label = longest;
    ui::GroupRows other(chart(), theme);
    other.setData(data);
    EXPECT_LE(other.minimumSizeHint().width(), 400);
    EXPECT_EQ(other.rows()[0]->label(), longest);
    ui::VerdictStrip& strip = verdict();
    strip.setVerdict({.kind = ui::ComparisonVerdict::Kind::different,
                      .sentence = QStringLiteral("%1 is better than %2"),
                      .names = {longest, longest},
                      .details = longest,
                      .seeds = {}});
    settle(100);
    EXPECT_LE(strip.sentence().size(), 100);
    EXPECT_TRUE(strip.findChild<QLabel*>(QStringLiteral("verdict"))->toolTip().startsWith(longest));
    EXPECT_EQ(page->width(), 1200);
}

TEST_F(CompareViewTest, TheDefaultColumnsFitAndTheUsersChoiceIsKept) {
    constexpr int kRuns = 60;  // more than fit, so that there is a vertical scroll bar
    for (int i = 0; i < kRuns; ++i) makeRun({.points = 1});
    page = makePage(QStringLiteral("compare"), {930, 700});
    ASSERT_TRUE(waitFor([&] { return table().model()->rowCount() == kRuns; }));
    settle(100);
    picture(*page, "compare-runs");
    EXPECT_EQ(table().horizontalScrollBar()->maximum(), 0);
    EXPECT_TRUE(table().isColumnHidden(ui::RunTableModel::kNotes));
    for (QMenu* menu : page->findChildren<QMenu*>())
        for (QAction* action : menu->actions())
            if (action->text() == QLatin1String("Notes")) action->trigger();
    EXPECT_FALSE(table().isColumnHidden(ui::RunTableModel::kNotes));
    page = makePage(QStringLiteral("compare"), {930, 700});
    EXPECT_FALSE(table().isColumnHidden(ui::RunTableModel::kNotes));
    EXPECT_TRUE(table().isColumnHidden(ui::RunTableModel::kTags));
}

}  // namespace
}  // namespace seedbed::testing
