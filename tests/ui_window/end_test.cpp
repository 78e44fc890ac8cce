// SPDX-License-Identifier: Apache-2.0
// Tests the window's process when the system terminates it: its state is saved and no helper process remains.
#include <csignal>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace seedbed::ui {
namespace {

constexpr int kTimeoutMs = 90'000;  // ms; generous for a loaded machine

class EndTest : public ::testing::Test {
protected:
    EndTest() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"}) {
            const QString path = home_.filePath(QString::fromLatin1(name).toLower());
            QDir().mkpath(path);
            QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            environment.insert(QString::fromLatin1(name), path);
        }
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        window_.setProcessEnvironment(environment);
        window_.setProcessChannelMode(QProcess::ForwardedChannels);
        window_.start(QApplication::applicationDirPath() + QStringLiteral("/seedbed-gui"),
                      {QStringLiteral("--data"), home_.filePath(QStringLiteral("data"))});
        EXPECT_TRUE(window_.waitForStarted());
    }
    ~EndTest() override {
        window_.kill();
        window_.waitForFinished();
    }

    // The process that measures presets, or 0.
    qint64 measuring() const {
        for (const QString& entry :
             QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            if (entry.toLongLong() <= 0) continue;
            QFile stat(QStringLiteral("/proc/%1/stat").arg(entry)),
                line(QStringLiteral("/proc/%1/cmdline").arg(entry));
            if (!stat.open(QIODevice::ReadOnly) || !line.open(QIODevice::ReadOnly)) continue;
            const QList<QByteArray> fields = stat.readAll().split(')').last().trimmed().split(' ');
            const QList<QByteArray> words = line.readAll().split('\0');
            if (fields.value(1).toLongLong() == window_.processId() && words.contains("calibrate") &&
                !words.contains("--cached"))
                return entry.toLongLong();
        }
        return 0;
    }
    static bool exists(qint64 process) { return kill(static_cast<pid_t>(process), 0) == 0; }

    QTemporaryDir home_;
    QProcess window_;
};

TEST_F(EndTest, ASignalClosesTheWindowSavesItsStateAndStopsMeasurements) {
    qint64 child = 0;
    ASSERT_TRUE(QTest::qWaitFor([&] { return (child = measuring()) != 0; }, kTimeoutMs));
    window_.terminate();
    ASSERT_TRUE(window_.waitForFinished(kTimeoutMs));
    EXPECT_EQ(window_.exitStatus(), QProcess::NormalExit);
    EXPECT_EQ(window_.exitCode(), 0);
    EXPECT_TRUE(QFileInfo::exists(home_.filePath(QStringLiteral("xdg_state_home/seedbed/window.ini"))));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !exists(child); }, kTimeoutMs));
}

TEST_F(EndTest, AWindowThatIsKilledLeavesNoMeasurementsBehind) {
    qint64 child = 0;
    ASSERT_TRUE(QTest::qWaitFor([&] { return (child = measuring()) != 0; }, kTimeoutMs));
    window_.kill();
    ASSERT_TRUE(window_.waitForFinished(kTimeoutMs));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !exists(child); }, kTimeoutMs));
}

}  // namespace
}  // namespace seedbed::ui
