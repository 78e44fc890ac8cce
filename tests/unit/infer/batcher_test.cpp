// SPDX-License-Identifier: Apache-2.0
// Batches close by size, at a deadline, or when every live group has arrived. Every group is served exactly
// once.
#include "core/infer/batcher.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace seedbed {
namespace {

using Closed = Batcher::Closed;

std::vector<int> take(Batcher& batcher) {
    std::vector<int> groups;
    batcher.take(groups);
    return groups;
}

TEST(Batcher, ClosesBySizeWithTheGroupsThatCameFirst) {
    Batcher batcher({4, 4, 4, 4}, {.rows = 8});
    for (int g = 0; g < 4; ++g) batcher.expect(g);
    batcher.arrive(2, 10);
    EXPECT_FALSE(batcher.due(1'000'000));
    batcher.arrive(0, 20);
    ASSERT_TRUE(batcher.due(20));
    EXPECT_EQ(batcher.reason(20), Closed::size);
    batcher.arrive(3, 30);
    EXPECT_EQ(take(batcher), (std::vector<int>{2, 0}));
    EXPECT_FALSE(batcher.due(30)) << "group 1 has not arrived yet";
    EXPECT_TRUE(batcher.arrived(3));
}

TEST(Batcher, ClosesByDeadlineAfterTheFirstArrival) {
    Batcher batcher({1, 1, 1}, {.rows = 3, .deadline_ns = 100});
    for (int g = 0; g < 3; ++g) batcher.expect(g);
    EXPECT_EQ(batcher.wakeAt(), CloseRule::kNever);
    batcher.arrive(1, 1000);
    batcher.arrive(0, 1090);
    EXPECT_EQ(batcher.wakeAt(), 1100);
    EXPECT_FALSE(batcher.due(1099));
    ASSERT_TRUE(batcher.due(1100));
    EXPECT_EQ(batcher.reason(1100), Closed::deadline);
    EXPECT_EQ(take(batcher), (std::vector<int>{1, 0}));
}

TEST(Batcher, AZeroDeadlineClosesImmediatelyAndNoDeadlineNever) {
    Batcher at_once({1, 1}, {.rows = 2, .deadline_ns = 0});
    at_once.expect(0);
    at_once.expect(1);
    at_once.arrive(0, 5);
    EXPECT_TRUE(at_once.due(5));
    Batcher never({1, 1}, {.rows = 2});
    never.expect(0);
    never.expect(1);
    never.arrive(0, 5);
    EXPECT_FALSE(never.due(CloseRule::kNever - 1));
}

TEST(Batcher, ClosesWhenAllLiveGroupsHaveArrivedDespiteALostGroup) {
    Batcher batcher({2, 2, 2}, {.rows = 100});
    for (int g = 0; g < 3; ++g) batcher.expect(g);
    batcher.arrive(0, 1);
    batcher.arrive(1, 2);
    EXPECT_FALSE(batcher.due(3));
    batcher.dismiss(2);
    ASSERT_TRUE(batcher.due(3));
    EXPECT_EQ(batcher.reason(3), Closed::all_arrived);
    EXPECT_EQ(take(batcher), (std::vector<int>{0, 1}));
    // The lost group returns.
    batcher.arrive(2, 4);
    EXPECT_EQ(take(batcher), (std::vector<int>{2}));
}

TEST(Batcher, WithoutASizeLimitAllGroupsAreTaken) {
    Batcher batcher({1, 2, 3}, {.rows = 0});
    for (int g = 0; g < 3; ++g) batcher.arrive(g, g);
    EXPECT_EQ(batcher.waitingRows(), 6);
    EXPECT_EQ(take(batcher).size(), 3u);
    EXPECT_EQ(batcher.waitingRows(), 0);
}

TEST(Batcher, AGroupThatArrivesTwiceIsServedOnce) {
    Batcher batcher({1, 1}, {.rows = 0});
    batcher.arrive(0, 1);
    batcher.arrive(0, 2);
    EXPECT_EQ(take(batcher), (std::vector<int>{0}));
    EXPECT_FALSE(batcher.due(3));
}

// Compares random histories with a model: every arrival is served exactly once, in order, not before there is
// a reason to close, and not after the deadline.
TEST(Batcher, ServesEveryArrivalOnceInOrderAndWithinTheDeadlineInRandomHistories) {
    for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::uint32_t n) { return random() % n; };
        const int groups = 1 + static_cast<int>(below(8));
        std::vector<int> columns;
        for (int g = 0; g < groups; ++g) columns.push_back(1 + static_cast<int>(below(4)));
        CloseRule rule{.rows = static_cast<int>(below(10))};
        if (below(3) != 0) rule.deadline_ns = below(50);
        Batcher batcher(columns, rule);
        std::vector<std::pair<int, std::int64_t>> waiting;  // model: arrivals in order
        std::set<int> expected;
        std::int64_t now = 0;
        for (int i = 0; i < 200; ++i) {
            now += below(20);
            const int g = static_cast<int>(below(static_cast<std::uint32_t>(groups)));
            const bool waits =
                std::any_of(waiting.begin(), waiting.end(), [g](const auto& w) { return w.first == g; });
            switch (below(4)) {
                case 0:
                case 1:
                    batcher.arrive(g, now);
                    if (!waits) {
                        waiting.emplace_back(g, now);
                        expected.erase(g);
                    }
                    break;
                case 2:
                    batcher.expect(g);
                    if (!waits) expected.insert(g);
                    break;
                default: batcher.dismiss(g); expected.erase(g);
            }
            int rows = 0;
            for (const auto& [group, time] : waiting) rows += columns[static_cast<std::size_t>(group)];
            const bool full = rule.rows > 0 && rows >= rule.rows;
            const bool late = !waiting.empty() && rule.deadline_ns != CloseRule::kNever &&
                              now - waiting[0].second >= rule.deadline_ns;
            ASSERT_EQ(batcher.due(now), !waiting.empty() && (full || late || expected.empty()))
                << "seed " << seed;
            if (!batcher.due(now)) continue;
            const std::vector<int> taken = take(batcher);
            int taken_rows = 0;
            for (std::size_t k = 0; k < taken.size(); ++k) {
                ASSERT_EQ(taken[k], waiting[k].first) << "seed " << seed;
                ASSERT_TRUE(rule.rows == 0 || taken_rows < rule.rows)
                    << "the batch is larger than necessary, seed " << seed;
                taken_rows += columns[static_cast<std::size_t>(taken[k])];
            }
            ASSERT_TRUE(taken.size() == waiting.size() || taken_rows >= rule.rows) << "seed " << seed;
            waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(taken.size()));
        }
    }
}

}  // namespace
}  // namespace seedbed
