// SPDX-License-Identifier: Apache-2.0
// Tests the cases in which starting training does not lead to a running process. A script stands in for the
// program.
#include "ui/views/packs/train_and_watch.hpp"

#include <QFile>

#include "tests/ui/program_fixture.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {
namespace {

class TrainAndWatchTest : public ProgramTest {
protected:
    void SetUp() override {
        seedbed({QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("cartpole"),
                 QStringLiteral("--steps"), QStringLiteral("1000")});
        openStore();
    }
    // Starts training with a program that prints `reply`.
    void start(const QByteArray& reply, int exit_code = 0) {
        const QString program = folder_.filePath(QStringLiteral("program"));
        QFile script(program);
        ASSERT_TRUE(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\necho '" + reply + "'\nexit " + QByteArray::number(exit_code) + "\n");
        script.close();
        ASSERT_TRUE(script.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner));
        launcher_ = std::make_unique<Launcher>(program, dataFolder());
        catalogue_ = std::make_unique<Catalogue>(*launcher_);
        services_.launcher = launcher_.get();
        services_.catalogue = catalogue_.get();
        starter_ = std::make_unique<TrainAndWatch>(services_);
        starter_->start({.env = QStringLiteral("cartpole")});
        EXPECT_TRUE(starter_->isStarting());
    }
    bool waitForEnd() {
        return QTest::qWaitFor([&] { return !starter_->isStarting(); }, 20'000);
    }

    std::unique_ptr<Catalogue> catalogue_;
    std::unique_ptr<TrainAndWatch> starter_;
};

TEST_F(TrainAndWatchTest, EndsIfTheQueueCannotBeStarted) {
    start(R"({"ids": [1], "seeds": [1], "error": "no scheduler"})", 1);
    ASSERT_TRUE(waitForEnd());
    EXPECT_TRUE(navigator_.problem.contains(QStringLiteral("no scheduler")))
        << navigator_.problem.toStdString();
    EXPECT_EQ(navigator_.opened<WatchLink>(), nullptr);
}

TEST_F(TrainAndWatchTest, EndsOnThePageOfTheRunIfTheQueueIsPaused) {
    start(R"({"ids": [1], "seeds": [1]})");
    QTest::qWait(500);
    EXPECT_TRUE(starter_->isStarting()) << "the run will start";
    seedbed({QStringLiteral("queue"), QStringLiteral("pause")});
    ASSERT_TRUE(waitForEnd());
    const auto* link = navigator_.opened<DashboardLink>();
    ASSERT_NE(link, nullptr);
    EXPECT_EQ(link->run, 1);
    EXPECT_TRUE(navigator_.status.contains(QStringLiteral("paused"))) << navigator_.status.toStdString();
}

TEST_F(TrainAndWatchTest, EndsIfTheRunIsDeleted) {
    start(R"({"ids": [1], "seeds": [1]})");
    QTest::qWait(500);
    EXPECT_TRUE(starter_->isStarting());
    seedbed({QStringLiteral("rm"), QStringLiteral("1")});
    ASSERT_TRUE(waitForEnd());
    EXPECT_EQ(navigator_.opened<WatchLink>(), nullptr);
    EXPECT_EQ(navigator_.opened<DashboardLink>(), nullptr);
}

TEST_F(TrainAndWatchTest, EndsIfTheRunWasDeletedBeforeItAppeared) {
    start(R"({"ids": [7], "seeds": [1]})");
    EXPECT_TRUE(waitForEnd());
}

}  // namespace
}  // namespace seedbed::ui
