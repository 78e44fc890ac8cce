// SPDX-License-Identifier: Apache-2.0
// Tests the window with locked, missing, newer or damaged databases, and with processes that are killed: a
// bar explains the problem, every page stays usable, and the window recovers by itself.
#include <csignal>
#include <filesystem>
#include <fstream>

#include <QDialog>
#include <QLabel>
#include <QPushButton>

#include <sqlite3.h>

#include "core/store/database.hpp"
#include "tests/ui/models/ui_fixture.hpp"
#include "tests/ui/page_link.hpp"
#include "tests/ui_window/driver.hpp"
#include "ui/models/editor.hpp"
#include "ui/models/play/player_client.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/watch/watch_link.hpp"
#include "ui/views/watch/watch_page.hpp"

namespace seedbed::ui {
namespace {

class BrokenStore : public WindowTest {
protected:
    std::filesystem::path folder() const { return data.path().toStdString(); }
    std::filesystem::path database() const { return folder() / kDatabaseName; }
    void makeRun(const char* name = "kept") {
        static_cast<void>(testing::makeRun(folder(), {.name = name, .points = 400, .checkpoint = true}));
    }
    void sql(const char* statement) {
        sqlite3* handle = nullptr;
        ASSERT_EQ(sqlite3_open(database().c_str(), &handle), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(handle, statement, nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(handle);
        sqlite3_close(handle);
    }
    MessageBar* barWith(const QString& words) {
        for (MessageBar* bar : window().findChildren<MessageBar*>())
            if (bar->text().contains(words)) return bar;
        return nullptr;
    }
    bool showsText(const QString& words) {
        return QTest::qWaitFor([&] { return barWith(words) != nullptr; }, kTimeoutMs);
    }
    bool becomes(StoreState::Kind kind) {
        return QTest::qWaitFor([&] { return runs().state().kind == kind; }, kTimeoutMs);
    }
    void visitAll(const char* name) {
        for (const PageEntry& entry : pageRegistry()) {
            window().openPage(entry.id, linkTo(entry.id, {1}));
            QTest::qWait(400);
            if (!entry.own_window) {
                EXPECT_EQ(window().currentPage(), entry.id);
                picture(QStringLiteral("%1-%2").arg(QLatin1String(name), entry.id));
            }
            for (QDialog* dialog : window().findChildren<QDialog*>()) {
                if (dialog->isVisible())
                    picture(QStringLiteral("%1-%2").arg(QLatin1String(name), entry.id), dialog);
                dialog->close();
            }
        }
        window().showPalette();
        QTest::qWait(200);
        for (QDialog* dialog : window().findChildren<QDialog*>()) dialog->close();
    }
};

TEST_F(BrokenStore, ALockedDatabaseDelaysEditsAndReportsLostOnes) {
    makeRun();
    sqlite3* holder = nullptr;
    ASSERT_EQ(sqlite3_open(database().c_str(), &holder), SQLITE_OK);
    for (const char* statement :
         {"PRAGMA locking_mode=EXCLUSIVE", "BEGIN IMMEDIATE", "CREATE TABLE held(x)", "COMMIT"})
        ASSERT_EQ(sqlite3_exec(holder, statement, nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(holder);
    openWindow();
    EXPECT_TRUE(showsText(QStringLiteral("Another program has locked the database")));
    EXPECT_EQ(runs().state().kind, StoreState::Kind::locked);
    visitAll("locked");
    sqlite3_exec(holder, "DROP TABLE held", nullptr, nullptr, nullptr);
    sqlite3_close(holder);
    EXPECT_TRUE(becomes(StoreState::Kind::ready));
    EXPECT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 1; }, kTimeoutMs));
    EXPECT_EQ(barWith(QStringLiteral("Another program")), nullptr)
        << "the bar disappears when the lock is released";
    // The page that was opened in the meantime shows the run.
    window().open(DashboardLink{1});
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            for (const QLabel* label : window().page(QStringLiteral("run"))->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(QStringLiteral("kept"))) return true;
            return false;
        },
        kTimeoutMs));
}

TEST_F(BrokenStore, ANewerDatabaseIsUnchangedAndTheReasonIsShown) {
    makeRun();
    sql("PRAGMA user_version=999");
    openWindow();
    EXPECT_TRUE(showsText(QStringLiteral("newer")));
    EXPECT_EQ(runs().state().kind, StoreState::Kind::failed);
    visitAll("newer");
    // A click on Train fails in the same way and is reported once; the button stays usable.
    window().open(StartLink{});
    click(find("train-cartpole"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return find("train-cartpole")->isEnabled(); }, kTimeoutMs));
    EXPECT_EQ(window().currentPage(), QStringLiteral("start"));
    EXPECT_TRUE(showsText(QStringLiteral("newer")));
}

TEST_F(BrokenStore, ADatabaseDamagedWhileOpenShowsABarAndKeepsTheList) {
    makeRun();
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 1; }, kTimeoutMs));
    sql("PRAGMA wal_checkpoint(TRUNCATE)");
    const auto bytes = std::filesystem::file_size(database());
    const auto aside = folder() / "aside";
    std::filesystem::copy_file(database(), aside);
    {
        std::fstream damage(aside, std::ios::in | std::ios::out | std::ios::binary);
        damage.seekp(100);
        const std::string rubbish(bytes - 100, '\xee');
        damage.write(rubbish.data(), static_cast<std::streamsize>(rubbish.size()));
    }
    std::filesystem::rename(aside, database());
    ASSERT_TRUE(becomes(StoreState::Kind::failed));
    EXPECT_FALSE(window().findChildren<MessageBar*>().isEmpty());
    EXPECT_EQ(runs().runs()->size(), 1u) << "known runs stay visible";
    visitAll("damaged");
}

TEST_F(BrokenStore, ADeletedDatabaseIsReportedAndANewOneIsShown) {
    makeRun("first");
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 1; }, kTimeoutMs));
    for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(database().string() + ending);
    EXPECT_TRUE(showsText(QStringLiteral("is missing")));
    visitAll("missing");
    makeRun("second");
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return runs().runs()->size() == 1 && runs().runs()->front().name == "second"; }, kTimeoutMs));
    EXPECT_EQ(barWith(QStringLiteral("is missing")), nullptr);
}

TEST_F(BrokenStore, AKilledPlayerOrRunIsReportedAndResumesAfterAClick) {
    QProcess run;
    run.start(QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed"),
              {QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
               QStringLiteral("1e9"), QStringLiteral("--quiet"), QStringLiteral("--checkpoint.every_s=1"),
               QStringLiteral("--data"), data.path()});
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return runs().find(1) != nullptr && runs().find(1)->progress.steps > 0; }, kTimeoutMs));
    window().open(WatchLink{1, std::nullopt});
    PlayerClient& client = dynamic_cast<WatchPage*>(window().page(QStringLiteral("watch")))->client();
    ASSERT_TRUE(QTest::qWaitFor([&] { return client.frame() != nullptr; }, kTimeoutMs))
        << client.problem().toStdString();
    ASSERT_EQ(::kill(static_cast<pid_t>(client.about().process), SIGKILL), 0);
    auto* again = find("watch-start-again");
    ASSERT_TRUE(QTest::qWaitFor([&] { return again->isVisible(); }, kTimeoutMs));
    EXPECT_TRUE(client.problem().contains(QStringLiteral("Training is not affected")))
        << client.problem().toStdString();
    EXPECT_TRUE(isLive(runs().find(1)->status)) << "only the player has exited";
    picture(QStringLiteral("player-killed"));
    click(again);
    ASSERT_TRUE(QTest::qWaitFor([&] { return client.frame() != nullptr; }, kTimeoutMs))
        << client.problem().toStdString();

    run.kill();
    run.waitForFinished();
    ASSERT_TRUE(showsText(QStringLiteral("was interrupted")));
    picture(QStringLiteral("run-killed"));
    // The watched policy keeps playing.
    EXPECT_TRUE(QTest::qWaitFor([&] { return client.frame() && !client.frame()->followed; }, kTimeoutMs));
    for (QPushButton* button : barWith(QStringLiteral("was interrupted"))->findChildren<QPushButton*>())
        click(button);
    EXPECT_TRUE(QTest::qWaitFor([&] { return isLive(runs().find(1)->status); }, kTimeoutMs));
}

}  // namespace
}  // namespace seedbed::ui
