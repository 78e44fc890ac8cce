// SPDX-License-Identifier: Apache-2.0
// Every allocation of storage and of checkpoints, and a sample of those of whole scripts and imports, fails
// in turn, once and permanently: the caller gets an error or std::bad_alloc, the process continues, and
// nothing acknowledged is lost.
//
// With SEEDBED_EVERY_OPERATION every allocation of the scripts fails in turn. Of the operations of the store,
// each of the first allocations fails and, outside the long form, two of five of the others.
#include <cstdlib>
#include <functional>
#include <new>

#include <gtest/gtest.h>

#include "core/base/log.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/run_saver.hpp"
#include "core/store/check_database.hpp"
#include "core/store/database.hpp"
#include "core/store/import.hpp"
#include "core/store/league/league_store.hpp"
#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"
#include "tests/fault/memory/failing_memory.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/policy/policy_fixture.hpp"

namespace seedbed {
namespace {

using testing::FailingMemory;
using testing::must;

class OutOfMemory : public testing::PolicyTest {
protected:
    OutOfMemory() {
        FailingMemory::includeSqlite();
        log::configure({.level = log::Level::off});
    }
    ~OutOfMemory() override { log::configure({}); }

    Path folder() const { return temporary_.path() / "data"; }

    // Calls `script` with each allocation failing in turn; `check` runs with enough memory afterwards.
    // Allocations differ a little between equal calls, because the timing of threads varies.
    void everyAllocation(const std::function<void()>& prepare, const std::function<void()>& script,
                         const std::function<void()>& check) {
        prepare();
        FailingMemory::failAt(INT64_MAX, false);
        script();
        const std::int64_t all = FailingMemory::count();
        FailingMemory::failAt(0, false);
        ASSERT_GT(all, 100);
        const bool every = std::getenv("SEEDBED_EVERY_OPERATION") != nullptr;
        std::int64_t touched = 0, tried = 0;
        for (const bool forever : {false, true}) {
            const std::int64_t stride = every ? 1 : std::max<std::int64_t>(1, all / (forever ? 60 : 100));
            for (std::int64_t n = 1; n <= all; n += stride) {
                SCOPED_TRACE("allocation " + std::to_string(n) + " of " + std::to_string(all) +
                             (forever ? " and all later ones" : ""));
                prepare();
                FailingMemory::failAt(n, forever);
                try {
                    script();
                } catch (const std::bad_alloc&) {
                    // The programs report std::bad_alloc as "not enough memory" and exit with an error.
                }
                touched += FailingMemory::failures() > 0;
                ++tried;
                FailingMemory::failAt(0, false);
                check();
                if (HasFailure()) return;
            }
        }
        std::printf("%lld of %lld scripts with failed allocations, %lld allocations each\n",
                    static_cast<long long>(touched), static_cast<long long>(tried),
                    static_cast<long long>(all));
        EXPECT_GT(touched, tried * 8 / 10);
    }
    // Calls `operation`, which can be repeated, with each allocation failing once, until none fails.
    static void everyAllocationOf(const char* name, const std::function<void()>& operation) {
        constexpr std::int64_t kFirst = 100;
        std::int64_t n = 0;
        do {
            const bool all = n < kFirst || test::isLong();
            n += all ? 1 : n % 5 == 1 ? 2 : 3;  // alternately
            ASSERT_LT(n, 50'000) << name;
            FailingMemory::failAt(n, false);
            try {
                operation();
            } catch (const std::bad_alloc&) {
            }
        } while (FailingMemory::failures() > 0);
        FailingMemory::failAt(0, false);
        std::printf("%s: %lld allocations\n", name, static_cast<long long>(n - 1));
        std::fflush(stdout);
        EXPECT_GT(n, 10) << name;
    }
    static NewRun pole() {
        NewRun row;
        row.name = "pole";
        return row;
    }
    static RunWriterOptions impatient() {
        RunWriterOptions options;
        options.commit_interval = std::chrono::milliseconds(1);
        options.retry_interval = std::chrono::milliseconds(1);
        options.shutdown_timeout = std::chrono::milliseconds(20);
        return options;
    }
    void expectSound() {
        if (!std::filesystem::exists(folder() / "seedbed.db")) return;
        must(Store::open(folder()));
        const auto report = must(checkDatabase(folder()));
        for (const std::string& problem : report.problems) ADD_FAILURE() << problem;
    }

    RealFileSystem real_;
    testing::TemporaryFolder temporary_;
    std::int64_t acknowledged_ = 0;
};

TEST_F(OutOfMemory, EveryOperationOfTheStoreSurvivesEveryFailedAllocation) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = must(store.createRun(pole()));
    must(store.beginSegment(*run.lock, 0, ProcessInfo{}));
    everyAllocationOf("open", [&] { (void)Store::open(folder()); });
    everyAllocationOf("create a run", [&] { (void)store.createRun(NewRun{}); });
    everyAllocationOf("edit", [&] {
        RunEdit edit;
        edit.notes = "a text that is too long to be stored without an allocation";
        edit.add_tags = {"x"};
        (void)store.edit(run.id, edit);
    });
    everyAllocationOf("set the status", [&] {
        (void)store.setStatus(run.id + 1, RunStatus::failed, "a reason that is long enough to be allocated");
    });
    everyAllocationOf("read", [&] {
        auto reader = StoreReader::open(folder());
        if (!reader) return;
        (void)reader->runs();
        (void)reader->details(run.id);
        (void)reader->metricNames(run.id);
    });
    std::int64_t step = 0, saved = 0;
    const auto addRow = [&](RunWriter& writer) {
        const RunWriter::Value value{"loss/policy", 1.0};
        writer.metrics(++step, 1.7e9, std::span(&value, 1));
        if (writer.flush()) saved = step;
    };
    everyAllocationOf("open a writer", [&] {
        const auto writer = RunWriter::open(folder(), *run.lock, impatient());
        if (writer) addRow(**writer);
    });
    {
        const auto writer = must(RunWriter::open(folder(), *run.lock, impatient()));
        everyAllocationOf("write rows", [&] { addRow(*writer); });
        must(writer->flushWithin(std::chrono::seconds(60)));
        EXPECT_TRUE(writer->health().saving);
    }
    expectSound();
    StoreReader reader = must(StoreReader::open(folder()));
    EXPECT_EQ(must(reader.metric(run.id, "loss/policy")).steps.back(), saved);
    EXPECT_EQ(must(reader.details(run.id)).run.tags, std::vector<std::string>{"x"});
}

TEST_F(OutOfMemory, StorageReturnsErrorsAndLosesNothing) {
    everyAllocation(
        [this] {
            std::filesystem::remove_all(folder());
            acknowledged_ = 0;
        },
        [this] {
            auto store = Store::open(folder());
            if (!store) return;
            const auto run = store->createRun(pole());
            if (!run || !store->beginSegment(*run->lock, 0, ProcessInfo{})) return;
            const auto writer = RunWriter::open(folder(), *run->lock, impatient());
            if (!writer) return;
            for (std::int64_t step = 1; step <= 60; ++step) {
                const RunWriter::Value value{"loss/policy", static_cast<double>(step)};
                (*writer)->metrics(step, 1.7e9, std::span(&value, 1));
                if (step % 20 == 0 && (*writer)->flush()) acknowledged_ = step;
            }
            RunEdit edit;
            edit.add_tags = {"x"};
            (void)store->edit(run->id, edit);
            auto reader = StoreReader::open(folder());
            if (reader) (void)reader->runs();
        },
        [this] {
            expectSound();
            if (acknowledged_ == 0) return;
            StoreReader reader = must(StoreReader::open(folder()));
            const auto steps = must(reader.metric(1, "loss/policy")).steps;
            EXPECT_GE(static_cast<std::int64_t>(steps.size()), acknowledged_);
        });
}

TEST_F(OutOfMemory, CheckpointsAreCompleteOrAbsent) {
    std::int64_t saved = 0;
    const CheckpointData first = checkpoint(100), second = checkpoint(200);
    everyAllocation(
        [&] {
            std::filesystem::remove_all(folder());
            must(CheckpointStore(real_, folder(), 3).save(first));
            saved = 100;
        },
        [&] {
            CheckpointStore store(real_, folder(), 3);
            if (store.save(second)) saved = 200;
            (void)store.prune();
            const auto loaded = store.load();
            EXPECT_TRUE(!loaded || loaded->info.step >= saved);
        },
        [&] {
            const auto loaded = must(CheckpointStore(real_, folder(), 3).load());
            EXPECT_GE(loaded.info.step, saved);
            expectSame(loaded.data, loaded.info.step == 200 ? second : first);
        });
}

// As in a run, a separate thread saves, and rows are written to the database.
TEST_F(OutOfMemory, EveryFailedAllocationOfASaveIsAFailedAttempt) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = must(store.createRun(pole()));
    must(store.beginSegment(*run.lock, 0, ProcessInfo{}));
    const auto writer = must(RunWriter::open(folder(), *run.lock, impatient()));
    ManualClock clock;
    RunClock time(clock);
    RunSaver saver(real_, time, *writer, folder(), run.id);
    must(saver.begin());
    saver.saveFirst(checkpoint(1));
    std::int64_t step = 1, saved = 1, failed = 0;
    const CheckpointSettings settings;
    const auto save = [&] {
        clock.advance(std::int64_t{10'000'000'000});  // later than the time of the next attempt
        (void)saver.saveIfDue(settings, true, [&]() -> Result<CheckpointData> { return checkpoint(step); });
        saver.wait();
    };
    CheckpointStore kept(real_, folder(), run.id);
    const auto attempt = [&](std::int64_t n, bool forever) {
        SCOPED_TRACE("allocation " + std::to_string(n) + (forever ? " and all later ones" : ""));
        ++step;
        FailingMemory::failAt(n, forever);
        bool thrown = false;
        try {
            save();
        } catch (const std::bad_alloc&) {
            thrown = true;  // between two updates, where a run saves its state and ends
        }
        const bool touched = FailingMemory::failures() > 0;
        FailingMemory::failAt(0, false);
        saver.wait();
        // Old checkpoints that could not be removed would add allocations to each attempt.
        must(kept.prune());
        must(kept.clean());
        const auto newest = must(kept.load());
        EXPECT_TRUE(newest.info.step == step || newest.info.step == saved) << newest.info.step;
        EXPECT_TRUE(newest.notices.empty()) << newest.notices[0];
        if (newest.info.step != step) {
            EXPECT_TRUE(touched);
            EXPECT_TRUE(thrown || saver.isFailing()) << "it is not reported as saved";
            ++failed;
        }
        saved = newest.info.step;
        (void)saver.takeNotices();
        return touched;
    };
    std::int64_t n = 1;
    while (attempt(n, false) && !HasFailure()) ASSERT_LT(++n, 50'000);
    std::printf("%lld allocations, %lld failed attempts\n", static_cast<long long>(n - 1),
                static_cast<long long>(failed));
    EXPECT_GT(failed, n / 10);
    for (std::int64_t at = 1; at < n && !HasFailure(); at += std::max<std::int64_t>(1, n / 60))
        attempt(at, true);
    ++step;
    save();
    EXPECT_FALSE(saver.isFailing());
    EXPECT_EQ(must(kept.load()).info.step, step);
    must(writer->flushWithin(std::chrono::seconds(60)));
    const auto rows = must(must(StoreReader::open(folder())).checkpoints(run.id));
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows.back().step, step);
    expectSound();
}

TEST_F(OutOfMemory, ImportsOfRunsAreCompleteOrAbsent) {
    const Path source = temporary_.path() / "source";
    {
        Store store = must(Store::open(source));
        const OwnedRun run = must(store.createRun(pole()));
        must(store.beginSegment(*run.lock, 0, ProcessInfo{}));
        const auto writer = must(RunWriter::open(source, *run.lock));
        for (std::int64_t step = 1; step <= 60; ++step) {
            const RunWriter::Value value{"loss/policy", static_cast<double>(step)};
            writer->metrics(step, 1.7e9, std::span(&value, 1));
        }
        LeagueStore leagues = must(LeagueStore::open(source));
        LeagueRecord league;
        league.name = "club";
        league.env = "tic_tac_toe";
        LeagueMember member;
        member.name = member.player = member.origin = "minimax";
        must(leagues.addMember(must(leagues.create(league)), member));
    }
    everyAllocation([this] { std::filesystem::remove_all(folder()); },
                    [&] { (void)importDatabase(folder(), source / "seedbed.db"); },
                    [&] {
                        expectSound();
                        if (!std::filesystem::exists(folder() / "seedbed.db")) return;
                        auto reader = StoreReader::open(folder());
                        if (!reader) return;
                        for (const RunRecord& run : must(reader->runs()))
                            EXPECT_EQ(must(reader->metric(run.id, "loss/policy")).steps.size(), 60u);
                        const auto database =
                            must(Database::open(folder() / "seedbed.db", Database::Access::read));
                        EXPECT_EQ(must(database->integer("SELECT count(*) FROM leagues")),
                                  must(database->integer("SELECT count(*) FROM league_members")));
                    });
}

TEST_F(OutOfMemory, ImportsOfPoliciesReturnErrors) {
    must(CheckpointStore(real_, folder(), 3).save(checkpoint(100)));
    const Path saved = checkpointsFolder(folder(), 3) / "100";
    int loaded = 0;
    everyAllocation([] {}, [&] { loaded += readPolicyFolder(real_, saved).has_value(); }, [] {});
    EXPECT_GT(loaded, 0);
}

}  // namespace
}  // namespace seedbed
