// SPDX-License-Identifier: Apache-2.0
// Tests the honesty of charts: known defects of other dashboards. Hiding, zooming and reading again never
// change numbers; plots contain only existing points.
#include <algorithm>
#include <cmath>
#include <limits>

#include <QLocale>

#include "core/analysis/load_run.hpp"
#include "core/base/rng.hpp"
#include "tests/ui/models/held_time.hpp"
#include "tests/ui/models/ui_fixture.hpp"
#include "ui/models/charts/chart_model.hpp"
#include "ui/models/charts/chart_table_model.hpp"
#include "ui/models/compare_data.hpp"

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

TEST(HonestChart, ZoomingChangesNoNumberAndDrawsOnlyPointsThatAreThere) {
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

TEST(HonestChart, SmoothingDoesNotDependOnHowManyPixelsThereAre) {
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

TEST(HonestChart, ASpikeOfOnePointIsSeenAtEveryZoomThatHoldsIt) {
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

TEST(HonestChart, NotANumberIsAGapAndNeverZeroAndAPointBetweenGapsIsADot) {
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
        // Sums of a thousand equal numbers round.
        for (const double y : series.line->curve().y) EXPECT_NEAR(y, 0.1, 1e-13);
    }
}

TEST(HonestChart, NewPointsDoNotMoveWhatWasDrawnBefore) {
    Rng rng(6, RngPurpose::analysis);
    const Curve whole = noisy(rng, 3000);
    const Curve begin{{whole.x.begin(), whole.x.begin() + 2000}, {whole.y.begin(), whole.y.begin() + 2000}};
    // Only causal smoothings; centred ones change near the old end.
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

TEST(HonestChart, ALogarithmicAxisLeavesOutWhatItCannotShowAndChangesNothingElse) {
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

TEST(HonestChart, AGroupIsItsRunsAndNothingElse) {
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
    // One seed has no band.
    const PreparedSeries one = prepareSeries(
        {.key = QStringLiteral("g"), .label = QStringLiteral("one"), .runs = {1}}, {runs[0]}, {});
    EXPECT_EQ(one.low, nullptr);
    EXPECT_TRUE(same(one.raw->curve(), runs[0].curve->curve()));
}

TEST(HonestChart, NewPointsDoNotMoveWhatAGroupShowedBefore) {
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

TEST(HonestChart, TheIntervalOfAPointDoesNotChangeWithTheSmoothingOnlyItsPictureDoes) {
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

TEST(HonestChart, FilesHaveAllPointsExactlyWhateverTheLocale) {
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

TEST(HonestChart, TheTableTwinHasARowForEveryPointOfEverySeries) {
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

TEST_F(ChartModelTest, HidingARunChangesNoNumberOfAnyOtherSeries) {
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
    // Reading everything again gives the same numbers.
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

TEST_F(ChartModelTest, EveryXAxisIsTracedToRowsAndNeverGoesBack) {
    const RunId run = makeRun({.points = 40});
    StoreReader reader = must(StoreReader::open(folder()));
    const auto x = [&](XAxis axis) {
        return must(loadCurve(reader, run, "episode/return", axis)).curve->curve().x;
    };
    EXPECT_EQ(x(XAxis::steps)[9], 640);
    EXPECT_EQ(x(XAxis::updates)[9], 10);
    EXPECT_EQ(x(XAxis::episodes)[9], 10);
    EXPECT_DOUBLE_EQ(x(XAxis::train_time)[9], 10 / 4.0);  // ten updates at four a second
    for (const XAxis axis : kXAxes) {
        const std::vector<double> along = x(axis);
        EXPECT_TRUE(std::is_sorted(along.begin(), along.end())) << keyOf(axis);
    }
    EXPECT_EQ(must(loadCurve(reader, run, "no/such", XAxis::steps)).curve->curve().size(), 0U);
}

TEST_F(ChartModelTest, AResumedRunIsNoZigZag) {
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

TEST_F(ChartModelTest, ALiveRunsPointsArriveByThemselvesAndAHiddenChartRestsUntilItIsSeen) {
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
    write(21, 31);
    settle(150);
    EXPECT_EQ(points(), 20U);
    model.setLive(true);
    ASSERT_TRUE(waitFor([&] { return points() == 30; }));
}

TEST_F(ChartModelTest, AMillionPointsAreReadSmoothedAndDrawnWithoutTheGuiThreadWaiting) {
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
    // The goal of 50 ms is measured by the benchmark.
    EXPECT_LT(longest_ms, 500);
}

class CompareDataTest : public UiTest {
protected:
    CompareData compared(const std::vector<RunId>& runs, const QString& baseline = {}) {
        StoreReader reader = must(StoreReader::open(folder()));
        return compareRead(must(readCompared(reader, runs)), baseline);
    }
};

TEST_F(CompareDataTest, GroupsAndNumbersAreThoseOfTheCommandLine) {
    std::vector<RunId> runs;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        for (const double rate : {0.001, 0.01})
            runs.push_back(makeRun({.seed = seed,
                                    .learning_rate = rate,
                                    .points = 20,
                                    .checkpoint = true,
                                    .evaluation = rate * 10000 + static_cast<double>(seed)}));
    const CompareData data = compared(runs);
    ASSERT_EQ(data.groups.size(), 2U);
    EXPECT_EQ(data.groups[0].label, QStringLiteral("learning_rate=0.001"));
    StoreReader reader = must(StoreReader::open(folder()));
    std::vector<RunScore> scores;
    for (const RunId run : runs) scores.push_back(must(loadScore(reader, run)));
    const Comparison expected = compareRuns(scores);
    for (std::size_t g = 0; g < 2; ++g) {
        ASSERT_TRUE(data.groups[g].statistics);
        EXPECT_EQ(data.groups[g].statistics->centre, expected.groups[g].centre);
        EXPECT_EQ(data.groups[g].statistics->ci_low, expected.groups[g].ci_low);
    }
    EXPECT_TRUE(data.groups[0].baseline);
    EXPECT_EQ(data.groups[1].difference->difference, expected.differences[1].difference);
    EXPECT_EQ(data.groups[1].difference->verdict, GroupDifference::Verdict::better);
    // Inverted with the other baseline; group keys stay the same.
    const CompareData turned = compared(runs, data.groups[1].key);
    EXPECT_TRUE(turned.groups[1].baseline);
    EXPECT_EQ(turned.groups[0].difference->verdict, GroupDifference::Verdict::worse);
    EXPECT_EQ(turned.groups[0].key, data.groups[0].key);
    // Leaving other runs out changes no number of a group.
    std::vector<RunId> half;
    for (std::size_t i = 0; i < runs.size(); i += 2) half.push_back(runs[i]);
    const CompareData alone = compared(half);
    EXPECT_EQ(alone.groups[0].statistics->centre, data.groups[0].statistics->centre);
    EXPECT_EQ(alone.groups[0].key, data.groups[0].key);
}

TEST_F(CompareDataTest, EqualSettingsAreHiddenAndAllAreThereWhenAskedFor) {
    const RunId a = makeRun({.seed = 1, .learning_rate = 0.001, .points = 2}),
                b = makeRun({.seed = 2, .learning_rate = 0.02, .points = 2});
    const CompareData data = compared({a, b});
    const DifferenceTable differing = differenceTable(data.groups, false),
                          all = differenceTable(data.groups, true);
    EXPECT_EQ(differing.fields, QStringList{QStringLiteral("algo.learning_rate")});
    EXPECT_EQ(differing.values[0], (QStringList{QStringLiteral("0.001"), QStringLiteral("0.02")}));
    EXPECT_EQ(all.fields.size(),
              4);  // env.id, algo.id, algo.learning_rate, run.steps: the seed makes no difference
}

TEST_F(CompareDataTest, FewSeedsSayHowManyMoreAndTheirNumbersAreNew) {
    const RunId a = makeRun({.seed = 1, .points = 2, .checkpoint = true}),
                b = makeRun({.seed = 3, .learning_rate = 0.02, .points = 2, .checkpoint = true});
    const CompareData data = compared({a, b});
    EXPECT_EQ(data.groups[1].difference->verdict, GroupDifference::Verdict::too_few);
    EXPECT_EQ(seedsToAdd(data.groups[1], data.groups[0]), 4);
    EXPECT_EQ(nextSeeds(data, data.groups[1], 3),
              (QStringList{QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4")}));
}

TEST_F(CompareDataTest, RunsOfOneSeedAreOneSampleInTablesAndOneCurveInCharts) {
    const RunId a = makeRun({.seed = 1, .points = 2, .checkpoint = true}),
                b = makeRun({.seed = 1, .points = 2, .checkpoint = true}),
                c = makeRun({.seed = 2, .points = 2, .checkpoint = true});
    const CompareData data = compared({a, b, c});
    ASSERT_EQ(data.groups.size(), 1U);
    EXPECT_EQ(data.groups[0].runs, (std::vector<RunId>{a, b, c}));
    EXPECT_EQ(data.groups[0].drawn, (std::vector<RunId>{b, c}));
    EXPECT_EQ(data.groups[0].statistics->scores.size(), 2U);
    EXPECT_FALSE(data.groups[0].statistics->note.empty());
}

TEST_F(CompareDataTest, RunsThatAreNotEquallyFarAreComparedAtTheStepThatAllHaveReached) {
    // Evaluated every 1,000 steps; the score is the step in thousands, a tenth more for the second
    // configuration.
    const auto evaluated = [&](std::uint64_t seed, double rate, int thousands) {
        NewRun run;
        run.env = "cartpole";
        run.algo = "ppo";
        run.seed = seed;
        run.config = {{"env", {{"id", "cartpole"}}},
                      {"algo", {{"id", "ppo"}, {"learning_rate", rate}}},
                      {"run", {{"seed", seed}}}};
        auto [store, owned, writer] = beginRun(folder(), run);
        for (int i = 1; i <= thousands; ++i)
            writer->evaluation({.step = 1000 * i + 3,
                                .time = 1.7e9,
                                .mean = i * (rate > 0.005 ? 1.1 : 1),
                                .episodes = {{1.0, 10}}});
        writer->status(RunStatus::finished, "");
        must(writer->flush());
        return owned.id;
    };
    const std::vector<RunId> runs{evaluated(1, 0.001, 30), evaluated(2, 0.001, 10), evaluated(1, 0.01, 10),
                                  evaluated(2, 0.01, 20)};
    StoreReader reader = must(StoreReader::open(folder()));
    const CompareData fair = compareRead(must(readCompared(reader, runs)), {});
    EXPECT_TRUE(fair.aligned);
    EXPECT_EQ(fair.common_steps, std::vector<std::int64_t>{10'003});
    EXPECT_EQ(fair.groups[0].statistics->scores, (std::vector<double>{10, 10}));
    EXPECT_EQ(fair.groups[1].statistics->scores, (std::vector<double>{11, 11}));
    EXPECT_EQ(fair.groups[0].statistics->last_steps, 10'003);
    EXPECT_TRUE(fair.groups[0].statistics->note.empty()) << fair.groups[0].statistics->note;
    EXPECT_EQ(fair.groups[1].difference->text.find("different numbers of steps"), std::string::npos);
    EXPECT_TRUE(compareCsv(fair).contains(QStringLiteral(",10003,10003\n")))
        << compareCsv(fair).toStdString();
    EXPECT_TRUE(compareMarkdown(fair).contains(QStringLiteral("Scores at step 10003")));
    const CompareData last = compareRead(must(readCompared(reader, runs, ScoreAt::last_step)), {});
    EXPECT_FALSE(last.aligned);
    EXPECT_EQ(last.common_steps, std::vector<std::int64_t>{10'003}) << "there is a choice";
    EXPECT_EQ(last.groups[0].statistics->scores, (std::vector<double>{30, 10}));
    EXPECT_FALSE(last.groups[0].statistics->note.empty());
    // With the same number of steps there is no choice.
    const CompareData equal = compareRead(must(readCompared(reader, {runs[1], runs[2]})), {});
    EXPECT_FALSE(equal.aligned);
    EXPECT_TRUE(equal.common_steps.empty());
    // A run without evaluations is scored by its last 100 episodes before the step.
    const RunId episodes = makeRun({.seed = 3, .points = 500}), early = makeRun({.seed = 4, .points = 200});
    const LoadedScores loaded = must(loadScores(reader, {episodes, early}, ScoreAt::common_step));
    EXPECT_EQ(loaded.common_steps, std::vector<std::int64_t>{200 * 64});
    EXPECT_DOUBLE_EQ(loaded.scores[0]->score, loaded.scores[1]->score);
    EXPECT_EQ(loaded.scores[0]->steps, 200 * 64);
}

TEST_F(CompareDataTest, TheDoctorFindsWhatTheEvaluationsOfAStoredRunLost) {
    const RunId id = makeRun({.points = 10});
    const auto evaluate = [&](int from, int to, double mean) {
        auto lock = must(RunLock::acquire(folder(), id));
        auto writer = must(RunWriter::open(folder(), lock, {}));
        for (int i = from; i < to; ++i)
            writer->evaluation({.step = 64 * (i + 1),
                                .time = 1.7e9 + i,
                                .mean = mean,
                                .std = 10,
                                .episodes = {{mean, 10}, {mean, 10}}});
        must(writer->flush());
    };
    evaluate(0, 3, 20);
    evaluate(3, 9, 400);
    evaluate(9, 11, 30);
    StoreReader reader = must(StoreReader::open(folder()));
    const auto collapsed = [&] {
        const std::vector<Finding> findings = diagnose(must(loadView(reader, id)));
        return std::any_of(findings.begin(), findings.end(),
                           [](const Finding& one) { return one.rule == "collapse"; });
    };
    EXPECT_FALSE(collapsed()) << "two bad ones";
    evaluate(11, 12, 30);
    EXPECT_TRUE(collapsed());
}

TEST_F(CompareDataTest, RunsWithoutEpisodesAreShownWithoutNumbersAndRunsThatAreGoneAreLeftOut) {
    const RunId a = makeRun({.seed = 1}), b = makeRun({.seed = 1, .learning_rate = 0.02, .points = 3});
    const CompareData data = compared({a, b, 99});
    ASSERT_EQ(data.groups.size(), 2U);
    EXPECT_FALSE(data.groups[0].statistics);
    EXPECT_TRUE(data.groups[1].statistics);
    EXPECT_EQ(data.unscored, 1);
    EXPECT_TRUE(data.some_training);
    EXPECT_TRUE(compareCsv(data).contains(QStringLiteral("learning_rate=0.02")));
    EXPECT_TRUE(compareMarkdown(data).contains(QStringLiteral("no score yet")));
    EXPECT_EQ(compared({}).groups.size(), 0U);
}

}  // namespace
}  // namespace seedbed::testing
