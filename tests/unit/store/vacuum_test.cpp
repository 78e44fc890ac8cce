// SPDX-License-Identifier: Apache-2.0
// Emptying the trash and releasing disk space, even on a full disk and after any interruption.
#include <atomic>
#include <fstream>
#include <thread>

#include <sqlite3.h>
#include <sys/resource.h>

#include "core/store/database.hpp"
#include "core/store/vacuum.hpp"
#include "tests/unit/base/failing_files.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::FailingFiles;
using testing::FaultVfs;
using testing::must;

class Vacuum : public testing::StoreTest {
protected:
    ~Vacuum() override { FaultVfs::failAt(0, false, SQLITE_IOERR); }

    // A run in the trash, with everything that belongs to it.
    OwnedRun inTrash(Store& store) {
        OwnedRun run = begin(store);
        { points(*writer(run), 1, 2000); }
        RunEdit edit;
        edit.in_trash = true;
        must(store.edit(run.id, edit));
        write(checkpoints(run.id) / "10" / "manifest.json");
        write(checkpoints(run.id) / "20" / "manifest.json");
        write(folder() / "logs" / ("run-" + std::to_string(run.id) + ".log"));
        return run;
    }
    static void write(const Path& file) {
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << "x";
    }
    Path checkpoints(RunId run) const { return folder() / "checkpoints" / std::to_string(run); }
    // Names of all remaining files and rows of runs.
    std::vector<std::string> left() {
        std::vector<std::string> names;
        for (const char* part : {"checkpoints", "logs", "locks"})
            for (const auto& entry : std::filesystem::recursive_directory_iterator(folder() / part))
                names.push_back(entry.path().lexically_relative(folder()).string());
        return names;
    }

    RealFileSystem files_;
};

TEST_F(Vacuum, TheTrashIsEmptiedExceptForRunsBeingTrained) {
    Store store = must(Store::open(folder()));
    OwnedRun gone = inTrash(store), trained = inTrash(store);
    gone.lock.reset();
    const VacuumReport report = must(vacuumDatabase(files_, folder(), {.empty_trash = true}));
    ASSERT_EQ(report.problems.size(), 1u) << "the remaining run is reported";
    EXPECT_NE(report.problems[0].find("run 2 is being trained by another process"), std::string::npos)
        << report.problems[0];
    EXPECT_EQ(report.removed, std::vector<RunId>{gone.id});
    EXPECT_FALSE(std::filesystem::exists(checkpoints(gone.id)));
    EXPECT_TRUE(std::filesystem::exists(checkpoints(trained.id) / "10"));
    ASSERT_EQ(must(reader().runs()).size(), 1u);
    trained.lock.reset();
    must(vacuumDatabase(files_, folder(), {.empty_trash = true}));
    EXPECT_EQ(left(), std::vector<std::string>{}) << "nothing is left of deleted runs";
}

TEST_F(Vacuum, ATrashWithMoreRunsThanOpenFilesIsEmptied) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    Store store = must(Store::open(folder()));
    std::vector<RunId> all;
    RunEdit edit;
    edit.in_trash = true;
    for (int i = 0; i < 80; ++i) {
        all.push_back(must(store.createRun(cartpole())).id);
        must(store.edit(all.back(), edit));
    }
    rlimit few = before;
    few.rlim_cur = 64;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    const auto report = vacuumDatabase(files_, folder(), {.empty_trash = true});
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(must(report).removed, all);
    EXPECT_TRUE(must(report).problems.empty());
}

TEST_F(Vacuum, OtherRunsSaveRowsWhileALargeRunIsRemoved) {
    Store store = must(Store::open(folder()));
    const RunId large = [&] {
        const OwnedRun run = begin(store);
        const auto out = writer(run);
        points(*out, 1, 400'000);  // 781 blocks
        std::vector<EpisodeRecord> episodes(50'000, EpisodeRecord{1, 0, 1, 1, 0});
        out->episodes(episodes);
        must(out->flush());
        RunEdit edit;
        edit.in_trash = true;
        must(store.edit(run.id, edit));
        return run.id;
    }();
    const OwnedRun going = begin(store);
    const auto out = writer(going);
    const auto counts = must(Database::open(folder() / kDatabaseName, Database::Access::read));
    const std::string of_large = std::to_string(large);
    const auto half = [&] {
        return must(counts->integer("SELECT count(*) FROM runs WHERE id = " + of_large +
                                    " AND uid GLOB 'importing-*'")) == 1;
    };
    std::atomic<bool> over{false};
    std::thread emptying([&] {
        EXPECT_EQ(must(vacuumDatabase(files_, folder(), {.empty_trash = true})).removed,
                  std::vector<RunId>{large});
        over = true;
    });
    std::int64_t step = 0, meanwhile = 0;
    while (!over) {
        const bool before = half();
        point(*out, ++step, 1);
        must(out->flush());
        if (before && half()) ++meanwhile;
        // The run is either complete or absent.
        const std::int64_t seen =
            must(counts->integer("SELECT count(*) FROM episodes WHERE run_id = " + of_large));
        EXPECT_TRUE(seen == 0 || seen == 50'000) << seen;
    }
    emptying.join();
    EXPECT_GE(meanwhile, 2);
    EXPECT_EQ(must(reader().metric(going.id, "loss/policy")).steps, range(1, step));
    EXPECT_EQ(must(counts->integer("SELECT count(*) FROM metric_blocks")), step / 512);
    EXPECT_EQ(must(counts->integer("SELECT count(*) FROM episode_rows")), 0);
}

// The run is restored after the trash was listed, just before it would be removed.
TEST_F(Vacuum, ARunThatIsRestoredWhileTheTrashIsEmptiedStays) {
    class Restoring final : public FileSystem {
    public:
        std::function<void(const Path&)> before_open;
        Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
            if (before_open) before_open(path);
            return real_.open(path, mode);
        }
        Result<std::optional<FileInfo>> info(const Path& path) override { return real_.info(path); }
        Result<std::vector<FileInfo>> list(const Path& path) override { return real_.list(path); }
        Result<> rename(const Path& from, const Path& to) override { return real_.rename(from, to); }
        Result<> remove(const Path& path) override { return real_.remove(path); }
        Result<> makeFolder(const Path& path) override { return real_.makeFolder(path); }
        Result<> syncFolder(const Path& path) override { return real_.syncFolder(path); }
        Result<std::uint64_t> freeBytes(const Path& path) override { return real_.freeBytes(path); }

    private:
        RealFileSystem real_;
    };
    for (const bool full_disk : {false, true}) {
        SCOPED_TRACE(full_disk);
        std::filesystem::remove_all(folder());
        Store store = must(Store::open(folder()));
        OwnedRun run = inTrash(store);
        run.lock.reset();
        Restoring files;
        bool restored = false;
        files.before_open = [&](const Path& path) {
            if (path.filename() != "run-" + std::to_string(run.id) + ".lock" || restored) return;
            RunEdit edit;
            edit.in_trash = false;
            must(store.edit(run.id, edit));
            restored = true;
            if (full_disk) FaultVfs::failAt(1, true, SQLITE_FULL);
        };
        const VacuumReport report = must(vacuumDatabase(files, folder(), {.empty_trash = true}));
        FaultVfs::failAt(0, false, SQLITE_FULL);
        EXPECT_TRUE(restored);
        EXPECT_TRUE(report.removed.empty());
        EXPECT_FALSE(must(reader().run(run.id)).in_trash);
        EXPECT_TRUE(std::filesystem::exists(checkpoints(run.id)));
    }
}

TEST_F(Vacuum, OnAFullDiskTheFilesInTheTrashAreRemoved) {
    Store store = must(Store::open(folder()));
    OwnedRun run = inTrash(store);
    run.lock.reset();
    // The database cannot grow, so its rows cannot be removed and it cannot be copied.
    FaultVfs::failAt(1, true, SQLITE_FULL);
    VacuumReport report = must(vacuumDatabase(files_, folder(), {.empty_trash = true}));
    FaultVfs::failAt(0, false, SQLITE_FULL);
    ASSERT_FALSE(report.problems.empty());
    EXPECT_NE(report.problems.back().find("disk is full"), std::string::npos) << report.problems.back();
    EXPECT_FALSE(std::filesystem::exists(checkpoints(run.id))) << "there is enough disk space now";
    EXPECT_TRUE(report.removed.empty());
    report = must(vacuumDatabase(files_, folder(), {.empty_trash = true}));
    EXPECT_TRUE(report.problems.empty());
    EXPECT_EQ(report.removed, std::vector<RunId>{run.id});
    EXPECT_TRUE(left().empty());
}

TEST_F(Vacuum, AfterEveryFailingOperationTheNextCallFinishes) {
    int failed = 0;
    for (int n = 1;; ++n) {
        ASSERT_LT(n, 500);
        SCOPED_TRACE(n);
        std::filesystem::remove_all(folder());
        Store store = must(Store::open(folder()));
        OwnedRun first = inTrash(store), second = inTrash(store);
        first.lock.reset();
        second.lock.reset();
        FailingFiles failing;
        failing.failAt(n, false);
        const auto report = vacuumDatabase(failing, folder(), {.empty_trash = true});
        // Once the database is open, a failure with one run does not prevent the removal of the other.
        ASSERT_TRUE(!report || !report->removed.empty());
        failed += !report || report->removed.size() == 1;
        const VacuumReport again = must(vacuumDatabase(files_, folder(), {.empty_trash = true}));
        ASSERT_TRUE(again.problems.empty()) << again.problems[0];
        ASSERT_TRUE(must(reader().runs()).empty());
        ASSERT_FALSE(std::filesystem::exists(checkpoints(first.id)) ||
                     std::filesystem::exists(checkpoints(second.id)));
        if (failing.count() < n) break;
    }
    EXPECT_GT(failed, 4);
}

TEST_F(Vacuum, LeftoversOfCrashesAreRemovedAndFilesInUseAreNot) {
    Store store = must(Store::open(folder()));
    const Path dead = ".seedbed.db.v1.backup.999999999-5-0.tmp", alive = ".seedbed.db.v1.backup.1-0-0.tmp";
    const Path half = folder() / "checkpoints" / "7" / ".10.999999999-5-0.tmp";
    write(folder() / dead);
    write(folder() / alive);
    write(half / "params.safetensors");
    EXPECT_TRUE(must(vacuumDatabase(files_, folder())).problems.empty());
    EXPECT_FALSE(std::filesystem::exists(folder() / dead));
    EXPECT_FALSE(std::filesystem::exists(half));
    EXPECT_TRUE(std::filesystem::exists(folder() / alive));
}

TEST_F(Vacuum, ALargeDatabaseIsNotCopiedWhileARunWouldHaveToWait) {
    Store store = must(Store::open(folder()));
    OwnedRun run = begin(store);
    const auto out = writer(run);
    out->status(RunStatus::running);
    must(out->flush());
    const VacuumReport busy = must(vacuumDatabase(files_, folder(), {.max_bytes_while_running = 1}));
    ASSERT_EQ(busy.problems.size(), 1u);
    EXPECT_NE(busy.problems[0].find("run 1 is running"), std::string::npos);
    EXPECT_TRUE(must(vacuumDatabase(files_, folder())).problems.empty()) << "a small database is copied";
    // A reader holds the log; the command does not wait for it.
    const auto looking = must(Database::open(folder() / kDatabaseName, Database::Access::read));
    must(looking->execute("BEGIN"));
    must(looking->integer("SELECT count(*) FROM runs"));
    points(*out, 1, 1000);
    must(out->flush());
    const auto begin = std::chrono::steady_clock::now();
    must(vacuumDatabase(files_, folder()));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20 * test::kSlowdown))
        << "SQLite's own timeout is 30 s";
}

// The process that writes a checkpoint may be in another container, so its process id is ignored.
TEST_F(Vacuum, FilesOfARunsOwnerStayRegardlessOfItsProcessId) {
    Store store = must(Store::open(folder()));
    OwnedRun run = begin(store);
    const Path half = checkpoints(run.id) / ".100.999999-1-0.tmp",
               old = checkpoints(run.id) / ".90.1-1-0.tmp";
    for (const Path& part : {half, old}) write(part / "params.safetensors");
    EXPECT_TRUE(must(vacuumDatabase(files_, folder())).problems.empty());
    EXPECT_TRUE(std::filesystem::exists(half));
    run.lock.reset();
    EXPECT_TRUE(must(vacuumDatabase(files_, folder())).problems.empty());
    EXPECT_FALSE(std::filesystem::exists(half));
    EXPECT_FALSE(std::filesystem::exists(old)) << "process 1 is running but does not own the file";
}

}  // namespace
}  // namespace seedbed
