// SPDX-License-Identifier: Apache-2.0
// Pages on a data folder written by the seedbed program of the same build: real runs, players and exports.
#pragma once

#include <memory>

#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/ui/page_fixture.hpp"

namespace seedbed::ui {

class ProgramTest : public ::testing::Test {
protected:
    static constexpr int kTimeoutMs = 120'000;  // generous for a loaded machine

    static QString program() { return QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed"); }
    QString dataFolder() const { return folder_.filePath(QStringLiteral("data")); }
    void seedbed(const QStringList& arguments) {
        QProcess process;
        process.start(program(), arguments + QStringList{QStringLiteral("--data"), dataFolder()});
        ASSERT_TRUE(process.waitForFinished(kTimeoutMs));
        ASSERT_EQ(process.exitCode(), 0) << process.readAllStandardError().toStdString();
    }
    void train(const QString& env = QStringLiteral("cartpole"),
               const QString& steps = QStringLiteral("3000")) {
        seedbed({QStringLiteral("train"), env, QStringLiteral("--steps"), steps, QStringLiteral("--quiet"),
                 QStringLiteral("--eval.final_episodes=5")});
    }
    // Opens the data folder and waits for the first poll.
    void openStore() {
        runs_ = std::make_unique<RunStore>(dataFolder().toStdString());
        launcher_ = std::make_unique<Launcher>(program(), dataFolder());
        services_.runs = runs_.get();
        services_.launcher = launcher_.get();
        services_.theme = &theme_;
        services_.navigator = &navigator_;
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return runs_->state().kind != StoreState::Kind::opening; }, kTimeoutMs));
    }
    // Saves a picture of the widget to the folder $SEEDBED_SCREENSHOTS, if set.
    static void savePicture(QWidget& widget, const QString& name) {
        const QByteArray folder = qgetenv("SEEDBED_SCREENSHOTS");
        if (!folder.isEmpty())
            widget.grab().save(QString::fromLocal8Bit(folder) + QLatin1Char('/') + name +
                               QStringLiteral(".png"));
    }

    QTemporaryDir folder_;
    Theme theme_;
    testing::RememberingNavigator navigator_;
    Services services_;
    std::unique_ptr<RunStore> runs_;
    std::unique_ptr<Launcher> launcher_;
};

}  // namespace seedbed::ui
