// SPDX-License-Identifier: Apache-2.0
// Tests taking over, conditions, branches and films on the watch page, with real players.
#include <algorithm>

#include <QAction>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

#include "tests/ui/program_fixture.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/watch/play_panel.hpp"
#include "ui/views/watch/scene_grid.hpp"
#include "ui/views/watch/stop_when.hpp"
#include "ui/views/watch/time_line.hpp"
#include "ui/views/watch/watch_link.hpp"
#include "ui/views/watch/watch_page.hpp"

namespace seedbed::ui {
namespace {

class WatchVerbsTest : public ProgramTest {
protected:
    void openPage(const QString& env) {
        train(env);
        openStore();
        page_ = std::make_unique<WatchPage>(services_);
        page_->resize(1000, 760);
        page_->open(WatchLink{1});
        page_->show();
        ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; }))
            << client().problem().toStdString();
    }
    PlayerClient& client() { return page_->client(); }
    const PlayerFrame& frame() { return *client().frame(); }
    // The latest decision that was executed.
    const PlayerRecord& executed() { return frame().trace[frame().trace.size() - 2]; }
    template <class Wanted>
    bool until(const Wanted& wanted) {
        return QTest::qWaitFor([&] { return client().frame() && wanted(*client().frame()); }, kTimeoutMs);
    }
    SceneGrid* grid() { return page_->findChild<SceneGrid*>(); }
    PlayPanel* panel() { return page_->findChild<PlayPanel*>(); }
    template <class Widget>
    Widget* find(const char* name) {
        return page_->findChild<Widget*>(QLatin1String(name));
    }
    void trigger(const char* name) { find<QAction>(name)->trigger(); }
    void takeOver() {
        trigger("watch-take");
        ASSERT_TRUE(QTest::qWaitFor([&] { return panel()->plays(); }, kTimeoutMs));
    }
    // Rows of the trace that a person decided.
    int decided() {
        int count = 0;
        for (const PlayerRecord& record : frame().trace) count += record.source == DecisionSource::person;
        return count;
    }

    std::unique_ptr<WatchPage> page_;
};

TEST_F(WatchVerbsTest, AGameThatWaitsPlaysOneRowPerPressAndContinuesWhileAKeyIsHeld) {
    openPage(QStringLiteral("cartpole"));
    takeOver();
    EXPECT_TRUE(panel()->isVisible());
    EXPECT_FALSE(find<QWidget>("watch-stop-when-button")->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([&] { return client().status().waiting; }, kTimeoutMs));
    const quint64 at = frame().newest_row;
    QTest::keyClick(grid(), Qt::Key_Left);
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.newest_row == at + 1; }));
    QTest::keyClick(grid(), Qt::Key_Right);
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.newest_row == at + 2; }));
    // A modifier makes a key a shortcut of the window.
    QTest::keyClick(grid(), Qt::Key_A, Qt::ControlModifier);
    QTest::qWait(300);
    EXPECT_EQ(frame().newest_row, at + 2) << "the game waits";
    const std::vector<PlayerRecord> trace = frame().trace;
    const auto of = [&](quint64 row) {
        return *std::find_if(trace.begin(), trace.end(), [&](const auto& r) { return r.row == row; });
    };
    EXPECT_EQ(of(at).source, DecisionSource::person);
    EXPECT_EQ(of(at).action, std::vector<float>{0});
    EXPECT_EQ(of(at + 1).action, std::vector<float>{1});

    const QLabel* hint = find<QLabel>("play-hint");
    const auto isOver = [&] { return hint->text().startsWith(QStringLiteral("Game over: return")); };
    QTest::keyPress(grid(), Qt::Key_Left);
    EXPECT_TRUE(find<QPushButton>("play-choice-0")->isDown());
    EXPECT_TRUE(until([&](const PlayerFrame& f) { return f.newest_row > at + 6 || isOver(); })) << "held";
    QTest::keyRelease(grid(), Qt::Key_Left);
    EXPECT_FALSE(find<QPushButton>("play-choice-0")->isDown());
    ASSERT_TRUE(QTest::qWaitFor([&] { return client().status().waiting; }, kTimeoutMs));
    savePicture(*page_, QStringLiteral("watch-play"));
    auto* line = page_->findChild<TimeLine*>();
    EXPECT_EQ(line->legend(1e6)[2].second, QStringLiteral("your actions"));

    // A key that is held to the end of the game does not begin the next one.
    QTest::keyPress(grid(), Qt::Key_Left);
    EXPECT_FALSE(isOver());
    ASSERT_TRUE(until([&](const PlayerFrame&) { return isOver(); }));
    ASSERT_TRUE(QTest::qWaitFor([&] { return client().status().waiting; }, kTimeoutMs));
    EXPECT_TRUE(hint->text().contains(QString::number(frame().cells[0].last_return)))
        << hint->text().toStdString();
    EXPECT_FALSE(find<QPushButton>("play-choice-0")->isDown());
    QTest::keyRelease(grid(), Qt::Key_Left);
    QTest::keyClick(grid(), Qt::Key_Left);
    EXPECT_FALSE(isOver());

    QTest::keyClick(grid(), Qt::Key_Escape);
    EXPECT_FALSE(panel()->plays());
    const quint64 given = frame().newest_row;
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.newest_row > given + 5; })) << "the policy plays";
    EXPECT_EQ(executed().source, DecisionSource::policy);
    // The keys control the player again.
    QTest::keyClick(grid(), Qt::Key_Left);
    EXPECT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
}

// From the event of the key to the picture of the next state; the game waits in between.
TEST_F(WatchVerbsTest, AKeyBecomesAnActionWithinOneFrame) {
    openPage(QStringLiteral("cartpole"));
    takeOver();
    std::vector<double> times;
    for (int i = 0; i < 40; ++i) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return client().status().waiting; }, kTimeoutMs));
        QTest::qWait(30);
        const quint64 row = frame().newest_row;
        QElapsedTimer timer;
        timer.start();
        QTest::keyClick(grid(), i % 2 == 0 ? Qt::Key_Left : Qt::Key_Right);
        while (frame().newest_row == row && timer.elapsed() < 1000) QCoreApplication::processEvents();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    RecordProperty("median_ms", std::to_string(times[20]));
    RecordProperty("p95_ms", std::to_string(times[38]));
    EXPECT_LE(times[20], 1000 / client().about().rate) << "milliseconds, median";
}

TEST_F(WatchVerbsTest, InAGameThatDoesNotWaitAPressActsAndAReleaseEndsIt) {
    openPage(QStringLiteral("pong"));
    takeOver();
    // It is paused until the first key, which the game gets.
    EXPECT_EQ(page_->focusWidget(), grid());
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    // Given back before that, the agent plays on.
    QTest::keyClick(grid(), Qt::Key_Escape);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return !f.paused; }));
    takeOver();
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    QTest::keyPress(grid(), Qt::Key_Up);
    EXPECT_TRUE(
        until([&](const PlayerFrame& f) { return !f.paused && executed().action == std::vector<float>{0}; }));
    QTest::keyPress(grid(), Qt::Key_Down);
    EXPECT_TRUE(until([&](const PlayerFrame&) { return executed().action == std::vector<float>{2}; }))
        << "the latest key";
    QTest::keyRelease(grid(), Qt::Key_Down);
    EXPECT_TRUE(until([&](const PlayerFrame&) { return executed().action == std::vector<float>{0}; }))
        << "the one that is still held";
    page_->setFocus();
    QEvent gone(QEvent::WindowDeactivate);
    QCoreApplication::sendEvent(page_.get(), &gone);
    EXPECT_TRUE(until([&](const PlayerFrame&) { return executed().action == std::vector<float>{1}; }))
        << "a window without the keyboard holds no key";
    // Paused, each key plays one row.
    client().ask(QStringLiteral("pause"));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    const quint64 row = frame().row;
    QTest::mousePress(find<QPushButton>("play-choice-2"), Qt::LeftButton);
    QTest::mouseRelease(find<QPushButton>("play-choice-2"), Qt::LeftButton);
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == row + 1; }));
    EXPECT_EQ(executed().action, std::vector<float>{2});
    // A player that ends takes its seat along.
    client().close();
    EXPECT_FALSE(panel()->plays());
    EXPECT_FALSE(find<QAction>("watch-take")->isEnabled());
}

TEST_F(WatchVerbsTest, AGameOfAPersonStopsAtItsEndUntilTheNextKey) {
    openPage(QStringLiteral("catch"));
    find<QComboBox>("watch-agents")->setCurrentIndex(3);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 6; }));
    client().ask(QStringLiteral("break"), {{QStringLiteral("when"), QStringLiteral("step >= 0")}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    takeOver();
    EXPECT_TRUE(grid()->focusOnly()) << "one of many games";
    QTest::keyClick(grid(), Qt::Key_Left);
    client().ask(QStringLiteral("resume"));
    const QLabel* hint = find<QLabel>("play-hint");
    ASSERT_TRUE(until([&](const PlayerFrame& f) {
        return f.paused && hint->text().startsWith(QStringLiteral("Game over: return"));
    })) << "no condition stops a person's game";
    ASSERT_EQ(frame().row, frame().newest_row);
    const PlayerCell& cell = frame().cells[0];
    EXPECT_LE(cell.now.step, 3) << "soon after the end";
    EXPECT_TRUE(hint->text().contains(QString::number(cell.last_return))) << hint->text().toStdString();
    const quint64 row = frame().newest_row;
    QTest::keyPress(grid(), Qt::Key_Left);
    EXPECT_TRUE(until([&](const PlayerFrame& f) { return !f.paused && f.newest_row > row; }));
    QTest::keyRelease(grid(), Qt::Key_Left);
    // An earlier row has fewer finished games: going back and forth over an end is not one.
    client().ask(QStringLiteral("pause"));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    const quint64 newest = frame().newest_row;
    client().ask(QStringLiteral("seek"), {{QStringLiteral("row"), 1}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row == 1; }));
    client().ask(QStringLiteral("seek"), {{QStringLiteral("row"), static_cast<qint64>(newest)}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == newest; }));
    QTest::qWait(100);
    EXPECT_FALSE(hint->text().startsWith(QStringLiteral("Game over"))) << hint->text().toStdString();
}

TEST_F(WatchVerbsTest, ABoardGameWaitsForAMoveThatIsAllowed) {
    openPage(QStringLiteral("tic_tac_toe"));
    client().ask(QStringLiteral("pause"));
    client().ask(QStringLiteral("restart"));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row == 0 && f.paused; }));
    takeOver();  // the first seat moves first, and the game continues
    QLabel* hint = find<QLabel>("play-hint");
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return hint->text() == QStringLiteral("Your move: click on the board"); }, kTimeoutMs));
    const auto* corner = find<QPushButton>("play-choice-0");
    EXPECT_TRUE(corner->isEnabled());
    EXPECT_FALSE(find<QPushButton>("play-choice-9")->isVisible()) << "waiting is not a move";
    QTest::keyClick(grid(), Qt::Key_0);
    // The policy answers, and it is the person's turn again.
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.newest_row == 2 && client().status().waiting; }));
    EXPECT_EQ(frame().trace[0].action, std::vector<float>{0});
    EXPECT_EQ(frame().trace[0].source, DecisionSource::person);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !corner->isEnabled(); }, kTimeoutMs));
    savePicture(*page_, QStringLiteral("watch-board"));
    // A refusal is shown until the next move.
    QTest::keyClick(grid(), Qt::Key_0);
    const auto status = [&] { return find<QWidget>("watch-status")->accessibleName(); };
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return status().contains(QStringLiteral("not allowed now")); }, kTimeoutMs));
    const std::vector<float>& shown = frame().cells[0].now.shown;
    const auto free =
        std::find_if(shown.begin(), shown.end() - 1, [](float p) { return p > 0; }) - shown.begin();
    QTest::keyClick(grid(), static_cast<Qt::Key>(Qt::Key_0 + free));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !status().contains(QStringLiteral("not allowed now")); }, 5000))
        << status().toStdString();

    // A click on a free cell of the picture plays it.
    client().ask(QStringLiteral("restart"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return frame().row == 0 && client().status().waiting; }, kTimeoutMs));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !grid()->areaAt(8).isEmpty(); }, kTimeoutMs));
    QTest::mouseClick(grid(), Qt::LeftButton, {}, grid()->areaAt(8).center().toPoint());
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.newest_row == 2 && client().status().waiting; }));
    EXPECT_EQ(frame().trace[0].action, std::vector<float>{8});
    EXPECT_TRUE(QTest::qWaitFor([&] { return grid()->areaAt(7).isEmpty(); }, kTimeoutMs))
        << "two cells are taken";
    EXPECT_FALSE(grid()->areaAt(6).isEmpty());

    // Paused, a press plays the move.
    client().ask(QStringLiteral("restart"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return frame().row == 0 && client().status().waiting; }, kTimeoutMs));
    client().ask(QStringLiteral("pause"));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    QTest::keyClick(grid(), Qt::Key_4);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row == 1; }));
    EXPECT_EQ(executed().action, std::vector<float>{4});
}

TEST_F(WatchVerbsTest, ManyChoicesAreAListThatPlaysOnlyOnReturn) {
    openPage(QStringLiteral("othello"));
    takeOver();
    auto* list = find<QComboBox>("play-list");
    ASSERT_NE(list, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return client().status().waiting; }, kTimeoutMs));
    const quint64 row = frame().newest_row;
    QTest::keyClick(list, Qt::Key_Down);
    QTest::qWait(200);
    EXPECT_EQ(frame().newest_row, row) << "browsing plays nothing";
    // Some move is allowed.
    const PlayerRecord& now = frame().cells[0].now;
    const auto best = std::max_element(now.shown.begin(), now.shown.end()) - now.shown.begin();
    list->lineEdit()->setText(list->itemText(static_cast<int>(best)));
    QTest::keyClick(list->lineEdit(), Qt::Key_Return);
    EXPECT_TRUE(until([&](const PlayerFrame& f) { return f.newest_row > row; }));
}

TEST_F(WatchVerbsTest, AConditionStopsTheGameAndStaysForTheNextPlayer) {
    openPage(QStringLiteral("cartpole"));
    auto* conditions = page_->findChild<QPushButton*>(QStringLiteral("stop-add"))->parentWidget();
    trigger("watch-stop-when");
    ASSERT_TRUE(conditions->isVisible());
    auto* term = find<QComboBox>("stop-term");
    EXPECT_GE(term->findText(QStringLiteral("pole angle (rad)")), 0);
    auto* text = find<QLineEdit>("stop-text");
    EXPECT_EQ(text->text(), QStringLiteral("end")) << "the first choice";
    EXPECT_TRUE(find<QLineEdit>("stop-number")->isHidden());
    term->setCurrentIndex(term->findData(QStringLiteral("action")));
    find<QComboBox>("stop-choice")->setCurrentIndex(1);
    EXPECT_EQ(text->text(), QStringLiteral("action == 1"));
    // An error is shown where it was made.
    text->setText(QStringLiteral("valu < 3"));
    QTest::mouseClick(find<QPushButton>("stop-add"), Qt::LeftButton);
    QLabel* problem = find<QLabel>("stop-problem");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !problem->isHidden(); }, kTimeoutMs));
    EXPECT_TRUE(problem->text().contains(QStringLiteral("value"))) << problem->text().toStdString();
    EXPECT_TRUE(conditions->isVisible());
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return problem->height() >= problem->heightForWidth(problem->width()); }, kTimeoutMs))
        << "the whole error";

    term->setCurrentIndex(term->findData(QStringLiteral("step")));
    find<QLineEdit>("stop-number")->setText(QStringLiteral("5"));
    EXPECT_EQ(text->text(), QStringLiteral("step == 5"));
    QTest::keyClick(text, Qt::Key_Return);
    Chip* chip = find<Chip>("watch-stopped-by");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !chip->isHidden(); }, kTimeoutMs));
    EXPECT_TRUE(chip->text().contains(QStringLiteral("step == 5")));
    EXPECT_FALSE(conditions->isVisible()) << "the next click is for the page";
    EXPECT_EQ(find<QToolButton>("watch-stop-when-button")->text(), QStringLiteral("Stop when (1)"));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused && f.cells[0].now.step == 5; }));
    savePicture(*page_, QStringLiteral("watch-stopped"));
    bool continued = false;
    QObject::connect(&client(), &PlayerClient::statusChanged, page_.get(), [&] {
        continued = continued || (client().status().stopped_by.isEmpty() && chip->isHidden());
    });
    QTest::keyClick(grid(), Qt::Key_Space);
    ASSERT_TRUE(QTest::qWaitFor([&] { return continued; }, kTimeoutMs));

    // Other weights: the condition is set again, and can be removed.
    trigger("watch-newest");
    ASSERT_TRUE(QTest::qWaitFor([&] { return client().status().stopped_by == QStringLiteral("step == 5"); },
                                kTimeoutMs));
    ASSERT_EQ(client().status().breaks.size(), 1U);
    const QString remove = QStringLiteral("stop-remove-%1").arg(client().status().breaks[0].id);
    page_->findChild<QPushButton*>(remove)->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return client().status().breaks.empty(); }, kTimeoutMs));

    // The end of a game: its last picture, and numbers of the next game that are marked as such.
    EXPECT_TRUE(page_->inspector().content().ended.isEmpty());
    text->setText(QStringLiteral("end"));
    QTest::keyClick(text, Qt::Key_Return);
    QTest::keyClick(grid(), Qt::Key_Space);
    ASSERT_TRUE(until([&](const PlayerFrame& f) {
        return f.paused && f.trace.size() > 1 && f.trace[f.trace.size() - 2].end == EpisodeMark::terminated;
    }));
    EXPECT_EQ(frame().cells[0].now.step, 0);
    EXPECT_EQ(page_->inspector().content().ended,
              QStringLiteral("Game over: return %1").arg(frame().cells[0].last_return));
}

TEST_F(WatchVerbsTest, ABranchHasItsOwnFutureAndAFilmIsSaved) {
    openPage(QStringLiteral("cartpole"));
    QTest::keyClick(grid(), Qt::Key_Space);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    auto* close = page_->findChild<QAction*>(QStringLiteral("watch-close-branch"));
    EXPECT_FALSE(close->isEnabled());
    trigger("watch-branch");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 2; }));
    EXPECT_EQ(frame().cells[0].now.action, frame().cells[1].now.action);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.focus == 1; })) << "the new branch is in focus";
    const auto agents = [&] { return find<QComboBox>("watch-agents")->currentText(); };
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return agents() == QStringLiteral("1 agent(s) + 1 branch(es)"); }, kTimeoutMs))
        << agents().toStdString();
    // The branch is kept, paused, while another page is shown.
    trigger("watch-pause");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return !f.paused; }));
    page_->hide();
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    page_->show();
    EXPECT_EQ(client().state(), PlayerClient::State::playing);
    EXPECT_EQ(frame().cells.size(), 2U);
    // The person plays the branch; the original stays with the policy.
    takeOver();
    EXPECT_FALSE(grid()->focusOnly()) << "the branch is played next to the game";
    QTest::keyClick(grid(), Qt::Key_Left);
    ASSERT_TRUE(until([&](const PlayerFrame&) { return decided() == 1; }));
    trigger("watch-take");
    EXPECT_FALSE(panel()->plays());
    EXPECT_FALSE(grid()->focusOnly());

    trigger("watch-save");
    auto* dialog = page_->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    const QString file = folder_.filePath(QStringLiteral("game.gif"));
    Q_EMIT dialog->fileSelected(file);
    dialog->close();
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFileInfo(file).size() > 100; }, kTimeoutMs));
    // At an earlier step, the person plays a branch that continues from it; the seat ends with the branch.
    client().ask(QStringLiteral("step"), {{QStringLiteral("count"), -1}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row + 1 == f.newest_row; }));
    const quint64 earlier = frame().row;
    takeOver();
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == earlier && f.row == f.newest_row; }));
    EXPECT_EQ(frame().cells.size(), 3u) << "the first branch continues, too";
    EXPECT_EQ(frame().focus, 2);
    QTest::keyClick(grid(), Qt::Key_Right);
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == earlier + 1; }));
    EXPECT_EQ(executed().source, DecisionSource::person);
    // Earlier rows do not have the branch, but the person keeps the seat.
    client().ask(QStringLiteral("step"), {{QStringLiteral("count"), -3}});
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row + 3 == f.newest_row; }));
    EXPECT_TRUE(panel()->plays());
    trigger("watch-take");

    client().ask(QStringLiteral("step"), {{QStringLiteral("count"), 10}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row == f.newest_row; }));
    ASSERT_TRUE(QTest::qWaitFor([&] { return close->isEnabled(); }, kTimeoutMs));
    trigger("watch-close-branch");
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 2 && f.focus == 1; }));
    // Restarting removes branches, with the seat in one of them.
    takeOver();
    client().ask(QStringLiteral("restart"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel()->plays(); }, kTimeoutMs));
}

}  // namespace
}  // namespace seedbed::ui
