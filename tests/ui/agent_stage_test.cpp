// SPDX-License-Identifier: Apache-2.0
// Tests the agent on the run page with real players.
#include "ui/views/dashboard/agent_stage.hpp"

#include <csignal>

#include <QLabel>
#include <QToolButton>

#include "tests/ui/program_fixture.hpp"
#include "ui/views/dashboard/thought_strip.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/watch/scene_grid.hpp"

namespace seedbed::ui {
namespace {

class AgentStageTest : public ProgramTest {
protected:
    void openStage() {
        openStore();
        stage_ = std::make_unique<AgentStage>(services_);
        stage_->resize(460, 460);
        stage_->show();
    }
    const RunRecord* run(RunId id = 1) { return runs_->find(id); }
    bool plays(quint64 rows = 3) {
        return QTest::qWaitFor(
            [&] { return stage_->client().frame() && stage_->client().frame()->row > rows; }, kTimeoutMs);
    }
    QString note() {
        const auto* label = stage_->findChild<SceneGrid*>()->findChild<QLabel*>();
        return label->isVisible() ? label->text() : QString();
    }
    QToolButton* pause() { return stage_->findChild<QToolButton*>(QStringLiteral("stage-pause")); }

    std::unique_ptr<AgentStage> stage_;
};

TEST_F(AgentStageTest, PlaysWhileItIsVisibleAndShowsWhatTheAgentThinks) {
    train();
    openStage();
    auto* thoughts = stage_->findChild<ThoughtStrip*>();
    const QImage nothing = thoughts->grab().toImage();
    stage_->follow(run());
    ASSERT_TRUE(plays()) << stage_->client().problem().toStdString();
    EXPECT_EQ(note(), QString());
    QTest::qWait(100);
    EXPECT_NE(thoughts->grab().toImage(), nothing);
    // The game is on a dark stage in the light theme, too.
    const QImage game = stage_->findChild<SceneGrid*>()->grab().toImage();
    EXPECT_EQ(game.pixelColor(30, game.height() - 30), tokens().stage);
    savePicture(*stage_, QStringLiteral("stage"));
    pause()->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return stage_->client().frame()->paused; }, kTimeoutMs));
    EXPECT_EQ(pause()->accessibleName(), QStringLiteral("Play"));
    EXPECT_FALSE(thoughts->accessibleDescription().isEmpty());
    stage_->follow(run());
    EXPECT_TRUE(stage_->client().frame()->paused) << "a change to the same run restarts nothing";
    stage_->hide();
    EXPECT_EQ(stage_->client().state(), PlayerClient::State::closed);
    stage_->show();
    ASSERT_TRUE(plays());
    stage_->follow(nullptr);
    EXPECT_EQ(stage_->client().state(), PlayerClient::State::closed);
}

TEST_F(AgentStageTest, AQueuedRunAppearsWhenItStarts) {
    seedbed({QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("cartpole"),
             QStringLiteral("--steps"), QStringLiteral("1000000000")});
    openStage();
    stage_->follow(run());
    EXPECT_EQ(stage_->client().state(), PlayerClient::State::closed);
    EXPECT_EQ(note(), QStringLiteral("The agent appears when the run starts."));
    QObject::connect(runs_.get(), &RunStore::runsChanged, stage_.get(), [&] { stage_->follow(run()); });
    seedbed({QStringLiteral("queue"), QStringLiteral("start")});
    ASSERT_TRUE(plays()) << stage_->client().problem().toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return stage_->client().frame()->weights_steps > 0; }, kTimeoutMs))
        << "follows the weights while they learn";
    seedbed({QStringLiteral("stop"), QStringLiteral("1")});
}

TEST_F(AgentStageTest, ShowsWhyItCannotPlayAndPlaysAgain) {
    train();
    openStage();
    stage_->follow(run());
    ASSERT_TRUE(plays());
    ASSERT_EQ(::kill(static_cast<pid_t>(stage_->client().about().process), SIGKILL), 0);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return stage_->client().state() == PlayerClient::State::ended; }, kTimeoutMs));
    EXPECT_EQ(pause()->accessibleName(), QStringLiteral("Play again"));
    pause()->click();
    ASSERT_TRUE(plays());
    ASSERT_TRUE(QDir(dataFolder() + QStringLiteral("/checkpoints")).removeRecursively());
    stage_->follow(nullptr);
    stage_->follow(run());
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return stage_->client().state() == PlayerClient::State::ended; }, kTimeoutMs));
    EXPECT_EQ(note(), stage_->client().problem());
    EXPECT_FALSE(note().isEmpty());
}

}  // namespace
}  // namespace seedbed::ui
