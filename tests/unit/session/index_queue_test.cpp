// SPDX-License-Identifier: Apache-2.0
// The queue of group numbers with many threads and few cells.
#include "core/session/index_queue.hpp"

#include <array>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace seedbed {
namespace {

TEST(IndexQueue, ManyThreadsTakeEachNumberOncePerPush) {
    constexpr int kNumbers = 3, kThreads = 8,
                  kTurns =
                      50'000;  // more threads than cores, so that they are preempted in the middle of a pop
    IndexQueue queue(kNumbers);
    std::array<std::atomic<int>, kNumbers> holders{};
    std::atomic<int> doubled{0}, taken{0};
    for (int number = 0; number < kNumbers; ++number) queue.push(number);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < kThreads; ++i)
            threads.emplace_back([&] {
                while (taken.load() < kThreads * kTurns) {
                    const std::optional<int> number = queue.pop();
                    if (!number) {
                        std::this_thread::yield();
                        continue;
                    }
                    auto& holder = holders[static_cast<std::size_t>(*number)];
                    if (holder.fetch_add(1) != 0) doubled.fetch_add(1);
                    taken.fetch_add(1);
                    holder.fetch_sub(1);
                    queue.push(*number);
                }
            });
    }
    EXPECT_EQ(doubled.load(), 0);
    std::array<int, kNumbers> left{};
    while (const std::optional<int> number = queue.pop()) ++left[static_cast<std::size_t>(*number)];
    for (const int count : left) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace seedbed
