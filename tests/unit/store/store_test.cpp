// SPDX-License-Identifier: Apache-2.0
// Creates, names, edits, lists and shows runs; the reader returns what the writer stored.
#include "core/store/store.hpp"

#include <cmath>
#include <limits>

#include <sqlite3.h>

#include "core/store/database.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

class StoreRuns : public testing::StoreTest {};
class StoreRows : public testing::StoreTest {};

TEST_F(StoreRuns, IdsCountFromOneAndAreNeverReused) {
    {
        Store store = must(Store::open(folder()));
        EXPECT_EQ(must(store.createRun(cartpole())).id, 1);
        EXPECT_EQ(must(store.createRun(cartpole())).id, 2);
    }
    auto database = must(Database::open(folder() / kDatabaseName, Database::Access::write));
    must(database->execute("DELETE FROM runs WHERE id = 2"));
    Store store = must(Store::open(folder()));
    EXPECT_EQ(must(store.createRun(cartpole())).id, 3);
}

TEST_F(StoreRuns, StoredFieldsAreShown) {
    Store store = must(Store::open(folder()));
    NewRun given = cartpole("first");
    given.seed = std::numeric_limits<std::uint64_t>::max();
    given.tags = {"b", "a"};
    given.devices = {"cpu"};
    given.auto_settings = {{"threads", 2}};
    given.init_from = "3:best";
    const OwnedRun run = must(store.createRun(given));
    must(store.beginSegment(*run.lock, 0, ProcessInfo{42, "host", "0.1.0", 2, {{"isa", "avx2"}}}));
    const RunDetails shown = must(reader().details(run.id));
    EXPECT_EQ(shown.run.name, "first");
    EXPECT_EQ(shown.run.env, "cartpole");
    EXPECT_EQ(shown.run.algo, "ppo");
    EXPECT_EQ(shown.run.seed, given.seed);
    EXPECT_EQ(shown.run.status, RunStatus::starting);
    EXPECT_EQ(shown.run.tags, (std::vector<std::string>{"a", "b"}));
    EXPECT_FALSE(shown.run.best_return);
    EXPECT_FALSE(shown.run.last_return);
    EXPECT_EQ(shown.config, given.config);
    EXPECT_EQ(shown.devices, given.devices);
    EXPECT_EQ(shown.auto_settings, given.auto_settings);
    EXPECT_EQ(must(reader().configOf(run.id)), std::pair(given.config, given.auto_settings));
    EXPECT_FALSE(reader().configOf(run.id + 1));
    EXPECT_EQ(shown.init_from, "3:best");
    EXPECT_EQ(shown.engine, "reference");
    ASSERT_EQ(shown.segments.size(), 1u);
    EXPECT_EQ(shown.segments[0].process.pid, 42);
    EXPECT_EQ(shown.segments[0].process.other, (Json{{"isa", "avx2"}}));
}

TEST_F(StoreRuns, ASegmentBeginsWithAllTotalsOfItsCheckpoint) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    {
        auto rows = writer(run);
        rows->progress({.steps = 500, .frames = 2000, .updates = 50, .train_seconds = 60});
        must(rows->flush());
    }
    const RunProgress at{.steps = 200, .frames = 800, .updates = 20, .train_seconds = 24};
    must(store.beginSegment(*run.lock, at.steps, ProcessInfo{}, {}, SettingSource::resume, at));
    const RunProgress shown = must(reader().run(run.id)).progress;
    EXPECT_EQ(shown.steps, 200);
    EXPECT_EQ(shown.frames, 800);
    EXPECT_EQ(shown.updates, 20);
    EXPECT_EQ(shown.train_seconds, 24);
}

TEST_F(StoreRuns, NamesAreUniqueAndUnambiguous) {
    Store store = must(Store::open(folder()));
    must(store.createRun(cartpole("pole")));
    const auto again = store.createRun(cartpole("pole"));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::config);
    EXPECT_NE(again.error().message.find("taken by run 1"), std::string::npos);
    for (const char* name : {"12", "a:best", "a/b", ".hidden", "-x", " x", "x\n", "x\x7f"})
        EXPECT_FALSE(checkRunName(name)) << name;
    for (const char* name : {"12a", "pole 2", "größer", "x.y"}) EXPECT_TRUE(checkRunName(name)) << name;
    EXPECT_FALSE(checkRunName(std::string(101, 'x')));
    EXPECT_FALSE(checkRunName(""));
    // A rejected run leaves nothing behind.
    EXPECT_EQ(must(reader().runs()).size(), 1u);
}

TEST_F(StoreRuns, RunsAreFoundByIdOrNameAndSimilarNamesAreSuggested) {
    Store store = must(Store::open(folder()));
    must(store.createRun(cartpole("pole")));
    must(store.createRun(cartpole()));
    StoreReader reader = this->reader();
    EXPECT_EQ(must(reader.resolveRun("2")), 2);
    EXPECT_EQ(must(reader.resolveRun("pole")), 1);
    const auto wrong = reader.resolveRun("poel");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::config);
    EXPECT_NE(wrong.error().message.find("'pole'"), std::string::npos);
    EXPECT_NE(reader.resolveRun("9").error().message.find("newest one is 2"), std::string::npos);
    for (const char* text : {"", "-1", "99999999999999999999", "1.0", "1 "})
        EXPECT_FALSE(reader.resolveRun(text)) << text;
}

TEST_F(StoreRuns, EditsChangeOnlyTheGivenFields) {
    Store store = must(Store::open(folder()));
    const auto run = must(store.createRun(cartpole("pole")));
    RunEdit edit;
    edit.notes = "good";
    edit.star = true;
    edit.add_tags = {"x", "y"};
    must(store.edit(run.id, edit));
    RunEdit second;
    second.name = "";
    second.in_trash = true;
    second.remove_tags = {"x"};
    must(store.edit(run.id, second));
    const RunRecord shown = must(reader().run(run.id));
    EXPECT_EQ(shown.name, "");
    EXPECT_EQ(shown.notes, "good");
    EXPECT_TRUE(shown.star);
    EXPECT_TRUE(shown.in_trash);
    EXPECT_FALSE(shown.archived);
    EXPECT_EQ(shown.tags, std::vector<std::string>{"y"});

    // A rejected edit stores nothing.
    RunEdit bad;
    bad.star = false;
    bad.add_tags = {"a,b"};
    EXPECT_FALSE(store.edit(run.id, bad));
    EXPECT_TRUE(must(reader().run(run.id)).star);
    EXPECT_FALSE(store.edit(99, edit));
    EXPECT_FALSE(store.setStatus(99, RunStatus::failed));
}

TEST_F(StoreRuns, ARunWithoutItsProcessIsInterrupted) {
    Store store = must(Store::open(folder()));
    OwnedRun run = begin(store);
    EXPECT_EQ(must(reader().run(run.id)).status, RunStatus::starting);
    {
        const auto out = writer(run);
        out->status(RunStatus::running);
        must(out->flush());
    }
    EXPECT_EQ(must(reader().run(run.id)).status, RunStatus::running);
    // Only its process may set the status of a run in progress.
    const auto refused = store.setStatus(run.id, RunStatus::failed);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("another process"), std::string::npos);
    EXPECT_EQ(must(reader().run(run.id)).status, RunStatus::running);
    EXPECT_TRUE(must(reader().interruptedRuns()).empty());
    run.lock.reset();
    const RunRecord killed = must(reader().run(run.id));
    EXPECT_EQ(killed.status, RunStatus::interrupted);
    EXPECT_EQ(must(reader().interruptedRuns()), (std::vector{std::pair(run.id, killed.updated)}));
    must(store.setStatus(run.id, RunStatus::finished));
    EXPECT_EQ(must(reader().run(run.id)).status, RunStatus::finished);
    EXPECT_TRUE(must(reader().interruptedRuns()).empty());
}

TEST_F(StoreRuns, AQueuedRunHasNoOwner) {
    Store store = must(Store::open(folder()));
    NewRun queued = cartpole();
    queued.status = RunStatus::queued;
    const OwnedRun run = must(store.createRun(queued));
    EXPECT_FALSE(run.lock);
    EXPECT_EQ(must(reader().run(run.id)).status, RunStatus::queued);
}

TEST_F(StoreRuns, OnlyOneOwnerAtATime) {
    Store store = must(Store::open(folder()));
    OwnedRun run = must(store.createRun(cartpole()));
    const auto second = RunLock::acquire(folder(), run.id);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("another process"), std::string::npos);
    EXPECT_TRUE(RunLock::isHeld(folder(), run.id));
    run.lock.reset();
    EXPECT_FALSE(RunLock::isHeld(folder(), run.id));
    EXPECT_TRUE(RunLock::acquire(folder(), run.id));
    EXPECT_FALSE(RunLock::isHeld(folder(), 77));
}

TEST_F(StoreRows, PointsAreReadBackExactlyAcrossBlocksAndTail) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    {
        auto out = writer(run);
        points(*out, 0, 1300);
        must(out->flush());
        const RunWriter::Value values[] = {{"a", 0.1},
                                           {"b", std::numeric_limits<double>::quiet_NaN()},
                                           {"c", -std::numeric_limits<double>::infinity()}};
        out->metrics(1300, 1.5e9 + 1.0 / 3, values);
        must(out->flush());
    }
    StoreReader reader = this->reader();
    EXPECT_EQ(must(reader.metricNames(run.id)), (std::vector<std::string>{"a", "b", "c", "loss/policy"}));
    const MetricCurve curve = must(reader.metric(run.id, "loss/policy"));
    EXPECT_EQ(curve.steps, range(0, 1300));
    EXPECT_EQ(curve.values[1299], 1299.0);
    EXPECT_EQ(curve.times[1299], 1.7e9 + 1299 * 0.25);
    EXPECT_EQ(must(reader.metric(run.id, "a")).values, std::vector<double>{0.1});
    EXPECT_EQ(must(reader.metric(run.id, "a")).times, std::vector<double>{1.5e9 + 1.0 / 3});
    EXPECT_TRUE(std::isnan(must(reader.metric(run.id, "b")).values.at(0)));
    EXPECT_EQ(must(reader.metric(run.id, "c")).values.at(0), -std::numeric_limits<double>::infinity());
    const std::vector<MetricEnd> ends = must(reader.metricEnds(run.id));
    ASSERT_EQ(ends.size(), 4u);
    EXPECT_EQ(ends[0].name, "a");
    EXPECT_TRUE(std::isnan(ends[1].last_value));
    EXPECT_EQ(ends[2].last_value, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(ends[3].points, 1300);
    EXPECT_EQ(ends[3].last_step, 1299);
    EXPECT_EQ(ends[3].last_value, 1299.0);
    const auto unknown = reader.metric(run.id, "loss/polcy");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("'loss/policy'"), std::string::npos);
}

TEST_F(StoreRows, AWriterContinuesWhereTheLastOneStopped) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    // Ranges that end inside, at and beyond a block.
    std::int64_t next = 0;
    for (const std::int64_t count : {1, 511, 512, 100, 413, 1000, 0, 3}) {
        auto out = writer(run);
        points(*out, next, count);
        next += count;
    }
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(0, next));
}

TEST_F(StoreRows, SummariesKeepExtremesAndCountAtEverySize) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    writer(run).reset();
    {
        auto out = writer(run);
        for (std::int64_t step = 0; step < 70'000; ++step)
            point(*out, step, step == 33'333 ? 1e6 : step == 44'444 ? -1e6 : 1.0);
    }
    StoreReader reader = this->reader();
    for (const std::size_t limit : {1u, 7u, 100u, 1000u, 4000u, 100'000u}) {
        const MetricSummary summary = must(reader.metricSummary(run.id, "loss/policy", limit));
        EXPECT_LE(summary.stretches.size(), limit);
        std::int64_t count = 0, next = 0;
        double min = 1, max = 1;
        for (const auto& stretch : summary.stretches) {
            EXPECT_EQ(stretch.first_step, next);
            EXPECT_EQ(stretch.last_step - stretch.first_step + 1, stretch.points);
            count += stretch.points;
            next = stretch.last_step + 1;
            min = std::min(min, stretch.min);
            max = std::max(max, stretch.max);
            EXPECT_LE(stretch.min, stretch.mean);
            EXPECT_GE(stretch.max, stretch.mean);
        }
        EXPECT_EQ(count, 70'000);
        EXPECT_EQ(min, -1e6);
        EXPECT_EQ(max, 1e6);
    }
}

TEST_F(StoreRows, EveryKindOfRowIsReadBack) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    auto out = writer(run);
    const EpisodeRecord episodes[] = {{10, 5, 1.5, 10, 3}, {20, 6, 2.5, 20, 4}};
    out->episodes(episodes);
    EvaluationRecord evaluation;
    evaluation.step = 20, evaluation.seed = 9, evaluation.mean = 2, evaluation.ci95_low = 1,
    evaluation.ci95_high = 3;
    evaluation.episodes = {{1.0, 11}, {3.0, 12}};
    out->evaluation(evaluation);
    out->checkpoint({20, 7, 2, "checkpoints/1/20", 1000, "abc", 2.0, true, true, false});
    out->event({20, 8, EventLevel::warning, "goal", "Goal reached.", {{"x", 1}}});
    out->status(RunStatus::running);
    out->progress({20, 80, 2, 1.25});
    out->setAuto({{"chunk", 4}}, {"cuda:0"});
    must(out->flush());

    StoreReader reader = this->reader();
    EXPECT_EQ(must(reader.episodeCount(run.id)), 2);
    const auto newest = must(reader.episodes(run.id, 1));
    ASSERT_EQ(newest.size(), 1u);
    EXPECT_EQ(newest[0].episode_return, 2.5);
    EXPECT_EQ(newest[0].column, 4);
    const RunDetails shown = must(reader.details(run.id));
    ASSERT_EQ(shown.evaluations.size(), 1u);
    EXPECT_EQ(shown.evaluations[0].seed, 9u);
    EXPECT_EQ(shown.evaluations[0].episodes.at(1).length, 12);
    ASSERT_EQ(shown.checkpoints.size(), 1u);
    EXPECT_TRUE(shown.checkpoints[0].best);
    EXPECT_TRUE(shown.checkpoints[0].milestone);
    EXPECT_EQ(shown.checkpoints[0].score, 2.0);
    EXPECT_EQ(shown.params_sha256, "abc");
    ASSERT_EQ(shown.events.size(), 1u);
    EXPECT_EQ(shown.events[0].level, EventLevel::warning);
    EXPECT_EQ(shown.events[0].data, (Json{{"x", 1}}));
    EXPECT_EQ(shown.run.status, RunStatus::running);
    EXPECT_EQ(shown.run.progress.frames, 80);
    EXPECT_EQ(shown.run.progress.train_seconds, 1.25);
    EXPECT_EQ(shown.run.best_return, 2.0);
    EXPECT_EQ(shown.auto_settings, (Json{{"chunk", 4}}));
    EXPECT_EQ(shown.devices, Json({"cuda:0"}));
}

TEST_F(StoreRows, TheBestMarkMovesAndReturnsFollowTheEvaluations) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    auto out = writer(run);
    point(*out, 5, 99, "episode/return");
    point(*out, 6, 50, "episode/return");
    must(out->flush());
    EXPECT_EQ(must(reader().run(run.id)).best_return, 99.0);
    EXPECT_EQ(must(reader().run(run.id)).last_return, 50.0);
    for (const auto& [step, mean] : {std::pair{10, 3.0}, {20, 7.0}, {30, 5.0}}) {
        EvaluationRecord evaluation;
        evaluation.step = step;
        evaluation.mean = mean;
        out->evaluation(evaluation);
        CheckpointRecord checkpoint;
        checkpoint.step = step;
        checkpoint.score = mean;
        checkpoint.best = step <= 20;
        out->checkpoint(checkpoint);
    }
    const std::int64_t removed[] = {10};
    out->checkpointsRemoved(removed);
    must(out->flush());
    const RunDetails shown = must(reader().details(run.id));
    EXPECT_EQ(shown.run.best_return, 7.0);
    EXPECT_EQ(shown.run.last_return, 5.0);
    ASSERT_EQ(shown.checkpoints.size(), 3u);
    EXPECT_TRUE(shown.checkpoints[0].removed);
    EXPECT_FALSE(shown.checkpoints[0].best);
    EXPECT_TRUE(shown.checkpoints[1].best);
    EXPECT_FALSE(shown.checkpoints[1].removed);

    const OwnedRun other = begin(store);
    auto unscored = writer(other);
    for (const int step : {10, 20, 30}) {
        CheckpointRecord checkpoint;
        checkpoint.step = step;
        unscored->checkpoint(checkpoint);
    }
    const std::int64_t newest[] = {30};
    unscored->checkpointsRemoved(newest);
    must(unscored->flush());
    const auto best = must(reader().bestCheckpoints());
    ASSERT_EQ(best.size(), 2u);
    EXPECT_EQ(best[0].first, run.id);
    EXPECT_EQ(best[0].second.step, 20);  // not the newest
    EXPECT_EQ(best[1].first, other.id);
    EXPECT_EQ(best[1].second.step, 20);  // the newest that is stored
}

TEST_F(StoreRows, InvalidUtf8IsHandled) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    auto out = writer(run);
    out->event({1, 1, EventLevel::info, "note", "bad \xff text", {{"key", "bad \xff"}}});
    must(out->flush());
    EXPECT_EQ(must(reader().events(run.id)).size(), 1u);
}

TEST_F(StoreRows, ASmallQueueBlocksTheCallerAndLosesNothing) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    RunWriterOptions options;
    options.queue_bytes = 2000;
    {
        auto out = writer(run, options);
        points(*out, 0, 5000);
    }
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(0, 5000));
}

TEST_F(StoreRows, ProgressIsTheNewest) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    auto out = writer(run);
    for (std::int64_t step = 0; step <= 1000; ++step) out->progress({step, step * 4, step / 10, 0.5});
    must(out->flush());
    const RunProgress progress = must(reader().run(run.id)).progress;
    EXPECT_EQ(progress.steps, 1000);
    EXPECT_EQ(progress.frames, 4000);
    EXPECT_EQ(progress.updates, 100);
    EXPECT_EQ(progress.train_seconds, 0.5);
}

TEST_F(StoreRows, ReadersDetectChanges) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    StoreReader reader = this->reader();
    const auto before = must(reader.dataVersion());
    EXPECT_EQ(must(reader.dataVersion()), before);
    auto out = writer(run);
    point(*out, 1, 1);
    must(out->flush());
    EXPECT_NE(must(reader.dataVersion()), before);
}

TEST_F(StoreRows, ViewsShowTheSameInSql) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store, "pole");
    {
        auto out = writer(run);
        points(*out, 0, 600);
        out->episodes(std::vector<EpisodeRecord>{{1, 1, 1, 1, 0}});
    }
    auto database = must(Database::open(folder() / kDatabaseName, Database::Access::read));
    EXPECT_EQ(must(database->integer(
                  "SELECT sum(points) FROM metric_points WHERE run_id = 1 AND name = 'loss/policy'")),
              600);
    EXPECT_EQ(must(database->integer("SELECT max(max) FROM metric_points")), 599);
    EXPECT_EQ(must(database->integer("SELECT count(*) FROM metric_points WHERE points = 1")), 600 - 512);
    EXPECT_EQ(must(database->integer("SELECT count(*) FROM episodes")), 1);
    EXPECT_EQ(must(database->integer("SELECT count(*) FROM runs_overview WHERE name = 'pole'")), 1);
    for (const char* view : {"evaluations", "checkpoints", "events"})
        EXPECT_EQ(must(database->integer(std::string("SELECT count(*) FROM ") + view)), 0) << view;
    EXPECT_FALSE(database->execute("DELETE FROM runs"));
}

}  // namespace
}  // namespace seedbed
