// SPDX-License-Identifier: Apache-2.0
// The newest parameters of a run for players: copied into shared memory while players follow the run, and
// read by the players without a request to the run.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/mutex.hpp"
#include "core/control/control_server.hpp"
#include "core/ipc/published_slots.hpp"
#include "core/nn/net_spec.hpp"
#include "core/nn/params.hpp"

namespace seedbed {

// The run's side. Each version consists of its training steps, its Params::version and its blob. The
// segment's contract is the hash of the network's spec, so that weights of another network are rejected.
// Thread: the run's for publish() and wanted(), otherwise the control server's.
class PublishedParams final : public Publication {
public:
    // Seconds between two copies, which cost the learner and viewers time.
    static constexpr double kInterval = 0.2;

    PublishedParams(const NetSpec& spec, std::size_t param_floats);

    // Whether publish() would copy now. Costs two loads.
    bool wanted(double now) const { return followers_.load(std::memory_order_relaxed) > 0 && now >= next_; }
    // Copies the blob into shared memory, unless it already contains this version. Without followers, stores
    // it for the next follower, since a paused run publishes nothing further. `now`: seconds.
    void publish(const Params& params, std::int64_t steps, double now);

    Result<Offer> offer() override;
    // Releases the memory when the last follower leaves.
    void setFollowers(int clients) override;

private:
    const SegmentKind kind_;
    const std::size_t floats_;
    std::atomic<int> followers_{0};
    double next_ = 0;
    Mutex mutex_;  // held while copying or exchanging a pointer
    std::unique_ptr<SlotWriter> slots_ SEEDBED_GUARDED_BY(mutex_);
    std::optional<std::uint64_t> last_version_ SEEDBED_GUARDED_BY(mutex_);  // the newest version in the slots
    Params kept_ SEEDBED_GUARDED_BY(mutex_);
    std::int64_t kept_steps_ SEEDBED_GUARDED_BY(mutex_) = 0;

    void write(const Params& params, std::int64_t steps) SEEDBED_REQUIRES(mutex_);
};

// The player's side. Thread: one at a time.
class FollowedParams {
public:
    // error: the memory contains parameters of a different network.
    static Result<FollowedParams> attach(Descriptor descriptor, const NetSpec& spec,
                                         std::size_t param_floats);

    struct Version {
        Params params;
        std::int64_t steps = 0;
    };
    // The newest version, if it is newer than the last one returned and all its numbers are finite; otherwise
    // nullopt, usually at the cost of one load.
    std::optional<Version> take();

private:
    FollowedParams(SlotReader reader, std::size_t floats) : reader_(std::move(reader)), floats_(floats) {}

    SlotReader reader_;
    std::size_t floats_;
    std::vector<std::byte> bytes_;
};

}  // namespace seedbed
