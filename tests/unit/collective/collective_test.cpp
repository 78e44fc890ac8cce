// SPDX-License-Identifier: Apache-2.0
// Sums and gathers of ranks, between threads and over TCP; groups after the loss of a rank; tokens.
#include <algorithm>
#include <functional>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "core/fleet/collective/tcp_ranks.hpp"
#include "core/learn/lanes.hpp"

namespace seedbed {
namespace {

constexpr const char* kToken = "a token of tests, long enough";

std::vector<std::vector<float>> randomValues(int ranks, std::size_t count) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0, 1000);
    std::vector<std::vector<float>> values(static_cast<std::size_t>(ranks), std::vector<float>(count));
    for (auto& own : values)
        for (float& value : own) value = normal(random);
    return values;
}

// The tree of shards in one process.
std::vector<float> treeSum(const std::vector<std::vector<float>>& values) {
    Lanes lanes(values[0].size());
    lanes.require(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) std::ranges::copy(values[i], lanes.lane(i));
    WorkerPool pool(1);
    const std::vector<std::size_t> counts(values.size(), 1);
    EXPECT_TRUE(lanes.sum(counts, pool));
    return lanes.total();
}

void onEveryRank(int ranks, const std::function<void(int)>& body) {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) threads.emplace_back([&body, rank] { body(rank); });
}

TEST(Collective, SumsInTheTreeOfTheShards) {
    for (const int ranks : {1, 2, 4, 8})
        for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{10'001}}) {
            auto all = loopbackRanks(ranks);
            auto values = randomValues(ranks, count);
            const std::vector<float> expected = treeSum(values);
            onEveryRank(ranks, [&](int rank) {
                const auto r = static_cast<std::size_t>(rank);
                std::vector<float> scratch;
                EXPECT_TRUE(sumInTree(*all[r], values[r], scratch).has_value());
                EXPECT_EQ(values[r], expected) << ranks << " ranks, " << count << " numbers";
            });
        }
}

TEST(Collective, GathersInRankOrderAndSharesErrors) {
    auto all = loopbackRanks(4);
    onEveryRank(4, [&](int rank) {
        const std::vector<double> mine{1.0 * rank, 10.0 * rank};
        std::vector<double> gathered;
        Collective& collective = *all[static_cast<std::size_t>(rank)];
        EXPECT_TRUE(gatherAll(collective, {}, std::span<const double>(mine), gathered).has_value());
        EXPECT_EQ(gathered, (std::vector<double>{0, 0, 1, 10, 2, 20, 3, 30}));
        Result<> own;
        if (rank >= 2) own = fail(ErrorCode::stalled, "rank " + std::to_string(rank) + " is stuck");
        const Result<> shared = gatherAll(collective, own, std::span<const double>(mine), gathered);
        ASSERT_FALSE(shared.has_value());
        EXPECT_EQ(shared.error().code, ErrorCode::stalled);
        EXPECT_NE(shared.error().text().find("rank 2 is stuck"), std::string::npos);
    });
}

TEST(Collective, EndsAllCallsWhenAborted) {
    auto all = loopbackRanks(2);
    std::jthread other([&] {
        std::vector<double> gathered;
        const double mine = 1;
        EXPECT_EQ(gatherAll(*all[1], {}, std::span(&mine, 1), gathered).error().code, kRankLost);
    });
    all[0]->abort();
}

TcpRankOptions optionsOf(int ranks, int port) {
    return {.meet = {"127.0.0.1", port}, .token = kToken, .ranks = ranks};
}

// All ranks of a group over TCP, each used by its own thread.
std::vector<std::unique_ptr<TcpRanks>> tcpRanks(int ranks) {
    std::vector<std::unique_ptr<TcpRanks>> all(static_cast<std::size_t>(ranks));
    auto leader = TcpRanks::listen(optionsOf(ranks, 0));
    EXPECT_TRUE(leader.has_value()) << leader.error().text();
    all[0] = std::move(*leader);
    const int port = all[0]->address().port;
    onEveryRank(ranks, [&](int rank) {
        if (rank == 0) {
            EXPECT_TRUE(all[0]->meet({}).has_value());
            return;
        }
        auto joined = TcpRanks::join(optionsOf(ranks, port), rank, {});
        EXPECT_TRUE(joined.has_value()) << joined.error().text();
        all[static_cast<std::size_t>(rank)] = std::move(*joined);
    });
    return all;
}

TEST(TcpRanks, SumInTheTreeOfTheShards) {
    for (const int ranks : {2, 4}) {
        auto all = tcpRanks(ranks);
        // More than the buffers of a connection hold.
        auto values = randomValues(ranks, 3'000'001);
        const std::vector<float> expected = treeSum(values);
        onEveryRank(ranks, [&](int rank) {
            const auto r = static_cast<std::size_t>(rank);
            std::vector<float> scratch;
            EXPECT_TRUE(sumInTree(*all[r]->collective(), values[r], scratch).has_value());
            EXPECT_TRUE(values[r] == expected) << "rank " << rank;
        });
    }
}

// Rank `lost` leaves during a sum; the others form a group again.
void loseRank(int ranks, int lost, int remaining) {
    auto all = tcpRanks(ranks);
    std::vector<float> sums(static_cast<std::size_t>(ranks), -1);
    onEveryRank(ranks, [&](int rank) {
        const auto r = static_cast<std::size_t>(rank);
        if (rank == lost) {
            all[r].reset();
            return;
        }
        std::vector<float> values(100, 1), scratch;
        const Result<> summed = sumInTree(*all[r]->collective(), values, scratch);
        EXPECT_TRUE(!summed && summed.error().code == kRankLost);
        if (rank == 0) {
            const auto states = all[0]->survivors({});
            ASSERT_TRUE(states.has_value());
            for (int other = 1; other < ranks; ++other)
                EXPECT_EQ((*states)[static_cast<std::size_t>(other - 1)].size(), other == lost ? 0u : 3u);
            ASSERT_TRUE(all[0]->regroup().has_value());
        } else {
            const auto kept = all[r]->rejoin({1, 2, 3});
            ASSERT_TRUE(kept.has_value()) << kept.error().text();
            if (!*kept) return;
        }
        EXPECT_EQ(all[r]->ranks(), remaining);
        sums[r] = 1;
        if (remaining == 1) return;
        std::vector<float> again(100, 1);
        EXPECT_TRUE(sumInTree(*all[r]->collective(), again, scratch).has_value());
        EXPECT_EQ(again, std::vector<float>(100, static_cast<float>(remaining)));
    });
    EXPECT_EQ(std::ranges::count(sums, 1.0f), remaining);
}

TEST(TcpRanks, FormASmallerGroupAfterALoss) {
    loseRank(2, 1, 1);
    loseRank(4, 3, 2);
    loseRank(4, 1, 2);
}

TEST(TcpRanks, RefuseAnotherToken) {
    auto leader = TcpRanks::listen(optionsOf(2, 0));
    ASSERT_TRUE(leader.has_value());
    TcpRankOptions wrong = optionsOf(2, (*leader)->address().port);
    wrong.token += "!";
    std::jthread meeting([&] { EXPECT_TRUE((*leader)->meet({}).has_value()); });
    const auto refused = TcpRanks::join(wrong, 1, {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("another token"), std::string::npos) << refused.error().text();
    const auto right = TcpRanks::join(optionsOf(2, (*leader)->address().port), 1, {});
    EXPECT_TRUE(right.has_value()) << right.error().text();
}

TEST(TcpRanks, ReportMissingRanksInTime) {
    TcpRankOptions options = optionsOf(2, 0);
    options.meet_ms = 50;
    auto leader = TcpRanks::listen(options);
    ASSERT_TRUE(leader.has_value());
    const Result<> met = (*leader)->meet({});
    ASSERT_FALSE(met.has_value());
    EXPECT_NE(met.error().text().find("only 1 of 2 ranks"), std::string::npos) << met.error().text();
}

TEST(TcpAddress, IsHostAndPort) {
    EXPECT_EQ(TcpAddress::parse("node1:4000")->port, 4000);
    EXPECT_EQ(TcpAddress::parse("[::1]:4000")->host, "::1");
    EXPECT_EQ(TcpAddress::parse("[::1]:4000")->text(), "[::1]:4000");
    for (const char* bad : {"", "node1", ":4000", "node1:", "node1:x", "node1:70000", "node1:-1"})
        EXPECT_FALSE(TcpAddress::parse(bad).has_value()) << bad;
}

}  // namespace
}  // namespace seedbed
