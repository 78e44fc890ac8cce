// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a run whose disk fails: the best state, milestones and the last state are not lost.
#include "core/run/run_saver.hpp"

#include <chrono>
#include <functional>

#include <gtest/gtest.h>

#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/resume.hpp"
#include "core/run/saving/catch_up.hpp"
#include "core/store/database.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/policy/policy_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

// Creating any file of this step fails.
class PickyFiles final : public FileSystem {
public:
    std::string refused;                 // part of a path
    std::function<void()> makes_folder;  // called for each file that is created

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        return real_.open(path, mode);
    }
    Result<std::optional<FileInfo>> info(const Path& path) override { return real_.info(path); }
    Result<std::vector<FileInfo>> list(const Path& folder) override { return real_.list(folder); }
    Result<> rename(const Path& from, const Path& to) override { return real_.rename(from, to); }
    Result<> remove(const Path& path) override { return real_.remove(path); }
    Result<> makeFolder(const Path& path) override {
        if (!refused.empty() && path.string().find(refused) != std::string::npos)
            return fail("refused: " + path.string());
        if (makes_folder) makes_folder();
        return real_.makeFolder(path);
    }
    Result<> syncFolder(const Path& folder) override { return real_.syncFolder(folder); }
    Result<std::uint64_t> freeBytes(const Path& path) override { return real_.freeBytes(path); }

private:
    RealFileSystem real_;
};

class Saver : public testing::PolicyTest {
protected:
    void SetUp() override {
        Store store = must(Store::open(data()));
        NewRun row;
        row.env = "cartpole";
        row.algo = "ppo";
        row.engine = "reference";
        run_ = must(store.createRun(row));
        must(store.beginSegment(*run_.lock, 0, {}));
        openWriter({});
        settings_.every_s = 10;
        settings_.time_share = 0;
    }
    void openWriter(const RunWriterOptions& options) {
        saver_.reset();
        writer_.reset();
        writer_ = must(RunWriter::open(data(), *run_.lock, options));
        saver_ = std::make_unique<RunSaver>(failing_files_, time_, *writer_, data(), run_.id);
        must(saver_->begin());
    }
    RunSaver::Taken save(CheckpointData data, bool now = false) {
        const auto taken =
            saver_->saveIfDue(settings_, now, [&]() -> Result<CheckpointData> { return data; });
        saver_->wait();
        return taken;
    }
    void row(std::int64_t step) {
        const RunWriter::Value values[] = {{"loss", 1.0}};
        writer_->metrics(step, 0, values);
    }
    // Simulates a killed process, except that it has the time of a shutdown to write rows.
    void killWriter() {
        saver_.reset();
        writer_.reset();
    }
    std::vector<std::int64_t> rowSteps() {
        return must(must(StoreReader::open(data())).metric(run_.id, "loss")).steps;
    }
    std::vector<std::int64_t> listed() {
        std::vector<std::int64_t> found;
        for (const CheckpointRecord& record : must(must(StoreReader::open(data())).checkpoints(run_.id)))
            if (!record.removed) found.push_back(record.step);
        return found;
    }
    std::vector<std::int64_t> steps() {
        std::vector<std::int64_t> found;
        for (const CheckpointInfo& info : must(folder().list())) found.push_back(info.step);
        return found;
    }
    void pass(double seconds) { clock_.advance(static_cast<std::int64_t>(seconds * 1e9)); }
    CheckpointStore folder() { return {real_, data(), run_.id}; }

    RealFileSystem real_;
    PickyFiles failing_files_;
    ManualClock clock_;
    RunClock time_{clock_};
    OwnedRun run_;
    std::unique_ptr<RunWriter> writer_;
    CheckpointSettings settings_;
    std::unique_ptr<RunSaver> saver_;
};

using Taken = RunSaver::Taken;

TEST_F(Saver, TheBestStateSurvivesADiskThatFails) {
    failing_files_.refused = "checkpoints";
    saver_->keepBest(checkpoint(100, 9.0));
    EXPECT_EQ(save(checkpoint(100)), Taken::queued);
    EXPECT_TRUE(saver_->isFailing());
    EXPECT_TRUE(saver_->isPending());
    // While saving fails, it is retried every two seconds with the newest state.
    EXPECT_EQ(save(checkpoint(150)), Taken::nothing);
    pass(3);
    EXPECT_EQ(save(checkpoint(200, 1.0)), Taken::snapshot);
    failing_files_.refused.clear();
    pass(3);
    EXPECT_EQ(save(checkpoint(300, 1.0)), Taken::snapshot);
    EXPECT_FALSE(saver_->isFailing());
    EXPECT_EQ(save(checkpoint(310)), Taken::queued) << "the next state is queued immediately";
    const auto best = must(folder().load("best"));
    EXPECT_EQ(best.info.step, 100);
    EXPECT_EQ(best.info.score, 9.0);
    EXPECT_EQ(must(folder().load()).info.step, 300);
    EXPECT_FALSE(saver_->isPending());
    EXPECT_EQ(save(checkpoint(320)), Taken::nothing);
    must(writer_->flush());
    const auto rows = must(must(StoreReader::open(data())).checkpoints(run_.id));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_TRUE(rows[0].best);
}

TEST_F(Saver, ABetterStateReplacesAnUnsavedBestState) {
    failing_files_.refused = "checkpoints";
    saver_->keepBest(checkpoint(100, 9.0));
    save(checkpoint(100));
    saver_->keepBest(checkpoint(200, 11.0));
    failing_files_.refused.clear();
    pass(3);
    EXPECT_EQ(save(checkpoint(210)), Taken::snapshot);
    EXPECT_EQ(save(checkpoint(210)), Taken::queued);
    EXPECT_EQ(save(checkpoint(220)), Taken::nothing);
    EXPECT_EQ(must(folder().load("best")).info.step, 200);
}

TEST_F(Saver, TheNextSnapshotReplacesAnUnsavedMilestone) {
    failing_files_.refused = "checkpoints";
    CheckpointData milestone = checkpoint(100);
    milestone.milestone = true;
    EXPECT_EQ(save(milestone, true), Taken::snapshot);
    failing_files_.refused.clear();
    pass(3);
    EXPECT_EQ(save(checkpoint(130)), Taken::snapshot);
    pass(11);
    EXPECT_EQ(save(checkpoint(140)), Taken::snapshot);
    EXPECT_TRUE(must(folder().find("130")).milestone);
    EXPECT_FALSE(must(folder().find("140")).milestone);
}

TEST_F(Saver, ARequestSavesTheCurrentStateNotAQueuedOne) {
    saver_->keepBest(checkpoint(100, 9.0));
    EXPECT_EQ(save(checkpoint(120), true), Taken::queued);
    EXPECT_EQ(save(checkpoint(120), true), Taken::snapshot);
    EXPECT_EQ(must(folder().load()).info.step, 120);
}

// A checkpoint takes 0.7 s, so one percent of the time would mean an interval of 70 s; with default settings
// the limit is 60 s, however long an update takes.
TEST_F(Saver, SlowCheckpointsAreAtMostSixtySecondsApart) {
    settings_ = CheckpointSettings{};
    ASSERT_EQ(settings_.every_s, 60);
    ASSERT_EQ(settings_.time_share, 0.01);
    failing_files_.makes_folder = [this] { pass(0.7); };
    std::int64_t step = 100;
    ASSERT_EQ(save(checkpoint(step), true), Taken::snapshot);
    for (const double update : {0.5, 7.0, 25.0}) {
        SCOPED_TRACE(update);
        double since = 0;
        do {
            ASSERT_LE(since, 60);
            pass(update);
            since += update;
        } while (save(checkpoint(++step)) == Taken::nothing);
        EXPECT_LE(since, 60);
        // Saving starts earlier by the expected writing time, at most half of the interval, and by up to one
        // update.
        EXPECT_GE(since, 60 - 30 - update) << "the time share must not make checkpoints more frequent";
    }
}

// For fast checkpoints the share of time determines the interval, which is at least one second.
TEST_F(Saver, FastCheckpointsAreSpacedByTheirShareOfTime) {
    settings_ = CheckpointSettings{};
    ASSERT_EQ(save(checkpoint(100), true), Taken::snapshot);
    double since = 0;
    for (std::int64_t step = 101; save(checkpoint(step)) == Taken::nothing; ++step) {
        ASSERT_LE(since, 60);
        EXPECT_TRUE(since < 60);
        pass(0.25);
        since += 0.25;
    }
    EXPECT_GE(since, 1);
}

TEST_F(Saver, AQueuedMilestoneIsTheStateOfItsStep) {
    CheckpointData milestone = checkpoint(100);
    milestone.milestone = true;
    EXPECT_FALSE(saver_->hasQueued());
    saver_->keepMilestone(milestone);
    EXPECT_TRUE(saver_->hasQueued());
    EXPECT_EQ(save(checkpoint(130)), Taken::queued);
    EXPECT_FALSE(saver_->hasQueued());
    EXPECT_TRUE(must(folder().find("100")).milestone);
}

// At most one state is queued.
TEST_F(Saver, TheBestStateThatReplacesAQueuedMilestoneBecomesIt) {
    CheckpointData milestone = checkpoint(100);
    milestone.milestone = true;
    saver_->keepMilestone(milestone);
    saver_->keepBest(checkpoint(150, 9.0));
    saver_->keepBest(checkpoint(180, 10.0));
    EXPECT_EQ(save(checkpoint(190)), Taken::queued);
    EXPECT_TRUE(must(folder().find("180")).milestone);
    EXPECT_TRUE(must(folder().find("180")).best);
    EXPECT_EQ(must(folder().list()).size(), 1u);
}

TEST_F(Saver, AMilestoneThatFindsAFailedBestStateInTheQueueIsTheNextSnapshot) {
    saver_->keepBest(checkpoint(100, 9.0));
    CheckpointData milestone = checkpoint(110);
    milestone.milestone = true;
    saver_->keepMilestone(milestone);
    EXPECT_EQ(save(checkpoint(120)), Taken::queued);
    EXPECT_FALSE(must(folder().find("100")).milestone);
    EXPECT_EQ(save(checkpoint(130), true), Taken::snapshot);
    EXPECT_TRUE(must(folder().find("130")).milestone);
}

TEST_F(Saver, ABestStateThatIsAMilestoneIsRetriedAsThatMilestone) {
    failing_files_.refused = "checkpoints";
    CheckpointData best = checkpoint(100, 9.0);
    best.milestone = true;
    saver_->keepBest(best);
    EXPECT_EQ(save(checkpoint(100)), Taken::queued);
    failing_files_.refused.clear();
    pass(3);
    EXPECT_EQ(save(checkpoint(130)), Taken::snapshot);
    EXPECT_EQ(save(checkpoint(140)), Taken::queued);
    EXPECT_TRUE(must(folder().find("100")).milestone);
    EXPECT_FALSE(must(folder().find("130")).milestone) << "there must be only one milestone";
}

TEST_F(Saver, TheLastStateIsAlsoTheMilestoneOfItsStep) {
    CheckpointData milestone = checkpoint(300);
    milestone.milestone = true;
    saver_->keepMilestone(milestone);
    must(saver_->saveLast(checkpoint(300)));
    EXPECT_TRUE(must(folder().find("300")).milestone);
    EXPECT_EQ(must(folder().list()).size(), 1u);
}

TEST_F(Saver, MilestonesOmitOpenWindowsAndTheLastStateContainsThem) {
    const auto with_windows = [](std::int64_t step) {
        CheckpointData data = checkpoint(step);
        data.milestone = true;
        data.files.push_back({kWindowsFile, std::vector<std::uint8_t>(20000, 1)});
        return data;
    };
    ASSERT_EQ(save(with_windows(100), true), Taken::snapshot);
    must(saver_->saveLast(with_windows(200)));
    EXPECT_EQ(must(folder().load("100")).data.files.size() + 1, must(folder().load("200")).data.files.size());
}

// Pages that a vector's elements occupy are mapped; the reserved rest is not.
TEST_F(Saver, TheMemoryOfTheNextSnapshotIsProvidedInAdvance) {
    constexpr std::size_t kMiB = 1 << 20;
    const auto file = [](const char* name, std::size_t bytes, std::size_t reserved) {
        CheckpointFile file{name, {}};
        file.bytes.reserve(reserved);
        file.bytes.assign(bytes, 1);
        return file;
    };
    CheckpointData data = checkpoint(100);
    data.files = {};
    data.files.push_back(file(kSessionFile, 2 * kMiB, 8 * kMiB));
    data.files.push_back(file(kWindowsFile, kMiB, 4 * kMiB));
    saver_->saveFirst(std::move(data));
    saver_->wait();
    SnapshotBuffers buffers = saver_->takeBuffers();
    EXPECT_EQ(buffers.session.size(), 2 * kMiB + kMiB / 2) << "a quarter more than the previous size";
    EXPECT_EQ(buffers.session.capacity(), 8 * kMiB);
    EXPECT_EQ(buffers.windows.size(), 4 * kMiB) << "the whole reserved memory";
    EXPECT_EQ(buffers.windows.capacity(), 4 * kMiB);
    EXPECT_TRUE(saver_->takeBuffers().session.empty()) << "the buffers can be taken only once";
    EXPECT_EQ(must(folder().load()).data.files.front().bytes.size(), 2 * kMiB)
        << "the saved size, not the larger buffer";

    CheckpointData shrunk = checkpoint(200);
    shrunk.files = {};
    shrunk.files.push_back(file(kSessionFile, 2 * kMiB, 2 * kMiB + kMiB / 4));
    saver_->saveFirst(std::move(shrunk));
    saver_->wait();
    EXPECT_EQ(saver_->takeBuffers().session.size(), 2 * kMiB + kMiB / 4)
        << "never more than the reserved memory";
}

// A database browser holds a write transaction.
TEST_F(Saver, ALockedDatabaseDelaysNoCheckpointAndRowsAreSavedWithIt) {
    RunWriterOptions options;
    options.shutdown_timeout = std::chrono::milliseconds(100);
    openWriter(options);
    must(writer_->flush());
    const auto browser = must(Database::open(data() / kDatabaseName, Database::Access::write));
    must(browser->execute("BEGIN IMMEDIATE"));
    row(100);
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(save(checkpoint(100), true), Taken::snapshot);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30))
        << "saving must not wait for the writer, which waits 35 s";
    row(200);
    ASSERT_EQ(save(checkpoint(200), true), Taken::snapshot);
    EXPECT_FALSE(saver_->isFailing());
    EXPECT_EQ(steps(), (std::vector<std::int64_t>{100, 200}));
    EXPECT_TRUE(std::filesystem::exists(must(folder().find("200")).folder / kRowsFile));

    // The process dies; the next one finds the database unlocked.
    killWriter();
    must(browser->execute("ROLLBACK"));
    must(catchUp(realSystem(), data(), *run_.lock));
    EXPECT_EQ(rowSteps(), (std::vector<std::int64_t>{100, 200}));
    EXPECT_EQ(listed(), (std::vector<std::int64_t>{100, 200})) << "the newest checkpoint is recorded later";
    // A second call writes nothing twice.
    must(catchUp(realSystem(), data(), *run_.lock));
    EXPECT_EQ(rowSteps(), (std::vector<std::int64_t>{100, 200}));
}

TEST_F(Saver, RowsWrittenLaterByTheSameProcessAreNotWrittenAgain) {
    {
        const auto browser = must(Database::open(data() / kDatabaseName, Database::Access::write));
        must(browser->execute("BEGIN IMMEDIATE"));
        row(100);
        ASSERT_EQ(save(checkpoint(100), true), Taken::snapshot);
        must(browser->execute("ROLLBACK"));
    }
    row(150);
    must(writer_->flushWithin(std::chrono::seconds(60)));
    killWriter();
    must(catchUp(realSystem(), data(), *run_.lock));
    EXPECT_EQ(rowSteps(), (std::vector<std::int64_t>{100, 150}));
}

TEST_F(Saver, CheckpointsWithoutARowAreListedAndRemovedOnesAreMarked) {
    for (const std::int64_t step : {100, 200, 300, 400, 500})
        ASSERT_EQ(save(checkpoint(step), true), Taken::snapshot);
    must(writer_->flush());
    killWriter();
    {
        const auto database = must(Database::open(data() / kDatabaseName, Database::Access::write));
        must(
            database->execute("DELETE FROM checkpoint_rows WHERE step = 500;"
                              "UPDATE checkpoint_rows SET removed = 0"));
    }
    EXPECT_EQ(listed(), (std::vector<std::int64_t>{100, 200, 300, 400}));
    must(catchUp(realSystem(), data(), *run_.lock));
    EXPECT_EQ(listed(), (std::vector<std::int64_t>{300, 400, 500}));
}

TEST_F(Saver, AReaderListsTheCheckpointsOfAKilledRunAfterCatchingUp) {
    ASSERT_EQ(save(checkpoint(100), true), Taken::snapshot);
    writer_->progress({100, 400, 10, 1.5});
    must(writer_->flush());
    killWriter();
    {
        const auto database = must(Database::open(data() / kDatabaseName, Database::Access::write));
        must(database->execute("DELETE FROM checkpoint_rows; UPDATE runs SET updated = updated - 60"));
    }
    StoreReader reader = must(StoreReader::open(data()));
    catchUpRuns(realSystem(), data(), reader);
    EXPECT_TRUE(must(reader.checkpoints(run_.id)).empty()) << "the process of the run records it";
    run_.lock.reset();
    catchUpRuns(realSystem(), data(), reader);
    ASSERT_EQ(must(reader.checkpoints(run_.id)).size(), 1u);
    EXPECT_EQ(must(reader.checkpoints(run_.id))[0].step, 100);
    const RunProgress progress = must(reader.run(run_.id)).progress;
    EXPECT_EQ(progress.steps, 100);
    EXPECT_EQ(progress.train_seconds, 1.5);
}

TEST_F(Saver, TheLastStateIsSavedWhateverHappensToTheBestOne) {
    saver_->keepBest(checkpoint(100, 9.0));
    failing_files_.refused = ".100.";
    Result<> last = saver_->saveLast(checkpoint(200, 1.0));
    ASSERT_FALSE(last);
    EXPECT_NE(last.error().text().find("the newest state is saved"), std::string::npos)
        << last.error().text();
    EXPECT_NE(last.error().text().find("step 100"), std::string::npos) << last.error().text();
    EXPECT_EQ(must(folder().load()).info.step, 200);

    saver_->keepBest(checkpoint(250, 10.0));
    failing_files_.refused = ".300.";
    last = saver_->saveLast(checkpoint(300, 1.0));
    ASSERT_FALSE(last);
    EXPECT_EQ(last.error().text().find("the newest state is saved"), std::string::npos)
        << last.error().text();
    EXPECT_EQ(must(folder().load("best")).info.step, 250);

    saver_->keepBest(checkpoint(350, 12.0));
    must(saver_->saveLast(checkpoint(350, 12.0)));
    EXPECT_EQ(must(folder().load("best")).info.step, 350);
}

}  // namespace
}  // namespace seedbed
