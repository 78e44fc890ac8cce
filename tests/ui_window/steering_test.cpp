// SPDX-License-Identifier: Apache-2.0
// Tests controlling real runs from the window: pause, resume, stop and restart; the queue with order, number
// of runs and undo; and more seeds for a group.
#include <utility>

#include <QAction>
#include <QListView>
#include <QMenu>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QUndoStack>

#include "tests/ui_window/driver.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/shell/top_bar.hpp"

namespace seedbed::ui {
namespace {

class Steering : public WindowTest {
protected:
    bool becomes(RunId run, RunStatus status) {
        return QTest::qWaitFor(
            [&] { return runs().find(run) != nullptr && runs().find(run)->status == status; }, kTimeoutMs);
    }
    std::int64_t steps(RunId run) {
        return runs().find(run) == nullptr ? 0 : runs().find(run)->progress.steps;
    }
    void act(const char* page, const char* name) {
        for (QAction* action : window().page(QLatin1String(page))->actions())
            if (action->objectName() == QLatin1String(name)) {
                EXPECT_TRUE(action->isEnabled()) << name;
                return action->trigger();
            }
        ADD_FAILURE() << "no action " << name;
    }
    std::string complaint() {
        const auto* bar = window().findChild<MessageBar*>();
        return bar == nullptr ? "" : bar->text().toStdString();
    }
    std::vector<RunId> order() {
        std::vector<RunId> in_order;
        for (const QueueEntry& entry : runs().queue().entries) in_order.push_back(entry.run);
        return in_order;
    }
    bool orderBecomes(const std::vector<RunId>& wanted) {
        return QTest::qWaitFor([&] { return order() == wanted; }, kTimeoutMs);
    }
};

TEST_F(Steering, ARunIsPausedResumedSavedStoppedAndRestarted) {
    seedbed({QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("cartpole"),
             QStringLiteral("--steps"), QStringLiteral("1e9")});
    openWindow();
    window().open(DashboardLink{1});
    seedbed({QStringLiteral("queue"), QStringLiteral("start")});
    ASSERT_TRUE(becomes(1, RunStatus::running));
    ASSERT_TRUE(QTest::qWaitFor([&] { return steps(1) > 0; }, kTimeoutMs));
    click(find("run-pause"));
    ASSERT_TRUE(becomes(1, RunStatus::paused));
    // The last steps before the pause may be shown later than the pause.
    std::int64_t at_rest = -1;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const std::int64_t before = std::exchange(at_rest, steps(1));
            QTest::qWait(500);
            return before == at_rest;
        },
        kTimeoutMs));
    QTest::qWait(1000);
    EXPECT_EQ(steps(1), at_rest) << "a paused run does not continue";
    EXPECT_EQ(find("run-pause")->text(), QStringLiteral("Res&ume"));
    picture(QStringLiteral("steering-paused"));
    click(find("run-pause"));
    ASSERT_TRUE(becomes(1, RunStatus::running));
    ASSERT_TRUE(QTest::qWaitFor([&] { return steps(1) > at_rest; }, kTimeoutMs));
    click(find("run-checkpoint"));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            auto reader = StoreReader::open(data.path().toStdString());
            const auto kept = reader ? reader->checkpoints(1)
                                     : Result<std::vector<CheckpointRecord>>(std::vector<CheckpointRecord>());
            return kept && !kept->empty() && kept->back().step > at_rest;
        },
        kTimeoutMs))
        << "the paused state is saved";
    // A request that arrives while the run is stopping would cause an error message.
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return window().statusBar()->currentMessage().startsWith(QStringLiteral("A checkpoint")); },
        kTimeoutMs));
    click(find("run-stop"));
    ASSERT_TRUE(becomes(1, RunStatus::interrupted));
    const std::int64_t stopped = steps(1);
    EXPECT_EQ(complaint(), "") << "the user stopped it";
    Q_EMIT window().bell().menu()->aboutToShow();
    QStringList news;
    for (const QAction* action : window().bell().menu()->actions()) news += action->text();
    EXPECT_EQ(news.filter(QStringLiteral("was stopped")).size(), 1) << news.join(u'\n').toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return liveRuns().empty(); }, kTimeoutMs));
    // Resumed at the same step by a new process.
    ASSERT_TRUE(QTest::qWaitFor([&] { return find("run-pause")->isVisible(); }, kTimeoutMs));
    click(find("run-pause"));
    ASSERT_TRUE(becomes(1, RunStatus::running));
    ASSERT_TRUE(QTest::qWaitFor([&] { return steps(1) > stopped; }, kTimeoutMs));
    // The same with the keyboard.
    act("run", "run-stop");
    ASSERT_TRUE(becomes(1, RunStatus::interrupted));
    EXPECT_TRUE(QTest::qWaitFor([&] { return liveRuns().empty(); }, kTimeoutMs));
    QTest::qWait(500);
    EXPECT_EQ(complaint(), "") << "the user stopped it again";
}

TEST_F(Steering, MoreSeedsOfAGroupAreQueuedWithItsSettingsAndJoinIt) {
    for (const char* seed : {"1", "2"})
        seedbed({QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
                 QStringLiteral("3000"), QStringLiteral("--quiet"), QStringLiteral("--seed"),
                 QLatin1String(seed), QStringLiteral("--algo.learning_rate=0.002"),
                 QStringLiteral("--name=tuned seed=%1").arg(QLatin1String(seed)),
                 QStringLiteral("--run.target_return=490")});
    openWindow();
    window().open(CompareLink{{1, 2}});
    Page* page = window().page(QStringLiteral("compare"));
    auto* tabs = page->findChild<QTabWidget*>();
    tabs->setCurrentIndex(1);
    auto* groups = tabs->widget(1)->findChild<QTableWidget*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return groups->rowCount() == 1; }, kTimeoutMs));
    groups->selectRow(0);
    click(find("queue-seeds"));
    for (const RunId run : {3, 4, 5}) {
        ASSERT_TRUE(becomes(run, RunStatus::finished)) << "the running queue executes it";
        EXPECT_EQ(runs().find(run)->seed, static_cast<std::uint64_t>(run)) << "each run gets an unused seed";
        EXPECT_EQ(runs().find(run)->name, "tuned seed=" + std::to_string(run));
    }
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return groups->rowCount() == 1 && groups->item(0, 1)->text() == QLatin1String("5"); },
        kTimeoutMs))
        << "runs with the same settings form one group of five";
    EXPECT_EQ(complaint(), "");
    picture(QStringLiteral("steering-seeds"));
}

TEST_F(Steering, TheQueueIsReorderedPausedReducedAndUndone) {
    seedbed({QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("cartpole"),
             QStringLiteral("--seeds"), QStringLiteral("1..3"), QStringLiteral("--steps"),
             QStringLiteral("3000")});
    seedbed({QStringLiteral("queue"), QStringLiteral("pause")});
    openWindow();
    window().openPage(QStringLiteral("queue"));
    auto* list = window().page(QStringLiteral("queue"))->findChild<QListView*>(QStringLiteral("queue-list"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return list->model()->rowCount() == 3; }, kTimeoutMs));
    list->setCurrentIndex(list->model()->index(2, 0));
    act("queue", "queue-up");
    ASSERT_TRUE(orderBecomes({1, 3, 2}));
    // The moved run stays selected.
    act("queue", "queue-up");
    ASSERT_TRUE(orderBecomes({3, 1, 2}));
    act("queue", "queue-down");
    ASSERT_TRUE(orderBecomes({1, 3, 2}));
    act("queue", "queue-pause-run");
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().queue().entries[1].paused; }, kTimeoutMs));
    act("queue", "queue-remove");
    ASSERT_TRUE(orderBecomes({1, 2}));
    EXPECT_TRUE(QTest::qWaitFor([&] { return runs().find(3)->in_trash; }, kTimeoutMs));
    // Undo restores its position and paused state; redo removes it again.
    picture(QStringLiteral("steering-queue"));
    app->services().undo->undo();
    ASSERT_TRUE(orderBecomes({1, 3, 2}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().queue().entries[1].paused; }, kTimeoutMs));
    EXPECT_EQ(runs().find(3)->status, RunStatus::queued);
    EXPECT_FALSE(runs().find(3)->in_trash);
    app->services().undo->redo();
    ASSERT_TRUE(orderBecomes({1, 2}));
    auto* number = window().page(QStringLiteral("queue"))->findChild<QSpinBox*>();
    number->setFocus();
    number->setValue(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().queue().at_a_time == 2; }, kTimeoutMs));
    EXPECT_TRUE(runs().queue().paused);  // setting the number does not start the queue
    act("queue", "queue-pause");
    ASSERT_TRUE(becomes(1, RunStatus::finished));
    ASSERT_TRUE(becomes(2, RunStatus::finished));
    EXPECT_EQ(steps(3), 0) << "run 3 was removed from the queue";
}

}  // namespace
}  // namespace seedbed::ui
