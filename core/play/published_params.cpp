// SPDX-License-Identifier: Apache-2.0
#include "core/play/published_params.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/mutex.hpp"
#include "core/base/sha256.hpp"

namespace seedbed {
namespace {

// Stored before the blob of each version.
struct VersionHeader {
    std::int64_t steps = 0;
    std::uint64_t version = 0;
};
constexpr std::uint32_t kLayoutVersion = 1;

SegmentKind kindOf(const NetSpec& spec) {
    SegmentKind kind{segmentKind("prms"), kLayoutVersion, {}};
    const std::string hex = sha256Hex(toJson(spec).dump());
    for (std::size_t i = 0; i < kind.contract.size(); ++i)
        kind.contract[i] = static_cast<std::uint8_t>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
    return kind;
}

std::size_t versionBytes(std::size_t floats) { return sizeof(VersionHeader) + floats * sizeof(float); }

}  // namespace

PublishedParams::PublishedParams(const NetSpec& spec, std::size_t param_floats)
    : kind_(kindOf(spec)), floats_(param_floats) {}

void PublishedParams::publish(const Params& params, std::int64_t steps, double now) {
    SEEDBED_CHECK(params.blob().size() == floats_);
    const MutexLock lock(mutex_);
    if (!slots_) {
        kept_ = params;
        kept_steps_ = steps;
        return;
    }
    if (last_version_ == params.version()) return;
    write(params, steps);
    next_ = now + kInterval;
}

void PublishedParams::write(const Params& params, std::int64_t steps) {
    const VersionHeader header{steps, params.version()};
    slots_->publish({std::as_bytes(std::span(&header, 1)), std::as_bytes(params.blob())});
    last_version_ = header.version;
}

Result<Publication::Offer> PublishedParams::offer() {
    {
        const MutexLock lock(mutex_);
        if (slots_) {
            SEEDBED_ASSIGN(Descriptor descriptor, slots_->descriptor().duplicate());
            return Offer{Json::object(), std::move(descriptor)};
        }
    }
    // Only the control server's thread creates and destroys the slots, so the check above is still valid.
    SEEDBED_ASSIGN(SlotWriter writer, SlotWriter::create("params", kind_, versionBytes(floats_)));
    auto made = std::make_unique<SlotWriter>(std::move(writer));
    SEEDBED_ASSIGN(Descriptor descriptor, made->descriptor().duplicate());
    const MutexLock lock(mutex_);
    slots_ = std::move(made);
    last_version_.reset();
    if (!kept_.empty()) write(std::exchange(kept_, Params()), kept_steps_);
    return Offer{Json::object(), std::move(descriptor)};
}

void PublishedParams::setFollowers(int clients) {
    followers_.store(clients, std::memory_order_relaxed);
    if (clients > 0) return;
    std::unique_ptr<SlotWriter> dropped;
    const MutexLock lock(mutex_);
    dropped = std::move(slots_);
}

Result<FollowedParams> FollowedParams::attach(Descriptor descriptor, const NetSpec& spec,
                                              std::size_t param_floats) {
    SEEDBED_ASSIGN(SlotReader reader, SlotReader::attach(std::move(descriptor), kindOf(spec)));
    return FollowedParams(std::move(reader), param_floats);
}

std::optional<FollowedParams::Version> FollowedParams::take() {
    const auto taken = reader_.take(bytes_);
    if (!taken || bytes_.size() != versionBytes(floats_)) return std::nullopt;
    VersionHeader header;
    std::memcpy(&header, bytes_.data(), sizeof header);
    std::vector<float> blob(floats_);
    std::memcpy(blob.data(), bytes_.data() + sizeof header, floats_ * sizeof(float));
    if (!std::all_of(blob.begin(), blob.end(), [](float value) { return std::isfinite(value); }))
        return std::nullopt;
    return Version{Params(std::move(blob), header.version), header.steps};
}

}  // namespace seedbed
