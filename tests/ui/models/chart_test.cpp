// SPDX-License-Identifier: Apache-2.0
// Tests charts for known defects of other dashboards: hiding, zooming and reloading never change numbers, and
// plots contain only existing points.
#include <algorithm>
#include <cmath>
#include <limits>

#include <QLocale>

#include "core/base/rng.hpp"
#include "tests/ui/models/held_time.hpp"
#include "tests/ui/models/ui_fixture.hpp"
#include "ui/models/charts/chart_model.hpp"
#include "ui/models/charts/chart_table_model.hpp"

namespace seedbed::testing {
namespace {

using namespace ui;  // NOLINT(google-build-using-namespace): a test of one namespace

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

LoadedCurve loadedOf(RunId run, Curve curve) {
    auto steps = std::make_shared<std::vector<double>>(curve.x);
    return {run, "episode/return", std::make_shared<const CurveIndex>(std::move(curve)), std::move(steps)};
}

Curve noisy(Rng& rng, std::size_t points, double gaps = 0) {
    Curve curve;
    double x = 0;
    for (std::size_t i = 0; i < points; ++i) {
        x += 1 + rng.below(20);
        curve.x.push_back(x);
        curve.y.push_back(rng.uniform() < gaps ? kNan : 100 * rng.uniform());
    }
    return curve;
}

bool same(const Curve& a, const Curve& b) {
    if (a.x != b.x || a.y.size() != b.y.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a.y[i] == b.y[i] || (std::isnan(a.y[i]) && std::isnan(b.y[i])))) return false;
    return true;
}

// Every finite point that is drawn is a point of the curve.
void expectPointsOf(const Curve& drawn, const Curve& curve) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        if (!std::isfinite(drawn.y[i])) continue;
        while (at < curve.size() && !(curve.x[at] == drawn.x[i] && curve.y[at] == drawn.y[i])) ++at;
        ASSERT_LT(at, curve.size()) << "a drawn point is not in the curve: " << drawn.x[i] << ", "
                                    << drawn.y[i];
    }
}

const SmoothingSpec kSmoothings[] = {{Smoothing::none, 0},
                                     {Smoothing::time_weighted_ema, 200},
                                     {Smoothing::tensorboard_ema, 0.9},
                                     {Smoothing::gaussian, 100},
                                     {Smoothing::mean, 300},
                                     {Smoothing::median, 300}};

TEST(HonestChart, ZoomingChangesNoNumberAndDrawsOnlyExistingPoints) {
    Rng rng(3, RngPurpose::analysis);
    for (const SmoothingSpec& smoothing : kSmoothings) {
        ChartOptions options;
        options.smoothing = smoothing;
        const PreparedSeries series = prepareSeries({.key = QStringLiteral("a"), .runs = {1}},
                                                    {loadedOf(1, noisy(rng, 5000, 0.01))}, options);
        const Curve line = series.line->curve(), raw = series.raw->curve();
        const double end = line.x.back();
        for (int i = 0; i < 30; ++i) {
            const double low = end * 0.9 * rng.uniform(), high = low + end * (0.001 + rng.uniform());
            const DrawnSeries drawn =
                drawSeries(series, {low, high, 1 + static_cast<int>(rng.below(1500))}, false, false);
            expectPointsOf(drawn.line, line);
            expectPointsOf(drawn.raw, raw);
        }
        EXPECT_TRUE(same(series.line->curve(), line));
    }
}

TEST(HonestChart, SmoothingDoesNotDependOnTheNumberOfPixels) {
    Rng rng(4, RngPurpose::analysis);
    const LoadedCurve curve = loadedOf(1, noisy(rng, 20000));
    for (const SmoothingSpec& smoothing : kSmoothings) {
        ChartOptions options;
        options.smoothing = smoothing;
        const PreparedSeries series =
            prepareSeries({.key = QStringLiteral("a"), .runs = {1}}, {curve}, options);
        EXPECT_TRUE(same(series.line->curve(), smooth(curve.curve->curve(), smoothing)));
        const double end = curve.curve->curve().x.back();
        for (const int columns : {10, 100, 2000})
            expectPointsOf(drawSeries(series, {0, end, columns}, false, false).line, series.line->curve());
    }
}

TEST(HonestChart, ASinglePointSpikeIsVisibleAtEveryZoom) {
    Curve curve;
    for (int i = 0; i < 200000; ++i) {
        curve.x.push_back(i);
        curve.y.push_back(i == 123456 ? 1000 : i % 3);
    }
    const PreparedSeries series =
        prepareSeries({.key = QStringLiteral("a"), .runs = {1}}, {loadedOf(1, curve)}, {});
    for (const double width : {200000.0, 50000.0, 5000.0, 100.0})
        for (const int columns : {50, 800, 3000}) {
            const DrawnSeries drawn =
                drawSeries(series, {123456 - width / 2, 123456 + width / 2, columns}, false, false);
            EXPECT_EQ(*std::max_element(drawn.line.y.begin(), drawn.line.y.end()), 1000);
        }
}

TEST(HonestChart, TheFirstAndTheLastPointAreAlwaysDrawn) {
    Rng rng(5, RngPurpose::analysis);
    for (const std::size_t points : {1U, 2U, 3U, 100U, 50000U}) {
        const Curve curve = noisy(rng, points);
        const PreparedSeries series =
            prepareSeries({.key = QStringLiteral("a"), .runs = {1}}, {loadedOf(1, curve)}, {});
        const DrawnSeries drawn =
            drawSeries(series, {curve.x.front() - 1, curve.x.back() + 1, 300}, false, false);
        ASSERT_GT(drawn.line.size(), 0U);
        EXPECT_EQ(drawn.line.x.front(), curve.x.front());
        EXPECT_EQ(drawn.line.x.back(), curve.x.back());
        EXPECT_EQ(drawn.line.y.back(), curve.y.back());
        if (points == 1) {
            EXPECT_EQ(drawn.dots.size(), 1U) << "a single point must be a dot";
        }
    }
}

TEST(HonestChart, NanIsAGapAndAPointBetweenGapsIsADot) {
    const Curve curve{{1, 2, 3, 4, 5, 6}, {5, kNan, 7, kNan, kNan, 9}};
    for (const SmoothingSpec& smoothing : kSmoothings) {
        ChartOptions options;
        options.smoothing = smoothing;
        const PreparedSeries series =
            prepareSeries({.key = QStringLiteral("a"), .runs = {1}}, {loadedOf(1, curve)}, options);
        const DrawnSeries drawn = drawSeries(series, {0, 7, 500}, false, false);
        EXPECT_TRUE(std::isnan(drawn.line.y[1]));
        for (const double y : drawn.line.y) EXPECT_TRUE(std::isnan(y) || y >= 5);
        EXPECT_EQ(drawn.dots.size(), 3U);
    }
    const PreparedSeries nothing =
        prepareSeries({.key = QStringLiteral("a"), .runs = {1}}, {loadedOf(1, {{1, 2}, {kNan, kNan}})}, {});
    EXPECT_EQ(drawSeries(nothing, {0, 3, 10}, false, false).line.size(), 0U);
}

TEST(HonestChart, AConstantStaysConstantUnderEverySmoothing) {
    Curve curve;
    for (int i = 0; i < 1000; ++i) {
        curve.x.push_back(i * i);
        curve.y.push_back(0.1);
    }
    for (const SmoothingSpec& smoothing : kSmoothings) {
        ChartOptions options;
        options.smoothing = smoothing;
        const PreparedSeries series =
            prepareSeries({.key = QStringLiteral("a"), .runs = {1}}, {loadedOf(1, curve)}, options);
        // The sum of a thousand equal numbers has a rounding error.
        for (const double y : series.line->curve().y) EXPECT_NEAR(y, 0.1, 1e-13);
    }
}

TEST(HonestChart, NewPointsDoNotChangeEarlierPoints) {
    Rng rng(6, RngPurpose::analysis);
    const Curve whole = noisy(rng, 3000);
    const Curve begin{{whole.x.begin(), whole.x.begin() + 2000}, {whole.y.begin(), whole.y.begin() + 2000}};
    // Only causal smoothing is tested: centred windows change near the previous end.
    for (const SmoothingSpec& smoothing : {kSmoothings[0], kSmoothings[1], kSmoothings[2]}) {
        ChartOptions options;
        options.smoothing = smoothing;
        const auto line = [&](const Curve& curve) {
            return prepareSeries({.key = QStringLiteral("a"), .runs = {1}}, {loadedOf(1, curve)}, options)
                .line->curve();
        };
        const Curve before = line(begin), after = line(whole);
        EXPECT_TRUE(std::equal(before.y.begin(), before.y.end(), after.y.begin()));
    }
}

TEST(HonestChart, ALogarithmicAxisOmitsNonPositiveValuesAndChangesNothingElse) {
    const Curve curve{{1, 2, 3, 4}, {-1, 0, 0.5, 10}};
    const PreparedSeries series =
        prepareSeries({.key = QStringLiteral("a"), .runs = {1}}, {loadedOf(1, curve)}, {});
    const DrawnSeries drawn = drawSeries(series, {1, 4, 100}, true, true);
    expectPointsOf(drawn.line, curve);
    EXPECT_EQ(
        std::count_if(drawn.line.y.begin(), drawn.line.y.end(), [](double y) { return std::isfinite(y); }),
        2);
    EXPECT_EQ(series.raw->statistics().min, -1);
}

TEST(HonestChart, AGroupContainsExactlyItsRuns) {
    Rng rng(8, RngPurpose::analysis);
    std::vector<LoadedCurve> runs;
    for (RunId run = 1; run <= 5; ++run) runs.push_back(loadedOf(run, noisy(rng, 150)));
    const SeriesSpec spec{
        .key = QStringLiteral("g"), .label = QStringLiteral("group"), .runs = {1, 2, 3, 4, 5}};
    const PreparedSeries group = prepareSeries(spec, runs, {});
    std::vector<Curve> curves;
    for (const LoadedCurve& run : runs) curves.push_back(run.curve->curve());
    const Aggregate expected = aggregate(curves, {});
    EXPECT_TRUE(same(group.raw->curve(), {expected.x, expected.centre}));
    EXPECT_TRUE(same(group.low->curve(), {expected.x, expected.low}));
    EXPECT_EQ(group.n, expected.n);
    EXPECT_EQ(legendText(group), QStringLiteral("group (n=5)"));
    // A single seed has no band.
    const PreparedSeries one = prepareSeries(
        {.key = QStringLiteral("g"), .label = QStringLiteral("one"), .runs = {1}}, {runs[0]}, {});
    EXPECT_EQ(one.low, nullptr);
    EXPECT_TRUE(same(one.raw->curve(), runs[0].curve->curve()));
}

TEST(HonestChart, NewPointsDoNotChangeEarlierPointsOfAGroup) {
    Rng rng(10, RngPurpose::analysis);
    std::vector<Curve> whole;
    for (int run = 0; run < 3; ++run) whole.push_back(noisy(rng, 1200));
    const auto group = [&](std::ptrdiff_t points) {
        std::vector<LoadedCurve> runs;
        for (std::size_t run = 0; run < whole.size(); ++run)
            runs.push_back(loadedOf(static_cast<RunId>(run + 1),
                                    {{whole[run].x.begin(), whole[run].x.begin() + points},
                                     {whole[run].y.begin(), whole[run].y.begin() + points}}));
        return prepareSeries({.key = QStringLiteral("g"), .runs = {1, 2, 3}}, runs, {});
    };
    const PreparedSeries before = group(1000);
    double certain = before.raw->curve().x.back();
    for (const Curve& run : whole) certain = std::min(certain, run.x[999] * (1 - 1.0 / 256));
    for (const std::ptrdiff_t points : {1001, 1002, 1200}) {
        const PreparedSeries after = group(points);
        std::size_t i = 0;
        for (; before.raw->curve().x[i] < certain; ++i) {
            ASSERT_EQ(before.raw->curve().x[i], after.raw->curve().x[i]);
            ASSERT_EQ(before.raw->curve().y[i], after.raw->curve().y[i]) << "at " << before.raw->curve().x[i];
        }
        EXPECT_GT(i, 300U);
    }
}

TEST(HonestChart, SmoothingChangesOnlyTheDrawnInterval) {
    Rng rng(11, RngPurpose::analysis);
    std::vector<LoadedCurve> runs;
    for (RunId run = 1; run <= 4; ++run) runs.push_back(loadedOf(run, noisy(rng, 400)));
    const SeriesSpec spec{
        .key = QStringLiteral("g"), .label = QStringLiteral("g"), .runs = {1, 2, 3, 4}, .metric = "m"};
    const PreparedSeries plain = prepareSeries(spec, runs, {});
    ChartOptions options;
    options.smoothing = {Smoothing::gaussian, 500};
    const PreparedSeries smoothed = prepareSeries(spec, runs, options);
    EXPECT_TRUE(same(plain.low->curve(), smoothed.low->curve()));
    EXPECT_TRUE(same(plain.high->curve(), smoothed.high->curve()));
    for (std::size_t i = 0; i < plain.raw->curve().size(); ++i)
        if (!std::isnan(plain.low->curve().y[i])) {
            EXPECT_LE(plain.low->curve().y[i], plain.raw->curve().y[i] + 1e-9);
            EXPECT_GE(plain.high->curve().y[i], plain.raw->curve().y[i] - 1e-9);
        }
    EXPECT_FALSE(same(smoothed.band_low->curve(), smoothed.low->curve()));
    const double end = plain.raw->curve().x.back();
    EXPECT_TRUE(same(drawSeries(smoothed, {0, end, 100000}, false, false).low,
                     smoothed.band_low->reduce(0, end, 100000)));
}

TEST(HonestChart, FilesContainAllPointsExactlyInEveryLocale) {
    Curve curve;
    for (int i = 0; i < 5000; ++i) {
        curve.x.push_back(i);
        curve.y.push_back(i / 3.0);
    }
    const std::vector<PreparedSeries> series{prepareSeries(
        {.key = QStringLiteral("a"), .label = QStringLiteral("with, comma"), .runs = {1}, .metric = "m"},
        {loadedOf(1, curve)}, {})};
    const QString english = chartCsv(series, XAxis::steps);
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    EXPECT_EQ(chartCsv(series, XAxis::steps), english);
    const QString table = chartMarkdown(series, XAxis::steps);
    QLocale::setDefault(before);
    EXPECT_EQ(chartMarkdown(series, XAxis::steps), table);
    EXPECT_EQ(english.count(QLatin1Char('\n')), 5001);
    const QString row = english.section(QLatin1Char('\n'), 2, 2);
    EXPECT_TRUE(row.startsWith(QStringLiteral("\"with, comma\",m,1,1,"))) << row.toStdString();
    EXPECT_EQ(row.section(QLatin1Char(','), 5, 5).toDouble(), 1 / 3.0);
    EXPECT_TRUE(accessibleSummary(series, XAxis::steps).contains(QStringLiteral("rose from 0 to")));
}

TEST(HonestChart, TheTableHasARowForEveryPointOfEverySeries) {
    Rng rng(9, RngPurpose::analysis);
    auto series = std::make_shared<std::vector<PreparedSeries>>();
    for (RunId run = 1; run <= 3; ++run)
        series->push_back(
            prepareSeries({.key = QString::number(run), .label = QString::number(run), .runs = {run}},
                          {loadedOf(run, noisy(rng, 100 * static_cast<std::size_t>(run)))}, {}));
    ChartTableModel table;
    EXPECT_EQ(table.rowCount(), 0);
    table.setSeries(series, XAxis::steps);
    EXPECT_EQ(table.rowCount(), 600);
    EXPECT_EQ(table.data(table.index(99, ChartTableModel::kSeries), Qt::DisplayRole).toString(),
              QStringLiteral("1"));
    EXPECT_EQ(table.data(table.index(100, ChartTableModel::kSeries), Qt::DisplayRole).toString(),
              QStringLiteral("2"));
    EXPECT_EQ(table.data(table.index(599, ChartTableModel::kSeries), Qt::DisplayRole).toString(),
              QStringLiteral("3"));
}

class ChartModelTest : public UiTest {
protected:
    static bool ready(ChartModel& model, std::size_t series) {
        return waitFor([&] { return model.idle() && model.series()->size() == series; });
    }
};

TEST_F(ChartModelTest, HidingARunChangesNoOtherSeries) {
    std::vector<RunId> runs;
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        runs.push_back(makeRun({.seed = seed, .points = 60, .returns = [seed](int i) {
                                    return i * 1.0 + static_cast<double>(seed % 3);
                                }}));
    RunStore store(folder(), 10);
    Background workers(QStringLiteral("test"), 2);
    ChartModel model(store, workers);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 6; }));
    model.setSeries(
        {{.key = QStringLiteral("a"), .runs = {runs[0], runs[1], runs[2]}, .metric = "episode/return"},
         {.key = QStringLiteral("b"),
          .runs = {runs[3], runs[4], runs[5]},
          .metric = "episode/return",
          .style = 1},
         {.key = QStringLiteral("c"), .runs = {runs[0]}, .metric = "loss/value", .style = 2}});
    ASSERT_TRUE(ready(model, 3));
    const Prepared before = model.series();
    const auto extent = model.extent();
    for (const char* key : {"a", "c"}) model.setVisible(QLatin1String(key), false);
    ASSERT_TRUE(ready(model, 3));
    for (std::size_t s = 0; s < 3; ++s) {
        EXPECT_EQ((*model.series())[s].raw, (*before)[s].raw);
        EXPECT_EQ((*model.series())[s].low, (*before)[s].low);
    }
    EXPECT_EQ(model.extent(), extent);
    // Removing a series changes neither the others nor their colours.
    model.setSeries({model.specs()[1]});
    ASSERT_TRUE(ready(model, 1));
    EXPECT_EQ((*model.series())[0].raw, (*before)[1].raw);
    EXPECT_EQ((*model.series())[0].spec.style, 1);
    // Reloading everything gives the same numbers.
    ChartOptions options = model.options();
    options.smoothing = {Smoothing::median, 500};
    model.setOptions(options);
    options.smoothing = {};
    model.setOptions(options);
    ASSERT_TRUE(
        waitFor([&] { return model.idle() && (*model.series())[0].line == (*model.series())[0].raw; }));
    EXPECT_TRUE(same((*model.series())[0].raw->curve(), (*before)[1].raw->curve()));
    EXPECT_TRUE(same((*model.series())[0].low->curve(), (*before)[1].low->curve()));
}

TEST_F(ChartModelTest, EveryXAxisMatchesRowsAndNeverDecreases) {
    const RunId run = makeRun({.points = 40});
    StoreReader reader = must(StoreReader::open(folder()));
    const auto x = [&](XAxis axis) {
        return must(loadCurve(reader, run, "episode/return", axis)).curve->curve().x;
    };
    EXPECT_EQ(x(XAxis::steps)[9], 640);
    EXPECT_EQ(x(XAxis::updates)[9], 10);
    EXPECT_EQ(x(XAxis::episodes)[9], 10);
    EXPECT_DOUBLE_EQ(x(XAxis::train_time)[9], 10 / 4.0);  // ten updates at four per second
    for (const XAxis axis : kXAxes) {
        const std::vector<double> along = x(axis);
        EXPECT_TRUE(std::is_sorted(along.begin(), along.end())) << keyOf(axis);
    }
    EXPECT_EQ(must(loadCurve(reader, run, "no/such", XAxis::steps)).curve->curve().size(), 0U);
}

TEST_F(ChartModelTest, TwoEvaluationsAtOneStepAreOnePointTheLaterOne) {
    NewRun run;
    run.env = "cartpole";
    run.algo = "ppo";
    RunId id = 0;
    {
        auto [store, owned, writer] = beginRun(folder(), run);
        id = owned.id;
        for (const auto& [step, mean] : {std::pair{100, 5.0}, {200, 7.0}, {200, 6.5}}) {
            const RunWriter::Value value[] = {{"eval/return", mean}};
            writer->evaluation({.step = step, .time = 1.7e9 + step, .mean = mean, .episodes = {{mean, 10}}},
                               value);
        }
        must(writer->flush());
    }
    StoreReader reader = must(StoreReader::open(folder()));
    const Curve curve = must(loadCurve(reader, id, "eval/return", XAxis::steps)).curve->curve();
    EXPECT_EQ(curve.x, (std::vector<double>{100, 200}));
    EXPECT_EQ(curve.y, (std::vector<double>{5, 6.5}));
}

TEST_F(ChartModelTest, AResumedRunHasNoZigZag) {
    RunId id = 0;
    {
        Store store = must(Store::open(folder()));
        NewRun run;
        run.env = "cartpole";
        run.algo = "ppo";
        OwnedRun owned = must(store.createRun(run));
        id = owned.id;
        for (const int segment : {0, 1, 2}) {
            // Each segment begins at a checkpoint before the last written step.
            must(store.beginSegment(*owned.lock, segment * 30, ProcessInfo{}));
            auto writer = must(RunWriter::open(folder(), *owned.lock, {}));
            for (int step = segment * 30 + 1; step <= segment * 30 + 50; ++step) {
                const RunWriter::Value values[] = {{"episode/return", step + 1000.0 * segment},
                                                   {"speed/updates_per_s", 2.0}};
                writer->metrics(step, 1.7e9 + step + 500 * segment, values);
            }
            must(writer->flush());
        }
    }
    StoreReader reader = must(StoreReader::open(folder()));
    for (const XAxis axis : kXAxes) {
        const LoadedCurve curve = must(loadCurve(reader, id, "episode/return", axis));
        EXPECT_EQ(curve.curve->curve().size(), 110U);
        EXPECT_TRUE(std::is_sorted(curve.curve->curve().x.begin(), curve.curve->curve().x.end()))
            << keyOf(axis);
    }
}

TEST_F(ChartModelTest, PointsOfALiveRunArriveAndAHiddenChartWaits) {
    NewRun new_run;
    new_run.env = "cartpole";
    new_run.algo = "ppo";
    LiveRun live = beginRun(folder(), new_run);
    auto& [store_for_run, owned, writer] = live;
    const auto write = [&](int from, int to) {
        for (int step = from; step < to; ++step) {
            const RunWriter::Value values[] = {{"episode/return", static_cast<double>(step)}};
            writer->metrics(step, 1.7e9 + step, values);
            writer->progress({.steps = step});
        }
        must(writer->flush());
    };
    write(1, 11);
    RunStore store(folder(), 10);
    Background workers(QStringLiteral("test"), 1);
    ChartModel model(store, workers);
    model.setSeries({{.key = QStringLiteral("a"), .runs = {owned.id}, .metric = "episode/return"}});
    const auto points = [&] {
        return model.series()->empty() ? 0 : (*model.series())[0].raw->curve().size();
    };
    ASSERT_TRUE(waitFor([&] { return points() == 10; }));
    write(11, 21);
    ASSERT_TRUE(waitFor([&] { return points() == 20; }));
    model.setLive(false);
    ASSERT_TRUE(waitFor([&] { return model.idle(); }));
    write(21, 31);
    settle(150);
    EXPECT_EQ(points(), 20U);
    model.setLive(true);
    ASSERT_TRUE(waitFor([&] { return points() == 30; }));
}

TEST_F(ChartModelTest, AMillionPointsAreDrawnWithoutBlockingTheGuiThread) {
    const RunId run = makeRun({});
    RunStore store(folder(), 10);
    Background workers(QStringLiteral("test"), 1);
    Rng rng(1, RngPurpose::analysis);
    Curve curve;
    for (int i = 0; i < 1'000'000; ++i) {
        curve.x.push_back(i);
        curve.y.push_back(rng.uniform());
    }
    const LoadedCurve loaded = loadedOf(run, std::move(curve));
    double longest_ms = 0;
    std::size_t drawn_points = 0;
    bool done = false;
    HeldTime held;
    QObject context;
    workers.run(
        &context, QString(),
        [&](const std::stop_token&) {
            ChartOptions options;
            options.smoothing = {Smoothing::time_weighted_ema, 1000};
            const PreparedSeries series =
                prepareSeries({.key = QStringLiteral("a"), .runs = {run}}, {loaded}, options);
            return drawSeries(series, {0, 1e6, 1000}, false, false).line.size();
        },
        [&](std::size_t points) {
            drawn_points = points;
            done = true;
        });
    while (!done) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        longest_ms = std::max(longest_ms, held.ms());
        held.restart();
    }
    EXPECT_GT(drawn_points, 1000U);
    EXPECT_LE(drawn_points, 4004U);
    // The benchmark checks the 50 ms goal.
    EXPECT_LT(longest_ms, 500);
}

}  // namespace
}  // namespace seedbed::testing
