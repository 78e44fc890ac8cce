// SPDX-License-Identifier: Apache-2.0
// The queue's table, artifacts, and checking, exporting and importing databases.
#include "core/store/check_database.hpp"
#include "core/store/database.hpp"
#include "core/store/export_database.hpp"
#include "core/store/import.hpp"
#include "core/store/vacuum.hpp"
#include "core/store/write_lock.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

class StoreQueue : public testing::StoreTest {
protected:
    std::vector<RunId> order() {
        std::vector<RunId> ids;
        for (const QueueEntry& entry : must(reader().queue()).entries) ids.push_back(entry.run);
        return ids;
    }
};
class StoreCopies : public testing::StoreTest {
protected:
    std::filesystem::path other() const { return folder().string() + "-other"; }
    std::filesystem::path file() const { return folder().string() + "-export.db"; }

    RunId fill(Store& store, const std::string& name, std::int64_t count) {
        OwnedRun run = begin(store, name);
        const auto out = must(RunWriter::open(store.folder(), *run.lock));
        points(*out, 1, count);
        points(*out, 1, 10, "loss/value");
        out->episodes(std::vector<EpisodeRecord>{{5, 1, 2.5, 7, 0}, {9, 2, 3.5, 8, 1}});
        EvaluationRecord evaluation;
        evaluation.step = 9;
        evaluation.mean = 4;
        evaluation.episodes = {{4, 10}};
        out->evaluation(evaluation);
        CheckpointRecord checkpoint;
        checkpoint.step = 9, checkpoint.folder = "checkpoints/" + std::to_string(run.id) + "/9",
        checkpoint.best = true;
        out->checkpoint(checkpoint);
        out->event({.step = 3, .kind = "note", .text = "text", .data = {{"x", 1}}});
        out->progress({count, count, 10, 1.5});
        out->status(RunStatus::finished);
        must(out->flush());
        must(store.addArtifact(run.id, {.step = 9,
                                        .time = 3,
                                        .kind = "onnx",
                                        .path = "a.onnx",
                                        .bytes = 5,
                                        .sha256 = "ab",
                                        .data = {{"y", 2}}}));
        return run.id;
    }
};

TEST_F(StoreQueue, RunsWaitInTheirOrderUntilTheyAreMovedPausedOrRemoved) {
    Store store = must(Store::open(folder()));
    const auto ids = must(store.enqueue({cartpole("a"), cartpole("b"), cartpole("c"), cartpole("d")}));
    EXPECT_EQ(order(), ids);
    EXPECT_EQ(must(reader().run(ids[0])).status, RunStatus::queued);
    must(store.moveInQueue(ids[3], 1));
    EXPECT_EQ(order(), (std::vector<RunId>{ids[3], ids[0], ids[1], ids[2]}));
    must(store.moveInQueue(ids[3], 3));
    must(store.moveInQueue(ids[0], 100));
    EXPECT_EQ(order(), (std::vector<RunId>{ids[1], ids[3], ids[2], ids[0]}));
    must(store.pauseInQueue(ids[3], true));
    EXPECT_TRUE(must(reader().queue()).entries[1].paused);
    must(store.markStartedInQueue(ids[1], 1));
    EXPECT_TRUE(must(reader().queue()).entries[0].begun);
    EXPECT_EQ(must(reader().queue()).entries[0].attempts, 1);
    must(store.removeFromQueue(ids[3]));
    EXPECT_EQ(order().size(), 3u);
    EXPECT_TRUE(must(reader().run(ids[3])).in_trash) << "a run that never started moves to the trash";
    must(store.requeue(ids[3]));
    EXPECT_EQ(must(reader().run(ids[3])).status, RunStatus::queued)
        << "queuing it again reverts that completely";
    EXPECT_FALSE(must(reader().run(ids[3])).in_trash);
    must(store.removeFromQueue(ids[3]));
    for (const auto& refused :
         {store.removeFromQueue(ids[3]), store.moveInQueue(99, 1), store.pauseInQueue(99, true)}) {
        ASSERT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code, ErrorCode::config);
    }
}

TEST_F(StoreQueue, AllRunsAreAddedOrNone) {
    Store store = must(Store::open(folder()));
    EXPECT_FALSE(store.enqueue({cartpole("a"), cartpole("b"), cartpole("a")}).has_value());
    EXPECT_TRUE(order().empty());
    EXPECT_TRUE(must(reader().runs()).empty());
}

TEST_F(StoreQueue, TheNumberOfParallelRunsIsStored) {
    Store store = must(Store::open(folder()));
    must(store.setQueue(3, std::nullopt));
    must(store.setQueue(std::nullopt, true));
    EXPECT_EQ(must(reader().queue()).at_a_time, 3);
    EXPECT_TRUE(must(reader().queue()).paused);
    EXPECT_FALSE(store.setQueue(0, std::nullopt).has_value());
}

TEST_F(StoreQueue, ArtifactsOfSupersededStepsAreHidden) {
    Store store = must(Store::open(folder()));
    OwnedRun run = begin(store);
    must(store.addArtifact(run.id,
                           {.step = 10, .kind = "onnx", .path = "a.onnx", .bytes = 1, .sha256 = "aa"}));
    must(store.addArtifact(run.id,
                           {.step = 20, .kind = "onnx", .path = "b.onnx", .bytes = 1, .sha256 = "bb"}));
    EXPECT_EQ(must(reader().artifacts(run.id)).size(), 2u);
    must(store.beginSegment(*run.lock, 15, ProcessInfo{}));
    const auto left = must(reader().artifacts(run.id));
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].path, "a.onnx");
}

TEST_F(StoreCopies, AnIntactDatabasePassesAndMissingPartsAreNamed) {
    Store store = must(Store::open(folder()));
    fill(store, "a", 2000);
    DatabaseReport report = must(checkDatabase(folder()));
    EXPECT_TRUE(report.problems.empty()) << report.problems[0];
    EXPECT_EQ(report.points, 2010);
    const auto database = must(Database::open(folder() / kDatabaseName, Database::Access::write));
    must(database->execute("DELETE FROM metric_blocks WHERE ordinal = 512"));
    report = must(checkDatabase(folder()));
    ASSERT_FALSE(report.problems.empty());
    EXPECT_NE(report.problems.back().find("2000 points"), std::string::npos) << report.problems.back();
}

TEST_F(StoreCopies, ExportedRunsAreImportedUnchanged) {
    Store store = must(Store::open(folder()));
    const RunId first = fill(store, "a", 1300), second = fill(store, "b", 5);
    // A resume supersedes some of the rows.
    {
        const auto lock = must(RunLock::acquire(folder(), first));
        must(store.beginSegment(lock, 700, ProcessInfo{}));
        const auto out = must(RunWriter::open(folder(), lock));
        points(*out, 701, 20);
        must(out->flush());
    }
    must(exportDatabase(folder(), file(), {first}));
    EXPECT_FALSE(exportDatabase(folder(), file(), {}).has_value()) << "an existing file is not overwritten";
    Store store_there = must(Store::open(other()));
    fill(store_there, "a", 3);
    const auto imported = must(importDatabase(other(), file()));
    ASSERT_EQ(imported.size(), 1u);
    EXPECT_EQ(imported[0].source_id, first);
    EXPECT_EQ(imported[0].name, "a (2)");
    StoreReader here = reader(), there = must(StoreReader::open(other()));
    const RunId copy = imported[0].id;
    for (const char* name : {"loss/policy", "loss/value"}) {
        const MetricCurve a = must(here.metric(first, name)), b = must(there.metric(copy, name));
        EXPECT_EQ(a.steps, b.steps);
        EXPECT_EQ(a.times, b.times);
        EXPECT_EQ(a.values, b.values);
        const auto sa = must(here.metricSummary(first, name, 50)),
                   sb = must(there.metricSummary(copy, name, 50));
        ASSERT_EQ(sa.stretches.size(), sb.stretches.size());
        for (std::size_t i = 0; i < sa.stretches.size(); ++i)
            EXPECT_EQ(sa.stretches[i].max, sb.stretches[i].max);
    }
    EXPECT_EQ(must(there.episodes(copy)).size(), 2u);
    EXPECT_EQ(must(there.checkpoints(copy))[0].folder, "checkpoints/" + std::to_string(copy) + "/9");
    const auto artifacts = must(there.artifacts(copy));
    ASSERT_EQ(artifacts.size(), must(here.artifacts(first)).size());
    ASSERT_EQ(artifacts.size(), 1u);
    EXPECT_EQ(artifacts[0].path, "a.onnx");
    EXPECT_EQ(artifacts[0].data, (Json{{"y", 2}}));
    EXPECT_EQ(must(there.run(copy)).best_return, must(here.run(first)).best_return);
    EXPECT_TRUE(must(checkDatabase(other())).problems.empty());
    EXPECT_TRUE(must(importDatabase(other(), file()))[0].existed);
    // The imported queue can be processed, too.
    const auto lock = must(RunLock::acquire(other(), copy));
    must(store_there.beginSegment(lock, 720, ProcessInfo{}));
    const auto out = must(RunWriter::open(other(), lock));
    points(*out, 721, 5);
    must(out->flush());
    EXPECT_EQ(must(there.metric(copy, "loss/policy")).steps.back(), 725);
    static_cast<void>(second);
}

TEST_F(StoreCopies, SeveralRunsKeepTheirCurvesApart) {
    Store store = must(Store::open(folder()));
    for (const auto& [name, count] : {std::pair{"a", 1500}, {"b", 700}, {"c", 3}}) fill(store, name, count);
    must(exportDatabase(folder(), file(), {}));
    Store other_store = must(Store::open(other()));
    fill(other_store, "x", 2000);
    const auto imported = must(importDatabase(other(), file()));
    ASSERT_EQ(imported.size(), 3u);
    StoreReader here = reader(), there = must(StoreReader::open(other()));
    for (const ImportedRun& run : imported) {
        EXPECT_EQ(must(there.metric(run.id, "loss/policy")).steps,
                  must(here.metric(run.source_id, "loss/policy")).steps);
        EXPECT_EQ(must(there.metricSummary(run.id, "loss/policy", 20)).stretches.size(),
                  must(here.metricSummary(run.source_id, "loss/policy", 20)).stretches.size());
    }
    EXPECT_EQ(must(there.metric(1, "loss/policy")).steps, range(1, 2000));
    EXPECT_TRUE(must(checkDatabase(other())).problems.empty());
    // The database used for the check is removed.
    for (const auto& entry : std::filesystem::directory_iterator(other()))
        EXPECT_FALSE(entry.path().filename().string().ends_with(".tmp"));
}

TEST_F(StoreCopies, NumbersThatWouldOverflowAreRejected) {
    Store store = must(Store::open(folder()));
    fill(store, "a", 1300);
    const std::string most = "9223372036854775807";
    for (const std::string& change :
         {"UPDATE episode_rows SET number = " + most + " WHERE number = 1",
          std::string("UPDATE episode_rows SET length = -1"), "UPDATE segments SET number = " + most,
          "UPDATE metric_blocks SET ordinal = " + most + " WHERE ordinal > 0",
          "UPDATE metric_tail SET ordinal = " + most +
              " WHERE ordinal = (SELECT max(ordinal) FROM metric_tail)",
          "UPDATE metric_tail SET step = " + most + " WHERE ordinal = (SELECT max(ordinal) FROM metric_tail)",
          "UPDATE checkpoint_rows SET step = " + most, "UPDATE event_rows SET step = " + most,
          "UPDATE artifact_rows SET step = -" + most, "UPDATE runs SET steps = " + most}) {
        std::filesystem::remove(file());
        must(exportDatabase(folder(), file(), {}));
        { must(must(Database::open(file(), Database::Access::write))->execute(change)); }
        const auto imported = importDatabase(other(), file());
        ASSERT_FALSE(imported) << change;
        EXPECT_EQ(imported.error().code, ErrorCode::config) << imported.error().text();
        EXPECT_TRUE(must(must(StoreReader::open(other())).runs()).empty()) << change;
    }
    // A seed may be any number.
    std::filesystem::remove(file());
    must(exportDatabase(folder(), file(), {}));
    {
        must(must(Database::open(file(), Database::Access::write))
                 ->execute("UPDATE evaluation_rows SET seed = -5"));
    }
    EXPECT_EQ(must(importDatabase(other(), file())).size(), 1u);
}

TEST_F(StoreCopies, AnImportIsCheckedWithoutTheLockOfTheWriters) {
    Store store = must(Store::open(folder()));
    fill(store, "a", 1300);
    must(exportDatabase(folder(), file(), {}));
    {
        must(must(Database::open(file(), Database::Access::write))
                 ->execute("UPDATE event_rows SET data = 'x'"));
    }
    { must(Store::open(other())); }
    // Another process writes in the meantime.
    WriteLockFile lock = must(WriteLockFile::open(other()));
    ASSERT_TRUE(lock.tryLock());
    const auto refused = importDatabase(other(), file());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().text().find("is held by"), std::string::npos) << refused.error().text();
}

TEST_F(StoreCopies, CheckpointsInTheFolderOfANewRunAreNotAdopted) {
    Store store = must(Store::open(folder()));
    fill(store, "a", 10);
    must(exportDatabase(folder(), file(), {}));
    Store other_store = must(Store::open(other()));
    for (const char* run : {"1", "2", "3"})
        std::filesystem::create_directories(other() / "checkpoints" / run / "500");
    EXPECT_FALSE(must(importDatabase(other(), file()))[0].moved_checkpoints.empty());
    EXPECT_FALSE(must(other_store.createRun(cartpole())).moved_checkpoints.empty());
    must(other_store.enqueue({cartpole()}));
    for (const char* run : {"1", "2", "3"})
        EXPECT_FALSE(std::filesystem::exists(other() / "checkpoints" / run)) << run;
    EXPECT_TRUE(must(other_store.createRun(cartpole())).moved_checkpoints.empty());
}

TEST_F(StoreCopies, VacuumReleasesSpaceAndEmptiesTheTrash) {
    Store store = must(Store::open(folder()));
    const RunId run = fill(store, "a", 100'000);
    RunEdit edit;
    edit.in_trash = true;
    must(store.edit(run, edit));
    RealFileSystem files;
    const VacuumReport report = must(vacuumDatabase(files, folder(), {.empty_trash = true}));
    EXPECT_EQ(report.removed, std::vector<RunId>{run});
    EXPECT_TRUE(report.problems.empty()) << report.problems[0];
    EXPECT_LT(report.bytes_after, report.bytes_before / 4);
    EXPECT_TRUE(must(reader().runs()).empty());
}

}  // namespace
}  // namespace seedbed
