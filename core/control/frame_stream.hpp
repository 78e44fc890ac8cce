// SPDX-License-Identifier: Apache-2.0
// The side of a player: its frames in shared memory that grows when a frame needs more.
#pragma once

#include <atomic>
#include <memory>

#include "core/base/mutex.hpp"
#include "core/control/control_server.hpp"
#include "core/control/player_frame.hpp"
#include "core/ipc/published_slots.hpp"

namespace seedbed {

// Thread: publish() is the player's, the rest the control server's.
class FrameStream final : public Publication {
public:
    bool wanted() const { return viewers_.load(std::memory_order_relaxed) > 0; }
    // Never waits for a viewer. error: out_of_memory; the frame is not shown.
    Result<> publish(std::span<const std::byte> head, std::span<const std::byte> cells);

    Result<Offer> offer() override;
    void followed(int clients) override { viewers_.store(clients, std::memory_order_relaxed); }

private:
    Result<> makeRoom(std::size_t bytes) SEEDBED_REQUIRES(mutex_);

    std::atomic<int> viewers_{0};
    Mutex mutex_;
    std::unique_ptr<SlotWriter> slots_ SEEDBED_GUARDED_BY(mutex_);
};

}  // namespace seedbed
