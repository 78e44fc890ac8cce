// SPDX-License-Identifier: Apache-2.0
// A bounded lock-free queue of group numbers for many threads: Vyukov's bounded MPMC queue (1024cores.net,
// 2010).
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>

namespace seedbed {

// Each cell contains the ticket of the next operation on it: `i` if it is free for push number i, `i + 1` if
// it contains that value. Thread: any.
class IndexQueue {
public:
    // Has room for at least `capacity` numbers.
    explicit IndexQueue(std::size_t capacity)
        : mask_(std::bit_ceil(capacity + 1) - 1), cells_(std::make_unique<Cell[]>(mask_ + 1)) {
        for (std::size_t i = 0; i <= mask_; ++i) cells_[i].ticket.store(i, std::memory_order_relaxed);
    }

    // The queue is never full, since it has at least as many cells as numbers; waits for a pop that has not
    // released its cell yet.
    void push(int index) {
        std::size_t at = push_.load(std::memory_order_relaxed);
        while (true) {
            Cell& cell = cells_[at & mask_];
            const std::size_t ticket = cell.ticket.load(std::memory_order_acquire);
            if (ticket == at) {
                if (!push_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) continue;
                cell.index = index;
                cell.ticket.store(at + 1, std::memory_order_release);
                return;
            }
            if (ticket < at) std::this_thread::yield();
            at = push_.load(std::memory_order_relaxed);
        }
    }

    std::optional<int> pop() {
        std::size_t at = pop_.load(std::memory_order_relaxed);
        while (true) {
            Cell& cell = cells_[at & mask_];
            const std::size_t ticket = cell.ticket.load(std::memory_order_acquire);
            if (ticket == at + 1) {
                if (!pop_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) continue;
                const int index = cell.index;
                cell.ticket.store(at + mask_ + 1, std::memory_order_release);
                return index;
            }
            if (ticket < at + 1) return std::nullopt;
            at = pop_.load(std::memory_order_relaxed);
        }
    }

private:
    struct Cell {
        std::atomic<std::size_t> ticket{0};
        int index = 0;
    };
    std::size_t mask_;
    std::unique_ptr<Cell[]> cells_;
    alignas(64) std::atomic<std::size_t> push_{0};
    alignas(64) std::atomic<std::size_t> pop_{0};
};

}  // namespace seedbed
