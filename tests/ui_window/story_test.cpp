// SPDX-License-Identifier: Apache-2.0
// A session with the window: first start, train, watch, train again, compare, close (runs continue), reopen
// (the runs are listed), and stop one.
#include <QClipboard>
#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScrollArea>
#include <QTableWidget>
#include <QToolButton>

#include "tests/ui_window/driver.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/compare/groups_view.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/shell/top_bar.hpp"
#include "ui/views/start/customize_view.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/watch/watch_link.hpp"
#include "ui/views/watch/watch_page.hpp"

namespace seedbed::ui {
namespace {

class Story : public WindowTest {
protected:
    bool waitForSteps(RunId run, std::int64_t steps) {
        return QTest::qWaitFor(
            [&] {
                const RunRecord* record = runs().find(run);
                return record != nullptr && record->progress.steps > steps;
            },
            kTimeoutMs);
    }
    // The visible page changes several times without user input.
    bool somethingMoves() {
        // Only the page: the side bar moves while a run trains.
        const auto page = [this] { return window().page(window().currentPage())->grab().toImage(); };
        QImage last = page();
        int changes = 0;
        return QTest::qWaitFor(
            [&] {
                QTest::qWait(200);
                QImage now = page();
                changes += now != last;
                last = std::move(now);
                return changes >= 4;
            },
            kTimeoutMs);
    }
    RunStatus statusOf(RunId run) {
        return runs().find(run) == nullptr ? RunStatus::failed : runs().find(run)->status;
    }

    // As a user would: click into the field, type, press Return.
    void typeSetting(CustomizeView* form, const char* key, const char* text) {
        QComboBox* field = nullptr;
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                field = form->findChild<QComboBox*>(QLatin1String("setting-") + QLatin1String(key));
                return field != nullptr && field->isVisible();
            },
            kTimeoutMs))
            << key;
        QTest::mouseClick(field->lineEdit(), Qt::LeftButton);
        QTest::qWait(100);
        field->lineEdit()->selectAll();
        QTest::keyClicks(field->lineEdit(), QLatin1String(text));
        QTest::keyClick(field->lineEdit(), Qt::Key_Return);
        ASSERT_TRUE(QTest::qWaitFor([&] { return form->form().changedCount() == 1; }, kTimeoutMs)) << key;
    }
    // Statistics of the first series in the page's first chart; nullptr if the chart is not visible or empty.
    const CurveStatistics* drawn(const char* page) {
        ChartWidget* chart = chartOf(page);
        if (chart == nullptr || !chart->isVisible() || chart->model().series()->empty()) return nullptr;
        return &chart->model().series()->front().raw->statistics();
    }

    // Starts a long run with the form.
    void trainLong(const char* seed) {
        click(find("customize-cartpole"));
        auto* form = window().findChild<CustomizeView*>();
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return form->form().field(QStringLiteral("run.steps")) != nullptr; }, kTimeoutMs));
        typeSetting(form, "run.steps", "1e9");
        for (QLineEdit* line : form->findChildren<QLineEdit*>())
            if (line->accessibleName() == QLatin1String("Seeds")) QTest::keyClicks(line, QLatin1String(seed));
        click(form->findChild<QPushButton*>(QStringLiteral("train")));
        // The window shows the run when the queue starts it, so wait before opening another page.
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return window().currentPage() == QStringLiteral("run"); }, kTimeoutMs));
    }
};

TEST_F(Story, FromTheFirstStartToTheSecond) {
    openWindow();
    EXPECT_EQ(window().currentPage(), QStringLiteral("start"));

    // Train on CartPole with one click; the page of the run shows that it learns.
    click(find("train-cartpole"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().find(1) != nullptr; }, kTimeoutMs));
    ASSERT_TRUE(waitForSteps(1, 0));
    EXPECT_TRUE(QTest::qWaitFor([&] { return window().currentPage() == QStringLiteral("run"); }, kTimeoutMs));
    ASSERT_TRUE(QTest::qWaitFor([&] { return statusOf(1) == RunStatus::finished; }, kTimeoutMs));
    ASSERT_TRUE(runs().find(1)->best_return.has_value());
    EXPECT_GT(*runs().find(1)->best_return, 100);  // the random policy reaches 22

    // The displayed curve rises, and its picture has more colours than an empty chart.
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return drawn("run") != nullptr && drawn("run")->points > 10; }, kTimeoutMs));
    EXPECT_GT(drawn("run")->last, 3 * drawn("run")->first);
    EXPECT_GT(drawn("run")->last_x, 10'000) << "the curve reaches the end of the run";
    EXPECT_TRUE(chartOf("run")->summary().contains(QStringLiteral("rose from")));

    // Two long runs at the same time that differ only in their seed.
    window().open(StartLink{});
    trainLong("2");
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().find(2) != nullptr; }, kTimeoutMs));
    window().open(StartLink{});
    trainLong("3");
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().find(3) != nullptr; }, kTimeoutMs));
    EXPECT_EQ(runs().find(3)->seed, 3u);
    seedbed(
        {QStringLiteral("queue"), QStringLiteral("start"), QStringLiteral("--jobs"), QStringLiteral("2")});
    ASSERT_TRUE(waitForSteps(2, 0));
    ASSERT_TRUE(waitForSteps(3, 0));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            return window().windowTitle().contains(QStringLiteral("train")) ||
                   window().windowTitle().contains(QLatin1Char('%'));
        },
        kTimeoutMs));
    // The page changes during training.
    window().open(DashboardLink{2});
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return drawn("run") != nullptr && drawn("run")->points > 2; }, kTimeoutMs));
    // Charts that are scrolled out of view are not updated, and notes above them appear at any time.
    const double before = drawn("run")->last_x;
    const auto hasGrown = [&] {
        for (QWidget* up = chartOf("run"); up != nullptr; up = up->parentWidget())
            if (auto* board = qobject_cast<QScrollArea*>(up)) board->ensureWidgetVisible(chartOf("run"));
        return drawn("run")->last_x > before;
    };
    EXPECT_TRUE(QTest::qWaitFor(hasGrown, kTimeoutMs)) << "the curve of a run in progress grows";
    EXPECT_TRUE(somethingMoves()) << "nothing moved on the page of a run in progress";
    // Watch the run: the picture changes.
    window().open(WatchLink{2, std::nullopt});
    EXPECT_EQ(window().currentPage(), QStringLiteral("watch"));
    EXPECT_TRUE(somethingMoves()) << "nothing moved on the watch page";
    const PlayerClient& player = dynamic_cast<WatchPage*>(window().page(QStringLiteral("watch")))->client();
    ASSERT_TRUE(QTest::qWaitFor([&] { return player.frame() != nullptr; }, kTimeoutMs));
    const quint64 row = player.frame()->row;
    EXPECT_TRUE(QTest::qWaitFor([&] { return player.frame() && player.frame()->row > row + 10; }, kTimeoutMs))
        << "the player makes no progress";
    // Compare all: three seeds of different planned lengths are one group.
    window().open(CompareLink{{1, 2, 3}});
    EXPECT_EQ(window().currentPage(), QStringLiteral("compare"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return drawn("compare") != nullptr && drawn("compare")->points > 10; },
                                kTimeoutMs));
    EXPECT_EQ(chartOf("compare")->model().series()->size(), 1u);
    const auto* groups =
        window().page(QStringLiteral("compare"))->findChild<GroupsView*>()->findChild<QTableWidget*>();
    const auto cell = [&](int column) {
        return groups->item(0, column) == nullptr ? QString() : groups->item(0, column)->text();
    };
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return groups->rowCount() == 1 && cell(1).startsWith(QLatin1Char('3')); }, kTimeoutMs))
        << "three seeds, marked because two runs are in progress";
    EXPECT_FALSE(cell(groups->columnCount() - 1).isEmpty()) << "the verdict has notes";

    // Closing the window does not stop runs.
    const std::int64_t steps = runs().find(2)->progress.steps;
    closeWindow();
    QTest::qWait(1500);
    EXPECT_EQ(liveRuns(), (std::vector<RunId>{2, 3}));

    // A new window finds them with more steps.
    openWindow();
    ASSERT_TRUE(waitForSteps(2, steps));
    EXPECT_TRUE(isLive(statusOf(2)));

    // Stop one in the queue; the other one continues.
    window().openPage(QStringLiteral("queue"));
    auto* list = window().page(QStringLiteral("queue"))->findChild<QListView*>(QStringLiteral("queue-list"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return list->model()->rowCount() == 2; }, kTimeoutMs));
    list->setCurrentIndex(list->model()->index(0, 0));
    QToolButton* stop = nullptr;
    for (QToolButton* button : window().page(QStringLiteral("queue"))->findChildren<QToolButton*>())
        if (button->defaultAction() != nullptr &&
            button->defaultAction()->objectName() == QStringLiteral("queue-stop-run"))
            stop = button;
    click(stop);
    ASSERT_TRUE(QTest::qWaitFor([&] { return statusOf(2) == RunStatus::interrupted; }, kTimeoutMs));
    EXPECT_TRUE(isLive(statusOf(3)));
    // A requested stop is not reported as a crash.
    EXPECT_EQ(window().findChild<MessageBar*>(), nullptr);
}

TEST_F(Story, ARunWhoseProcessIsKilledWhileShownCanBeResumed) {
    seedbed({QStringLiteral("queue"), QStringLiteral("pause")});
    QProcess run;
    run.start(QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed"),
              {QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
               QStringLiteral("1e9"), QStringLiteral("--quiet"), QStringLiteral("--data"), data.path()});
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return runs().find(1) != nullptr && runs().find(1)->progress.steps > 0; }, kTimeoutMs));
    run.kill();
    run.waitForFinished();
    ASSERT_TRUE(QTest::qWaitFor([&] { return statusOf(1) == RunStatus::interrupted; }, kTimeoutMs));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window().findChild<MessageBar*>() != nullptr; }, kTimeoutMs));
    EXPECT_TRUE(window().findChild<MessageBar*>()->text().contains(QStringLiteral("interrupted")));
    for (QPushButton* button : window().findChild<MessageBar*>()->findChildren<QPushButton*>()) click(button);
    EXPECT_TRUE(QTest::qWaitFor([&] { return isLive(statusOf(1)); }, kTimeoutMs));
}

TEST_F(Story, OneNotificationReportsAFinishedQueueWithoutFocus) {
    openWindow();
    QWidget other;  // a window that takes the focus
    other.show();
    other.activateWindow();
    static_cast<void>(
        QTest::qWaitForWindowActive(&other, 3000));  // without a window manager no window is active
    seedbed({QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("cartpole"),
             QStringLiteral("--seeds"), QStringLiteral("1..2"), QStringLiteral("--steps"),
             QStringLiteral("20000")});
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().queue().entries.size() == 2; }, kTimeoutMs));
    EXPECT_FALSE(window().isActiveWindow());
    seedbed({QStringLiteral("queue"), QStringLiteral("start")});
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return statusOf(1) == RunStatus::finished && statusOf(2) == RunStatus::finished; },
        kTimeoutMs));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !notifications.isEmpty(); }, kTimeoutMs));
    QTest::qWait(1000);
    EXPECT_EQ(notifications.size(), 1) << notifications.join(QLatin1Char('\n')).toStdString();
    EXPECT_TRUE(notifications.front().contains(QLatin1Char('2')));
    // The bell has one notice for each run, and perhaps one that it reached its goal.
    EXPECT_GE(window().bell().unread(), 2);
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 2; }, kTimeoutMs));
    QTest::qWait(500);
    EXPECT_EQ(window().bell().unread(), 0) << "a new window does not report old runs";
}

TEST_F(Story, CopyAsCommandCopiesAnEquivalentCommand) {
    openWindow();
    window().open(StartLink{
        .new_run = NewRunRequest{.env = QStringLiteral("cartpole"),
                                 .preset = {},
                                 .settings = {{QStringLiteral("algo.gamma"), QStringLiteral("0.95")}}}});
    auto* form = window().findChild<CustomizeView*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return form->form().changedCount() == 1; }, kTimeoutMs));
    form->copyCommand();
    EXPECT_EQ(QGuiApplication::clipboard()->text(),
              QStringLiteral("seedbed train cartpole --preset cartpole --algo.gamma=0.95"));
    auto* seeds = form->findChild<QLineEdit*>(QStringLiteral("run-seeds"));
    seeds->setText(QStringLiteral("1, 2"));
    form->copyCommand();
    EXPECT_EQ(QGuiApplication::clipboard()->text(),
              QStringLiteral("seedbed queue add cartpole --preset cartpole --algo.gamma=0.95 --seeds=1,2"));
    seeds->clear();

    // The copied command reproduces the settings of the form in a shell: numbers, lists, choices, words and a
    // name with spaces.
    auto& fields = const_cast<ConfigForm&>(form->form());
    for (const auto& [key, value] :
         std::initializer_list<std::pair<const char*, const char*>>{{"run.target_return", "480"},
                                                                    {"run.minutes", "0: no limit"},
                                                                    {"run.steps", "2e5"},
                                                                    {"network.hidden", "32, 16"},
                                                                    {"network.activation", "relu"},
                                                                    {"algo.learning_rate", "3e-4"},
                                                                    {"optimiser.epsilon", "0,00001"},
                                                                    {"run.schedule", "async"}})
        EXPECT_TRUE(fields.set(QLatin1String(key), QLatin1String(value))) << key;
    for (QLineEdit* line : form->findChildren<QLineEdit*>())
        if (line->accessibleName() == QLatin1String("Name of the run"))
            line->setText(QStringLiteral("it's a $(name) – \"ü\""));
    form->copyCommand();
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), QCoreApplication::applicationDirPath() + QLatin1Char(':') +
                                                   qEnvironmentVariable("PATH"));
    shell.setProcessEnvironment(environment);
    shell.start(QStringLiteral("sh"),
                {QStringLiteral("-c"), QGuiApplication::clipboard()->text() +
                                           QStringLiteral(" --dry-run --json --data ") + data.path()});
    ASSERT_TRUE(shell.waitForFinished(kTimeoutMs));
    ASSERT_EQ(shell.exitCode(), 0) << shell.readAllStandardError().toStdString();
    const QJsonObject config =
        QJsonDocument::fromJson(shell.readAllStandardOutput()).object()[QStringLiteral("config")].toObject();
    int compared = 0;
    for (int section = 0; section < fields.rowCount(); ++section) {
        const QModelIndex parent = fields.index(section, 0);
        for (int row = 0; row < fields.rowCount(parent); ++row, ++compared) {
            const FormField* field = fields.fieldAt(fields.index(row, 0, parent));
            QJsonValue value = config[field->section];
            for (const QString& part : field->name.split(QLatin1Char('.'))) value = value.toObject()[part];
            EXPECT_EQ(settingText(value).toStdString(), field->text.toStdString())
                << field->key.toStdString();
        }
    }
    EXPECT_GT(compared, 70);
    // The required memory and time are shown.
    const auto shows = [&](const char* text) {
        for (const QLabel* label : form->findChildren<QLabel*>())
            if (label->text().contains(QLatin1String(text))) return true;
        return false;
    };
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return shows("of memory per run") && shows("just measured"); }, kTimeoutMs));
    const auto* device = form->findChild<QComboBox*>(QStringLiteral("device"));
    ASSERT_NE(device, nullptr);
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return device->currentText().contains(QStringLiteral(" free")); }, kTimeoutMs))
        << device->currentText().toStdString();
}

TEST_F(Story, ADamagedDatabaseIsABarAndNotACrash) {
    QFile file(data.filePath(QStringLiteral("seedbed.db")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(8192, 'x'));
    file.close();
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window().findChild<MessageBar*>() != nullptr; }, kTimeoutMs));
    EXPECT_EQ(runs().state().kind, StoreState::Kind::failed);
}

TEST_F(Story, SafeModeDoesNotChangeTheStoredState) {
    openWindow();
    window().openPage(QStringLiteral("queue"));
    closeWindow();
    const auto remembered = [&] {
        QFile file(QString::fromStdString((folders.state / "window.ini").string()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray before = remembered();
    EXPECT_TRUE(before.contains("page=queue"));
    openWindow(true);
    EXPECT_EQ(window().currentPage(), QStringLiteral("start"));
    closeWindow();
    EXPECT_EQ(remembered(), before);
    openWindow();
    EXPECT_EQ(window().currentPage(), QStringLiteral("queue"));
}

}  // namespace
}  // namespace seedbed::ui
