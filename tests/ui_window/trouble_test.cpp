// SPDX-License-Identifier: Apache-2.0
// Tests the window without data, with folders that disappear, and when a second one is opened; also checks
// that it opens only local sockets.
#include <set>

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QStatusBar>
#include <QUndoCommand>
#include <QUndoStack>

#include "app/gui/open_file.hpp"
#include "app/gui/single_instance.hpp"
#include "tests/ui/page_link.hpp"
#include "tests/ui_window/driver.hpp"
#include "ui/views/library/policies_view.hpp"

namespace seedbed::ui {
namespace {

class Trouble : public WindowTest {
protected:
    void visitAll(const std::vector<RunId>& shown) {
        for (const PageEntry& entry : pageRegistry()) {
            if (entry.own_window) continue;
            window().openPage(entry.id, linkTo(entry.id, shown));
            QTest::qWait(300);
            EXPECT_EQ(window().currentPage(), entry.id);
        }
        window().showPalette();
        QTest::qWait(200);
    }
};

TEST_F(Trouble, TheMessageAboutAnEditUndoesIt) {
    openWindow();
    QUndoStack& stack = *app->services().undo;
    stack.push(new QUndoCommand(QStringLiteral("an edit")));
    window().showUndo(QStringLiteral("1 run moved to trash."));
    auto* button = window().findChild<QPushButton*>(QStringLiteral("toast-undo"));
    ASSERT_TRUE(button->isVisible());
    button->click();
    EXPECT_EQ(stack.index(), 0);
    EXPECT_EQ(window().statusBar()->currentMessage(), QString()) << "it is no longer true";
    EXPECT_FALSE(button->isVisible());
}

TEST_F(Trouble, EveryPageOpensWithoutRunsAndWithAMissingRun) {
    openWindow();
    visitAll({});
    visitAll({4711});
    EXPECT_FALSE(
        QFile::exists(data.filePath(QStringLiteral("seedbed.db"))));  // viewing does not create a database
}

TEST_F(Trouble, EveryPageFitsIntoAWindowOf800Pixels) {
    openWindow();
    for (const PageEntry& entry : pageRegistry())
        if (!entry.own_window) window().openPage(entry.id, linkTo(entry.id, {}));
    window().resize(800, 600);
    QTest::qWait(100);
    EXPECT_EQ(window().size(), QSize(800, 600)) << "a page forces a larger window";
}

TEST_F(Trouble, AMissingDataFolderIsReportedAndTheWindowContinues) {
    seedbed({QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
             QStringLiteral("3000"), QStringLiteral("--quiet")});
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 1; }, kTimeoutMs));
    const QString away = data.path() + QStringLiteral(".away");
    ASSERT_TRUE(QDir().rename(data.path(), away));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window().findChild<MessageBar*>() != nullptr; }, kTimeoutMs));
    EXPECT_FALSE(window().findChild<MessageBar*>()->text().isEmpty());
    visitAll({1});
    QDir().rmdir(data.path());
    ASSERT_TRUE(QDir().rename(away, data.path()));
    EXPECT_TRUE(QTest::qWaitFor([&] { return runs().state().kind == StoreState::Kind::ready; }, kTimeoutMs));
    EXPECT_TRUE(QTest::qWaitFor([&] { return window().findChild<MessageBar*>() == nullptr; }, kTimeoutMs));
}

TEST_F(Trouble, AMissingProgramIsReportedWhenItIsNeeded) {
    const auto found = userFolders(data.path().toStdString());
    app = std::make_unique<WindowApplication>(
        *found,
        WindowOptions{
            .safe_mode = false, .measure = false, .program = QStringLiteral("/nonexistent/seedbed")},
        std::make_unique<DesktopProbe>(notifications));
    window().show();
    click(find("train-cartpole"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window().findChild<MessageBar*>() != nullptr; }, kTimeoutMs));
    EXPECT_TRUE(window().findChild<MessageBar*>()->text().contains(QStringLiteral("/nonexistent/seedbed")));
    EXPECT_TRUE(find("train-cartpole")->isEnabled());
}

TEST_F(Trouble, ASecondStartShowsTheFirstWindow) {
    const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed-gui");
    const QStringList arguments{QStringLiteral("--data"), data.path(), QStringLiteral("--safe-mode")};
    QProcess first;
    first.start(program, arguments);
    ASSERT_TRUE(first.waitForStarted());
    // Until the first window accepts connections, a second one opens normally; close it and try again.
    bool shown = false;
    for (int attempt = 0; attempt < 20 && !shown; ++attempt) {
        QTest::qWait(500);
        QProcess second;
        second.start(program, arguments);
        if (second.waitForFinished(4000)) {
            EXPECT_EQ(second.exitCode(), 0);
            shown = second.readAllStandardError().contains("already open");
        } else {
            second.kill();
            second.waitForFinished();
        }
    }
    EXPECT_TRUE(shown);
    EXPECT_EQ(first.state(), QProcess::Running);
    first.terminate();
    first.waitForFinished();
}

TEST_F(Trouble, ASecondStartSendsItsFileToTheFirstWindow) {
    SingleInstance first(*userFolders(data.path().toStdString()));
    QStringList files;
    first.listen([&files](const QString& file) { files.append(file); });
    for (const QStringList& argument : {QStringList{QStringLiteral("my game.replay")}, QStringList{}}) {
        QProcess second;
        second.setWorkingDirectory(QStringLiteral("/usr"));
        second.start(QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed-gui"),
                     QStringList{QStringLiteral("--data"), data.path()} + argument);
        EXPECT_TRUE(QTest::qWaitFor([&] { return second.state() == QProcess::NotRunning; }, kTimeoutMs));
        EXPECT_EQ(second.exitCode(), 0) << second.readAllStandardError().toStdString();
    }
    EXPECT_EQ(files, (QStringList{QStringLiteral("/usr/my game.replay"), QString()}));
}

TEST_F(Trouble, WeightsFromTheDesktopAreImportedAndOtherFilesArePlayed) {
    seedbed({QStringLiteral("train"), QStringLiteral("two_state"), QStringLiteral("--preset"),
             QStringLiteral("none"), QStringLiteral("--steps"), QStringLiteral("500")});
    const QString exported = data.filePath(QStringLiteral("friend"));
    seedbed({QStringLiteral("export"), QStringLiteral("1"), QStringLiteral("--to"),
             QStringLiteral("safetensors"), QStringLiteral("--no-replay"), QStringLiteral("--out"),
             exported});
    // Without its extension, the file is known by its content.
    const QString weights = exported + QStringLiteral("/model.safetensors");
    const QString renamed = data.filePath(QStringLiteral("renamed"));
    ASSERT_TRUE(QFile::copy(weights, renamed));
    openWindow();
    openFile(window(), renamed);
    EXPECT_EQ(window().currentPage(), QStringLiteral("library"));
    const auto* problem = find<QLabel>("library-problem");
    EXPECT_TRUE(QTest::qWaitFor([&] { return problem->isVisible(); }, kTimeoutMs))
        << "config.json is missing";
    openFile(window(), QStringLiteral("/nowhere/game.replay"));
    EXPECT_EQ(window().currentPage(), QStringLiteral("watch"));
    openFile(window(), weights);
    EXPECT_EQ(window().currentPage(), QStringLiteral("library"));
    const auto* view = window().findChild<PoliciesView*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return view->selected() == QStringLiteral("friend"); }, kTimeoutMs))
        << problem->text().toStdString();
}

TEST_F(Trouble, OnlyLocalSocketsAreOpened) {
    openWindow();
    visitAll({});
    std::set<QString> network;
    static const QRegularExpression blanks(QStringLiteral("\\s+"));
    for (const char* table : {"tcp", "tcp6", "udp", "udp6", "raw", "raw6"}) {
        QFile file(QStringLiteral("/proc/self/net/") + QLatin1String(table));
        if (!file.open(QIODevice::ReadOnly)) continue;
        for (const QByteArray& line : file.readAll().split('\n')) {
            const QStringList columns = QString::fromLatin1(line).trimmed().split(blanks);
            if (columns.size() > 9) network.insert(columns[9]);  // inode
        }
    }
    int sockets = 0;
    for (const QFileInfo& file : QDir(QStringLiteral("/proc/self/fd"))
                                     .entryInfoList(QDir::System | QDir::Files | QDir::NoDotAndDotDot)) {
        const QString target =
            QString::fromStdString(std::filesystem::read_symlink(file.filePath().toStdString()).string());
        if (!target.startsWith(QLatin1String("socket:["))) continue;
        ++sockets;
        EXPECT_FALSE(network.contains(target.mid(8, target.size() - 9))) << target.toStdString();
    }
    RecordProperty("sockets", sockets);
}

}  // namespace
}  // namespace seedbed::ui
