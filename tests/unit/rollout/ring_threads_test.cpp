// SPDX-License-Identifier: Apache-2.0
// One writer and several readers at once: no row is overwritten while it is pinned, none is read before it is
// complete, and no thread waits forever.
#include <atomic>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "core/rollout/ring.hpp"

namespace seedbed {
namespace {

constexpr int kColumns = 4;

std::unique_ptr<Ring> makeRing(int rows, int stack) {
    RingSpec spec;
    spec.spaces.obs = {ObsLeaf{.shape = {1}, .stack = stack}};
    spec.spaces.actions = {ActionLeaf{.n = 2}};
    spec.columns = kColumns;
    spec.rows = rows;
    return std::move(*Ring::create(spec));
}

// The contents of a row are computed from its time, so that a reader detects torn or stale rows. Exact in f32
// for t < 2^20.
float mark(std::uint64_t t, int column) {
    return static_cast<float>(t * kColumns + static_cast<std::uint64_t>(column));
}

void writeObs(Ring& ring, std::uint64_t t) {
    auto* obs = reinterpret_cast<float*>(ring.obs(0, t));
    for (int column = 0; column < kColumns; ++column) obs[column] = mark(t, column);
}

void writeRows(Ring& ring, std::uint64_t count, std::stop_token stop, std::atomic<std::uint64_t>& waits) {
    writeObs(ring, 0);
    while (ring.head() < count) {
        if (!ring.hasRoom()) waits.fetch_add(1);
        if (!ring.waitForRoom(stop)) return;
        const std::uint64_t t = ring.head();
        for (int column = 0; column < kColumns; ++column) ring.reward(t)[column] = -mark(t, column);
        writeObs(ring, t + 1);
        ring.advance();
    }
}

// Number of wrong elements in rows [begin, end). Rewards are complete in these rows.
int wrongIn(Ring& ring, std::uint64_t begin, std::uint64_t end) {
    int wrong = 0;
    for (std::uint64_t t = begin; t < end; ++t)
        for (int column = 0; column < kColumns; ++column) {
            wrong += reinterpret_cast<const float*>(ring.obs(0, t))[column] != mark(t, column) ? 1 : 0;
            wrong += ring.reward(t)[column] != -mark(t, column) ? 1 : 0;
        }
    return wrong;
}

TEST(RingThreads, SlowReadersBlockTheWriterAndGetEveryRow) {
    const std::uint64_t seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    for (int round = 0; round < 20; ++round) {
        const int stack = 1 + static_cast<int>(random() % 4);
        const int length = 1 + static_cast<int>(random() % 6);
        const int history = std::max(1, stack - 1);
        const int rows = length + history + 1 + static_cast<int>(random() % 5);
        const auto ring = makeRing(rows, stack);
        const std::uint64_t count = 2000;
        std::atomic<std::uint64_t> waits{0};
        std::atomic<int> wrong{0};
        std::vector<Ring::Pin> pins;
        for (int reader = 0; reader < 3; ++reader) pins.push_back(ring->pin(0));
        std::vector<std::jthread> threads;
        for (int reader = 0; reader < 3; ++reader) {
            const auto stride = 1 + random() % static_cast<std::uint64_t>(length);
            threads.emplace_back(
                [&, reader, stride, pin = std::move(pins[static_cast<std::size_t>(reader)])]() mutable {
                    const auto window = static_cast<std::uint64_t>(length);
                    for (std::uint64_t t0 = 0; t0 + window <= count; t0 += stride) {
                        pin.moveTo(t0);
                        if (!ring->waitForRow(t0 + window, {})) break;
                        if (reader == 0 && t0 % 64 == 0)
                            std::this_thread::sleep_for(std::chrono::microseconds(200));
                        wrong += wrongIn(*ring,
                                         t0 > static_cast<std::uint64_t>(history)
                                             ? t0 - static_cast<std::uint64_t>(history)
                                             : 0,
                                         t0 + window);
                    }
                });
        }
        threads.emplace_back([&](std::stop_token stop) { writeRows(*ring, count, std::move(stop), waits); });
        threads.clear();
        EXPECT_EQ(wrong.load(), 0) << "rows " << rows << " stack " << stack << " length " << length;
        EXPECT_EQ(ring->head(), count);
        EXPECT_GT(waits.load(), 0U) << "the ring was never full, so back-pressure was not tested";
    }
}

TEST(RingThreads, RacingReadersGetCompleteRowsOrNone) {
    const std::uint64_t seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto ring = makeRing(9, 3);
    std::atomic<std::uint64_t> waits{0}, pinned{0}, refused{0};
    std::atomic<int> wrong{0};
    const std::uint64_t count = 100000;
    std::vector<std::jthread> threads;
    for (int reader = 0; reader < 3; ++reader) {
        threads.emplace_back([&, reader] {
            std::mt19937_64 random(seed + static_cast<std::uint64_t>(reader));
            while (ring->head() < count) {
                // Around the tail, where the writer is.
                const std::uint64_t tail = ring->tail();
                const std::uint64_t t = tail + random() % 3;
                const Ring::Pin pin = ring->tryPin(t);
                if (!pin) {
                    ++refused;
                    continue;
                }
                ++pinned;
                const std::uint64_t head = ring->head();
                if (t < head) wrong += wrongIn(*ring, t > 2 ? t - 2 : 0, head);
            }
        });
    }
    threads.emplace_back([&](std::stop_token stop) { writeRows(*ring, count, std::move(stop), waits); });
    threads.clear();
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_GT(pinned.load(), 0U);
}

}  // namespace
}  // namespace seedbed
