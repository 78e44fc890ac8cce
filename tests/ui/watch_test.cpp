// SPDX-License-Identifier: Apache-2.0
// Tests the watch page with real players: contents, keys, replays, and missing players and runs.
#include "ui/views/watch/watch_page.hpp"

#include <algorithm>
#include <csignal>
#include <set>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <gtest/gtest.h>

#include "core/base/os/processes.hpp"
#include "tests/ui/program_fixture.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/watch/scene_grid.hpp"
#include "ui/views/watch/scene_painter.hpp"
#include "ui/views/watch/time_line.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {
namespace {

class WatchTest : public ProgramTest {
protected:
    void openPage(const std::any& link = {}) {
        openStore();
        page_ = std::make_unique<WatchPage>(services_);
        page_->resize(1000, 760);
        page_->open(link);
        page_->show();
    }
    PlayerClient& client() { return page_->client(); }
    const PlayerFrame& frame() { return *client().frame(); }
    template <class Wanted>
    bool until(const Wanted& wanted) {
        return QTest::qWaitFor([&] { return client().frame() && wanted(*client().frame()); }, kTimeoutMs);
    }
    QComboBox* box(const char* name) { return page_->findChild<QComboBox*>(QLatin1String(name)); }
    QWidget* grid() { return page_->findChild<SceneGrid*>(); }
    void keep(const QString& name) { savePicture(*page_, name); }

    std::unique_ptr<WatchPage> page_;
};

TEST_F(WatchTest, KeysPauseAndStepAndTheTableMatchesTheTimeLine) {
    train();
    openPage(WatchLink{1});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 10; })) << client().problem().toStdString();
    EXPECT_EQ(QApplication::focusWidget() == nullptr || page_->focusWidget() == grid(), true);
    EXPECT_EQ(page_->findChild<QLabel*>(QStringLiteral("watch-title"))->text(),
              QStringLiteral("CartPole · run 1"));
    EXPECT_TRUE(page_->findChild<QWidget*>(QStringLiteral("watch-subtitle"))
                    ->accessibleName()
                    .startsWith(QStringLiteral("weights from step ")));
    QTest::keyClick(grid(), Qt::Key_Space);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    const quint64 at = frame().row;
    QTest::keyClick(grid(), Qt::Key_Left);
    QTest::keyClick(grid(), Qt::Key_Left);
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == at - 2; }));
    QTest::keyClick(grid(), Qt::Key_Right);
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == at - 1; }));

    // The table contains the trace, newest first.
    QTest::keyClick(grid(), Qt::Key_T);
    auto* table = page_->findChild<QTableView*>(QStringLiteral("watch-decisions"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->isVisible(); }));
    const QAbstractItemModel* model = table->model();
    ASSERT_EQ(model->rowCount(), static_cast<int>(frame().trace.size()));
    const PlayerRecord& newest = frame().trace.back();
    EXPECT_EQ(model->index(0, TraceModel::row_column).data().toString(),
              QLocale().toString(static_cast<qulonglong>(newest.row)));
    EXPECT_EQ(model->columnCount(), TraceModel::shown_column + 2);
    EXPECT_FALSE(model->index(0, TraceModel::action_column).data().toString().isEmpty());
    keep(QStringLiteral("watch-table"));

    // The table shows the step of the picture, and a step of the table is shown in the picture.
    EXPECT_EQ(table->currentIndex().row(), 1);
    QTest::keyClick(grid(), Qt::Key_Left);
    EXPECT_TRUE(QTest::qWaitFor([&] { return table->currentIndex().row() == 2; }, kTimeoutMs));
    Q_EMIT table->activated(model->index(0, 0));
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row == at; }));

    // Keys that a focused control uses do not reach the player.
    table->setFocus();
    const quint64 now = frame().row;
    QTest::keyClick(table, Qt::Key_Right);
    QTest::qWait(200);
    EXPECT_EQ(frame().row, now);
}

TEST_F(WatchTest, WithoutRunsAButtonLeadsToTheStartPage) {
    openPage();
    auto* train = page_->findChild<QPushButton*>(QStringLiteral("watch-train"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return train->isVisible(); }, kTimeoutMs));
    train->click();
    EXPECT_EQ(navigator_.page(), QStringLiteral("start"));
    this->train();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !train->isVisible(); }, kTimeoutMs));
}

TEST_F(WatchTest, APlayerThatSavesTimeDropsFramesButNotTheLastOne) {
    train();
    openPage(WatchLink{1});
    client().saveTime(true);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 10; })) << client().problem().toStdString();
    QTest::keyClick(grid(), Qt::Key_Space);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    const quint64 at = frame().row;
    for (int back = 1; back <= 5; ++back) QTest::keyClick(grid(), Qt::Key_Left);
    EXPECT_TRUE(until([&](const PlayerFrame& f) { return f.row == at - 5; }));
    // A player that is opened meanwhile has its own pace.
    client().open(client().source());
    EXPECT_TRUE(until([](const PlayerFrame& f) { return f.row > 10; }));
}

TEST_F(WatchTest, AWindowThatSavesTimeShowsFewerFramesTheMoreItDoes) {
    train();
    openPage(WatchLink{1});
    client().saveTime(true);
    quint64 before = 0, most = 0;
    const auto counting = QObject::connect(&client(), &PlayerClient::frameChanged, &client(), [&] {
        most = std::max(most, before > 0 ? frame().row - before : 0);
        before = frame().row;
        // Work after the frame, such as painting or reading the database.
        QTimer::singleShot(10, &client(), [until = cpuSecondsOfThread() + 0.15] {
            while (cpuSecondsOfThread() < until) continue;
        });
    });
    // A frame is shown for a second, in which 30 rows are played; without that work for less than half of it.
    EXPECT_TRUE(QTest::qWaitFor([&] { return most >= 24; }, kTimeoutMs)) << most;
    QObject::disconnect(counting);
}

TEST_F(WatchTest, AtFullSpeedEveryPictureIsNewAndTheTraceMatchesTheFocus) {
    train();
    openPage(WatchLink{1});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; })) << client().problem().toStdString();
    box("watch-agents")->setCurrentIndex(box("watch-agents")->findData(16));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 16; }));
    box("watch-speed")->setCurrentIndex(box("watch-speed")->count() - 1);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.speed == 0; }));
    int pictures = 0, same = 0, without_trace = 0;
    quint64 before = 0;
    const auto counting = QObject::connect(&client(), &PlayerClient::frameChanged, &client(), [&] {
        ++pictures;
        same += frame().row == before;
        without_trace += frame().trace.empty();
        before = frame().row;
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return pictures >= 60; }, kTimeoutMs));
    EXPECT_LT(same, 15) << "of " << pictures;
    EXPECT_EQ(without_trace, 0);
    // After another agent is selected, its trace arrives with the next frames.
    client().ask(QStringLiteral("focus"), {{QStringLiteral("env"), 9}});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.focus == 9; }));
    pictures = without_trace = 0;
    ASSERT_TRUE(QTest::qWaitFor([&] { return pictures >= 20; }, kTimeoutMs));
    EXPECT_EQ(without_trace, 0);
    QObject::disconnect(counting);
}

TEST_F(WatchTest, AgentsSpeedAndChoiceOfActionsReachThePlayer) {
    train();
    openPage(WatchLink{1});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; })) << client().problem().toStdString();
    EXPECT_TRUE(frame().greedy);
    box("watch-agents")->setCurrentIndex(box("watch-agents")->findData(9));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 9; }));
    box("watch-selection")->setCurrentIndex(1);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return !f.greedy; }));
    // New games have a different seed.
    for (QAction* action : page_->actions())
        if (action->objectName() == QStringLiteral("watch-newest")) action->trigger();
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 9 && !f.greedy; }));
    EXPECT_EQ(client().source().seed, 2u);
    QTest::keyClick(grid(), Qt::Key_BracketRight);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.speed == 2; }));
    auto* scenes = page_->findChild<SceneGrid*>();
    QTest::mouseClick(scenes, Qt::LeftButton, {}, scenes->cellAt(4).center());
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.focus == 4 && f.trace.size() > 60; }));
    keep(QStringLiteral("watch-nine"));
    QTest::keyClick(grid(), Qt::Key_F);
    EXPECT_TRUE(QTest::qWaitFor([&] { return scenes->focusOnly(); }));
    EXPECT_TRUE(scenes->cellAt(0).isEmpty());
    EXPECT_FALSE(scenes->cellAt(4).isEmpty());
    keep(QStringLiteral("watch-alone"));
}

TEST_F(WatchTest, StoredReplaysAreShownToTheirEnd) {
    train();
    openPage(WatchLink{1});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; })) << client().problem().toStdString();
    box("watch-speed")->setCurrentIndex(7);
    box("watch-episode")->setCurrentIndex(3);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return client().about().is_replay && client().frame() && frame().finished; }, kTimeoutMs))
        << client().problem().toStdString();
    EXPECT_FALSE(box("watch-selection")->isEnabled()) << "the actions of a replay are recorded";
    EXPECT_FALSE(frame().trace.front().shown.empty()) << "the outputs of the policy are shown";
    keep(QStringLiteral("watch-replay"));
}

TEST_F(WatchTest, ARecordedGameIsOpenedAndTheRunIsShownAgain) {
    train();
    const QString file = folder_.filePath(QStringLiteral("by hand.replay"));
    seedbed({QStringLiteral("play"), QStringLiteral("1"), QStringLiteral("--headless"),
             QStringLiteral("--episodes"), QStringLiteral("2"), QStringLiteral("--record"), file});
    openPage(WatchLink{1});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; })) << client().problem().toStdString();
    page_->openFile(file);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return client().about().is_replay && client().frame() && frame().row > 2; }, kTimeoutMs))
        << client().problem().toStdString();
    EXPECT_EQ(client().source().file, file);
    EXPECT_TRUE(box("watch-episode")->currentText().contains(QStringLiteral("by hand.replay")));
    EXPECT_FALSE(box("watch-selection")->isEnabled());
    keep(QStringLiteral("watch-file"));
    box("watch-episode")->setCurrentIndex(0);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return client().frame() && !client().about().is_replay && frame().row > 2; }, kTimeoutMs));
    // An invalid file is reported.
    page_->openFile(folder_.filePath(QStringLiteral("seedbed.db")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return client().state() == PlayerClient::State::ended; }, kTimeoutMs));
    EXPECT_FALSE(client().problem().isEmpty());
}

TEST_F(WatchTest, OutputsOfBothAgentsOfAGameAreShown) {
    train(QStringLiteral("connect_four"));
    openPage(WatchLink{1});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; })) << client().problem().toStdString();
    auto* seat = box("watch-seat");
    ASSERT_TRUE(QTest::qWaitFor([&] { return seat->isVisible() && seat->count() == 2; }, kTimeoutMs));
    EXPECT_EQ(frame().cells.front().agents(), 2);
    seat->setCurrentIndex(1);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.focus_agent == 1; }));
    EXPECT_TRUE(page_->findChild<QTableView*>(QStringLiteral("watch-decisions"))->model()->rowCount() > 0);
    keep(QStringLiteral("watch-two"));
    // By keyboard: the first agent follows the last one.
    QTest::keyClick(grid(), Qt::Key_N);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.focus_agent == 0 && f.focus == 0; }));
    EXPECT_EQ(seat->currentIndex(), 0);
}

TEST_F(WatchTest, APointOfACurveLinksToTheNearestStoredCheckpoint) {
    train();
    openPage(WatchLink{1, 2900});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; })) << client().problem().toStdString();
    EXPECT_GE(frame().weights_steps, 3000);
    EXPECT_FALSE(frame().followed);
    EXPECT_GT(box("watch-weights")->currentIndex(), 0);
}

TEST_F(WatchTest, AKilledPlayerShowsABarThatRestartsIt) {
    train();
    openPage(WatchLink{1});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; })) << client().problem().toStdString();
    auto* again = page_->findChild<QPushButton*>(QStringLiteral("watch-start-again"));
    EXPECT_FALSE(again->isVisible());
    ASSERT_EQ(::kill(static_cast<pid_t>(client().about().process), SIGKILL), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return again->isVisible(); }, kTimeoutMs));
    EXPECT_TRUE(client().problem().contains(QStringLiteral("Training is not affected")))
        << client().problem().toStdString();
    keep(QStringLiteral("watch-killed"));
    QTest::mouseClick(again, Qt::LeftButton);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return client().state() == PlayerClient::State::playing; }, kTimeoutMs));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; }));
    EXPECT_FALSE(again->isVisible());
    // A game that a person paused stays at its step while another page is shown.
    QTest::keyClick(grid(), Qt::Key_Space);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    const quint64 row = frame().row;
    page_->hide();
    page_->show();
    EXPECT_EQ(client().state(), PlayerClient::State::playing);
    EXPECT_TRUE(frame().paused);
    EXPECT_EQ(frame().row, row);
    // Also after a click on a button, the space bar continues.
    for (QToolButton* button : page_->findChildren<QToolButton*>()) {
        if (button->defaultAction() == nullptr ||
            button->defaultAction()->objectName() != QLatin1String("watch-pause"))
            continue;
        QTest::mouseClick(button, Qt::LeftButton);
        EXPECT_FALSE(button->hasFocus());
    }
    ASSERT_TRUE(until([](const PlayerFrame& f) { return !f.paused; }));
    // A hidden page stops its player, unless the game is paused. It keeps no paused game whose player has
    // exited.
    client().ask(QStringLiteral("pause"));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.paused; }));
    ASSERT_EQ(::kill(static_cast<pid_t>(client().about().process), SIGKILL), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return again->isVisible(); }, kTimeoutMs));
    page_->hide();
    EXPECT_EQ(client().state(), PlayerClient::State::closed);
    page_->show();
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; }));
    page_->hide();
    EXPECT_EQ(client().state(), PlayerClient::State::closed);
}

TEST_F(WatchTest, ChoicesAreKeptWhileThePageIsHiddenAndThePlayerStarts) {
    train();
    openPage(WatchLink{1});
    // Selected before the player is connected.
    box("watch-agents")->setCurrentIndex(box("watch-agents")->findData(4));
    box("watch-speed")->setCurrentIndex(4);
    box("watch-selection")->setCurrentIndex(1);
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.cells.size() == 4 && f.speed == 2 && !f.greedy; }))
        << client().problem().toStdString();

    // When the page is shown again, a new player starts.
    const qint64 process = client().about().process;
    page_->open({});
    QTest::qWait(300);
    EXPECT_EQ(client().about().process, process);
    EXPECT_EQ(client().state(), PlayerClient::State::playing);

    // A run that was chosen on another page is shown instead.
    train();
    runs_->refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs_->find(2) != nullptr; }, kTimeoutMs));
    runs_->setChosen(2);
    page_->open({});
    EXPECT_EQ(client().source().policy, QStringLiteral("2"));
    page_->open(WatchLink{1});
    EXPECT_EQ(runs_->chosen(), 1);

    // After hiding and showing, the selected checkpoint is kept.
    ASSERT_TRUE(QTest::qWaitFor([&] { return box("watch-weights")->count() > 1; }, kTimeoutMs));
    box("watch-weights")->setCurrentIndex(1);
    const QVariant step = box("watch-weights")->currentData();
    ASSERT_TRUE(step.isValid());
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2 && !f.followed; }));
    page_->hide();
    page_->open({});
    page_->show();
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.row > 2; })) << client().problem().toStdString();
    EXPECT_EQ(box("watch-weights")->currentData(), step);
    EXPECT_TRUE(client().source().policy.endsWith(QStringLiteral(":%1").arg(step.toLongLong())))
        << client().source().policy.toStdString();
}

TEST_F(WatchTest, TheListOfRunsIsUpdatedOnlyWhereItDiffers) {
    train();
    openPage(WatchLink{1});
    ASSERT_TRUE(QTest::qWaitFor([&] { return box("watch-run")->count() == 1; }, kTimeoutMs));
    int touched = 0;
    const QAbstractItemModel* model = box("watch-run")->model();
    QObject::connect(model, &QAbstractItemModel::rowsRemoved, page_.get(), [&] { ++touched; });
    QObject::connect(model, &QAbstractItemModel::modelReset, page_.get(), [&] { ++touched; });
    QObject::connect(model, &QAbstractItemModel::dataChanged, page_.get(), [&] { ++touched; });
    for (int i = 0; i < 5; ++i) Q_EMIT runs_->runsChanged();
    EXPECT_EQ(touched, 0);
    EXPECT_EQ(box("watch-run")->count(), 1);
    // A run that is not listed (too many runs, or deleted) is still shown.
    page_->open(WatchLink{77});
    EXPECT_EQ(box("watch-run")->currentData().toLongLong(), 77);
    EXPECT_FALSE(box("watch-run")->currentText().isEmpty());
}

TEST(TimeLine, TwentyFourActionsLookDifferentAndTheLegendCountsTheRest) {
    Theme theme;
    std::set<std::pair<QRgb, int>> looks;
    for (int i = 0; i < 24; ++i) {
        const QBrush brush = TimeLine::actionBrush(theme, i);
        looks.emplace(brush.color().rgb(), brush.style());
    }
    EXPECT_EQ(looks.size(), 24U);
    TraceModel model;
    ActionLeaf leaf;
    leaf.n = 18;
    model.setActions({leaf});
    const TimeLine line(theme, model);
    const std::size_t all = line.legend(1e6).size();
    EXPECT_EQ(all, 20U) << "value, reward and 18 actions";
    const auto some = line.legend(200);
    ASSERT_LT(some.size(), all);
    EXPECT_EQ(some.back().second, QStringLiteral("+%1").arg(all - some.size() + 1));
}

TEST(TimeLine, IsPaintedLessOftenWhileItSavesTime) {
    Theme theme;
    TraceModel model;
    struct : TimeLine {
        using TimeLine::TimeLine;
        int painted = 0;
        void paintEvent(QPaintEvent* event) override {
            ++painted;
            TimeLine::paintEvent(event);
        }
    } line(theme, model);
    line.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return line.painted > 0; }, 60'000));
    const auto frames = [&](int count) {  // each is painted before the next one arrives, if at all
        line.painted = 0;
        for (int i = 0; i < count; ++i) {
            auto frame = std::make_shared<PlayerFrame>();
            frame->cells.resize(1);
            model.show(frame);
            QCoreApplication::processEvents();
        }
        return line.painted;
    };
    EXPECT_EQ(frames(10), 10);
    line.saveTime(true);
    QElapsedTimer elapsed;
    elapsed.start();
    const int painted = frames(10);
    EXPECT_LE(painted, 1 + elapsed.elapsed() / TimeLine::kSavingMs);
    EXPECT_TRUE(QTest::qWaitFor([&] { return line.painted > painted; }, 60'000)) << "the last rows, later";
}

TEST_F(WatchTest, MissingRunsAndEmptyFoldersAreReported) {
    openPage();
    EXPECT_EQ(client().state(), PlayerClient::State::closed);
    keep(QStringLiteral("watch-empty"));
    page_->open(WatchLink{77});
    ASSERT_TRUE(QTest::qWaitFor([&] { return client().state() == PlayerClient::State::ended; }, kTimeoutMs));
    EXPECT_FALSE(client().problem().isEmpty());
    // The program is missing.
    PlayerClient lost(QStringLiteral("/nowhere/seedbed"), dataFolder());
    lost.open({.policy = QStringLiteral("1")});
    ASSERT_TRUE(QTest::qWaitFor([&] { return lost.state() == PlayerClient::State::ended; }, kTimeoutMs));
    EXPECT_TRUE(lost.problem().contains(QStringLiteral("could not be started")))
        << lost.problem().toStdString();
}

TEST_F(WatchTest, AFollowedRunThatEndsContinuesPlaying) {
    QProcess training;
    training.start(program(), {QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
                               QStringLiteral("1000000000"), QStringLiteral("--quiet"),
                               QStringLiteral("--data"), dataFolder()});
    ASSERT_TRUE(training.waitForReadyRead(kTimeoutMs)) << "prints the id of the run";
    openPage(WatchLink{1});
    ASSERT_TRUE(until([](const PlayerFrame& f) { return f.followed && f.weights_steps > 0; }))
        << client().problem().toStdString();
    const std::int64_t before = frame().weights_steps;
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.weights_steps > before; }))
        << "newer weights arrive";
    keep(QStringLiteral("watch-follow"));
    training.terminate();
    ASSERT_TRUE(training.waitForFinished(kTimeoutMs));
    ASSERT_TRUE(until([](const PlayerFrame& f) { return !f.followed; }));
    const quint64 row = frame().row;
    ASSERT_TRUE(until([&](const PlayerFrame& f) { return f.row > row + 3; })) << "the player keeps playing";
}

// World coordinates are mapped to pixels, and pixel frames keep sharp edges.
TEST(ScenePainter, DrawsWorldUnitsUprightAndPixelsSharp) {
    Scene scene;
    scene.clear(0, 0, 10, 5, {255, 255, 255, 255});
    scene.rectangle(8, 4, 2, 2, {255, 0, 0, 255});  // right, above
    QImage image(200, 200, QImage::Format_RGB32);
    image.fill(Qt::black);
    QPainter painter(&image);
    paintScene(painter, scene, QRectF(0, 0, 200, 200));
    painter.end();
    EXPECT_EQ(scenePlace(scene, QRectF(0, 0, 200, 200)), QRectF(0, 50, 200, 100))
        << "the aspect ratio is kept";
    EXPECT_EQ(image.pixelColor(160, 70), QColor(255, 0, 0));
    EXPECT_EQ(image.pixelColor(40, 130), QColor(255, 255, 255));
    EXPECT_EQ(image.pixelColor(100, 20), QColor(0, 0, 0)) << "nothing is drawn outside the scene";

    // On a dark stage white becomes the stage, black becomes light, and red stays red.
    ASSERT_TRUE(isOnPaper(scene));
    scene.line(0, 0, 10, 0, 1, {0, 0, 0, 255});
    const Scene staged = onStage(scene, QColor(16, 21, 28));
    EXPECT_EQ(staged.background, (Colour{16, 21, 28, 255}));
    const QColor red(staged.shapes[0].fill.r, staged.shapes[0].fill.g, staged.shapes[0].fill.b),
        ink(staged.shapes[1].stroke.r, staged.shapes[1].stroke.g, staged.shapes[1].stroke.b);
    EXPECT_EQ(red.hslHue(), 0);
    EXPECT_EQ(red.hslSaturation(), 255);
    EXPECT_GT(ink.lightness(), 230);
    EXPECT_EQ(staged.shapes[0].stroke.a, scene.shapes[0].stroke.a) << "what is transparent stays so";
    scene.background = {250, 250, 210, 255};
    EXPECT_FALSE(isOnPaper(scene)) << "the background of the scene";

    Scene pixels;
    pixels.frame_width = 2;
    pixels.frame_height = 1;
    pixels.frame = {255, 0, 0, 0, 0, 255};
    QPainter again(&image);
    paintScene(again, pixels, QRectF(0, 0, 200, 200));
    again.end();
    EXPECT_EQ(image.pixelColor(98, 100), QColor(255, 0, 0));
    EXPECT_EQ(image.pixelColor(102, 100), QColor(0, 0, 255)) << "the edge is sharp";
}

}  // namespace
}  // namespace seedbed::ui
