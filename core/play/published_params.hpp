// SPDX-License-Identifier: Apache-2.0
// The newest parameters of a run for players: published into shared memory while somebody follows, read
// without asking the run for anything.
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

// The side of a run. A version is the number of steps it was trained for, its Params::version and its blob;
// the segment's contract is the hash of the network's spec, so that nobody reads weights as another
// network's. Thread: publish() is the run's, the rest the control server's.
class PublishedParams final : public Publication {
public:
    // At most so often, seconds.
    static constexpr double kInterval = 1.0 / 30;

    PublishedParams(const NetSpec& spec, std::size_t param_floats);

    // Whether publish() would write something now. Costs two loads.
    bool wanted(double now) const { return followers_.load(std::memory_order_relaxed) > 0 && now >= next_; }
    // Copies the blob into shared memory, unless this version was the last one. While nobody follows it is
    // kept for whoever comes: a run that rests publishes nothing more. `now`: seconds.
    void publish(const Params& params, std::int64_t steps, double now);

    Result<Offer> offer() override;
    // The memory is given back when the last one leaves.
    void followed(int clients) override;

private:
    const SegmentKind kind_;
    const std::size_t floats_;
    std::atomic<int> followers_{0};
    double next_ = 0;
    Mutex mutex_;  // held for a copy or an exchange of a pointer
    std::unique_ptr<SlotWriter> slots_ SEEDBED_GUARDED_BY(mutex_);
    std::optional<std::uint64_t> last_version_ SEEDBED_GUARDED_BY(mutex_);  // in these slots
    Params kept_ SEEDBED_GUARDED_BY(mutex_);
    std::int64_t kept_steps_ SEEDBED_GUARDED_BY(mutex_) = 0;

    void write(const Params& params, std::int64_t steps) SEEDBED_REQUIRES(mutex_);
};

// The side of a player. Thread: one at a time.
class FollowedParams {
public:
    // error: the memory holds parameters of another network.
    static Result<FollowedParams> attach(Descriptor descriptor, const NetSpec& spec,
                                         std::size_t param_floats);

    struct Version {
        Params params;
        std::int64_t steps = 0;
    };
    // The newest version when it is newer than the last one taken and all its numbers are finite. Costs one
    // load otherwise.
    std::optional<Version> take();

private:
    FollowedParams(SlotReader reader, std::size_t floats) : reader_(std::move(reader)), floats_(floats) {}

    SlotReader reader_;
    std::size_t floats_;
    std::vector<std::byte> bytes_;
};

}  // namespace seedbed
