// SPDX-License-Identifier: Apache-2.0
// Copies of data folders: whatever a run does while it is copied, the copy contains every row up to its
// newest checkpoint; missing parts are reported; a failure leaves nothing that looks like a copy.
#include "core/run/data_copy.hpp"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <stop_token>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/base/os/temporary_files.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/store/check_database.hpp"
#include "core/store/database.hpp"
#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/policy/policy_fixture.hpp"

namespace seedbed {
namespace {

using testing::FailingFiles;
using testing::must;

// Calls `before` with every path that is queried, opened or created.
class WatchedFiles final : public FileSystem {
public:
    std::function<void(const Path&)> before;

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        return seen(path).open(path, mode);
    }
    Result<std::optional<FileInfo>> info(const Path& path) override { return seen(path).info(path); }
    Result<std::vector<FileInfo>> list(const Path& folder) override { return seen(folder).list(folder); }
    Result<> rename(const Path& from, const Path& to) override { return seen(to).rename(from, to); }
    Result<> remove(const Path& path) override { return seen(path).remove(path); }
    Result<> makeFolder(const Path& path) override { return seen(path).makeFolder(path); }
    Result<> syncFolder(const Path& folder) override { return real_.syncFolder(folder); }
    Result<std::uint64_t> freeBytes(const Path& path) override { return real_.freeBytes(path); }

private:
    RealFileSystem& seen(const Path& path) {
        if (before) before(path);
        return real_;
    }
    RealFileSystem real_;
};

// Simulates a run: one row per ten steps, and checkpoints as saved by RunSaver, rows first.
class DataCopy : public testing::PolicyTest {
protected:
    void SetUp() override {
        Store store = must(Store::open(data()));
        NewRun row;
        row.env = "cartpole";
        row.algo = "ppo";
        row.engine = "reference";
        row.name = "one";
        run_ = must(store.createRun(row));
        must(store.beginSegment(*run_.lock, 0, {}));
        writer_ = must(RunWriter::open(data(), *run_.lock));
        for (int i = 0; i < checkpoints_; ++i) continueRun();
    }
    void continueRun() {
        step_ += 10;
        const RunWriter::Value value{"loss/policy", static_cast<double>(step_)};
        writer_->metrics(step_, 1.7e9, std::span(&value, 1));
        must(writer_->flush());
        CheckpointStore folder(real_, data(), run_.id);
        const CheckpointInfo info = must(folder.save(checkpoint(step_)));
        CheckpointRecord row;
        row.step = step_, row.folder = info.folder.lexically_relative(data()).string(),
        row.params_sha256 = info.params_sha256;
        row.bytes = static_cast<std::int64_t>(info.bytes);
        writer_->checkpoint(row);
        const auto removed = must(folder.prune());
        if (!removed.empty()) writer_->checkpointsRemoved(removed);
        must(writer_->flush());
    }
    // Rolls back to this step in a new segment.
    void goBackTo(std::int64_t step) {
        writer_.reset();
        must(CheckpointStore(real_, data(), run_.id).supersedeAfter(step));
        Store store = must(Store::open(data()));
        must(store.beginSegment(*run_.lock, step, {}));
        writer_ = must(RunWriter::open(data(), *run_.lock));
        step_ = step;
    }

    // The copy can be resumed: its newest checkpoint can be loaded, and every row before it exists.
    void expectComplete(const Path& folder, RunId run = 1) const {
        RealFileSystem files;
        StoreReader reader = must(StoreReader::open(folder));
        const auto newest = CheckpointStore(files, folder, run).load();
        ASSERT_TRUE(newest) << newest.error().text();
        EXPECT_TRUE(newest->notices.empty());
        const auto steps = must(reader.metric(run, "loss/policy")).steps;
        ASSERT_FALSE(steps.empty());
        EXPECT_GE(steps.back(), newest->info.step) << "a row that the checkpoint needs is missing";
        EXPECT_EQ(static_cast<std::int64_t>(steps.size()), steps.back() / 10) << "no row is missing";
        for (const CheckpointRecord& row : must(reader.checkpoints(run))) {
            const auto there = must(files.info(folder / row.folder));
            EXPECT_EQ(there.has_value(), !row.removed) << row.step;
            if (there && !row.removed) {
                EXPECT_EQ(must(loadCheckpoint(files, folder / row.folder)).info.params_sha256,
                          row.params_sha256)
                    << row.step;
            }
        }
        const DatabaseReport report = must(checkDatabase(folder));
        EXPECT_TRUE(report.problems.empty());
    }
    std::vector<Path> temporaries() const {
        std::vector<Path> found;
        for (auto entry = std::filesystem::recursive_directory_iterator(data().parent_path());
             entry != std::filesystem::recursive_directory_iterator(); ++entry) {
            if (entry->path().filename().string().find(".tmp") == std::string::npos) continue;
            found.push_back(entry->path());
            if (entry->is_directory()) entry.disable_recursion_pending();
        }
        return found;
    }
    // The last number in names of temporary files of this process.
    static std::string ownSpace() {
        const std::string name = temporaryPathFor("x").stem().string();
        return name.substr(name.rfind('-') + 1);
    }
    // Calls `act` with a stop request at its nth file operation, and then `check`. n is 1 to 30, and every
    // seventh number after that.
    void stopAtOperations(const std::function<Result<CopyReport>(const System&, std::stop_token)>& act,
                          const std::function<void(const Result<CopyReport>&)>& check) {
        int interrupted = 0;
        for (int at = 1;; at += at < 30 ? 1 : 7) {
            SCOPED_TRACE(at);
            ASSERT_LT(at, 5000);
            WatchedFiles watched;
            std::stop_source stop;
            int operations = 0;
            watched.before = [&](const Path&) {
                if (++operations == at) stop.request_stop();
            };
            const auto done = act({&watched, realSystem().clock}, stop.get_token());
            watched.before = {};
            if (!done) {
                ++interrupted;
                EXPECT_EQ(done.error().code, ErrorCode::interrupted) << done.error().text();
            }
            EXPECT_TRUE(temporaries().empty()) << temporaries()[0];
            check(done);
            if (HasFailure()) return;
            if (operations < at) break;
        }
        EXPECT_GT(interrupted, 10);
    }
    Path target() const { return data().parent_path() / "copy"; }
    Path other() const { return data().parent_path() / "other"; }

    RealFileSystem real_;
    OwnedRun run_;
    std::unique_ptr<RunWriter> writer_;
    std::int64_t step_ = 0;
    int checkpoints_ = 3;
};

TEST_F(DataCopy, ARunThatContinuesDuringTheCopyIsCopiedWithoutAGap) {
    // The run saves a checkpoint at the nth file access, and at each of the next four.
    for (int at = 1;; at += 5) {
        SCOPED_TRACE(at);
        ASSERT_LT(at, 5000);
        WatchedFiles watched;
        int looks = 0;
        watched.before = [&](const Path& path) {
            if (path.string().find(data().string()) != 0) return;
            if (++looks >= at && looks <= at + 4) continueRun();
        };
        const CopyReport report =
            must(exportRuns(data(), target(), {}, true, {&watched, realSystem().clock}));
        EXPECT_TRUE(report.not_copied.empty()) << report.not_copied[0];
        EXPECT_GE(report.checkpoints.at(1), 1u);
        expectComplete(target());
        if (HasFailure()) return;
        std::filesystem::remove_all(target());
        if (looks < at) break;
    }
}

TEST_F(DataCopy, CheckpointsSupersededDuringTheCopyAreNotInTheCopy) {
    WatchedFiles watched;
    bool done = false;
    watched.before = [&](const Path& path) {
        // Checkpoints were copied in advance; the database is next.
        if (done || path.filename() != kDatabaseName || path.string().find(data().string()) == 0) return;
        done = true;
        goBackTo(20);
        continueRun();
    };
    EXPECT_TRUE(
        must(exportRuns(data(), target(), {}, true, {&watched, realSystem().clock})).not_copied.empty());
    EXPECT_TRUE(done);
    expectComplete(target());
    EXPECT_EQ(must(CheckpointStore(real_, target(), 1).load()).info.step, 30);
}

TEST_F(DataCopy, MissingPartsOfTheCopyAreNamed) {
    continueRun();
    const Path newest = checkpointsFolder(data(), 1) / "40" / "params.safetensors";
    std::ofstream(newest, std::ios::app) << "x";
    const CopyReport report = must(exportRuns(data(), target(), {}, true));
    ASSERT_EQ(report.not_copied.size(), 1u);
    EXPECT_NE(report.not_copied[0].find("params.safetensors"), std::string::npos);
    EXPECT_EQ(must(CheckpointStore(real_, target(), 1).load()).info.step, 30);
    // Retention removed a checkpoint, which does not count as damage; the user removed another, which does.
    std::filesystem::remove_all(checkpointsFolder(data(), 1) / "30");
    EXPECT_EQ(must(exportRuns(data(), other(), {}, true)).not_copied.size(), 2u);
}

TEST_F(DataCopy, AnImportCopiesCheckpointsUnderTheLockOfTheRunAndARepeatTheMissingOnes) {
    writer_.reset();
    run_.lock.reset();
    must(exportRuns(data(), target(), {}, true));
    const Path damaged = checkpointsFolder(target(), 1) / "30" / "params.safetensors";
    const std::string good = must(readFile(real_, damaged));
    std::ofstream(damaged, std::ios::app) << "x";
    WatchedFiles watched;
    int folders = 0;
    watched.before = [&](const Path& path) {
        if (path.parent_path() != checkpointsFolder(other(), 1) || path.filename().string().starts_with("."))
            return;
        ++folders;
        EXPECT_EQ(must(must(StoreReader::open(other())).metric(1, "loss/policy")).steps.size(), 3u)
            << "the rows must be complete";
        EXPECT_TRUE(RunLock::isHeld(other(), 1));
    };
    CopyReport report = must(importRuns(other(), target(), {.trust = true}, {&watched, realSystem().clock}));
    watched.before = {};
    EXPECT_GE(folders, 2);
    EXPECT_EQ(report.checkpoints[1], 2u);
    ASSERT_EQ(report.not_copied.size(), 1u);
    std::ofstream(damaged, std::ios::trunc) << good;
    report = must(importRuns(other(), target(), {.trust = true}));
    EXPECT_TRUE(report.imported[0].existed);
    EXPECT_EQ(report.checkpoints[1], 1u);
    EXPECT_TRUE(report.not_copied.empty());
    expectComplete(other());
    // No checkpoints are imported for a run that already has its own.
    EXPECT_TRUE(must(importRuns(other(), target(), {.trust = true})).checkpoints.empty());
}

TEST_F(DataCopy, ACopyOfOnlyTheRowsHasNoCheckpointsAndCanBeCompleted) {
    writer_.reset();
    run_.lock.reset();
    must(exportRuns(data(), target(), {}, false));
    for (const CheckpointRecord& row : must(must(StoreReader::open(target())).checkpoints(1)))
        EXPECT_TRUE(row.removed);
    must(importRuns(other(), target(), {.trust = true}));
    EXPECT_EQ(must(importRuns(other(), data(), {.trust = true})).checkpoints[1], 3u);
    expectComplete(other());
}

TEST_F(DataCopy, AStopRequestEndsAnExportWithoutATrace) {
    stopAtOperations(
        [&](const System& system, const std::stop_token& stop) {
            return exportRuns(data(), target(), {}, true, system, stop);
        },
        [&](const Result<CopyReport>& done) {
            EXPECT_EQ(std::filesystem::exists(target()), done.has_value());
            if (done) expectComplete(target());
            std::filesystem::remove_all(target());
        });
}

TEST_F(DataCopy, AnImportAfterAStopRequestIsFinishedByTheNextOne) {
    writer_.reset();
    run_.lock.reset();
    must(exportRuns(data(), target(), {}, true));
    stopAtOperations(
        [&](const System& system, const std::stop_token& stop) {
            std::filesystem::remove_all(other());
            return importRuns(other(), target(), {.trust = true}, system, stop);
        },
        [&](const Result<CopyReport>& done) {
            if (!done) {
                const bool nothing = done.error().text().find("nothing was written") != std::string::npos;
                const auto reader = StoreReader::open(other());
                EXPECT_EQ(nothing, !reader || must(must(StoreReader::open(other())).runs()).empty());
                must(importRuns(other(), target(), {.trust = true}));
            }
            expectComplete(other());
        });
}

TEST_F(DataCopy, LeftoversOfKilledCopiesAreRemoved) {
    writer_.reset();
    run_.lock.reset();
    const std::string killed = ".999999999-5-0-" + ownSpace() + ".tmp";
    const Path of_export = data().parent_path() / ("." + target().filename().string() + killed);
    const Path of_import = checkpointsFolder(data(), 7) / (".10" + killed);
    const Path of_user = data().parent_path() / (".notes" + killed);
    for (const Path& left : {of_export, of_import, of_user}) std::filesystem::create_directories(left / "x");
    must(exportRuns(data(), target(), {}, true));
    EXPECT_FALSE(std::filesystem::exists(of_export));
    EXPECT_TRUE(std::filesystem::exists(of_user));
    must(importRuns(data(), target()));
    EXPECT_FALSE(std::filesystem::exists(of_import));
}

// Every file operation of an export or import fails in turn; after the first fifty only every fifth (they are
// reads and writes of the same files), unless SEEDBED_EVERY_OPERATION is set.
class DataCopyFaults : public DataCopy {
protected:
    DataCopyFaults() { checkpoints_ = 1; }
    void everyOperation(const std::function<Result<CopyReport>(const System&)>& act,
                        const std::function<void()>& reset, const std::function<void()>& expect_good,
                        const std::function<void()>& expect_bearable) {
        const int stride = std::getenv("SEEDBED_EVERY_OPERATION") != nullptr ? 1 : 5;
        for (const testing::FileFault& fault : {testing::FileFault{false, ENOSPC}, {true, EIO}})
            for (int n = 1;; n += n < 50 ? 1 : stride) {
                SCOPED_TRACE(nameOf(fault) + ", operation " + std::to_string(n));
                ASSERT_LT(n, 5000);
                reset();
                FailingFiles failing;
                failing.failAt(n, fault);
                const auto done = act({&failing, realSystem().clock});
                const bool touched = failing.failures() > 0;
                ASSERT_TRUE(touched || done) << done.error().text();
                if (done && done->not_copied.empty()) expect_good();
                else expect_bearable();
                endProcess();
                const auto again = act(realSystem());
                ASSERT_TRUE(again || again.error().code == ErrorCode::config) << again.error().text();
                if (again) {
                    EXPECT_TRUE(again->not_copied.empty()) << again->not_copied[0];
                }
                expect_good();
                for (const auto& left : temporaries())
                    ADD_FAILURE() << left << " was left after the next start";
                if (HasFailure()) return;
                if (!touched) break;
            }
    }
    void endProcess() const {
        const std::string ours = "." + std::to_string(getpid()) + "-";
        for (const auto& path : temporaries()) {
            std::string name = path.filename().string();
            const auto at = name.rfind(ours);
            if (at != std::string::npos)
                std::filesystem::rename(path,
                                        path.parent_path() / name.replace(at, ours.size(), ".999999999-"));
        }
    }
};

TEST_F(DataCopyFaults, AnExportAppearsCompleteOrNotAtAll) {
    everyOperation([&](const System& system) { return exportRuns(data(), target(), {}, true, system); },
                   [&] { std::filesystem::remove_all(target()); }, [&] { expectComplete(target()); },
                   [&] {
                       // The target is either absent or a usable folder.
                       if (!std::filesystem::exists(target())) return;
                       EXPECT_TRUE(must(checkDatabase(target())).problems.empty());
                       std::filesystem::remove_all(target());
                   });
}

TEST_F(DataCopyFaults, AnImportIsFinishedByTheNextOne) {
    writer_.reset();
    run_.lock.reset();
    must(exportRuns(data(), target(), {}, true));
    everyOperation(
        [&](const System& system) { return importRuns(other(), target(), {.trust = true}, system); },
        [&] { std::filesystem::remove_all(other()); },
        [&] {
            const auto runs = must(must(StoreReader::open(other())).runs());
            ASSERT_EQ(runs.size(), 1u);
            expectComplete(other(), runs[0].id);
        },
        [&] {
            const auto report = checkDatabase(other());  // fails if no database exists
            EXPECT_TRUE(!report || report->problems.empty());
        });
}

}  // namespace
}  // namespace seedbed
