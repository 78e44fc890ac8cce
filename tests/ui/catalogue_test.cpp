// SPDX-License-Identifier: Apache-2.0
#include "ui/models/catalogue.hpp"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFile>
#include <QLocale>
#include <QProcess>
#include <QTimer>

#include <gtest/gtest.h>

#include "ui/models/launcher.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"

namespace seedbed::ui {
namespace {

class CatalogueTest : public testing::Test {
protected:
    Launcher launcher{QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed"),
                      QStringLiteral("/nonexistent")};
    Catalogue catalogue{launcher};
};

TEST_F(CatalogueTest, EveryEnvironmentHasTitleSentenceDifficultyAndPicture) {
    ASSERT_EQ(catalogue.load(), QString());
    EXPECT_GE(catalogue.environments().size(), 50);
    EXPECT_EQ(catalogue.environments().first().id, QStringLiteral("cartpole"));  // the first environment that
                                                                                 // a new user sees
    for (const EnvInfo& env : catalogue.environments()) {
        const std::string id = env.id.toStdString();
        EXPECT_FALSE(env.title.isEmpty()) << id;
        EXPECT_FALSE(env.sentence.isEmpty()) << id;
        EXPECT_TRUE((QStringList{QStringLiteral("easy"), QStringLiteral("medium"), QStringLiteral("hard")})
                        .contains(env.difficulty))
            << id;
        EXPECT_FALSE(catalogue.picture(env.id).isNull()) << id;
        EXPECT_FALSE(catalogue.presetsOf(env.id).isEmpty() && !env.reference_score && !env.random_return)
            << id;
    }
    EXPECT_EQ(catalogue.defaultPreset(QStringLiteral("cartpole"))->name, QStringLiteral("cartpole"));
    EXPECT_EQ(envTitle("pong"), QStringLiteral("Pong for two"));
}

TEST_F(CatalogueTest, MissingPicturesAreDrawnByTheEnvironment) {
    qputenv("SEEDBED_RESOURCES", "/nonexistent");
    EXPECT_FALSE(catalogue.load().isEmpty());  // the error reports that the presets are missing
    qunsetenv("SEEDBED_RESOURCES");
    EXPECT_GE(catalogue.environments().size(), 50);
    EXPECT_FALSE(catalogue.picture(QStringLiteral("cartpole")).isNull());
    EXPECT_TRUE(catalogue.picture(QStringLiteral("no_such")).isNull());
    EXPECT_EQ(catalogue.defaultPreset(QStringLiteral("cartpole")), nullptr);
}

TEST_F(CatalogueTest, TheMachinesReportNamesTheProcessorWithItsFreeMemory) {
    QEventLoop loop;
    QObject::connect(&catalogue, &Catalogue::devicesChanged, &loop, &QEventLoop::quit);
    EXPECT_TRUE(catalogue.devices().isEmpty());
    QTimer::singleShot(50'000, &loop, &QEventLoop::quit);
    loop.exec();
    ASSERT_FALSE(catalogue.devices().isEmpty());
    EXPECT_EQ(catalogue.devices().first().id, QStringLiteral("cpu"));
    EXPECT_GT(catalogue.devices().first().free_bytes.value_or(0), 1'000'000);
}

TEST_F(CatalogueTest, MeasuredMinutesHaveARangeAndAreCached) {
    ASSERT_EQ(catalogue.load(), QString());
    QEventLoop loop;
    QObject::connect(&catalogue, &Catalogue::estimatesChanged, &loop, [&] {
        if (catalogue.estimate(QStringLiteral("cartpole"))) loop.quit();
    });
    QTimer::singleShot(50'000, &loop, &QEventLoop::quit);
    catalogue.measure();
    loop.exec();
    catalogue.stopMeasuring();
    const auto estimate = catalogue.estimate(QStringLiteral("cartpole"));
    ASSERT_TRUE(estimate.has_value());
    EXPECT_GT(estimate->low_minutes, 0);
    EXPECT_LE(estimate->low_minutes, estimate->middle_minutes);
    EXPECT_LE(estimate->middle_minutes, estimate->high_minutes);
    EXPECT_LE(estimate->low_sps, estimate->high_sps);
    EXPECT_FALSE(minutesText(*estimate).isEmpty());
    // A second window reads the measurement from the cache.
    Catalogue again(launcher);
    again.load();
    QEventLoop second;
    QObject::connect(&again, &Catalogue::estimatesChanged, &second, &QEventLoop::quit);
    QTimer::singleShot(50'000, &second, &QEventLoop::quit);
    again.setTraining(true);
    again.measure();
    second.exec();
    EXPECT_FALSE(again.isMeasuring()) << "measurements would slow down a run";
    again.setTraining(false);
    EXPECT_TRUE(again.isMeasuring());
    again.setTraining(true);
    EXPECT_FALSE(again.isMeasuring());
    ASSERT_TRUE(again.estimate(QStringLiteral("cartpole")).has_value());
    EXPECT_DOUBLE_EQ(again.estimate(QStringLiteral("cartpole"))->low_sps, estimate->low_sps);
}

TEST(TimeTexts, AreRoundedToTheirAccuracy) {
    QLocale::setDefault(QLocale::c());
    EXPECT_EQ(secondsText(0.02).toStdString(), "less than 1 s");
    EXPECT_EQ(secondsText(3.2).toStdString(), "3 s");
    EXPECT_EQ(secondsText(42).toStdString(), "40 s");
    EXPECT_EQ(secondsText(600).toStdString(), "10 min");
    EXPECT_EQ(secondsText(2.4 * 3600).toStdString(), "2.4 h");
    EXPECT_EQ(secondsText(10 * 86400).toStdString(), "10 days");
    EXPECT_EQ(minutesText({}).toStdString(), "");
    EXPECT_EQ(minutesText({.low_minutes = 2, .middle_minutes = 3, .high_minutes = 4}).toStdString(),
              "2 min to 4 min");
    EXPECT_EQ(minutesText({.low_minutes = 0.001, .middle_minutes = 0.01, .high_minutes = 0.1}).toStdString(),
              "up to 6 s");
    EXPECT_EQ(
        minutesText({.low_minutes = 0.001, .middle_minutes = 0.002, .high_minutes = 0.003}).toStdString(),
        "less than 1 s");
    EXPECT_EQ(minutesText({.low_minutes = 2, .middle_minutes = 2, .high_minutes = 2}).toStdString(),
              "about 2 min");
}

// Niceness counts within a session only, so a background process has its own, with low priority.
TEST(Background, ProcessesLeaveTheCoresToOtherSessions) {
    QProcess process;
    runInBackground(process, 10);
    process.start(QStringLiteral("sh"),
                  {QStringLiteral("-c"), QStringLiteral("cat /proc/$$/stat /proc/$$/autogroup")});
    ASSERT_TRUE(process.waitForFinished());
    const QStringList words =
        QString::fromLatin1(process.readAllStandardOutput()).simplified().split(QLatin1Char(' '));
    ASSERT_GE(words.size(), 52);
    EXPECT_EQ(words[0], words[5]) << "the process and its session";
    EXPECT_EQ(words[18], QStringLiteral("10")) << "niceness";
    // "/autogroup-12 nice 10", if the kernel has the feature.
    if (QFile::exists(QStringLiteral("/proc/self/autogroup"))) {
        EXPECT_EQ(words.last(), QStringLiteral("10"));
    }
}

}  // namespace
}  // namespace seedbed::ui
