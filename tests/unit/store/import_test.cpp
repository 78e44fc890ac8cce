// SPDX-License-Identifier: Apache-2.0
// A large import while runs are active: no run loses rows, and readers see an imported run complete or not at
// all; runs whose removal was interrupted stay hidden; leftovers from a crash are removed.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/os/files.hpp"
#include "core/base/os/temporary_files.hpp"
#include "core/store/check_database.hpp"
#include "core/store/database.hpp"
#include "core/store/export_database.hpp"
#include "core/store/import.hpp"
#include "core/store/vacuum.hpp"
#include "tests/unit/store/fault_vfs.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

class LargeImport : public testing::StoreTest {
protected:
    std::filesystem::path other() const { return folder().parent_path() / "other"; }
    std::filesystem::path file() const { return folder().parent_path() / "exported.db"; }
};

TEST_F(LargeImport, ARunSavesRowsDuringAnImportAndSeesItCompleteOrNotAtAll) {
    constexpr std::int64_t kPoints = 600'000;  // 1,172 blocks
    Store store = must(Store::open(folder()));
    {
        const OwnedRun run = begin(store, "large");
        const auto out = writer(run);
        points(*out, 1, kPoints);
        must(out->flush());
    }
    must(exportDatabase(folder(), file(), {}));

    Store other_store = must(Store::open(other()));
    const OwnedRun going = must(other_store.createRun(cartpole("going")));
    must(other_store.beginSegment(*going.lock, 0, ProcessInfo{}));
    const auto out = must(RunWriter::open(other(), *going.lock));
    std::atomic<bool> over{false};
    std::vector<ImportedRun> imported;
    std::thread import([&] {
        imported = must(importDatabase(other(), file()));
        over = true;
    });
    StoreReader reader = must(StoreReader::open(other()));
    std::int64_t step = 0;
    while (!over) {
        point(*out, ++step, 1);
        must(out->flush());
        for (const RunRecord& run : must(reader.runs())) {
            if (run.name != "large") continue;
            EXPECT_EQ(must(reader.metric(run.id, "loss/policy")).steps.size(),
                      static_cast<std::size_t>(kPoints));
        }
    }
    import.join();
    EXPECT_EQ(must(reader.metric(going.id, "loss/policy")).steps, range(1, step));
    ASSERT_EQ(imported.size(), 1u);
    EXPECT_EQ(must(reader.metric(imported[0].id, "loss/policy")).steps.size(),
              static_cast<std::size_t>(kPoints));
    EXPECT_EQ(must(reader.run(imported[0].id)).status, RunStatus::interrupted);
    EXPECT_TRUE(must(checkDatabase(other())).problems.empty());
}

// The disk is slow: the time limit applies to each row, not to the whole import.
TEST_F(LargeImport, AnImportMayTakeLongerThanTheLimitOfAStep) {
    {
        Store store = must(Store::open(folder()));
        const OwnedRun run = begin(store, "large");
        const auto out = writer(run);
        points(*out, 1, 200'000);  // 3 MB, read by at least 700 pages
        must(out->flush());
    }
    must(exportDatabase(folder(), file(), {}));
    testing::FaultVfs::install();
    testing::FaultVfs::delayReads(std::chrono::milliseconds(2));
    constexpr std::chrono::milliseconds kLimit{700};
    const auto begin = std::chrono::steady_clock::now();
    const auto imported = importDatabase(other(), file(), realSystem(), {}, {}, kLimit);
    const auto took = std::chrono::steady_clock::now() - begin;
    testing::FaultVfs::install();
    ASSERT_TRUE(imported) << imported.error().text();
    EXPECT_GT(took, 2 * kLimit);
    StoreReader reader = must(StoreReader::open(other()));
    EXPECT_EQ(must(reader.metric((*imported)[0].id, "loss/policy")).steps.size(), 200'000u);
}

// The process dies while checkpoints are copied, which an error from the copier simulates.
TEST_F(LargeImport, ARunIsCompleteBeforeItsCheckpointsAreCopiedAndANewImportCopiesThem) {
    {
        Store store = must(Store::open(folder()));
        const OwnedRun run = begin(store, "one");
        const auto out = writer(run);
        points(*out, 1, 1300);
        CheckpointRecord checkpoint;
        checkpoint.step = 1300;
        checkpoint.folder = "checkpoints/1/1300";
        out->checkpoint(checkpoint);
        must(out->flush());
    }
    must(exportDatabase(folder(), file(), {}));
    std::vector<CopiedRun> copied;
    const auto failing = [&](const CopiedRun& run, std::vector<CopiedCheckpoint>&) -> Result<> {
        copied.push_back(run);
        EXPECT_TRUE(RunLock::isHeld(other(), run.id));
        StoreReader reader = must(StoreReader::open(other()));
        EXPECT_EQ(must(reader.metric(run.id, "loss/policy")).steps, range(1, 1300));
        EXPECT_EQ(must(reader.run(run.id)).name, "one");
        return fail("the disk is full");
    };
    const auto refused = importDatabase(other(), file(), realSystem(), failing);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("importing again adds its missing checkpoints"), std::string::npos)
        << refused.error().text();
    const auto again =
        must(importDatabase(other(), file(), realSystem(), [&](const CopiedRun& run, auto& rows) -> Result<> {
            copied.push_back(run);
            EXPECT_EQ(rows.size(), 1u);
            rows[0].removed = true;
            return {};
        }));
    ASSERT_EQ(again.size(), 1u);
    EXPECT_TRUE(again[0].existed);
    ASSERT_EQ(copied.size(), 2u);
    EXPECT_FALSE(copied[0].existed);
    EXPECT_TRUE(copied[1].existed);
    EXPECT_TRUE(must(must(StoreReader::open(other())).checkpoints(1))[0].removed);
}

// Parts left behind by a removal, or by an import of version 0.1.
TEST_F(LargeImport, PartsOfARunAreHiddenAndRemovedByVacuum) {
    Store store = must(Store::open(folder()));
    const RunId kept = [&] {
        const OwnedRun run = begin(store, "kept");
        const auto out = writer(run);
        points(*out, 1, 10);
        must(out->flush());
        return run.id;
    }();
    const auto leave = [&] {
        const OwnedRun run = begin(store);
        const auto out = writer(run);
        points(*out, 1, 1300);
        out->episodes(std::vector<EpisodeRecord>{{1, 0, 1, 1, 0}});
        EvaluationRecord evaluation;
        evaluation.step = 1;
        evaluation.mean = 1;
        evaluation.episodes = {{1, 2}};
        out->evaluation(evaluation);
        CheckpointRecord checkpoint;
        checkpoint.step = 1;
        checkpoint.folder = "checkpoints/" + std::to_string(run.id) + "/1";
        out->checkpoint(checkpoint);
        std::filesystem::create_directories(folder() / checkpoint.folder);
        EventRecord event;
        event.kind = "x";
        out->event(event);
        must(out->flush());
        const auto database = must(Database::open(folder() / kDatabaseName, Database::Access::write));
        must(database->execute(
            "DELETE FROM metric_tail WHERE series_id IN (SELECT id FROM metric_series WHERE run_id = " +
            std::to_string(run.id) + "); UPDATE runs SET in_bin = 1, uid = 'importing-" +
            std::to_string(run.id) + "' WHERE id = " + std::to_string(run.id)));
        return run.id;
    };
    const RunId left = leave();
    ASSERT_EQ(must(reader().runs()).size(), 1u);
    EXPECT_FALSE(reader().run(left));
    EXPECT_FALSE(reader().resolveRun(std::to_string(left)));
    const DatabaseReport report = must(checkDatabase(folder()));
    EXPECT_TRUE(report.problems.empty()) << report.problems[0];
    EXPECT_EQ(report.runs, 1);
    EXPECT_EQ(report.points, 10);
    EXPECT_EQ(report.episodes, 0);
    const auto shown = must(Database::open(folder() / kDatabaseName, Database::Access::read));
    for (const char* view :
         {"runs_overview", "metric_points", "episodes", "evaluations", "checkpoints", "events"})
        EXPECT_EQ(must(shown->integer(std::string("SELECT count(*) FROM ") + view + " WHERE " +
                                      (std::string_view(view) == "runs_overview" ? "id" : "run_id") + " = " +
                                      std::to_string(left))),
                  0)
            << view;

    // The run is neither exported nor imported from the database itself.
    must(exportDatabase(folder(), file(), {}));
    EXPECT_EQ(must(importDatabase(other(), file())).size(), 1u);
    EXPECT_TRUE(must(importDatabase(other(), folder() / kDatabaseName))[0].existed);
    EXPECT_EQ(must(must(StoreReader::open(other())).runs()).size(), 1u);

    const auto rows = [&] {
        const auto database = must(Database::open(folder() / kDatabaseName, Database::Access::read));
        return must(database->integer("SELECT count(*) FROM runs")) +
               must(database->integer("SELECT count(*) FROM metric_blocks"));
    };
    RealFileSystem files;
    {
        // The process of the run exists, so the run is not removed.
        const RunLock owner = must(RunLock::acquire(folder(), left));
        (void)vacuumDatabase(files, folder());
        EXPECT_GT(rows(), 1);
    }
    EXPECT_TRUE(must(vacuumDatabase(files, folder())).problems.empty());
    EXPECT_EQ(rows(), 1);
    EXPECT_FALSE(std::filesystem::exists(folder() / "checkpoints" / std::to_string(left)));
    EXPECT_EQ(must(reader().run(kept)).name, "kept");
}

// A killed import leaves a file as large as the data to import.
TEST_F(LargeImport, TheFileOfAKilledImportIsRemovedAndThatOfARunningOneIsKept) {
    { must(Store::open(folder())); }
    const auto dead = folder() / ".import.db.999999999-5-0.tmp", alive = folder() / ".import.db.1-0-0.tmp";
    const auto ours = temporaryPathFor(folder() / "import.db");
    for (const auto& name : {dead, alive, ours}) std::ofstream(name) << "x";
    std::ofstream(dead.string() + "-journal") << "x";
    { must(Store::open(folder())); }
    EXPECT_FALSE(std::filesystem::exists(dead));
    EXPECT_FALSE(std::filesystem::exists(dead.string() + "-journal"));
    EXPECT_TRUE(std::filesystem::exists(alive));
    EXPECT_TRUE(std::filesystem::exists(ours));
}

TEST_F(LargeImport, ALongNameIsShortenedByWholeLetters) {
    std::string name = "x";
    for (int i = 0; i < 45; ++i) name += "\u00e4";
    for (const auto& data : {folder(), other()}) {
        Store store = must(Store::open(data));
        must(store.createRun(cartpole(name)));
    }
    must(exportDatabase(folder(), file(), {}));
    const auto imported = must(importDatabase(other(), file()));
    ASSERT_EQ(imported.size(), 1u);
    EXPECT_EQ(imported[0].name, name.substr(0, 79) + " (2)")
        << "the limit of 80 bytes is in the middle of a letter";
    StoreReader reader = must(StoreReader::open(other()));
    EXPECT_EQ(must(reader.resolveRun(imported[0].name)), imported[0].id);
}

}  // namespace
}  // namespace seedbed
