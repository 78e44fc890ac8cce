// SPDX-License-Identifier: Apache-2.0
// Named threads and the worker pool: every index runs once, errors are returned, nothing is allocated, and no
// caller starves.
#include "core/base/thread.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <new>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>

#include "tests/unit/base/allocation_count.hpp"

namespace seedbed {
namespace {

using Failure = std::pair<std::string, Error>;

TEST(NamedThread, HasItsNameAndStopsOnRequest) {
    std::promise<std::string> system_name, own_name;
    NamedThread thread(
        "learner of run 17",
        [&](std::stop_token stop) -> Result<> {
            char name[32] = {};
            pthread_getname_np(pthread_self(), name, sizeof name);
            system_name.set_value(name);
            own_name.set_value(currentThreadName());
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any().wait(lock, stop, [] { return false; });
            return {};
        },
        [](const std::string&, const Error&) { FAIL(); });
    EXPECT_EQ(system_name.get_future().get(), "learner of run ");
    EXPECT_EQ(own_name.get_future().get(), "learner of run 17");
    EXPECT_EQ(currentThreadName(), "main");
    thread.requestStop();
    thread.join();
}

TEST(PerThread, EachThreadHasItsOwnUntilItEnds) {
    static std::atomic<int> alive{0};
    struct Counted {
        Counted() { ++alive; }
        ~Counted() { --alive; }
        int value = 0;
    };
    perThread<Counted>().value = 7;
    std::thread([] {
        EXPECT_EQ(perThread<Counted>().value, 0);
        perThread<Counted>().value = 8;
        EXPECT_EQ(perThread<Counted>().value, 8);
        EXPECT_EQ(alive, 2);
    }).join();
    EXPECT_EQ(alive, 1);
    EXPECT_EQ(perThread<Counted>().value, 7);
}

TEST(NamedThread, ReturnedErrorsAndExceptionsReachTheOwner) {
    std::promise<Failure> returned, thrown;
    const auto to = [](std::promise<Failure>& promise) {
        return [&promise](const std::string& name, const Error& error) { promise.set_value({name, error}); };
    };
    NamedThread a(
        "a", [](const std::stop_token&) -> Result<> { return fail(ErrorCode::device, "gone"); },
        to(returned));
    NamedThread b(
        "b", [](const std::stop_token&) -> Result<> { throw std::runtime_error("thrown"); }, to(thrown));
    const Failure first = returned.get_future().get(), second = thrown.get_future().get();
    EXPECT_EQ(first.first, "a");
    EXPECT_EQ(first.second.code, ErrorCode::device);
    EXPECT_EQ(second.first, "b");
    EXPECT_NE(second.second.message.find("thrown"), std::string::npos);
}

class WorkerPoolOf : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, WorkerPoolOf, ::testing::Values(1, 2, 3, 8));

TEST_P(WorkerPoolOf, RunsEveryIndexOnceWhateverTheCount) {
    WorkerPool pool(GetParam());
    EXPECT_EQ(pool.threads(), GetParam());
    for (const std::size_t count : {0, 1, 2, 7, 64, 1000}) {
        std::vector<std::atomic<int>> runs(count);
        std::atomic<bool> worker_ok{true};
        const auto result = pool.run(count, [&](std::size_t index, int worker) -> Result<> {
            runs[index].fetch_add(1, std::memory_order_relaxed);
            if (worker < 0 || worker >= GetParam()) worker_ok = false;
            return {};
        });
        EXPECT_TRUE(result);
        EXPECT_TRUE(worker_ok);
        for (const auto& run : runs) EXPECT_EQ(run, 1);
    }
}

TEST_P(WorkerPoolOf, WritesOfARunAreVisibleAfterItWithoutAtomics) {
    WorkerPool pool(GetParam());
    std::vector<int> values(100, 0);
    for (int round = 1; round <= 2000; ++round) {
        ASSERT_TRUE(pool.run(values.size(), [&](std::size_t index, int) -> Result<> {
            values[index] += round;
            return {};
        }));
    }
    for (const int value : values) EXPECT_EQ(value, 2000 * 2001 / 2);
}

TEST_P(WorkerPoolOf, OneWorkerIsNeverInTwoBodiesAtOnce) {
    WorkerPool pool(GetParam());
    std::vector<std::atomic<int>> inside(static_cast<std::size_t>(GetParam()));
    std::atomic<bool> overlap{false};
    for (int round = 0; round < 200; ++round) {
        ASSERT_TRUE(pool.run(50, [&](std::size_t, int worker) -> Result<> {
            if (inside[static_cast<std::size_t>(worker)].fetch_add(1) != 0) overlap = true;
            inside[static_cast<std::size_t>(worker)].fetch_sub(1);
            return {};
        }));
    }
    EXPECT_FALSE(overlap);
}

TEST_P(WorkerPoolOf, ErrorOfTheLowestIndexIsReturnedAndThePoolStaysUsable) {
    WorkerPool pool(GetParam());
    for (int round = 0; round < 200; ++round) {
        std::atomic<int> lowest{1000};
        const auto result = pool.run(100, [&](std::size_t index, int) -> Result<> {
            if (index % 10 != 3) return {};
            int seen = lowest.load();
            while (static_cast<int>(index) < seen &&
                   !lowest.compare_exchange_weak(seen, static_cast<int>(index))) {
            }
            return fail(std::to_string(index));
        });
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().message, std::to_string(lowest.load()));
        EXPECT_TRUE(pool.run(5, [](std::size_t, int) -> Result<> { return {}; }));
    }
}

TEST_P(WorkerPoolOf, IndicesAfterAFailureAreSkipped) {
    WorkerPool pool(GetParam());
    std::atomic<int> begun{0};
    EXPECT_FALSE(pool.run(1'000'000, [&](std::size_t, int) -> Result<> {
        begun.fetch_add(1);
        return fail("stop");
    }));
    EXPECT_LE(begun, GetParam());
}

TEST_P(WorkerPoolOf, ExceptionsBecomeErrors) {
    WorkerPool pool(GetParam());
    const auto result = pool.run(3, [](std::size_t, int) -> Result<> { throw std::bad_alloc(); });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::out_of_memory);
}

TEST_P(WorkerPoolOf, ARunAllocatesNothing) {
    WorkerPool pool(GetParam());
    std::atomic<int> sum{0};
    const std::function<Result<>(std::size_t, int)> body = [&](std::size_t index, int) -> Result<> {
        sum.fetch_add(static_cast<int>(index), std::memory_order_relaxed);
        return {};
    };
    ASSERT_TRUE(pool.run(100, body));
    const std::uint64_t before = testing::allocationCount();
    for (int i = 0; i < 100; ++i)
        if (!pool.run(100, body)) FAIL();
    EXPECT_EQ(testing::allocationCount(), before);
}

TEST(WorkerPool, SleepingThreadsWakeUp) {
    WorkerPool pool(2);
    // Both indices wait for each other, so a worker that missed its wake-up would hang the test.
    for (int round = 0; round < 20; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::atomic<int> arrived{0};
        ASSERT_TRUE(pool.run(2, [&](std::size_t, int) -> Result<> {
            arrived.fetch_add(1);
            while (arrived.load() < 2) std::this_thread::yield();
            return {};
        }));
    }
}

TEST(WorkerPool, ManyMoreThreadsThanCoresFinish) {
    WorkerPool pool(32);
    std::atomic<int> sum{0};
    for (int round = 0; round < 500; ++round)
        ASSERT_TRUE(pool.run(32, [&](std::size_t, int) -> Result<> {
            sum.fetch_add(1, std::memory_order_relaxed);
            return {};
        }));
    EXPECT_EQ(sum, 500 * 32);
}

TEST(WorkerPoolDeathTest, NestedRunsAreABug) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(
        {
            WorkerPool pool(1);
            (void)pool.run(1, [&](std::size_t, int) {
                return pool.run(1, [](std::size_t, int) -> Result<> { return {}; });
            });
        },
        "called concurrently or from within itself");
}

}  // namespace
}  // namespace seedbed
