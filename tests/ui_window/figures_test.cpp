// SPDX-License-Identifier: Apache-2.0
// What the window takes: time from a click on Train until something moves, how long its thread is held while a run trains on all cores, and
// memory with 1,000 runs. Here with limits that a busy computer keeps; tests/bench/ui_bench.py writes down the figures of a quiet one.
#include <fstream>

#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>

#include "core/store/store.hpp"
#include "tests/ui_window/driver.hpp"
#include "ui/views/watch/watch_page.hpp"

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

class Figures : public WindowTest {};

TEST_F(Figures, FromTheClickOnTrainToTheFirstStepsThatAreShown) {
    openWindow();
    QTest::qWait(500);
    QElapsedTimer timer;
    timer.start();
    click(find("train-cartpole"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().find(1) != nullptr && runs().find(1)->progress.steps > 0; }, 50'000));
    report(QStringLiteral("click_to_first_steps_s"), static_cast<double>(timer.elapsed()) / 1000);
    // And until an episode plays on the watch page.
    window().watch(1, std::nullopt);
    auto* page = dynamic_cast<WatchPage*>(window().page(QStringLiteral("watch")));
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->client().frame() != nullptr; }, 50'000));
    report(QStringLiteral("click_to_first_moving_episode_s"), static_cast<double>(timer.elapsed()) / 1000);
}

TEST_F(Figures, LongestTimeThatTheThreadIsHeldWhileARunTrainsOnAllCores) {
    seedbed({QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("cartpole"), QStringLiteral("--steps"), QStringLiteral("1e9")});
    seedbed({QStringLiteral("queue"), QStringLiteral("start")});
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().find(1) != nullptr && runs().find(1)->progress.steps > 0; }, 50'000));
    while (window().makeNextPage()) QTest::qWait(100);
    QElapsedTimer since;
    qint64 worst_ms = 0;
    QTimer beat;
    beat.setTimerType(Qt::PreciseTimer);
    QObject::connect(&beat, &QTimer::timeout, [&] { worst_ms = std::max(worst_ms, since.restart()); });
    for (const PageEntry& entry : pageRegistry()) {
        if (entry.own_window) continue;
        window().showPage(entry.id, {.runs = {1}, .checkpoint_step = {}, .new_run = {}, .search = {}});
        worst_ms = 0;
        since.restart();
        beat.start(5);
        QTest::qWait(1500);
        beat.stop();
        report(QStringLiteral("thread_held_ms_on_%1").arg(entry.id), static_cast<double>(worst_ms));
        EXPECT_LT(worst_ms, 1000) << entry.id.toStdString();
    }
}

TEST_F(Figures, MemoryWithAThousandRuns) {
    {
        auto store = Store::open(data.path().toStdString());
        ASSERT_TRUE(store.has_value());
        std::vector<NewRun> all(1000);
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].env = "cartpole", all[i].algo = "ppo", all[i].engine = "native", all[i].seed = i;
            all[i].config = {{"env", {{"id", "cartpole"}}}, {"run", {{"steps", 100000}, {"seed", i}}}};
        }
        const auto ids = store->enqueue(all);
        ASSERT_TRUE(ids.has_value());
        ASSERT_TRUE(store->setQueue(std::nullopt, true).has_value());
    }
    openWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() == 1000; }, 50'000));
    while (window().makeNextPage()) QTest::qWait(100);
    for (const PageEntry& entry : pageRegistry()) {
        if (entry.own_window) continue;
        window().showPage(entry.id);
        QTest::qWait(300);
    }
    const double megabytes = residentMegabytes();
    report(QStringLiteral("memory_mb_with_1000_runs"), megabytes);
    EXPECT_LT(megabytes, 500);  // 250 is the aim; sanitizers and other drivers take more
}

}  // namespace
}  // namespace seedbed::ui
