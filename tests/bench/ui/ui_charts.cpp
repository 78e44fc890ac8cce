// SPDX-License-Identifier: Apache-2.0
// Times of the window's tables and charts on Qt's offscreen platform.
//   bench_ui_charts --prepare FOLDER
//       creates databases with 10,000 runs, 100 grouped runs, and 10 runs of a million points
//   bench_ui_charts FOLDER [SCALE]
//       measures with them and prints JSON; SCALE 2 means four times as many pixels
// A chart has 1200 x 600 pixels, more than in a window of 1280 x 800. Times are from the event to the end of
// the paint event.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <thread>

#include <QApplication>
#include <QLineEdit>
#include <QTableView>
#include <QTimer>
#include <QUndoStack>
#include <QWheelEvent>

#include "core/analysis/aggregate.hpp"
#include "core/base/rng.hpp"
#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "ui/models/editor.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/settings.hpp"
#include "ui/views/charts/chart_plot.hpp"
#include "ui/views/page.hpp"
#include "ui/views/theme.hpp"

namespace seedbed {
namespace {

using Clock = std::chrono::steady_clock;
using namespace ui;  // NOLINT(google-build-using-namespace): a program about one namespace

constexpr int kRuns = 10000, kGroups = 20, kSeeds = 5, kGroupPoints = 200, kLongCurves = 10,
              kLongPoints = 1'000'000;

double msSince(Clock::time_point begun) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
}

template <class T>
T must(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().text().c_str());
        std::exit(1);
    }
    return std::move(result).value();
}
void must(const Result<>& result) {
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().text().c_str());
        std::exit(1);
    }
}

Json summary(std::vector<double> ms) {
    std::sort(ms.begin(), ms.end());
    return {{"median_ms", ms[ms.size() / 2]},
            {"p95_ms", ms[std::min(ms.size() - 1, ms.size() * 95 / 100)]},
            {"max_ms", ms.back()},
            {"n", ms.size()}};
}

// Sleeps between events, like the event loop of the window.
bool waitUntil(const std::function<bool()>& condition, double seconds = 60) {
    const auto begun = Clock::now();
    QTimer wake;
    wake.start(10);
    while (!condition()) {
        if (msSince(begun) > 1000 * seconds) return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    return true;
}

// --- data ---

NewRun newRun(int i) {
    NewRun run;
    run.env = i % 3 == 0 ? "cartpole" : i % 3 == 1 ? "minatar_breakout" : "pendulum";
    run.algo = i % 2 == 0 ? "ppo" : "vtrace";
    run.seed = static_cast<std::uint64_t>(i % 10);
    if (i % 4 == 0) run.name = "run-" + std::to_string(i);
    if (i % 11 == 0) run.tags = {"baseline"};
    run.config = {{"env", {{"id", run.env}}},
                  {"algo", {{"id", run.algo}, {"learning_rate", 1e-4 * (i % 7)}}},
                  {"run", {{"seed", run.seed}, {"steps", 1000000}}}};
    return run;
}

void writeCurve(const std::filesystem::path& folder, Store& store, const NewRun& run, int points, double top,
                unsigned seed) {
    OwnedRun owned = must(store.createRun(run));
    must(store.beginSegment(*owned.lock, 0, ProcessInfo{}));
    auto writer = must(RunWriter::open(folder, *owned.lock, {}));
    Rng rng(seed, RngPurpose::analysis);
    for (int i = 0; i < points; ++i) {
        const RunWriter::Value values[] = {
            {"episode/return", top * (1 - std::exp(-5.0 * i / points)) * (0.7 + 0.6 * rng.uniform())}};
        writer->metrics(64 * (i + 1), 1.7e9 + i, values);
    }
    writer->progress({.steps = 64 * points});
    writer->status(RunStatus::finished, "");
    must(writer->flush());
}

void prepare(const std::filesystem::path& folder) {
    {
        Store store = must(Store::open(folder / "many"));
        std::vector<NewRun> runs;
        for (int i = 0; i < kRuns; ++i) {
            runs.push_back(newRun(i));
            runs.back().status = RunStatus::queued;
        }
        must(store.enqueue(runs));
    }
    Store store = must(Store::open(folder / "curves"));
    for (int group = 0; group < kGroups; ++group)
        for (int seed = 0; seed < kSeeds; ++seed) {
            NewRun run = newRun(0);
            run.name.clear();
            run.seed = static_cast<std::uint64_t>(seed);
            run.config["algo"]["learning_rate"] = 1e-4 * (group + 1);
            run.config["run"]["seed"] = seed;
            writeCurve(folder / "curves", store, run, kGroupPoints, 100 + 10 * group,
                       static_cast<unsigned>(100 * group + seed));
        }
    for (int i = 0; i < kLongCurves; ++i) {
        NewRun run = newRun(0);
        run.name = "long-" + std::to_string(i);
        writeCurve(folder / "curves", store, run, kLongPoints, 100 + 20 * i, static_cast<unsigned>(9000 + i));
    }
}

// --- measurements ---

// Measures the longest time between two iterations of the event loop during its lifetime.
class Watchdog : public QObject {
public:
    Watchdog() {
        timer_.setInterval(0);
        connect(&timer_, &QTimer::timeout, this, [this] {
            gaps_.push_back(msSince(last_));
            last_ = Clock::now();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
        timer_.start();
    }
    double longest() const { return *std::max_element(gaps_.begin(), gaps_.end()); }

private:
    QTimer timer_;
    Clock::time_point last_ = Clock::now();
    std::vector<double> gaps_{0};
};

Json filterTenThousand(RunStore& store) {
    RunTableModel model;
    model.setRuns(store.runs(), store.searchTexts());
    model.sort(RunTableModel::kName, Qt::AscendingOrder);
    std::vector<double> ms;
    for (int round = 0; round < 5; ++round)
        for (const char* text : {"m", "mi", "minatar", "minatar ppo", "tag:baseline", "-env:cartpole",
                                 "run-1", "nothing like that", ""}) {
            const auto begun = Clock::now();
            model.setFilter(QString::fromLatin1(text));
            ms.push_back(msSince(begun));
        }
    return summary(ms);
}

// Detects when a picture of the latest result has been painted.
class TimedPlot : public ChartPlot {
public:
    TimedPlot(ChartModel& model, const Theme& theme) : ChartPlot(model, theme) {
        connect(&model, &ChartModel::drawn, this, [this] { stage_ = Stage::arrived; });
        connect(this, &QCustomPlot::afterReplot, this, [this] {
            if (stage_ == Stage::arrived) stage_ = Stage::replotted;
        });
    }
    void expect() { stage_ = Stage::asked; }
    bool painted() const { return stage_ == Stage::painted; }
    int paints = 0;

protected:
    void paintEvent(QPaintEvent* event) override {
        ChartPlot::paintEvent(event);
        ++paints;
        if (stage_ == Stage::replotted) stage_ = Stage::painted;
    }

private:
    enum class Stage { asked, arrived, replotted, painted } stage_ = Stage::painted;
};

struct Chart {
    Background workers{QStringLiteral("bench"), 2};
    ChartModel model;
    TimedPlot plot;

    Chart(RunStore& store, const Theme& theme, std::vector<SeriesSpec> specs, ChartOptions options)
        : model(store, workers), plot(model, theme) {
        plot.resize(1200, 600);
        plot.show();
        model.setOptions(options);
        const std::size_t count = specs.size();
        model.setSeries(std::move(specs));
        waitUntil(
            [&] { return model.idle() && model.series()->size() == count && model.extent().has_value(); },
            120);
        settle();
    }
    void settle() {
        for (int i = 0; i < 20; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    }
    // Redraws everything: a worker reduces the points, and this thread draws and paints.
    double redraw() {
        const QCPRange range = plot.xAxis->range();
        const auto begun = Clock::now();
        plot.expect();
        model.requestView({range.lower, range.upper, std::max(1, plot.axisRect()->width())});
        waitUntil([this] { return plot.painted(); });
        return msSince(begun);
    }
    // The time from a wheel event to the painted picture of the new range.
    double zoom(double low, double high) {
        plot.xAxis->setRange(low, high);
        const QPointF at = plot.axisRect()->center();
        QWheelEvent wheel(at, plot.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        const auto begun = Clock::now();
        plot.expect();
        QCoreApplication::sendEvent(&plot, &wheel);
        waitUntil([this] { return plot.painted(); });
        return msSince(begun);
    }
    // Moves the crosshair; the curves do not change.
    double moveCrosshair(double x) {
        const auto begun = Clock::now();
        const int before = plot.paints;
        plot.moveCrosshair(x);
        waitUntil([&] { return plot.paints > before; });
        return msSince(begun);
    }
};

std::vector<SeriesSpec> groupedSpecs() {
    std::vector<SeriesSpec> specs;
    for (int group = 0; group < kGroups; ++group) {
        SeriesSpec spec;
        spec.key = spec.label = QString::number(group);
        spec.metric = "episode/return";
        spec.style = group;
        for (int seed = 0; seed < kSeeds; ++seed) spec.runs.push_back(1 + group * kSeeds + seed);
        specs.push_back(spec);
    }
    return specs;
}

std::vector<SeriesSpec> longSpecs() {
    std::vector<SeriesSpec> specs;
    for (int i = 0; i < kLongCurves; ++i) {
        SeriesSpec spec;
        spec.key = spec.label = QString::number(i);
        spec.metric = "episode/return";
        spec.style = i;
        spec.runs = {1 + kGroups * kSeeds + i};
        specs.push_back(spec);
    }
    return specs;
}

Json redrawGroups(RunStore& store, const Theme& theme) {
    ChartOptions options;
    options.smoothing = {Smoothing::time_weighted_ema, 300};
    Chart chart(store, theme, groupedSpecs(), options);
    std::vector<double> ms, zoom_ms, crosshair_ms;
    for (int i = 0; i < 60; ++i) ms.push_back(chart.redraw());
    const QCPRange all = chart.plot.xAxis->range();
    for (int i = 0; i < 60; ++i) crosshair_ms.push_back(chart.moveCrosshair(all.lower + all.size() * i / 60));
    for (int i = 0; i < 60; ++i)
        zoom_ms.push_back(chart.zoom(all.lower + all.size() * i / 200, all.upper - all.size() * i / 200));
    return {{"redraw", summary(ms)}, {"zoom", summary(zoom_ms)}, {"crosshair", summary(crosshair_ms)}};
}

Json zoomMillions(RunStore& store, const Theme& theme, bool smoothed) {
    ChartOptions options;
    if (smoothed) options.smoothing = {Smoothing::time_weighted_ema, 100000};
    const auto begun = Clock::now();
    Chart chart(store, theme, longSpecs(), options);
    const double load_ms = msSince(begun);
    const double end = 64.0 * kLongPoints;
    Rng rng(5, RngPurpose::analysis);
    std::vector<double> ms;
    for (int i = 0; i < 40; ++i) {
        const double width = end * std::pow(10, -3 * rng.uniform()), low = (end - width) * rng.uniform();
        ms.push_back(chart.zoom(low, low + width));
    }
    Json json = summary(ms);
    json["read_and_prepare_ms"] = load_ms;
    return json;
}

Json bootstrap() {
    std::vector<Curve> runs(10);
    Rng rng(1, RngPurpose::analysis);
    for (Curve& run : runs)
        for (int i = 0; i < 200; ++i) {
            run.x.push_back(i);
            run.y.push_back(rng.uniform());
        }
    std::vector<double> ms;
    for (int i = 0; i < 10; ++i) {
        const auto begun = Clock::now();
        const Aggregate band = aggregate(runs, {});
        ms.push_back(msSince(begun));
        if (band.x.size() != 200) std::exit(1);
    }
    return summary(ms);
}

// The page of all runs with 10,000 runs, while another thread writes, text is typed into the filter, and
// runs are selected.
Json guiThread(const std::filesystem::path& folder, Theme& theme) {
    RunStore store(folder);
    QUndoStack undo;
    Editor editor(store, undo);
    Settings settings(must(userFolders("/nonexistent")), true);
    Services services;
    services.runs = &store;
    services.editor = &editor;
    services.theme = &theme;
    services.settings = &settings;
    services.undo = &undo;
    std::unique_ptr<Page> page;
    for (const PageEntry& entry : pageRegistry())
        if (entry.id == QLatin1String("compare")) page.reset(entry.make(services));
    page->resize(1600, 1000);
    page->show();
    auto* table = page->findChild<QTableView*>(QStringLiteral("run-table"));
    if (!waitUntil([&] { return table->model()->rowCount() == kRuns; })) std::exit(1);
    waitUntil([] { return false; }, 1);
    std::jthread writer([&](const std::stop_token& stop) {
        Store other = must(Store::open(folder));
        for (int i = 0; !stop.stop_requested(); ++i) {
            RunEdit edit;
            edit.notes = "note " + std::to_string(i);
            must(other.edit(1 + i % kRuns, edit));
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    });
    Watchdog watchdog;
    auto* filter = page->findChild<QLineEdit*>(QStringLiteral("run-filter"));
    for (int round = 0; round < 3; ++round) {
        for (const char* text : {"m", "mi", "minatar", "minatar p", "minatar ppo", "", "tag:baseline", ""}) {
            filter->setText(QString::fromLatin1(text));
            waitUntil([] { return false; }, 0.15);
        }
        for (int row = 0; row < 2000; row += 400) {
            table->selectRow(row);
            waitUntil([] { return false; }, 0.1);
        }
        table->sortByColumn(RunTableModel::kName, round % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
        waitUntil([] { return false; }, 0.2);
    }
    return {{"longest_ms", watchdog.longest()}};
}

int measure(const std::filesystem::path& folder) {
    Theme theme;
    Json json;
    {
        RunStore many(folder / "many");
        if (!waitUntil([&] { return many.runs()->size() == static_cast<std::size_t>(kRuns); })) return 1;
        json["filter_10000_runs"] = filterTenThousand(many);
    }
    json["bootstrap_10_seeds_200_points"] = bootstrap();
    {
        RunStore curves(folder / "curves");
        if (!waitUntil([&] {
                return curves.runs()->size() == static_cast<std::size_t>(kGroups * kSeeds + kLongCurves);
            }))
            return 1;
        const Json groups = redrawGroups(curves, theme);
        json["redraw_20_grouped_curves"] = groups["redraw"];
        json["zoom_20_grouped_curves"] = groups["zoom"];
        json["crosshair_over_20_grouped_curves"] = groups["crosshair"];
        json["zoom_10_curves_of_1M_points"] = zoomMillions(curves, theme, false);
        json["zoom_10_smoothed_curves_of_1M_points"] = zoomMillions(curves, theme, true);
    }
    json["gui_thread_with_10000_runs"] = guiThread(folder / "many", theme);
    std::printf("%s\n", json.dump(1).c_str());
    return 0;
}

}  // namespace
}  // namespace seedbed

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (argc == 3 && std::string(argv[1]) != "--prepare") qputenv("QT_SCALE_FACTOR", argv[2]);
    const QApplication app(argc, argv);
    if (argc == 3 && std::string(argv[1]) == "--prepare") {
        seedbed::prepare(argv[2]);
        return 0;
    }
    if (argc == 2 || argc == 3) return seedbed::measure(argv[1]);
    std::fprintf(stderr, "usage: bench_ui_charts --prepare FOLDER | bench_ui_charts FOLDER [SCALE]\n");
    return 2;
}
