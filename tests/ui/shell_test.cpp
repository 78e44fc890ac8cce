// SPDX-License-Identifier: Apache-2.0
// Tests the parts of the shell that need no database: palette, dialogs, bars, and the detection of a finished
// queue.
#include <QAbstractButton>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <QTextBrowser>

#include <gtest/gtest.h>

#include "ui/models/queue/queue_model.hpp"
#include "ui/views/shell/bar_stack.hpp"
#include "ui/views/shell/command_palette.hpp"
#include "ui/views/shell/help_dialogs.hpp"
#include "ui/views/shell/message_bar.hpp"
#include "ui/views/shell/return_key_filter.hpp"
#include "ui/views/shell/toast.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

std::vector<PaletteEntry> entriesOf(const QStringList& texts) {
    std::vector<PaletteEntry> entries;
    for (const QString& text : texts)
        entries.push_back({.kind = QStringLiteral("Run"), .text = text, .shortcut = {}, .chosen = [] {}});
    return entries;
}

TEST(PaletteMatches, AllWordsMustOccurAndTextsThatBeginWithThemComeFirst) {
    const auto entries = entriesOf({QStringLiteral("Pause run"), QStringLiteral("Stop run"),
                                    QStringLiteral("Run 3 · cartpole"), QStringLiteral("שלום run"),
                                    QString(500, QLatin1Char('x'))});
    auto runs = entriesOf({QStringLiteral("first · CartPole · run 13 · V-trace · finished"),
                           QStringLiteral("Breakout · run 3 · PPO · finished")});
    runs[0].words = QStringLiteral("run 13 cartpole vtrace");
    runs[1].words = QStringLiteral("run 3 minatar_breakout ppo");
    EXPECT_EQ(matches(runs, QStringLiteral("run 3"), 10), (std::vector<std::size_t>{1, 0}));
    EXPECT_EQ(matches(runs, QStringLiteral("minatar"), 10), (std::vector<std::size_t>{1}));
    EXPECT_EQ(matches(runs, QStringLiteral("vtrace"), 10), (std::vector<std::size_t>{0}));
    EXPECT_EQ(matches(entries, QStringLiteral("stop"), 10), (std::vector<std::size_t>{1}));
    EXPECT_EQ(matches(entries, QStringLiteral("run 3"), 10).front(), 2u);
    EXPECT_EQ(matches(entries, QStringLiteral("RUN pau"), 10), (std::vector<std::size_t>{0}));
    EXPECT_EQ(matches(entries, QStringLiteral("שלום"), 10), (std::vector<std::size_t>{3}));
    EXPECT_EQ(matches(entries, QStringLiteral("nothing like it"), 10).size(), 0u);
    EXPECT_EQ(matches(entries, QString(), 3).size(), 3u);
}

TEST(PaletteMatches, TenThousandRunsAreSearched) {
    QStringList texts;
    for (int i = 0; i < 10'000; ++i) texts += QStringLiteral("run %1 · cartpole · ppo · finished").arg(i);
    const auto entries = entriesOf(texts);
    EXPECT_EQ(matches(entries, QStringLiteral("9999 cart"), 100).size(), 1u);
}

TEST(Palette, ArrowsAndReturnSelectWithoutTheMouse) {
    QStringList chosen;
    std::vector<PaletteEntry> entries;
    for (const char* text : {"alpha one", "alpha two", "beta"})
        entries.push_back({.kind = QStringLiteral("Action"),
                           .text = QString::fromLatin1(text),
                           .shortcut = QStringLiteral("Ctrl+1"),
                           .chosen = [&chosen, text] { chosen += QString::fromLatin1(text); }});
    auto* palette = new CommandPalette(entries, nullptr);
    palette->show();
    QWidget* line = palette->findChild<QLineEdit*>();
    QTest::keyClicks(line, QStringLiteral("alpha"));
    const auto* list = palette->findChild<QListWidget*>();
    EXPECT_EQ(list->count(), 2);
    EXPECT_EQ(list->item(0)->text(), QStringLiteral("Action · alpha one")) << "the shortcut is apart";
    EXPECT_TRUE(list->item(0)->data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("Ctrl+1")));
    QTest::keyClick(line, Qt::Key_Down);
    QTest::keyClick(line, Qt::Key_Return);
    EXPECT_EQ(chosen, QStringList{QStringLiteral("alpha two")});
}

TEST(Palette, ReturnWithoutAMatchDoesNothing) {
    auto* palette = new CommandPalette({}, nullptr);
    palette->show();
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    EXPECT_TRUE(palette->isVisible());
    delete palette;
}

TEST(ShortcutsOverlay, ShowsEveryShortcutItIsGiven) {
    QDialog* dialog =
        makeShortcutsOverlay({{QStringLiteral("Help"), QStringLiteral("Palette"), QStringLiteral("Ctrl+K")},
                              {QStringLiteral("Queue"), QStringLiteral("Pause"), QStringLiteral("P")}},
                             nullptr);
    const auto* table = dialog->findChild<QTableWidget*>();
    EXPECT_EQ(table->rowCount(), 2);
    EXPECT_EQ(table->item(0, 2)->text(), QStringLiteral("Ctrl+K"));
    delete dialog;
}

TEST(ReturnKeyFilter, ReturnOnAButtonIsSpaceAndDialogsKeepTheirDefaultButton) {
    const ReturnKeyFilter presses;
    int pressed = 0;
    const auto count = [&pressed] { ++pressed; };
    QWidget window;
    QPushButton button(&window);
    QLineEdit line(&window);
    QObject::connect(&button, &QPushButton::clicked, count);
    window.show();
    QTest::keyClick(&button, Qt::Key_Return);
    QTest::keyClick(&button, Qt::Key_Enter, Qt::KeypadModifier);
    EXPECT_EQ(pressed, 2);
    QTest::keyClick(&button, Qt::Key_Return, Qt::ControlModifier);
    QTest::keyClick(&line, Qt::Key_Return);
    EXPECT_EQ(pressed, 2) << "Ctrl+Return is a different key, and a line edit cannot be pressed";
    QDialog dialog;
    QPushButton ok(&dialog), other(&dialog);
    ok.setDefault(true);
    other.setAutoDefault(false);
    int confirmed = 0;
    QObject::connect(&ok, &QPushButton::clicked, [&confirmed] { ++confirmed; });
    QObject::connect(&other, &QPushButton::clicked, count);
    dialog.show();
    QTest::keyClick(&other, Qt::Key_Return);
    EXPECT_EQ(confirmed, 1);
    EXPECT_EQ(pressed, 2);
}

TEST(About, NamesVersionsAndLicences) {
    QDialog* dialog = makeAboutDialog(nullptr);
    const QString text = dialog->findChild<QTextBrowser*>()->toPlainText();
    for (const char* part :
         {"Seedbed", "GNU General Public License", "Apache", "Qt", "QCustomPlot", "SQLite"})
        EXPECT_TRUE(text.contains(QLatin1String(part))) << part;
    delete dialog;
}

TEST(Toast, CoversNoButton) {
    QWidget page;
    page.resize(600, 400);
    ui::Toast toast(&page);
    page.show();
    const auto placeOf = [&](const std::vector<QRect>& buttons) {
        qDeleteAll(page.findChildren<QPushButton*>(Qt::FindDirectChildrenOnly));
        for (const QRect& place : buttons) {
            auto* button = new QPushButton(&page);
            button->setGeometry(place);
            button->show();
        }
        toast.showText(QStringLiteral("1 run queued"));
        return toast.geometry();
    };
    const QRect lowest = placeOf({});
    EXPECT_GT(lowest.top(), 300);
    EXPECT_EQ(placeOf({{0, 350, 80, 40}}), lowest) << "a button in the corner";
    const QRect above = placeOf({{260, 350, 80, 40}, {200, 290, 300, 50}});
    EXPECT_LT(above.bottom(), 290);
    EXPECT_GT(above.top(), 200);
    EXPECT_EQ(placeOf({{200, 0, 200, 400}}), lowest) << "no place is free";
    page.findChild<QPushButton*>(QString(), Qt::FindDirectChildrenOnly)->hide();
    toast.followPage();
    EXPECT_EQ(toast.geometry(), lowest);
}

TEST(MessageBar, ItsButtonActsOnceAndClosesIt) {
    Theme theme;
    QWidget window;
    auto* bar = new MessageBar(MessageBar::Kind::problem, QString(500, QLatin1Char('x')), theme, &window);
    int clicks = 0;
    bar->addButton(QStringLiteral("Resume"), [&] { ++clicks; });
    window.show();
    const QPointer<MessageBar> alive(bar);
    for (QAbstractButton* button : bar->findChildren<QAbstractButton*>())
        if (button->text() == QLatin1String("Resume")) button->click();
    EXPECT_EQ(clicks, 1);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_TRUE(alive.isNull());
}

RunRecord record(RunId id, RunStatus status) {
    RunRecord run;
    run.id = id;
    run.status = status;
    return run;
}

TEST(QueueWatch, ReportsOncePerQueueWhenAllOfItHasEnded) {
    QueueWatch watch;
    QueueState queue;
    EXPECT_FALSE(watch.update(queue, {record(1, RunStatus::finished)}));  // the queue was always empty
    queue.entries = {{.run = 1, .paused = false, .begun = true, .attempts = 1},
                     {.run = 2, .paused = false, .begun = false, .attempts = 0}};
    EXPECT_FALSE(watch.update(queue, {record(1, RunStatus::running), record(2, RunStatus::queued)}));
    queue.entries.erase(queue.entries.begin());
    EXPECT_FALSE(watch.update(queue, {record(1, RunStatus::finished), record(2, RunStatus::running)}));
    queue.entries.clear();
    EXPECT_FALSE(watch.update(queue, {record(1, RunStatus::finished),
                                      record(2, RunStatus::running)}));  // the run's process is still running
    const auto done = watch.update(queue, {record(1, RunStatus::finished), record(2, RunStatus::failed)});
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(done->finished, 1);
    EXPECT_EQ(done->failed, 1);
    EXPECT_FALSE(watch.update(queue, {record(1, RunStatus::finished), record(2, RunStatus::failed)}));
}

TEST(QueueWatch, StoppedRunsAreNotCountedAsInterrupted) {
    QueueWatch watch;
    QueueState queue;
    queue.entries = {{.run = 1, .paused = false, .begun = true, .attempts = 1},
                     {.run = 2, .paused = false, .begun = true, .attempts = 1}};
    EXPECT_FALSE(watch.update(queue, {record(1, RunStatus::running), record(2, RunStatus::running)}));
    RunRecord stopped = record(1, RunStatus::interrupted);
    stopped.status_text = kStoppedOnRequest;
    const auto done = watch.update({}, {stopped, record(2, RunStatus::interrupted)});
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(done->stopped, 1);
    EXPECT_EQ(done->interrupted, 1);
}

TEST(QueueWatch, ARemovedRunIsNotReportedAsFinished) {
    QueueWatch watch;
    QueueState queue;
    queue.entries = {{.run = 1, .paused = false, .begun = false, .attempts = 0}};
    EXPECT_FALSE(watch.update(queue, {record(1, RunStatus::queued)}));
    queue.entries.clear();
    RunRecord run = record(1, RunStatus::queued);
    run.in_trash = true;
    EXPECT_FALSE(watch.update(queue, {run}));
}

TEST(BarStack, ManyBarsStayLowAndBarsWithDifferentButtonsAreSeparate) {
    const Theme theme;
    BarStack stack(theme);
    stack.resize(900, 400);
    stack.show();
    QStringList pressed;
    const QString text = QStringLiteral("2 runs were interrupted");
    stack.add(MessageBar::Kind::problem, text)->addButton(QStringLiteral("Resume"), [&] {
        pressed += QStringLiteral("first two");
    });
    stack.add(MessageBar::Kind::problem, text)->addButton(QStringLiteral("Resume"), [&] {
        pressed += QStringLiteral("other two");
    });
    ASSERT_EQ(stack.bars().size(), 2);
    for (int i = 0; i < 60; ++i)
        stack.addProblem(QStringLiteral("run %1 cannot be stopped: it is not running").arg(i));
    stack.addProblem(QStringLiteral("run 7 cannot be stopped: it is not running"));
    EXPECT_EQ(stack.bars().size(), 62);
    EXPECT_LT(stack.minimumSizeHint().height(), 300);  // 62 bars would need about 2,400
    const auto shown = [&] {
        QStringList texts;
        for (const MessageBar* bar : stack.bars())
            if (bar->isVisibleTo(&stack)) texts += bar->text();
        return texts;
    };
    EXPECT_EQ(shown().size(), BarStack::kShown);
    EXPECT_EQ(shown().front(), QStringLiteral("run 7 cannot be stopped: it is not running"));
    const auto* more = stack.findChild<QLabel*>(QStringLiteral("more-messages"));
    EXPECT_TRUE(more->isVisibleTo(&stack));
    EXPECT_TRUE(more->text().contains(QStringLiteral("59"))) << more->text().toStdString();
    // Older bars appear as others are closed; each has its own button.
    while (stack.bars().size() > 2) delete stack.bars().front();
    EXPECT_EQ(shown(), (QStringList{text, text}));
    EXPECT_FALSE(more->isVisibleTo(&stack));
    for (MessageBar* bar : stack.bars()) bar->findChild<QPushButton*>()->click();
    EXPECT_EQ(pressed, (QStringList{QStringLiteral("other two"), QStringLiteral("first two")}));
}

}  // namespace
}  // namespace seedbed::ui
