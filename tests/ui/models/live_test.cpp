// SPDX-License-Identifier: Apache-2.0
// Tests charts and tables of a run in progress: the last point arrives, time starts with the run, tables grow
// and keep their position.
#include <sqlite3.h>

#include <cmath>

#include "tests/ui/models/ui_fixture.hpp"
#include "ui/models/charts/chart_model.hpp"
#include "ui/models/charts/chart_table_model.hpp"
#include "ui/models/charts/trace_model.hpp"

namespace seedbed::testing {
namespace {

using namespace ui;  // NOLINT(google-build-using-namespace): a test of one namespace

LoadedCurve loadedOf(RunId run, Curve curve) {
    auto steps = std::make_shared<std::vector<double>>(curve.x);
    return {run, "episode/return", std::make_shared<const CurveIndex>(std::move(curve)), std::move(steps)};
}

Curve wave(int points) {
    Curve curve;
    for (int i = 0; i < points; ++i) {
        curve.x.push_back(10.0 * i);
        curve.y.push_back(std::sin(0.7 * i));
    }
    return curve;
}

class LiveTest : public UiTest {};

// A long evaluation at the end writes its result without further steps.
TEST_F(LiveTest, AChartHiddenInTheMeantimeShowsTheFinalEvaluation) {
    NewRun new_run;
    new_run.env = "cartpole";
    new_run.algo = "ppo";
    LiveRun live = beginRun(folder(), new_run);
    auto& [store_for_run, owned, writer] = live;
    const auto evaluate = [&](double value) {
        const RunWriter::Value values[] = {{"eval/return", value}};
        writer->metrics(static_cast<std::int64_t>(1000 * value), 1.7e9, values);
        must(writer->flush());
    };
    writer->progress({.steps = 1000});
    evaluate(1);
    RunStore store(folder(), 10);
    Background workers(QStringLiteral("test"), 1);
    ChartModel model(store, workers);
    model.setSeries({{.key = QStringLiteral("a"), .runs = {owned.id}, .metric = "eval/return"}});
    const auto points = [&] {
        return model.series()->empty() ? 0 : (*model.series())[0].raw->curve().size();
    };
    ASSERT_TRUE(waitFor([&] { return points() == 1 && model.idle() && store.find(owned.id) != nullptr; }));
    model.setLive(false);
    evaluate(2);
    writer->status(RunStatus::finished, "");
    must(writer->flush());
    owned.lock.reset();
    ASSERT_TRUE(waitFor([&] { return store.find(owned.id)->status == RunStatus::finished; }));
    settle(100);
    EXPECT_EQ(points(), 1U);
    model.setLive(true);
    EXPECT_TRUE(waitFor([&] { return points() == 2; }));
}

TEST_F(LiveTest, WallTimeBeginsWithTheFirstProcessAndNotInTheQueue) {
    RunId id = 0;
    double begun = 0;
    {
        Store store = must(Store::open(folder()));
        NewRun run;
        run.env = "cartpole";
        run.algo = "ppo";
        run.seed = 5;
        id = must(store.enqueue({run})).front();
        EXPECT_FALSE(must(must(StoreReader::open(folder())).run(id)).started) << "the run has not started";
        settle(300);  // this time in the queue must not be included
        const RunLock lock = must(RunLock::acquire(folder(), id));
        begun = must(store.beginSegment(lock, 0, ProcessInfo{})).started;
        auto writer = must(RunWriter::open(folder(), lock, {}));
        for (int i = 0; i < 10; ++i) {
            const RunWriter::Value values[] = {{"episode/return", i * 1.0}};
            writer->metrics(64 * (i + 1), begun + 2.5 * i, values);
        }
        must(writer->flush());
    }
    StoreReader reader = must(StoreReader::open(folder()));
    ASSERT_GT(begun, must(reader.run(id)).created + 0.2);
    EXPECT_EQ(must(reader.run(id)).started, begun);
    {
        Store store = must(Store::open(folder()));
        const RunLock lock = must(RunLock::acquire(folder(), id));
        must(store.beginSegment(lock, 640, ProcessInfo{}));
    }
    EXPECT_EQ(must(reader.run(id)).started, begun) << "a resume does not count as another start";
    const LoadedCurve curve = must(loadCurve(reader, id, "episode/return", XAxis::wall_time));
    EXPECT_DOUBLE_EQ(curve.curve->curve().x.front(), 0);
    EXPECT_NEAR(curve.curve->curve().x.back(), 22.5,
                1e-5);  // seconds since 1970 have a resolution of 2e-7
}

TEST_F(LiveTest, AnUnreadableDatabaseIsAnErrorNotAnEmptyCurve) {
    const RunId run = makeRun({.points = 10});
    StoreReader reader = must(StoreReader::open(folder()));
    {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder() / "seedbed.db").c_str(), &database), SQLITE_OK);
        EXPECT_EQ(
            sqlite3_exec(database, "PRAGMA foreign_keys = OFF; ALTER TABLE metric_series RENAME TO moved",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
        sqlite3_close(database);
    }
    EXPECT_FALSE(loadCurve(reader, run, "episode/return", XAxis::steps).has_value());
}

// Signals of a table model.
struct RecordedSignals {
    explicit RecordedSignals(QAbstractItemModel& model) {
        QObject::connect(&model, &QAbstractItemModel::modelReset, [this] { ++resets; });
        QObject::connect(&model, &QAbstractItemModel::rowsInserted,
                         [this](const QModelIndex&, int from, int to) { inserted.emplace_back(from, to); });
        QObject::connect(&model, &QAbstractItemModel::rowsRemoved,
                         [this](const QModelIndex&, int from, int to) { removed.emplace_back(from, to); });
        QObject::connect(&model, &QAbstractItemModel::dataChanged, [this] { ++changes; });
    }
    int resets = 0, changes = 0;
    std::vector<std::pair<int, int>> inserted, removed;
};

TEST(ChartTable, RowsOfALiveRunAreAppendedAndTheCurrentRowStays) {
    const Curve all_a = wave(120), all_b = wave(80);
    const auto part = [](const Curve& curve, std::size_t n) {
        return Curve{{curve.x.begin(), curve.x.begin() + static_cast<std::ptrdiff_t>(n)},
                     {curve.y.begin(), curve.y.begin() + static_cast<std::ptrdiff_t>(n)}};
    };
    const auto made = [&](std::size_t a, std::size_t b) {
        auto series = std::make_shared<std::vector<PreparedSeries>>();
        series->push_back(
            prepareSeries({.key = QStringLiteral("a"), .label = QStringLiteral("a"), .runs = {1}},
                          {loadedOf(1, part(all_a, a))}, {}));
        series->push_back(
            prepareSeries({.key = QStringLiteral("b"), .label = QStringLiteral("b"), .runs = {2}},
                          {loadedOf(2, part(all_b, b))}, {}));
        return series;
    };
    ChartTableModel table, fresh;
    table.setSeries(made(100, 50), XAxis::steps);
    const QPersistentModelIndex current(table.index(120, ChartTableModel::kValue));  // the 21st row of b
    const QString value = current.data().toString();
    RecordedSignals recorded(table);
    table.setSeries(made(120, 80), XAxis::steps);
    EXPECT_EQ(recorded.resets, 0);
    EXPECT_EQ(recorded.inserted, (std::vector<std::pair<int, int>>{{100, 119}, {170, 199}}));
    EXPECT_EQ(current.row(), 140);
    EXPECT_EQ(current.data().toString(), value);
    fresh.setSeries(made(120, 80), XAxis::steps);
    ASSERT_EQ(table.rowCount(), fresh.rowCount());
    for (int row = 0; row < table.rowCount(); ++row)
        for (int column = 0; column < table.columnCount(); ++column)
            EXPECT_EQ(table.data(table.index(row, column), Qt::DisplayRole),
                      fresh.data(fresh.index(row, column), Qt::DisplayRole));
    // Points of another run, or of a resumed run that has lost some of them.
    table.setSeries(made(110, 80), XAxis::steps);
    EXPECT_EQ(recorded.resets, 1);
    EXPECT_EQ(table.rowCount(), 190);
}

TEST(TraceTable, RowsAreInsertedAtTheTopAndRemovedAtTheBottom) {
    const auto frame = [](std::uint64_t from, std::uint64_t to, float reward_of_last) {
        auto made = std::make_shared<PlayerFrame>();
        made->cells.resize(1);
        for (std::uint64_t row = from; row <= to; ++row) {
            PlayerRecord record;
            record.row = row;
            record.step = static_cast<std::int32_t>(row);
            record.reward = row == to ? reward_of_last : 1;
            made->trace.push_back(record);
        }
        return made;
    };
    const float unknown = PlayerRecord::kUnknown;
    TraceModel trace;
    trace.show(frame(10, 19, unknown));
    EXPECT_EQ(trace.rowCount(), 10);
    const QPersistentModelIndex current(trace.index(3, TraceModel::row_column));
    EXPECT_EQ(current.data().toString(), QStringLiteral("16"));
    RecordedSignals recorded(trace);
    // The same records with newer weights: the table does not change.
    trace.show(frame(10, 19, unknown));
    EXPECT_EQ(recorded.resets + recorded.changes, 0);
    EXPECT_TRUE(recorded.inserted.empty() && recorded.removed.empty());
    // Two new rows, one removed; the reward of the newest one is now known.
    trace.show(frame(11, 21, unknown));
    EXPECT_EQ(recorded.resets, 0);
    EXPECT_EQ(recorded.inserted, (std::vector<std::pair<int, int>>{{0, 1}}));
    EXPECT_EQ(recorded.removed, (std::vector<std::pair<int, int>>{{9, 9}}));
    EXPECT_EQ(recorded.changes, 1);
    EXPECT_EQ(current.row(), 5);
    EXPECT_EQ(current.data().toString(), QStringLiteral("16"));
    for (int row = 0; row < trace.rowCount(); ++row)
        EXPECT_EQ(trace.index(row, TraceModel::row_column).data().toString(), QString::number(21 - row));
    // One step back: an older row is added at the bottom, and the newest is removed.
    recorded.inserted.clear();
    recorded.removed.clear();
    trace.show(frame(10, 20, 1));
    EXPECT_EQ(recorded.resets, 0);
    EXPECT_EQ(recorded.removed, (std::vector<std::pair<int, int>>{{0, 0}}));
    EXPECT_EQ(recorded.inserted, (std::vector<std::pair<int, int>>{{10, 10}}));
    EXPECT_EQ(current.row(), 4);
    EXPECT_EQ(current.data().toString(), QStringLiteral("16"));
    for (int row = 0; row < trace.rowCount(); ++row)
        EXPECT_EQ(trace.index(row, TraceModel::row_column).data().toString(), QString::number(20 - row));
    // A jump to another position.
    trace.show(frame(500, 505, unknown));
    EXPECT_EQ(recorded.resets, 1);
    EXPECT_EQ(trace.rowCount(), 6);
}

}  // namespace
}  // namespace seedbed::testing
