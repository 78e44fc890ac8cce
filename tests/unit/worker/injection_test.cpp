// SPDX-License-Identifier: Apache-2.0
// Of three workers, one is repeatedly killed, hangs, exits, overwrites its memory or returns wrong values.
// SEEDBED_LONG=1: 1,000 faults.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "core/env/joined_batch.hpp"
#include "core/env/vector_env.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/worker/scripted.hpp"

namespace seedbed {
namespace {

using testing::openDescriptors;
using testing::planOf;
using testing::scriptedSpec;

constexpr int kEnvs = 2;  // number of environments per worker

// Three workers on one ring.
struct Crew {
    explicit Crew(const WorkerPlan& first) {
        std::vector<std::unique_ptr<EnvBatch>> parts;
        for (const WorkerPlan& plan : {first, planOf({"seeded"}, kEnvs), planOf({"seeded"}, kEnvs)}) {
            auto made = WorkerBatch::create(plan, scriptedSpec());
            EXPECT_TRUE(made.has_value()) << made.error().text();
            if (made) parts.push_back(std::move(*made));
        }
        ring = std::move(*Ring::create({.spaces = scriptedSpec().spaces, .columns = 3 * kEnvs, .rows = 64}));
        env = std::make_unique<VectorEnv>(std::make_unique<JoinedBatch>(std::move(parts)), *ring,
                                          VectorEnvOptions{.seed = 1});
        EXPECT_TRUE(env->reset().has_value());
    }

    // The data that the learner reads from the columns of the other two workers in row t.
    std::string others(std::uint64_t t) const {
        std::string bytes;
        const auto add = [&](const auto* row) {
            bytes.append(reinterpret_cast<const char*>(row + kEnvs), 2 * kEnvs * sizeof *row);
        };
        add(reinterpret_cast<const float*>(ring->obs(0, t)));
        add(ring->first(t));
        add(ring->episodeStep(t));
        if (t == ring->head()) return bytes;
        add(ring->valid(t));
        add(ring->reward(t));
        add(ring->discount(t));
        return bytes;
    }

    std::unique_ptr<Ring> ring;
    std::unique_ptr<VectorEnv> env;
};

int children() {
    std::ifstream list("/proc/self/task/" + std::to_string(::getpid()) + "/children");
    int count = 0;
    for (std::string id; list >> id;) ++count;
    return count;
}

std::size_t residentBytes() {
    std::ifstream statm("/proc/self/statm");
    std::size_t all = 0, resident = 0;
    statm >> all >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Waits until the condition holds; only a hang reaches the limit.
template <typename Condition>
bool eventually(const Condition& condition) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && std::chrono::steady_clock::now() < patience)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
}

// Each fault increases the size of the file by one.
std::uintmax_t sizeOf(const std::filesystem::path& file) {
    std::error_code missing;
    const std::uintmax_t size = std::filesystem::file_size(file, missing);
    return missing ? 0 : size;
}

// Resident bytes of this process after a fifth of the faults and after all.
struct Memory {
    std::size_t early = 0, late = 0;
};

void injectFaults(Memory& memory) {
    const bool is_long = test::isLong();
    const std::uintmax_t faults = is_long ? 1000 : 12;
    const testing::TemporaryFolder folder;
    const std::filesystem::path counter = folder.path() / "faults";
    WorkerPlan injecting = planOf({"injects", "0", counter.string()}, kEnvs);
    // Workers without faults have 20 s. On a busy machine, a normal step may exceed this shorter limit. A
    // thousand faults need the shortest one.
    injecting.step_s = is_long ? 0.3 : 2;
    injecting.waits = false;
    Crew undisturbed(planOf({"seeded"}, kEnvs));
    int descriptors = 0, processes = 0;
    std::size_t notices = 0;
    {
        Crew crew(injecting);
        descriptors = openDescriptors();
        processes = children();
        std::vector<EpisodeEnd> ended, expected;
        std::uint64_t rows = 0, rows_at_fault = 0;
        std::uintmax_t size = 0;
        while (size <= faults) {
            if (std::exchange(size, sizeOf(counter)) != size) rows_at_fault = rows;
            ASSERT_LT(rows - rows_at_fault, 1'000'000U) << "the worker is no longer started";
            for (int i = 0; i < 100; ++i, ++rows) {
                const auto stepped = crew.env->step(ended);
                ASSERT_TRUE(stepped.has_value()) << stepped.error().text();
                ASSERT_TRUE(undisturbed.env->step(expected).has_value());
                ASSERT_EQ(crew.others(rows), undisturbed.others(rows)) << "row " << rows;
            }
            for (auto* list : {&ended, &expected})
                std::erase_if(*list, [](const EpisodeEnd& end) { return end.column < kEnvs; });
            ASSERT_EQ(ended.size(), expected.size());
            for (std::size_t i = 0; i < ended.size(); ++i)
                ASSERT_EQ(ended[i].episode_return, expected[i].episode_return);
            ended.clear();
            expected.clear();
            notices += crew.env->takeNotices().size();
            if (memory.early == 0 && sizeOf(counter) > faults / 5) memory.early = residentBytes();
        }
        EXPECT_GE(notices, faults) << "every fault is reported";
        EXPECT_GT(crew.ring->head(), 500 * faults);
        // A worker that took too long on a busy machine may be starting again.
        EXPECT_TRUE(eventually([&] { return children() == processes; })) << children();
        EXPECT_TRUE(eventually([&] { return openDescriptors() == descriptors; })) << openDescriptors();
        ::testing::Test::RecordProperty("faults", std::to_string(notices));
        ::testing::Test::RecordProperty("rows", std::to_string(rows));
    }
    memory.late = residentBytes();
    EXPECT_TRUE(eventually([&] { return children() == 3; }))
        << "only the workers of the undisturbed crew remain";
}

TEST(FaultInjection, OtherColumnsAreUnchangedAndNothingLeaks) {
    Memory memory;
    injectFaults(memory);
}

// Measured apart from the other test, since the memory also depends on the allocator.
TEST(FaultInjection, MemoryDoesNotGrow) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers keep freed memory";
#else
    Memory memory;
    injectFaults(memory);
    EXPECT_LT(memory.late, memory.early + (std::size_t{4} << 20));
#endif
}

// Other workers add rows while one starts again, which takes three seconds.
TEST(FaultInjection, OthersContinueWhileAWorkerStarts) {
    const testing::TemporaryFolder folder;
    WorkerPlan plan = planOf({"starts_slowly_again", "7", (folder.path() / "started").string()}, kEnvs);
    plan.waits = false;
    Crew crew(plan);
    std::vector<EpisodeEnd> ended;
    int without = 0;
    for (std::uint64_t row = 0; row < 10 || crew.ring->valid(row - 1)[0] == 0; ++row) {
        ASSERT_TRUE(crew.env->step(ended).has_value());
        without += crew.ring->valid(row)[0] == 0 ? 1 : 0;
        ASSERT_EQ(crew.ring->valid(row)[kEnvs], 1) << row;
    }
    EXPECT_GT(without, 50) << "waiting for the worker would give two rows";
}

TEST(FaultInjection, ABatchMayBeDestroyedWhileItsWorkerStarts) {
    const testing::TemporaryFolder folder;
    WorkerPlan plan = planOf({"starts_slowly_again", "7", (folder.path() / "started").string()}, kEnvs);
    plan.waits = false;
    const int before = children();
    {
        Crew crew(plan);
        std::vector<EpisodeEnd> ended;
        for (int row = 0; row < 10; ++row) ASSERT_TRUE(crew.env->step(ended).has_value());
    }
    EXPECT_TRUE(eventually([&] { return children() == before; })) << children();
}

}  // namespace
}  // namespace seedbed
