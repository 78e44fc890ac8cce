// SPDX-License-Identifier: Apache-2.0
// Tests that a run resumed in the window keeps running when the window is closed.
#include <QInputDialog>
#include <QProcess>
#include <QPushButton>

#include "core/store/store_reader.hpp"
#include "tests/ui/page_fixture.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"

namespace seedbed::testing {
namespace {

class ResumeTest : public PageTest {
protected:
    int seedbed(QStringList arguments) {
        QProcess process;
        process.start(
            QApplication::applicationDirPath() + QStringLiteral("/seedbed"),
            arguments + QStringList{QStringLiteral("--data"), QString::fromStdString(folder().string())});
        EXPECT_TRUE(process.waitForFinished(60'000));
        return process.exitCode();
    }
    Result<RunRecord> record(RunId run) {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(folder()));
        return reader.run(run);
    }
    bool trains(RunId run) {
        const auto now = record(run);
        return now && now->status == RunStatus::running;
    }
};

TEST_F(ResumeTest, AResumedRunContinuesAfterTheWindowCloses) {
    ASSERT_EQ(seedbed({QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("cartpole"),
                       QStringLiteral("--preset"), QStringLiteral("none"), QStringLiteral("--steps"),
                       QStringLiteral("2000000000"), QStringLiteral("--start")}),
              0);
    ASSERT_TRUE(waitFor([&] { return trains(1); }, 60));
    ASSERT_EQ(seedbed({QStringLiteral("stop"), QStringLiteral("1")}), 0);
    ASSERT_TRUE(waitFor([&] { return record(1)->status == RunStatus::interrupted; }, 60));
    const auto before = record(1)->progress.steps;

    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{1});
    auto* resume = page->findChild<QPushButton*>(QStringLiteral("run-pause"));
    ASSERT_TRUE(waitFor([&] {
        return resume->isVisible() && resume->text().remove(QLatin1Char('&')) == QStringLiteral("Resume");
    }));
    resume->click();
    ASSERT_TRUE(waitFor([&] { return !navigator.status.isEmpty() || !navigator.problem.isEmpty(); }, 60));
    EXPECT_EQ(navigator.problem, QString());
    ASSERT_TRUE(waitFor([&] { return trains(1); }, 60));
    page.reset();
    closeServices();
    const auto at_the_end = record(1)->progress.steps;
    EXPECT_TRUE(
        waitFor([&] { return trains(1) && record(1)->progress.steps > std::max(before, at_the_end); }, 60));
    EXPECT_EQ(seedbed({QStringLiteral("stop"), QStringLiteral("1")}), 0);
    EXPECT_TRUE(waitFor([&] { return !isLive(record(1)->status); }, 60));
}

TEST_F(ResumeTest, AFinishedRunTrainsLongerAndKeepsTrainingAfterTheWindowCloses) {
    ASSERT_EQ(seedbed({QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
                       QStringLiteral("3000"), QStringLiteral("--quiet")}),
              0);
    const auto before = record(1)->progress.steps;
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{1});
    auto* longer = page->findChild<QPushButton*>(QStringLiteral("run-longer"));
    ASSERT_TRUE(waitFor([&] { return longer->isVisible(); }));
    const auto answer = [&](const QString& steps) {
        longer->click();
        auto* dialog = page->findChild<QInputDialog*>();
        ASSERT_NE(dialog, nullptr);
        dialog->setTextValue(steps);
        dialog->accept();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    };
    for (const char* wrong : {"", "many", "-5", "1k", "1e300"}) {
        navigator.clear();
        answer(QLatin1String(wrong));
        EXPECT_FALSE(navigator.problem.isEmpty()) << wrong;
    }
    EXPECT_EQ(record(1)->status, RunStatus::finished);
    navigator.clear();
    answer(QStringLiteral("2000M"));
    EXPECT_EQ(navigator.problem, QString());
    ASSERT_TRUE(waitFor([&] { return trains(1) && record(1)->progress.steps > before; }, 60));
    page.reset();
    closeServices();
    const auto at_the_end = record(1)->progress.steps;
    EXPECT_TRUE(waitFor([&] { return trains(1) && record(1)->progress.steps > at_the_end; }, 60));
    EXPECT_EQ(seedbed({QStringLiteral("stop"), QStringLiteral("1")}), 0);
    EXPECT_TRUE(waitFor([&] { return !isLive(record(1)->status); }, 60));
}

}  // namespace
}  // namespace seedbed::testing
