// SPDX-License-Identifier: Apache-2.0
// Every single file operation of a whole run and of a resumed run fails in turn, once and permanently, as do
// SQLite's own: no crash, no false "saved", existing data remains valid, and the run can continue.
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "core/base/log.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/run.hpp"
#include "core/store/check_database.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/base/failing_files.hpp"
#include "tests/unit/base/impatient_clock.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/store/fault_vfs.hpp"

namespace seedbed {
namespace {

using test::smallConfig;
using testing::FailingFiles;
using testing::FaultVfs;

class Silent final : public RunObserver {
public:
    void started(std::int64_t, const SessionPlan&) override { has_started = true; }
    void progress(const ProgressReport&) override {}
    void evaluated(std::uint64_t, const EvaluationResult&) override {}
    // Stops a run that waits for disk space, because no space is freed here.
    void message(const std::string& text) override {
        if (text.find("waiting for") != std::string::npos) stop.request_stop();
    }

    bool has_started = false;
    std::stop_source stop;
};

// Other errors are tested in tests/unit/store and tests/unit/policy, where an attempt takes less time.
constexpr testing::FileFault kFaults[] = {{false, EIO}, {true, ENOSPC}};
constexpr int kOnEvery = 5;  // after this many attempts the run is also resumed

class WholeRun : public ::testing::Test {
protected:
    WholeRun() { log::configure({.level = log::Level::off}); }  // silences hundreds of expected failures
    ~WholeRun() override { log::configure({}); }

    static TrainingConfig config() {
        return smallConfig("cartpole",
                           {{"run", {{"steps", 96}, {"threads", 1}, {"keep_awake", false}}},
                            {"eval", {{"every_steps", 96}, {"episodes", 1}, {"final_episodes", 1}}}});
    }
    Path folder() const { return temporary_.path() / "data"; }
    Result<RunOutcome> train(FileSystem& files, Silent& observer) {
        return trainRun({config(), "", "", folder(), ""}, observer, observer.stop.get_token(), files, clock_);
    }
    Result<RunOutcome> resume(FileSystem& files, const char* steps, Silent& observer) {
        return resumeRun({1, folder(), {}, "", {{"run.steps", steps}}}, observer, observer.stop.get_token(),
                         files, clock_);
    }

    // Whatever the outcome, the database is valid and the checkpoints that it lists can be loaded. `forever`:
    // the fault lasted until the end.
    void check(const Result<RunOutcome>& outcome, const Silent& observer, std::int64_t before, bool forever) {
        auto reader = StoreReader::open(folder());
        if (!reader) {
            ASSERT_FALSE(outcome || observer.has_started || before > 0) << reader.error().text();
            return;
        }
        const auto report = checkDatabase(folder());
        ASSERT_TRUE(report) << report.error().text();
        ASSERT_TRUE(report->problems.empty()) << report->problems[0];
        const auto runs = reader->runs();
        ASSERT_TRUE(runs) << runs.error().text();
        if (runs->empty()) {
            ASSERT_FALSE(outcome || observer.has_started || before > 0);
            return;
        }
        ASSERT_EQ(runs->size(), 1u);
        const auto run = reader->details(1);
        ASSERT_TRUE(run) << run.error().text();
        const auto newest = CheckpointStore(real_, folder(), 1).load();
        if (outcome) {
            // A run that is reported as saved is saved.
            ASSERT_TRUE(newest) << newest.error().text();
            EXPECT_EQ(newest->info.params_sha256, outcome->params_sha256);
            EXPECT_EQ(newest->info.step, static_cast<std::int64_t>(outcome->steps));
            EXPECT_EQ(run->run.status, RunStatus::finished);
        } else if (before == 0 && !forever) {
            // Even after an early failure the status does not remain "starting".
            EXPECT_EQ(run->run.status, RunStatus::failed);
            EXPECT_FALSE(run->run.status_text.empty());
        } else {
            EXPECT_FALSE(isLive(run->run.status)) << nameOf(run->run.status);
        }
        if (before > 0) {
            ASSERT_TRUE(newest) << newest.error().text();
            EXPECT_GE(newest->info.step, before);
        }
        // The row of a checkpoint is written only when the checkpoint is complete.
        int loadable = 0;
        for (const CheckpointRecord& row : run->checkpoints) {
            if (row.removed || !std::filesystem::exists(folder() / row.folder)) continue;
            EXPECT_TRUE(loadCheckpoint(real_, folder() / row.folder)) << row.folder;
            ++loadable;
        }
        if (!run->checkpoints.empty()) {
            EXPECT_GT(loadable, 0);
        }
    }

    // Resumes the run, or starts it again if it was not created.
    void continueRun() {
        Silent again;
        const bool there = StoreReader::open(folder()) && !StoreReader::open(folder())->runs()->empty();
        const auto resumed = there ? resume(real_, "150", again) : train(real_, again);
        ASSERT_TRUE(resumed) << resumed.error().text();
        check(resumed, again, 0, false);
    }

    testing::TemporaryFolder temporary_;
    RealFileSystem real_;
    testing::ImpatientClock clock_;
};

class RunFaults : public WholeRun, public ::testing::WithParamInterface<testing::FileFault> {};

TEST_P(RunFaults, EveryFileOperationOfARunFailsInTurn) {
    int n = 1, untold = 0;
    for (bool touched = true; touched; ++n) {
        SCOPED_TRACE("operation " + std::to_string(n));
        ASSERT_LT(n, 1000);
        std::filesystem::remove_all(folder());
        FailingFiles files;
        files.failAt(n, GetParam());
        Silent observer;
        const auto outcome = train(files, observer);
        touched = files.failures() > 0;
        if (!touched) {
            ASSERT_TRUE(outcome) << outcome.error().text();
        }
        untold += !observer.has_started;
        check(outcome, observer, 0, GetParam().forever);
        if (HasFailure()) return;
        if (touched && n % kOnEvery != 0) continue;
        continueRun();
        if (HasFailure()) return;
    }
    EXPECT_GT(n, 40) << "the operations must go through the file system interface";
    EXPECT_GT(untold, 3) << "the first operations fail before the run reports its start";
}

TEST_P(RunFaults, EveryFileOperationOfAResumeFailsInTurn) {
    Silent first;
    const auto outcome = train(real_, first);
    ASSERT_TRUE(outcome) << outcome.error().text();
    const Path kept = temporary_.path() / "kept";
    std::filesystem::rename(folder(), kept);
    int n = 1;
    for (bool touched = true; touched; ++n) {
        SCOPED_TRACE("operation " + std::to_string(n));
        ASSERT_LT(n, 1000);
        std::filesystem::remove_all(folder());
        std::filesystem::copy(kept, folder(), std::filesystem::copy_options::recursive);
        FailingFiles files;
        files.failAt(n, GetParam());
        Silent observer;
        const auto resumed = resume(files, "150", observer);
        touched = files.failures() > 0;
        if (!touched) {
            ASSERT_TRUE(resumed) << resumed.error().text();
        }
        check(resumed, observer, static_cast<std::int64_t>(outcome->steps), GetParam().forever);
        if (HasFailure()) return;
        if (touched && n % kOnEvery != 0) continue;
        Silent again;
        const auto on = resume(real_, "250", again);
        ASSERT_TRUE(on) << on.error().text();
        check(on, again, static_cast<std::int64_t>(outcome->steps), false);
        if (HasFailure()) return;
    }
    EXPECT_GT(n, 40) << "the operations must go through the file system interface";
}

INSTANTIATE_TEST_SUITE_P(OnceAndForEver, RunFaults, ::testing::ValuesIn(kFaults), [](const auto& one) {
    std::string name = nameOf(one.param);
    std::erase_if(name, [](char letter) { return !std::isalnum(static_cast<unsigned char>(letter)); });
    return name;
});

// The scripts in tests/unit/store make every operation fail; here each attempt takes as long as a run's
// timeout for its database.
struct DatabaseFault {
    const char* name;
    int code;
    bool forever;
    int tries;
};
constexpr DatabaseFault kDatabaseFaults[] = {{"errorOnce", SQLITE_IOERR_WRITE, false, 40},
                                             {"fullForEver", SQLITE_FULL, true, 8},
                                             {"errorForEver", SQLITE_IOERR_WRITE, true, 5},
                                             {"readOnlyForEver", SQLITE_READONLY, true, 4},
                                             {"damagedForEver", SQLITE_CORRUPT, true, 4}};

class RunDatabaseFaults : public WholeRun, public ::testing::WithParamInterface<DatabaseFault> {
protected:
    RunDatabaseFaults() { FaultVfs::install(); }
    ~RunDatabaseFaults() override { heal(); }
    static void heal() { FaultVfs::failAt(0, false, SQLITE_IOERR); }

    // The numbers of the first failing operations, spread over the operations of an undisturbed run.
    static std::vector<int> places(int operations) {
        std::vector<int> places;
        for (int i = 0; i < GetParam().tries; ++i) places.push_back(1 + i * operations / GetParam().tries);
        return places;
    }
};

TEST_P(RunDatabaseFaults, ARunSurvivesFailuresInsideSqlite) {
    FaultVfs::failAt(0, false, GetParam().code);
    Silent untouched;
    ASSERT_TRUE(train(real_, untouched));
    const int operations = FaultVfs::count();
    ASSERT_GT(operations, 40);
    int saved = 0, begun = 0;
    for (const int n : places(operations)) {
        std::filesystem::remove_all(folder());
        FaultVfs::failAt(n, GetParam().forever, GetParam().code);
        Silent observer;
        const auto outcome = train(real_, observer);
        SCOPED_TRACE("operation " + std::to_string(n) + ": " + (outcome ? "saved" : outcome.error().text()));
        saved += outcome.has_value();
        heal();
        // The weights must not depend on the database.
        if (observer.has_started) {
            ++begun;
            const auto newest = CheckpointStore(real_, folder(), 1).load();
            ASSERT_TRUE(newest) << newest.error().text();
            EXPECT_EQ(newest->info.step, 96);
        }
        check(outcome, observer, 0, GetParam().forever);
        if (HasFailure()) return;
        continueRun();
        if (HasFailure()) return;
    }
    if (!GetParam().forever) {
        EXPECT_GT(saved, 0);
    }
    EXPECT_GT(begun, 0) << "some runs must start before the first failure";
}

INSTANTIATE_TEST_SUITE_P(Sqlite, RunDatabaseFaults, ::testing::ValuesIn(kDatabaseFaults),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace seedbed
