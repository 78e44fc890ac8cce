// SPDX-License-Identifier: Apache-2.0
// Several writers, readers and a user's shell at the same time, in threads and processes; processes killed at
// random moments.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "core/base/rng.hpp"
#include "core/store/database.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

// SEEDBED_TEST_SEED sets the seed, to repeat a test; failures print it.
std::uint64_t testSeed() {
    const char* given = std::getenv("SEEDBED_TEST_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : 55;
}

class StoreConcurrency : public testing::StoreTest {
protected:
    std::string integrity() {
        auto database = must(Database::open(folder() / kDatabaseName, Database::Access::write));
        Statement check = must(database->prepare("PRAGMA integrity_check"));
        std::string found;
        must(check.each([&] { found += check.text(0); }));
        return found;
    }
    // Runs `body` in a separate process, without returning from it.
    template <class Body>
    static pid_t process(const Body& body) {
        const pid_t child = fork();
        if (child != 0) return child;
        body();
        _exit(0);
    }
    static int wait(pid_t child) {
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        return status;
    }
    // Trains one run as a separate process would: adds points 1..count and finishes.
    void train(std::int64_t count) {
        Store store = must(Store::open(folder()));
        const OwnedRun run = begin(store);
        auto out = writer(run);
        for (std::int64_t step = 1; step <= count; ++step) {
            points(*out, step, 1);
            if (step % 100 == 0) out->episodes(std::vector<EpisodeRecord>{{step, 0, 1, 1, 0}});
            if (step % 500 == 0) must(out->flush());
        }
        out->status(RunStatus::finished);
    }
};

TEST_F(StoreConcurrency, WritersOfSeveralProcessesAndReadersLoseNothing) {
    constexpr int kProcesses = 3;
    constexpr std::int64_t kCount = 3000;
    // All processes find no database and create it.
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i)
        children.push_back(process([&] {
            train(kCount);
            if (HasFailure()) _exit(1);
        }));
    std::int64_t looks = 0;
    int status = 0;
    while (waitpid(children.back(), &status, WNOHANG) == 0) {
        auto reader = StoreReader::open(folder());
        if (!reader) continue;  // not created yet
        for (const RunRecord& run : must(reader->runs())) {
            for (const auto& name : must(reader->metricNames(run.id))) {
                const MetricCurve curve = must(reader->metric(run.id, name));
                ASSERT_EQ(curve.steps, range(1, static_cast<std::int64_t>(curve.steps.size())));
            }
        }
        ++looks;
    }
    children.pop_back();
    EXPECT_EQ(status, 0);
    for (const pid_t child : children) EXPECT_EQ(wait(child), 0);
    EXPECT_GT(looks, 0);
    StoreReader reader = this->reader();
    const auto runs = must(reader.runs());
    ASSERT_EQ(runs.size(), static_cast<std::size_t>(kProcesses));
    for (const RunRecord& run : runs) {
        EXPECT_EQ(run.status, RunStatus::finished);
        EXPECT_EQ(must(reader.metric(run.id, "loss/policy")).steps, range(1, kCount));
        EXPECT_EQ(must(reader.episodeCount(run.id)), kCount / 100);
    }
    EXPECT_EQ(integrity(), "ok");
}

TEST_F(StoreConcurrency, ThreadsOfOneProcessShareTheFolder) {
    { must(Store::open(folder())); }
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back([&] { train(1500); });
    threads.emplace_back([&](std::stop_token stop) {
        Store store = must(Store::open(folder()));
        const RunId mine = must(store.createRun(cartpole("mine"))).id;
        bool star = false;
        while (!stop.stop_requested()) {
            RunEdit edit;
            edit.star = star = !star;
            must(store.edit(mine, edit));
        }
    });
    for (std::size_t i = 0; i < 3; ++i) threads[i].join();
    threads.clear();
    StoreReader reader = this->reader();
    int complete = 0;
    for (const RunRecord& run : must(reader.runs()))
        if (run.status == RunStatus::finished)
            complete += must(reader.metric(run.id, "loss/policy")).steps == range(1, 1500);
    EXPECT_EQ(complete, 3);
    EXPECT_EQ(integrity(), "ok");
}

TEST_F(StoreConcurrency, AReaderWithAnOpenTransactionDelaysNothing) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    RunWriterOptions options;
    std::atomic<int> alarms{0};
    options.on_health = [&](const WriterHealth&) { ++alarms; };
    auto out = writer(run, options);
    points(*out, 0, 100);
    must(out->flush());
    const auto looking = must(Database::open(folder() / kDatabaseName, Database::Access::read));
    must(looking->execute("BEGIN"));
    const std::int64_t seen = must(looking->integer("SELECT count(*) FROM metric_tail"));
    // Enough points for several checkpoints of the log, which the reader delays.
    for (std::int64_t step = 100; step < 400'000; step += 50'000) {
        points(*out, step, 50'000 - (step == 100 ? 100 : 0));
        if (step == 100) step = 0;
        must(out->flush());
        ASSERT_EQ(must(looking->integer("SELECT count(*) FROM metric_tail")), seen);
    }
    must(looking->execute("COMMIT"));
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(0, 400'000));
    EXPECT_EQ(alarms, 0);
}

TEST_F(StoreConcurrency, AShellThatLocksTheDatabaseDelaysButLosesNothing) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    std::atomic<int> alarms{0};
    RunWriterOptions options;
    options.on_health = [&](const WriterHealth&) { ++alarms; };
    auto out = writer(run, options);
    const auto shell = must(Database::open(folder() / kDatabaseName, Database::Access::write));
    must(shell->execute("BEGIN IMMEDIATE"));
    points(*out, 0, 2000);  // returns while the shell holds the database
    std::jthread releasing([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        must(shell->execute("COMMIT"));
    });
    must(out->flush());
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(0, 2000));
    EXPECT_EQ(alarms, 0);
}

TEST_F(StoreConcurrency, OfManyOwnersAtOnceThereIsExactlyOne) {
    { must(Store::open(folder())); }
    for (int round = 0; round < 1000; ++round) {
        std::atomic<int> ready{0}, owners{0}, done{0};
        std::vector<std::jthread> threads;
        for (int i = 0; i < 6; ++i)
            threads.emplace_back([&] {
                ++ready;
                while (ready < 6) std::this_thread::yield();
                const auto lock = RunLock::acquire(folder(), 1);
                // Reading does not block claiming a job.
                EXPECT_TRUE(!lock || RunLock::isHeld(folder(), 1));
                owners += lock.has_value();
                ++done;
                while (done < 6) std::this_thread::yield();
            });
        threads.clear();
        ASSERT_EQ(owners, 1) << round;
        ASSERT_FALSE(RunLock::isHeld(folder(), 1));
    }
}

TEST_F(StoreConcurrency, AfterAKillDuringCreationTheNextStartCreatesTheDatabase) {
    Rng rng(testSeed(), RngPurpose::test, 1);
    for (int cycle = 0; cycle < 25; ++cycle) {
        SCOPED_TRACE("seed " + std::to_string(testSeed()) + " cycle " + std::to_string(cycle));
        std::filesystem::remove_all(folder());
        const pid_t child = process([&] { train(1); });
        std::this_thread::sleep_for(std::chrono::microseconds(rng.below(8'000)));
        kill(child, SIGKILL);
        wait(child);
        Store store = must(Store::open(folder()));
        const OwnedRun run = begin(store);
        { points(*writer(run), 1, 10); }
        ASSERT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(1, 10));
        ASSERT_EQ(integrity(), "ok");
    }
}

// A process that trains, acknowledges through a pipe, and is killed without warning; the next one resumes
// from the newest acknowledged checkpoint. The seed and the number of the cycle reproduce the times of the
// kills only approximately, but the guarantee holds for any time.
TEST_F(StoreConcurrency, KilledAtRandomMomentsNothingAcknowledgedIsLost) {
    const std::uint64_t seed = testSeed();
    Rng rng(seed, RngPurpose::test);
    std::int64_t checkpoint = 0, highest = 0;
    for (int cycle = 0; cycle < 25; ++cycle) {
        SCOPED_TRACE("seed " + std::to_string(seed) + " cycle " + std::to_string(cycle));
        int pipe_ends[2];
        ASSERT_EQ(pipe(pipe_ends), 0);
        const pid_t child = process([&] {
            close(pipe_ends[0]);
            Store store = must(Store::open(folder()));
            std::optional<RunLock> lock;
            if (cycle == 0) lock = std::move(must(store.createRun(cartpole())).lock);
            else lock = must(RunLock::acquire(folder(), 1));
            must(store.beginSegment(*lock, checkpoint, ProcessInfo{}));
            RunWriterOptions options;
            options.commit_interval = std::chrono::milliseconds(2);
            auto out = must(RunWriter::open(folder(), *lock, options));
            for (std::int64_t step = checkpoint + 1;; ++step) {
                points(*out, step, 1);
                points(*out, step, 1, "value");
                if (step % 10 == 0) out->episodes(std::vector<EpisodeRecord>{{step, 0, 1, 1, 0}});
                out->progress({step, step, step, 1});
                if (step % 50 != 0) continue;
                if (!out->flush() || write(pipe_ends[1], &step, sizeof step) != sizeof step) _exit(2);
            }
        });
        close(pipe_ends[1]);
        // Every fifth child may be killed before it has acknowledged anything; the others have acknowledged
        // at least once.
        std::int64_t acknowledged = checkpoint, step = 0;
        if (cycle % 5 != 4) {
            ASSERT_EQ(read(pipe_ends[0], &step, sizeof step), static_cast<ssize_t>(sizeof step));
            ASSERT_GT(step, checkpoint);
            acknowledged = step;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(rng.below(60'000)));
        kill(child, SIGKILL);
        while (read(pipe_ends[0], &step, sizeof step) == static_cast<ssize_t>(sizeof step))
            acknowledged = step;
        close(pipe_ends[0]);
        const int status = wait(child);
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;

        StoreReader reader = this->reader();
        const RunRecord run = must(reader.run(1));
        EXPECT_EQ(run.status, RunStatus::interrupted);
        ASSERT_GE(run.progress.steps, acknowledged);
        highest = std::max(highest, run.progress.steps);
        // Nothing acknowledged is missing, nothing is duplicated, and there are no gaps.
        const MetricCurve curve = must(reader.metric(1, "loss/policy"));
        const auto last = static_cast<std::int64_t>(curve.steps.size());
        ASSERT_GE(last, acknowledged);
        // A commit may come between the points and the progress of the last step.
        ASSERT_LE(run.progress.steps, last);
        ASSERT_GE(run.progress.steps, last - 1);
        ASSERT_EQ(curve.steps, range(1, last));
        ASSERT_EQ(must(reader.metric(1, "value")).steps.size(), curve.steps.size());
        ASSERT_EQ(must(reader.episodeCount(1)), last / 10);
        ASSERT_EQ(integrity(), "ok");
        // A checkpoint at or before the acknowledged step; occasionally much earlier.
        checkpoint = acknowledged -
                     static_cast<std::int64_t>(rng.below(static_cast<std::uint32_t>(acknowledged / 4 + 1)));
    }
    EXPECT_GT(highest, 0);
}

}  // namespace
}  // namespace seedbed
