// SPDX-License-Identifier: Apache-2.0
// No row is lost while the database cannot be written: rows wait in memory and can be serialised, exceptions
// cause a retry, and a failed sync is never acknowledged later.
#include "core/store/rows/unsaved_rows.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include <sqlite3.h>

#include "core/base/log.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using std::chrono::milliseconds;
using testing::FaultVfs;
using testing::must;

class UnsavedRowsTest : public testing::StoreTest {
protected:
    UnsavedRowsTest() { log::configure({.level = log::Level::off}); }
    ~UnsavedRowsTest() override {
        FaultVfs::failAt(0, false, SQLITE_IOERR);
        log::configure({});
    }

    static RunWriterOptions impatient() {
        RunWriterOptions options;
        options.commit_interval = milliseconds(1);
        options.retry_interval = milliseconds(2);
        options.lock_timeout = milliseconds(20);
        options.shutdown_timeout = milliseconds(20);
        return options;
    }
    std::filesystem::path file() const { return folder() / kDatabaseName; }
    static void allKinds(RunWriter& out, std::int64_t step) {
        points(out, step, 10);
        points(out, step, 10, "speed/x");
        out.episodes(std::vector<EpisodeRecord>{{step, 1, 2, 3, 0}});
        EvaluationRecord evaluation;
        evaluation.step = step;
        evaluation.mean = 7;
        evaluation.episodes = {{7, 3}};
        out.evaluation(evaluation);
        CheckpointRecord checkpoint;
        checkpoint.step = step;
        checkpoint.folder = "checkpoints/1/" + std::to_string(step);
        checkpoint.score = 7;
        out.checkpoint(checkpoint);
        out.event({step, 1, EventLevel::warning, "odd", "something odd", {{"x", 1}}});
        out.status(RunStatus::finished, "fine");
        out.progress({step, step, step, 1});
        out.config({step, 1, {{"algo", {{"gamma", 0.5}}}}, SettingSource::live});
    }
    // Returns when the points are committed; only later commits are synced.
    void commitWithoutSync(RunWriter& out, RunId run, std::int64_t first, std::int64_t count) const {
        points(out, first, count);
        while (must(reader().metric(run, "loss/policy")).steps.back() < first + count - 1)
            std::this_thread::yield();
    }
    // Expects that a power failure now would leave at least these contents.
    void expectOnDisk(RunId run, std::int64_t newest_step, const std::string& notes) const {
        const auto left = folder() / "left";
        std::filesystem::remove_all(left);
        FaultVfs::writeDisk(left);
        StoreReader after = must(StoreReader::open(left));
        EXPECT_GE(must(after.metric(run, "loss/policy")).steps.back(), newest_step);
        EXPECT_GE(must(after.details(run)).run.notes, notes);
    }
    // Passes rows to a writer whose database is locked, and destroys it.
    std::vector<std::uint8_t> rowsOfALockedDatabase(const OwnedRun& run, std::int64_t steps) {
        auto out = writer(run, impatient());
        const auto browser = must(Database::open(file(), Database::Access::write));
        must(browser->execute("BEGIN IMMEDIATE"));
        allKinds(*out, steps);
        auto bytes = out->unsavedRows();
        out.reset();
        return bytes;
    }
};

TEST_F(UnsavedRowsTest, RowsOfEveryKindAreWrittenOnceByTheNextProcess) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    const auto bytes = rowsOfALockedDatabase(run, 100);
    ASSERT_FALSE(bytes.empty());
    EXPECT_TRUE(must(reader().metricNames(run.id)).empty());
    for (const bool first : {true, false}) {
        const auto out = writer(run);
        EXPECT_EQ(must(out->addUnsavedRows(bytes)), first);
        must(out->flush());
        EXPECT_TRUE(out->unsavedRows().empty());
        StoreReader reader = this->reader();
        EXPECT_EQ(must(reader.metric(run.id, "loss/policy")).steps, range(100, 10));
        EXPECT_EQ(must(reader.metric(run.id, "speed/x")).values.back(), 109);
        EXPECT_EQ(must(reader.episodeCount(run.id)), 1);
        const RunDetails details = must(reader.details(run.id));
        ASSERT_EQ(details.evaluations.size(), 1u);
        EXPECT_EQ(details.evaluations[0].episodes.size(), 1u);
        ASSERT_EQ(details.checkpoints.size(), 1u);
        EXPECT_EQ(details.checkpoints[0].score, 7);
        ASSERT_EQ(details.events.size(), 1u);
        EXPECT_EQ(details.events[0].data, Json({{"x", 1}}));
        EXPECT_EQ(details.run.status, RunStatus::finished);
        EXPECT_EQ(details.run.status_text, "fine");
        EXPECT_EQ(details.run.progress.steps, 100);
        EXPECT_EQ(details.config["algo"]["gamma"], 0.5);
    }
}

TEST_F(UnsavedRowsTest, RowsOfAnotherRunOrOfASupersededSegmentAreLeftOut) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store), other = begin(store);
    const auto bytes = rowsOfALockedDatabase(run, 100);
    EXPECT_FALSE(must(writer(other)->addUnsavedRows(bytes)));
    must(store.beginSegment(*run.lock, 50, ProcessInfo{}));
    EXPECT_FALSE(must(writer(run)->addUnsavedRows(bytes)));
}

// Truncated, changed or extended bytes cause an error or give different rows, but nothing worse.
TEST_F(UnsavedRowsTest, DamagedBytesAreRefused) {
    Store store = must(Store::open(folder()));
    const auto bytes = rowsOfALockedDatabase(begin(store), 100);
    ASSERT_TRUE(decodeRows(bytes));
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        EXPECT_FALSE(decodeRows(std::span(bytes).first(n))) << n;
        auto changed = bytes;
        changed[n] ^= 0x80;
        const auto rows = decodeRows(changed);
        if (!rows) continue;
        for (const auto& batch : rows->batches)
            for (const auto& point : batch->rows.points) EXPECT_LT(point.name, rows->names.size());
    }
    auto longer = bytes;
    longer.push_back(0);
    EXPECT_FALSE(decodeRows(longer));
}

// Rows wait in memory while another file has the database's name, and are written when the original file is
// back.
TEST_F(UnsavedRowsTest, AMovedOrReplacedDatabaseIsReportedAndTheOtherOneIsUnchanged) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    auto out = writer(run, impatient());
    points(*out, 0, 10);
    must(out->flush());
    const auto away = folder() / "away";
    std::filesystem::create_directories(away);
    const auto moveAll = [&](const std::filesystem::path& from, const std::filesystem::path& to) {
        for (const char* end : {"", "-wal", "-shm"})
            if (std::filesystem::exists(from / (std::string(kDatabaseName) + end)))
                std::filesystem::rename(from / (std::string(kDatabaseName) + end),
                                        to / (std::string(kDatabaseName) + end));
    };
    moveAll(folder(), away);
    points(*out, 10, 10);
    auto flushed = out->flush();
    ASSERT_FALSE(flushed);
    EXPECT_NE(flushed.error().text().find("was moved"), std::string::npos) << flushed.error().text();
    EXPECT_FALSE(std::filesystem::exists(file())) << "no new database is created";
    // Creates another database, whose run has the same number.
    const auto elsewhere = folder() / "elsewhere";
    {
        Store other = must(Store::open(elsewhere));
        const OwnedRun same_number = begin(other);
        ASSERT_EQ(same_number.id, run.id);
    }
    moveAll(elsewhere, folder());
    flushed = out->flush();
    for (int i = 0; i < 1000 && !flushed && flushed.error().text().find("replaced") == std::string::npos; ++i)
        flushed = out->flush();
    ASSERT_FALSE(flushed);
    EXPECT_NE(flushed.error().text().find("replaced"), std::string::npos) << flushed.error().text();
    EXPECT_TRUE(must(reader().metricNames(run.id)).empty());
    EXPECT_FALSE(out->unsavedRows().empty());
    moveAll(folder(), elsewhere);
    moveAll(away, folder());
    must(out->flushWithin(std::chrono::seconds(60)));
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(0, 20));
}

// Memory runs out in the writer's thread, at the end of a transaction.
TEST_F(UnsavedRowsTest, AnExceptionInTheWriterIsAFailedAttempt) {
    class Throwing final : public Clock {
    public:
        std::int64_t monotonicNs() const override { return real_.monotonicNs(); }
        std::int64_t bootNs() const override { return real_.bootNs(); }
        std::int64_t wallNs() const override {
            if (throws > 0) {
                --throws;
                throw std::bad_alloc();
            }
            return real_.wallNs();
        }
        void sleep(double seconds, const std::stop_token& stop) const override { real_.sleep(seconds, stop); }
        mutable std::atomic<int> throws{0};

    private:
        RealClock real_;
    };
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    Throwing clock;
    RunWriterOptions options = impatient();
    options.system.clock = &clock;
    auto out = writer(run, options);
    points(*out, 0, 10);
    must(out->flush());
    clock.throws = 3;
    points(*out, 10, 600);
    const auto flushed = out->flush();
    ASSERT_FALSE(flushed);
    EXPECT_EQ(flushed.error().code, ErrorCode::out_of_memory);
    EXPECT_FALSE(out->health().saving);
    must(out->flushWithin(std::chrono::seconds(60)));
    EXPECT_TRUE(out->health().saving);
    points(*out, 610, 10);
    must(out->flush());
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(0, 620));
}

// Fails each sync in turn. A power failure after a later acknowledgement loses nothing that was acknowledged,
// although commits before it were not synced, and another connection may have failed to sync them.
TEST_F(UnsavedRowsTest, AfterAFailedSyncNothingIsAcknowledgedThatAPowerFailureWouldLose) {
    int scripts = 0, edits = 0;
    for (const int failing : {1, 2, 4}) {
        bool failed = true;
        for (int skip = 0; failed; ++skip, ++scripts) {
            SCOPED_TRACE("syncs " + std::to_string(skip + 1) + " to " + std::to_string(skip + failing));
            std::filesystem::remove_all(folder());
            FaultVfs::install();
            FaultVfs::recordDisk(folder());
            Store store = must(Store::open(folder()));
            const OwnedRun run = begin(store);
            auto out = writer(run, impatient());
            points(*out, 0, 200);
            must(out->flush());
            FaultVfs::failSyncs(failing, skip);
            std::string notes;  // acknowledged notes
            for (int round = 1; round <= 3; ++round) {
                commitWithoutSync(*out, run.id, round * 200, 100);
                RunEdit edit;
                edit.notes = std::to_string(round);
                for (int attempt = 0; attempt < 2; ++attempt)
                    if (store.edit(run.id, edit)) notes = *edit.notes;
                expectOnDisk(run.id, 0, notes);
                commitWithoutSync(*out, run.id, round * 200 + 100, 100);
                must(out->flushWithin(std::chrono::seconds(60)));
                expectOnDisk(run.id, round * 200 + 199, notes);
                if (HasFailure()) return;
            }
            edits += notes == "3";
            failed = FaultVfs::failingSyncsLeft() < failing;
        }
    }
    EXPECT_GT(scripts, 20);
    EXPECT_GT(edits, 20);
}

// If a reader limits a checkpoint of the log, the database file is not synced and the checkpoint is not
// repeated.
TEST_F(UnsavedRowsTest, AFailedSyncOfTheDatabaseFileKeepsEarlierCheckpoints) {
    FaultVfs::recordDisk(folder());
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    auto out = writer(run);
    points(*out, 0, 2000);
    must(out->flush());
    auto reading = must(Database::open(file(), Database::Access::read));
    must(reading->execute("BEGIN"));
    must(reading->integer("SELECT count(*) FROM runs"));
    points(*out, 2000, 2000);
    must(out->flush());
    out.reset();
    reading.reset();

    const auto database = must(Database::open(file(), Database::Access::write));
    FaultVfs::failSyncs(1, 1);  // after the sync of the log
    database->checkpointLog(true);
    EXPECT_EQ(FaultVfs::failingSyncsLeft(), 0);
    EXPECT_FALSE(database->hadFileError());
    database->truncateLog();
    EXPECT_EQ(std::filesystem::file_size(file().string() + "-wal"), 0u);
    RunEdit edit;
    edit.star = true;
    must(store.edit(run.id, edit));  // begins a new log
    FaultVfs::writeDisk(folder() / "left");
    StoreReader after = must(StoreReader::open(folder() / "left"));
    EXPECT_EQ(must(after.metric(run.id, "loss/policy")).steps, range(0, 4000));
}

}  // namespace
}  // namespace seedbed
