// SPDX-License-Identifier: Apache-2.0
// Measures the window: the time from a click on Train to the first movement, how long its thread is blocked
// while a run trains on all cores and the table lists 10,000 runs, how often curves gain points, and the
// memory used with 1,000 runs. These limits hold on a busy machine; tests/bench/ui_bench.py records results
// of an idle one.
#include <algorithm>
#include <fstream>
#include <functional>

#include <QAction>
#include <QDateTime>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QTabBar>
#include <QTableView>

#include "core/store/store.hpp"
#include "tests/ui/page_link.hpp"
#include "tests/ui_window/driver.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/dashboard/agent_stage.hpp"

namespace seedbed::ui {
namespace {

void report(const QString& name, double value) {
    const QByteArray path = qgetenv("SEEDBED_UI_FIGURES");
    if (path.isEmpty()) return;
    QFile file(QString::fromLocal8Bit(path));
    QJsonObject figures;
    if (file.open(QIODevice::ReadOnly)) figures = QJsonDocument::fromJson(file.readAll()).object();
    file.close();
    figures[name] = value;
    if (file.open(QIODevice::WriteOnly)) file.write(QJsonDocument(figures).toJson());
}

double residentMegabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
    return 0;
}

class Figures : public WindowTest {
protected:
    // Starts a run on all cores, as from a terminal; it is stopped at the end of the test.
    void train() {
        training_.start(
            QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed"),
            {QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
             QStringLiteral("1e10"), QStringLiteral("--quiet"), QStringLiteral("--data"), data.path()});
        ASSERT_TRUE(training_.waitForStarted());
        ASSERT_TRUE(QTest::qWaitFor([this] { return !liveRuns().empty(); }, kTimeoutMs));
    }
    // Adds runs to a paused queue.
    void fill(std::size_t count) {
        auto store = Store::open(data.path().toStdString());
        ASSERT_TRUE(store.has_value());
        ASSERT_TRUE(store->setQueue(std::nullopt, true).has_value());
        std::vector<NewRun> all(count);
        for (std::size_t i = 0; i < count; ++i) {
            all[i].env = "cartpole";
            all[i].algo = "ppo";
            all[i].engine = "native";
            all[i].seed = i;
            all[i].config = {{"env", {{"id", "cartpole"}}}, {"run", {{"steps", 100000}, {"seed", i}}}};
        }
        ASSERT_TRUE(store->enqueue(all).has_value());
    }
    ~Figures() override {
        if (training_.state() == QProcess::NotRunning) return;
        training_.terminate();
        if (!training_.waitForFinished(20'000)) {
            training_.kill();
            training_.waitForFinished();
        }
    }

private:
    QProcess training_;
};

TEST_F(Figures, FromTheClickOnTrainToTheFirstMovement) {
    openWindow();
    QTest::qWait(500);
    QElapsedTimer timer;
    timer.start();
    double trains = 0, moves = 0;
    click(find("train-cartpole"));
    // The window opens the page of the new run.
    auto* stage = window().page(QStringLiteral("run"))->findChild<AgentStage*>();
    ASSERT_NE(stage, nullptr);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const double now = static_cast<double>(timer.elapsed()) / 1000;
            const RunRecord* run = runs().find(1);
            if (trains == 0 && run != nullptr && run->progress.steps > 0) trains = now;
            const auto& frame = stage->client().frame();
            if (moves == 0 && stage->isVisible() && frame != nullptr && frame->row > 0) moves = now;
            return trains > 0 && moves > 0;
        },
        kTimeoutMs));
    report(QStringLiteral("click_to_first_steps_s"), trains);
    report(QStringLiteral("click_to_first_moving_episode_s"), moves);
}

TEST_F(Figures, LongestTimeThatTheThreadIsBlocked) {
    train();
    constexpr int kRuns = 10'000;
    fill(kRuns);
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return runs().runs()->size() == kRuns + 1 && runs().find(1)->progress.steps > 0; },
        kTimeoutMs));
    while (window().createNextPage()) QTest::qWait(100);
    HeldThread held;
    const auto watched = [&](const QString& name, const std::function<void()>& what) {
        const std::int64_t steps = runs().find(1)->progress.steps;
        held.start();
        what();
        const double worst_ms = held.stop();
        report(QStringLiteral("thread_held_ms_on_%1").arg(name), worst_ms);
        EXPECT_LT(worst_ms, 1000) << name.toStdString();  // the goal is 50
        EXPECT_GT(runs().find(1)->progress.steps, steps) << "the run made no progress: nothing was measured";
    };
    for (const PageEntry& entry : pageRegistry()) {
        if (entry.own_window) continue;
        watched(entry.id, [&] {
            window().openPage(entry.id, linkTo(entry.id, {1}));
            QTest::qWait(2500);
        });
    }
    window().openPage(QStringLiteral("compare"));
    auto* table = find<QTableView>("run-table");
    auto* filter = find<QLineEdit>("run-filter");
    auto* views = find<QTabBar>("runs-or-compare");
    auto* compare =
        window().page(QStringLiteral("compare"))->findChild<QAction*>(QStringLiteral("runs-compare"));
    ASSERT_TRUE(table != nullptr && filter != nullptr && views != nullptr && compare != nullptr);
    views->setCurrentIndex(0);
    watched(QStringLiteral("compare_in_use"), [&] {
        for (const char* text : {"c", "ca", "cartpole", "cartpole ppo", ""}) {
            filter->setText(QLatin1String(text));
            QTest::qWait(200);
        }
        for (int row = 0; row < 2000; row += 400) {
            table->selectRow(row);
            compare->trigger();
            QTest::qWait(150);
            views->setCurrentIndex(0);
        }
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            table->sortByColumn(2, order);
            QTest::qWait(300);
        }
    });
}

// Counts redraws of a chart with newer points.
class LivePictures : public QObject {
public:
    LivePictures(ChartModel& model, ChartPlot& plot, const RunStore& runs) : runs_(runs) {
        connect(&model, &ChartModel::drawn, this, [this](const DrawnChart& chart) {
            const CurveStatistics& s = chart.series->front().raw->statistics();
            if (s.points > points_) {
                points_ = s.points;
                newest_ = s.last_x;
                stage_ = 1;
            }
        });
        connect(&plot, &QCustomPlot::afterReplot, this, [this] {
            if (stage_ == 1) stage_ = 2;
        });
        plot.installEventFilter(this);
        since_.start();
    }
    std::vector<double> between_ms,
        old_ms;  // time since the last redraw; time since the newest point was written

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::Paint || stage_ != 2) return false;
        stage_ = 0;
        between_ms.push_back(static_cast<double>(since_.restart()));
        const double now = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000;
        old_ms.push_back(1000 * (now - runs_.find(1)->created - newest_));
        return false;
    }

private:
    const RunStore& runs_;
    std::size_t points_ = 0;
    double newest_ = 0;
    int stage_ = 0;
    QElapsedTimer since_;
};

TEST_F(Figures, CurvesGrowSeveralTimesASecondWhileARunTrainsOnAllCores) {
    train();
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return runs().find(1) != nullptr && runs().find(1)->progress.steps > 0; }, kTimeoutMs));
    window().openPage(QStringLiteral("run"), linkTo(QStringLiteral("run"), {1}));
    const auto shown = [&]() -> ChartWidget* {
        for (auto* chart : window().findChildren<ChartWidget*>())
            if (chart->isVisible() && !chart->model().series()->empty() &&
                chart->model().specs().front().metric == "episode/return")
                return chart;
        return nullptr;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown() != nullptr; }, kTimeoutMs));
    // With wall time on the x axis, x is the time at which a point was written.
    ChartOptions options = shown()->model().options();
    options.x = XAxis::wall_time;
    shown()->model().setOptions(options);
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown()->model().idle(); }, kTimeoutMs));
    LivePictures pictures(shown()->model(), shown()->plot(), runs());
    QTest::qWait(qEnvironmentVariableIsSet("SEEDBED_UI_FIGURES") ? 15'000 : 4'000);
    auto& between = pictures.between_ms;
    ASSERT_TRUE(QTest::qWaitFor([&] { return between.size() > 2; }, kTimeoutMs));
    between.erase(between.begin(), between.begin() + 2);  // redraws while the page was created
    std::sort(between.begin(), between.end());
    std::sort(pictures.old_ms.begin(), pictures.old_ms.end());
    const auto part = [](const std::vector<double>& sorted, double share) {
        return sorted[std::min(sorted.size() - 1,
                               static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
    };
    report(QStringLiteral("live_pictures_between_ms_p50"), part(between, 0.5));
    report(QStringLiteral("live_pictures_between_ms_p95"), part(between, 0.95));
    report(QStringLiteral("live_newest_point_old_ms_p50"), part(pictures.old_ms, 0.5));
    report(QStringLiteral("live_newest_point_old_ms_p95"), part(pictures.old_ms, 0.95));
}

TEST_F(Figures, MemoryWithAThousandRuns) {
    fill(1000);
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 1000; }, kTimeoutMs));
    while (window().createNextPage()) QTest::qWait(100);
    for (const PageEntry& entry : pageRegistry()) {
        if (entry.own_window) continue;
        window().openPage(entry.id);
        QTest::qWait(300);
    }
    const double megabytes = residentMegabytes();
    report(QStringLiteral("memory_mb_with_1000_runs"), megabytes);
    EXPECT_LT(megabytes, 500);  // the goal is 250; sanitizers and other drivers need more
}

}  // namespace
}  // namespace seedbed::ui
