// SPDX-License-Identifier: Apache-2.0
// Publishes a player's frames, or its inspections, in shared memory, which is replaced by a larger segment if
// a version does not fit.
#pragma once

#include <atomic>
#include <memory>

#include "core/base/mutex.hpp"
#include "core/control/control_server.hpp"
#include "core/control/player_frame.hpp"
#include "core/ipc/published_slots.hpp"

namespace seedbed {

// Thread: the player calls wanted() and publish(); the control server calls the others.
class FrameStream final : public Publication {
public:
    explicit FrameStream(SegmentKind kind = kFrameSegment) : kind_(kind) {}
    bool wanted() const { return viewers_.load(std::memory_order_relaxed) > 0; }
    // Never waits for viewers. error: out_of_memory; the frame is dropped.
    Result<> publish(std::span<const std::byte> head, std::span<const std::byte> cells);

    Result<Offer> offer() override;
    void setFollowers(int clients) override { viewers_.store(clients, std::memory_order_relaxed); }

private:
    Result<> reserve(std::size_t bytes) SEEDBED_REQUIRES(mutex_);

    const SegmentKind kind_;
    std::atomic<int> viewers_{0};
    Mutex mutex_;
    std::unique_ptr<SlotWriter> slots_ SEEDBED_GUARDED_BY(mutex_);
};

}  // namespace seedbed
