// SPDX-License-Identifier: Apache-2.0
// Processes that hold the writers' lock or the database and hang: other processes wait for the documented
// time and report it.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include <sqlite3.h>

#include "core/store/database.hpp"
#include "core/store/write_lock.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using std::chrono::milliseconds;
using testing::FaultVfs;
using testing::must;

class StoreLocks : public testing::StoreTest {
protected:
    ~StoreLocks() override { FaultVfs::failAt(0, false, SQLITE_IOERR); }

    static RunWriterOptions short_timeout() {
        RunWriterOptions options;
        options.commit_interval = milliseconds(1);
        options.retry_interval = milliseconds(5);
        options.lock_timeout = milliseconds(100);
        options.shutdown_timeout = milliseconds(100);
        return options;
    }
};

TEST_F(StoreLocks, AProcessStoppedWithTheLockLosesNoRowAndIsReported) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    std::atomic<int> broken{0}, healed{0};
    RunWriterOptions options = short_timeout();
    options.on_health = [&](const WriterHealth& health) { ++(health.saving ? healed : broken); };
    auto out = writer(run, options);
    // Like a command that was stopped with Ctrl-Z.
    WriteLockFile other = must(WriteLockFile::open(folder()));
    ASSERT_TRUE(other.tryLock());
    points(*out, 0, 100);
    const Result<> flushed = out->flush();
    ASSERT_FALSE(flushed);
    EXPECT_NE(flushed.error().text().find("another Seedbed process"), std::string::npos)
        << flushed.error().text();
    // The writer's thread reports it after flush() has returned.
    for (int i = 0; i < 12'000 && broken == 0; ++i) std::this_thread::sleep_for(milliseconds(5));
    EXPECT_EQ(broken, 1);
    other.unlock();
    // The writer retries automatically.
    for (int i = 0; i < 12'000 && healed == 0; ++i) std::this_thread::sleep_for(milliseconds(5));
    must(out->flush());
    EXPECT_EQ(healed, 1);
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(0, 100));
}

TEST_F(StoreLocks, AnExitingWriterDoesNotWaitForTheLockForever) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    auto out = writer(run, short_timeout());
    WriteLockFile other = must(WriteLockFile::open(folder()));
    ASSERT_TRUE(other.tryLock());
    points(*out, 0, 10);
    out.reset();  // must not hang
    other.unlock();
    EXPECT_TRUE(must(reader().metricNames(run.id)).empty());
}

TEST_F(StoreLocks, TransactionsFailAfterTheirTimeout) {
    { must(Store::open(folder())); }
    const auto database = must(Database::open(folder() / kDatabaseName, Database::Access::write));
    database->waitForLocksWhile([](milliseconds waited) { return waited < milliseconds(100); });
    WriteLockFile mine = must(WriteLockFile::open(folder())), other = must(WriteLockFile::open(folder()));
    ASSERT_TRUE(other.tryLock());
    EXPECT_FALSE(WriteTransaction::begin(*database, mine));
    EXPECT_FALSE(WriteLockGuard::acquire(*database, mine));
    other.unlock();
    EXPECT_TRUE(WriteLockGuard::acquire(*database, mine));
    EXPECT_TRUE(WriteTransaction::begin(*database, mine));
}

TEST_F(StoreLocks, ARunIsAcquiredWhenItsOwnerReleasesItInTime) {
    auto owner = std::make_unique<RunLock>(must(RunLock::acquire(folder(), 1)));
    const auto late = RunLock::acquireWithin(milliseconds(50), folder(), 1);
    ASSERT_FALSE(late);
    EXPECT_NE(late.error().text().find("run 1 is being trained by another process"), std::string::npos)
        << late.error().text();
    std::jthread releasing([&] {
        std::this_thread::sleep_for(milliseconds(100));
        owner.reset();
    });
    EXPECT_TRUE(RunLock::acquireWithin(std::chrono::minutes(1), folder(), 1));
    // A lock that cannot be created is an error immediately.
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(RunLock::acquireWithin(std::chrono::minutes(1), "/dev/null", 1));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(StoreLocks, ALockFileThatCannotBeWrittenIsAProblemOfTheFolder) {
    Store store = must(Store::open(folder()));
    std::filesystem::remove_all(folder() / "locks");
    std::ofstream(folder() / "locks") << "a file, not a folder";
    const auto lock = RunLock::acquire(folder(), 1);
    ASSERT_FALSE(lock.has_value());
    EXPECT_NE(lock.error().text().find("the data folder cannot be written; choose another one with --data"),
              std::string::npos)
        << lock.error().text();
}

TEST_F(StoreLocks, AWriterWaitingForAShellReleasesTheLock) {
    { must(Store::open(folder())); }
    const auto shell = must(Database::open(folder() / kDatabaseName, Database::Access::write));
    must(shell->execute("BEGIN IMMEDIATE"));
    std::atomic<bool> enough{false}, ended{false};
    std::jthread waiting([&] {
        const auto database = must(Database::open(folder() / kDatabaseName, Database::Access::write));
        database->waitForLocksWhile([&](milliseconds) { return !enough; });
        WriteLockFile lock = must(WriteLockFile::open(folder()));
        EXPECT_FALSE(WriteTransaction::begin(*database, lock));
        ended = true;
    });
    // The lock is acquired a hundred times while the other process waits, but never held for that long.
    WriteLockFile other = must(WriteLockFile::open(folder()));
    for (int i = 0; i < 100; ++i) {
        int looks = 0;
        while (!other.tryLock() && ++looks < 120'000)
            std::this_thread::sleep_for(std::chrono::microseconds(500));
        ASSERT_LT(looks, 120'000);
        other.unlock();
        std::this_thread::sleep_for(milliseconds(2));
    }
    EXPECT_FALSE(ended);
    enough = true;
    waiting.join();
    must(shell->execute("COMMIT"));
}

TEST_F(StoreLocks, AFullQueueIsReportedAndEndsWhenSavingWorksAgain) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    RunWriterOptions options = short_timeout();
    options.queue_bytes = 64'000;
    auto out = writer(run, options);
    EXPECT_FALSE(out->isFull());
    FaultVfs::failAt(1, true, SQLITE_FULL);
    std::int64_t step = 0;
    while (!out->isFull()) point(*out, ++step, 1);
    out->waitForRoom(milliseconds(20));
    EXPECT_TRUE(out->isFull());
    FaultVfs::failAt(0, false, SQLITE_FULL);
    out->waitForRoom(milliseconds(60'000));
    EXPECT_FALSE(out->isFull());
    must(out->flush());
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(1, step));
}

TEST_F(StoreLocks, AfterAStopRequestAFullQueueStillGetsRoomWhenSavingWorks) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    std::stop_source stop;
    RunWriterOptions options = short_timeout();
    options.queue_bytes = 64'000, options.shutdown_timeout = milliseconds(60'000),
    options.stop = stop.get_token();
    auto out = writer(run, options);
    FaultVfs::failAt(1, true, SQLITE_FULL);
    std::int64_t step = 0;
    while (!out->isFull()) point(*out, ++step, 1);
    stop.request_stop();
    std::jthread healing([] {
        std::this_thread::sleep_for(milliseconds(100));
        FaultVfs::failAt(0, false, SQLITE_FULL);
    });
    for (int i = 0; i < 5000; ++i) point(*out, ++step, 1);
    healing.join();
    must(out->flush());
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(1, step));
}

}  // namespace
}  // namespace seedbed
