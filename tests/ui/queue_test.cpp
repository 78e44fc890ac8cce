// SPDX-License-Identifier: Apache-2.0
// Tests the queue page: several moved runs keep their order; the rules for other programs.
#include <atomic>

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include "core/control/control_server.hpp"
#include "core/control/protocol.hpp"
#include "core/neighbour/rules.hpp"
#include "core/store/run_lock.hpp"
#include "tests/ui/page_fixture.hpp"
#include "ui/models/queue/queue_model.hpp"

namespace seedbed::testing {
namespace {

class QueuePageTest : public PageTest {
protected:
    void waiting(int count) {
        Store db = must(Store::open(folder()));
        std::vector<NewRun> runs;
        for (int i = 0; i < count; ++i) {
            NewRun run;
            run.env = "cartpole";
            run.algo = "ppo";
            run.seed = static_cast<std::uint64_t>(i + 1);
            run.engine = "reference";
            run.config = {{"env", {{"id", "cartpole"}}}, {"run", {{"steps", 5000}}}};
            runs.push_back(run);
        }
        must(db.enqueue(runs));
    }
    std::vector<RunId> order() {
        std::vector<RunId> runs;
        for (const QueueEntry& entry : store().queue().entries) runs.push_back(entry.run);
        return runs;
    }
    static void choose(QListView& list, const std::vector<int>& rows) {
        QItemSelection selection;
        for (const int row : rows) selection.select(list.model()->index(row, 0), list.model()->index(row, 0));
        list.selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    }
};

TEST_F(QueuePageTest, SeveralRunsMoveTogetherAndStopAtTheEdge) {
    waiting(6);
    auto page = makePage(QStringLiteral("queue"));
    auto* list = page->findChild<QListView*>(QStringLiteral("queue-list"));
    ASSERT_TRUE(waitFor([&] { return list->model()->rowCount() == 6; }));
    const auto trigger = [&](const char* id) { page->findChild<QAction*>(QLatin1String(id))->trigger(); };
    using Runs = std::vector<RunId>;
    const auto becomes = [&](const Runs& wanted) {
        const bool did = waitFor([&] { return order() == wanted; });
        settle(400);  // no further change arrives
        return did && order() == wanted;
    };
    choose(*list, {4, 2, 3});
    trigger("queue-up");
    EXPECT_TRUE(becomes({1, 3, 4, 5, 2, 6}));
    trigger("queue-up");
    EXPECT_TRUE(becomes({3, 4, 5, 1, 2, 6})) << "the selection moved with the runs";
    trigger("queue-up");
    EXPECT_TRUE(becomes({3, 4, 5, 1, 2, 6})) << "the runs are already at the top";
    // Moves them twice, faster than the commands run.
    trigger("queue-down");
    trigger("queue-down");
    EXPECT_TRUE(becomes({1, 2, 3, 4, 5, 6}));
    choose(*list, {0, 5});
    trigger("queue-down");
    EXPECT_TRUE(becomes({2, 1, 3, 4, 5, 6}));
}

TEST_F(QueuePageTest, RowsAreDraggedToOtherPositions) {
    waiting(6);
    auto page = makePage(QStringLiteral("queue"));
    auto* list = page->findChild<QListView*>(QStringLiteral("queue-list"));
    auto* model = qobject_cast<ui::QueueModel*>(list->model());
    ASSERT_NE(model, nullptr);
    ASSERT_TRUE(waitFor([&] { return model->rowCount() == 6; }));
    const QString steps = QStringLiteral("%1 steps").arg(QLocale().toString(5000));
    ASSERT_TRUE(waitFor([&] { return model->cardAt(0).steps == steps; }))
        << model->cardAt(0).steps.toStdString();
    EXPECT_TRUE(list->dragEnabled());
    EXPECT_TRUE(model->index(0, 0).flags() & Qt::ItemIsDragEnabled);
    EXPECT_FALSE(model->index(0, 0).flags() & Qt::ItemIsDropEnabled)
        << "rows can be dropped between rows, not onto them";
    using Runs = std::vector<RunId>;
    const auto drag = [&](const std::vector<int>& rows, int before) {
        QModelIndexList indexes;
        for (const int row : rows) indexes << model->index(row);
        const std::unique_ptr<QMimeData> data(model->mimeData(indexes));
        EXPECT_FALSE(model->dropMimeData(data.get(), Qt::MoveAction, before, 0, {}))
            << "the view must not remove rows";
    };
    drag({0}, 6);
    EXPECT_TRUE(waitFor([&] { return order() == Runs{2, 3, 4, 5, 6, 1}; }))
        << "moved down, after the last row";
    ASSERT_TRUE(waitFor([&] { return model->runAt(5) == 1; }));
    drag({4, 3}, 1);
    EXPECT_TRUE(waitFor([&] { return order() == Runs{2, 5, 6, 3, 4, 1}; }))
        << "moved up together, in the same order";
    ASSERT_TRUE(waitFor([&] { return model->runAt(1) == 5; }));
    drag({0, 5}, 3);
    EXPECT_TRUE(waitFor([&] { return order() == Runs{5, 6, 2, 1, 3, 4}; })) << "moved from above and below";
    ASSERT_TRUE(waitFor([&] { return model->runAt(0) == 5; }));
    drag({1}, 1);
    drag({1}, 2);
    settle(400);
    EXPECT_EQ(order(), (Runs{5, 6, 2, 1, 3, 4})) << "a drop at the same position changes nothing";
    QMimeData foreign;
    foreign.setText(QStringLiteral("3"));
    EXPECT_FALSE(model->canDropMimeData(&foreign, Qt::MoveAction, 0, 0, {}));
    picture(*page, "queue");
}

TEST_F(QueuePageTest, CardsShowDistinguishingSettingsAndTimes) {
    Store db = must(Store::open(folder()));
    const auto config = [](std::uint64_t seed, double rate) -> Json {
        return {{"env", {{"id", "cartpole"}}},
                {"algo", {{"id", "ppo"}, {"learning_rate", rate}}},
                {"run", {{"seed", seed}, {"steps", 1280}}}};
    };
    const auto withTarget = [&](std::uint64_t seed) {  // it ends long before its last step
        Json json = config(seed, 0.01);
        json["run"].update({{"steps", 100'000}, {"target_return", 475}});
        return json;
    };
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {  // 256 steps/s
        LiveRun run = beginRun(folder(), {.env = "cartpole",
                                          .algo = "ppo",
                                          .seed = seed,
                                          .engine = "reference",
                                          .config = withTarget(seed)});
        run.writer->progress({.steps = 1280, .frames = 1280, .updates = 20, .train_seconds = 5});
        run.writer->status(RunStatus::finished, "");
        must(run.writer->flush());
    }
    const std::string name = "<b>x<i>";
    must(db.enqueue({{.name = name, .env = "cartpole", .algo = "ppo", .seed = 5, .config = withTarget(5)},
                     {.env = "cartpole", .algo = "ppo", .seed = 6, .config = config(6, 0.02)},
                     {.env = "pendulum", .algo = "ppo", .seed = 7, .config = config(7, 0.02)}}));
    const RunLock worker = must(RunLock::acquire(folder(), kQueueLock));
    auto page = makePage(QStringLiteral("queue"), {800, 600});
    auto* list = page->findChild<QListView*>(QStringLiteral("queue-list"));
    auto* model = qobject_cast<ui::QueueModel*>(list->model());
    ASSERT_TRUE(waitFor([&] { return model->rowCount() == 3; }));
    const auto estimate = [&](int row) { return model->cardAt(row).estimate.toStdString(); };
    EXPECT_TRUE(waitFor([&] { return estimate(0) == "starts now, ends in 5 s to 6 s"; })) << estimate(0);
    EXPECT_TRUE(waitFor([&] { return estimate(1) == "starts in 5 s to 6 s, ends in 9 s to 10 s"; }))
        << estimate(1) << ", although no run had these settings";
    EXPECT_EQ(estimate(2), "no estimate yet");
    EXPECT_TRUE(waitFor([&] {
        return model->cardAt(1).change.contains(QStringLiteral("learning_rate=0.02"));
    })) << model->cardAt(1).change.toStdString();
    const QString spoken = model->index(0).data(Qt::AccessibleTextRole).toString();
    const ui::QueueCard card = model->cardAt(0);
    for (const QString& part :
         {card.name, card.facts, card.change, card.state_text, card.steps, card.estimate})
        EXPECT_TRUE(spoken.contains(part)) << part.toStdString();
    EXPECT_EQ(card.name.toStdString(), name);
    EXPECT_FALSE(model->index(0).data(Qt::ToolTipRole).toString().contains(card.name)) << "not HTML";
    const auto* score = page->findChild<QLabel*>(QStringLiteral("queue-score"));
    EXPECT_EQ(score->text(), QStringLiteral("Past estimates: within 20 % in 3 of 3 runs"));
    picture(*page, "queue-cards");
    must(db.setQueue(std::nullopt, true));
    EXPECT_TRUE(waitFor([&] { return estimate(0) == "takes 5 s to 6 s"; })) << "the queue is paused";
}

TEST_F(QueuePageTest, ARunThatWasQueuedAgainWhileThePageWasHiddenHasItsNewLength) {
    waiting(1);
    auto page = makePage(QStringLiteral("queue"));
    auto* list = page->findChild<QListView*>(QStringLiteral("queue-list"));
    auto* model = qobject_cast<ui::QueueModel*>(list->model());
    const auto steps = [&] { return model->rowCount() == 1 ? model->cardAt(0).steps : QString(); };
    ASSERT_TRUE(waitFor([&] { return steps().contains(QLocale().toString(5000)); }));
    page->hide();
    {
        Store db = must(Store::open(folder()));
        const RunLock lock = must(RunLock::acquire(folder(), 1));
        must(db.beginSegment(lock, 0, ProcessInfo{},
                             {{"env", {{"id", "cartpole"}}}, {"run", {{"steps", 9000}}}}));
        const auto writer = must(RunWriter::open(folder(), lock, {}));
        writer->progress({.steps = 4000, .frames = 4000, .updates = 1, .train_seconds = 5});
        writer->status(RunStatus::interrupted, "");
        must(writer->flush());
        must(db.requeue(1));
    }
    ASSERT_TRUE(waitFor([&] { return store().find(1)->progress.steps == 4000; }));
    page->show();
    EXPECT_TRUE(waitFor([&] { return steps().contains(QLocale().toString(9000)); })) << steps().toStdString();
}

TEST_F(QueuePageTest, ALiveRunReportsItsOwnEstimate) {
    waiting(2);
    RealFileSystem files;
    must(makeFolders(files, controlFolder(folder())));
    const RunLock queue = must(RunLock::acquire(folder(), kQueueLock));
    const RunLock lock = must(RunLock::acquire(folder(), 1));
    must(must(Store::open(folder())).beginSegment(lock, 0, ProcessInfo{}));
    const auto writer = must(RunWriter::open(folder(), lock, {}));
    writer->status(RunStatus::running, "");
    must(writer->flush());
    const auto server = must(
        ControlServer::start(controlSocket(folder(), 1), {{"kind", "run"}, {"run", 1}},
                             [](const std::string&, const Json&) -> Result<Json> { return Json::object(); }));
    server->publish({{"state", "running"},
                     {"steps", 2000},
                     {"goal_steps", 5000},
                     {"steps_per_s", 12.5},
                     {"eta_s", {240, 300}}});
    auto page = makePage(QStringLiteral("queue"), {800, 600});
    auto* list = page->findChild<QListView*>(QStringLiteral("queue-list"));
    auto* model = qobject_cast<ui::QueueModel*>(list->model());
    const auto estimate = [&](int row) { return model->cardAt(row).estimate.toStdString(); };
    ASSERT_TRUE(waitFor([&] { return model->rowCount() == 2; }));
    EXPECT_TRUE(waitFor([&] { return estimate(0) == "ends in 4 min to 5 min"; })) << estimate(0);
    const QLocale locale;
    EXPECT_EQ(model->cardAt(0).steps, QStringLiteral("%1 of %2 steps · %3 steps/s")
                                          .arg(locale.toString(2000), locale.toString(5000))
                                          .arg(locale.toString(12.5)));
    EXPECT_EQ(model->cardAt(0).done, 0.4);
    EXPECT_EQ(model->cardAt(0).state, ui::QueueCard::State::training);
    EXPECT_EQ(estimate(1), "no estimate yet");
    list->setCurrentIndex(model->index(1));
    picture(*page, "queue-live");
}

TEST_F(QueuePageTest, LettersAreCommandsInTheListOnly) {
    waiting(2);
    auto page = makePage(QStringLiteral("queue"));
    auto* list = page->findChild<QListView*>(QStringLiteral("queue-list"));
    ASSERT_TRUE(waitFor([&] { return list->model()->rowCount() == 2; }));
    page->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page.get()));
    choose(*list, {0});
    auto* number = page->findChild<QSpinBox*>();
    number->setFocus();
    QTest::keyClick(number, Qt::Key_Delete);
    settle(500);
    EXPECT_EQ(order().size(), 2U);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Delete);
    EXPECT_TRUE(waitFor([&] { return order().size() == 1; }));
}

TEST_F(QueuePageTest, AStoppedQueueIsReportedAndNotStartedByUndo) {
    waiting(3);
    auto page = makePage(QStringLiteral("queue"));
    auto* list = page->findChild<QListView*>(QStringLiteral("queue-list"));
    ASSERT_TRUE(waitFor([&] { return list->model()->rowCount() == 3; }));
    const auto* start = page->findChild<QAction*>(QStringLiteral("queue-pause"));
    const auto text = [&] { return page->findChild<QLabel*>()->text(); };
    EXPECT_EQ(start->text(), QStringLiteral("Start the queue"));
    EXPECT_TRUE(text().contains(QStringLiteral("Start the queue"))) << text().toStdString();
    choose(*list, {1});
    page->findChild<QAction*>(QStringLiteral("queue-remove"))->trigger();
    ASSERT_TRUE(waitFor([&] { return order() == std::vector<RunId>({1, 3}); }));
    undo.undo();
    ASSERT_TRUE(waitFor([&] { return order() == std::vector<RunId>({1, 2, 3}); }));
    settle(1500);
    EXPECT_FALSE(RunLock::isHeld(folder(), kQueueLock)) << "the queue was not started";
    const auto runs = *store().runs();
    for (const RunRecord& run : runs) EXPECT_EQ(run.status, RunStatus::queued) << run.id;
    // Another process starts the queue, and the page shows this.
    {
        const RunLock worker = must(RunLock::acquire(folder(), kQueueLock));
        EXPECT_TRUE(waitFor([&] { return start->text() == QStringLiteral("Pause the queue"); }));
        EXPECT_FALSE(text().contains(QStringLiteral("Start the queue")));
    }
    EXPECT_TRUE(waitFor([&] { return start->text() == QStringLiteral("Start the queue"); }));
}

TEST_F(QueuePageTest, RulesForOtherProgramsAreShownAndChanged) {
    RealFileSystem files;
    must(writeNeighbourRules(files, folder(), {.battery = "pause", .programs = "obs", .min_disk = 7}));
    auto page = makePage(QStringLiteral("queue"));
    auto* battery = page->findChild<QComboBox*>(QStringLiteral("rule-battery"));
    auto* game = page->findChild<QComboBox*>(QStringLiteral("rule-game"));
    auto* programs = page->findChild<QLineEdit*>(QStringLiteral("rule-programs"));
    ASSERT_TRUE(waitFor([&] { return battery->isEnabled(); }));
    EXPECT_EQ(battery->currentText(), QStringLiteral("pause"));
    EXPECT_EQ(game->currentText(), QStringLiteral("pause"));
    EXPECT_EQ(programs->text(), QStringLiteral("obs"));
    const auto stored = [&] { return must(readNeighbourRules(files, folder())); };
    game->setFocus();
    QTest::keyClick(game, Qt::Key_Up);
    EXPECT_TRUE(waitFor([&] { return stored().game == "low"; }));
    programs->selectAll();
    QTest::keyClicks(programs, QStringLiteral("blender, obs"));
    QTest::keyClick(programs, Qt::Key_Return);
    EXPECT_TRUE(waitFor([&] { return stored().programs == "blender, obs"; }));
    programs->selectAll();
    QTest::keyClicks(programs, QStringLiteral("sh, sb-no-such-program"));
    QTest::keyClick(programs, Qt::Key_Return);
    const auto* hint = page->findChild<QLabel*>(QStringLiteral("rule-problem"));
    EXPECT_TRUE(waitFor([&] { return hint->text().endsWith(QStringLiteral(": sb-no-such-program")); }))
        << hint->text().toStdString();
    EXPECT_EQ(navigator.problem, QString()) << "it is stored";
    EXPECT_EQ(stored().battery, "pause");
    EXPECT_EQ(stored().min_disk, 7) << "rules that the page does not show are kept";
    programs->selectAll();
    QTest::keyClicks(programs, QStringLiteral("/usr/bin/obs"));
    QTest::keyClick(programs, Qt::Key_Return);
    EXPECT_TRUE(waitFor([&] { return navigator.problem.contains(QStringLiteral("/usr/bin/obs")); }));
    EXPECT_TRUE(waitFor([&] { return programs->text() == QStringLiteral("sh, sb-no-such-program"); }));
}

TEST_F(QueuePageTest, ARunThatARuleHoldsTrainsAnywayOnRequest) {
    LiveRun live = beginRun(folder(), {.env = "cartpole", .algo = "ppo", .seed = 1, .engine = "reference"});
    RealFileSystem files;
    must(makeFolders(files, controlFolder(folder())));
    std::atomic<bool> resumed = false;
    const auto server = must(ControlServer::start(controlSocket(folder(), live.owned.id),
                                                  {{"kind", "run"}, {"run", live.owned.id}},
                                                  [&](const std::string& verb, const Json&) -> Result<Json> {
                                                      resumed = verb == "resume";
                                                      return Json::object();
                                                  }));
    server->publish({{"state", "paused"}});
    auto page = makePage(QStringLiteral("queue"));
    const auto* bar = page->findChild<QWidget*>(QStringLiteral("rule-bar"));
    const auto* text = page->findChild<QLabel*>(QStringLiteral("rule-text"));
    live.writer->status(RunStatus::running, "low priority: the computer runs on battery");
    must(live.writer->flush());
    settle(300);
    EXPECT_FALSE(bar->isVisible());
    live.writer->status(RunStatus::paused, "less than 1,000 MB is free on the disk of the data folder");
    must(live.writer->flush());
    ASSERT_TRUE(waitFor([&] { return bar->isVisible(); }));
    EXPECT_EQ(text->text(),
              QStringLiteral("CartPole · run 1 is paused: less than 1,000 MB is free on the disk of the "
                             "data folder. Training continues when that ends."));
    picture(*page, "queue-held");
    QTest::mouseClick(page->findChild<QPushButton*>(QStringLiteral("rule-train-anyway")), Qt::LeftButton);
    EXPECT_TRUE(waitFor([&] { return resumed.load(); }));
    EXPECT_EQ(navigator.problem, QString());
    live.writer->status(RunStatus::running, "");
    must(live.writer->flush());
    EXPECT_TRUE(waitFor([&] { return !bar->isVisible(); }));
}

}  // namespace
}  // namespace seedbed::testing
