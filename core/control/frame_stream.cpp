// SPDX-License-Identifier: Apache-2.0
#include "core/control/frame_stream.hpp"

#include "core/base/mutex.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kInitialSlotBytes = 256 << 10;

}  // namespace

Result<> FrameStream::reserve(std::size_t bytes) {
    if (slots_ && slots_->slotBytes() >= bytes) return {};
    std::size_t size = slots_ ? slots_->slotBytes() : kInitialSlotBytes;
    while (size < bytes) size *= 2;
    SEEDBED_ASSIGN(SlotWriter writer, SlotWriter::create("frames", kind_, size));
    if (slots_) slots_->close();
    slots_ = std::make_unique<SlotWriter>(std::move(writer));
    return {};
}

Result<> FrameStream::publish(std::span<const std::byte> head, std::span<const std::byte> cells) {
    const MutexLock lock(mutex_);
    SEEDBED_TRY(reserve(head.size() + cells.size()));
    slots_->publish({head, cells});
    return {};
}

Result<Publication::Offer> FrameStream::offer() {
    const MutexLock lock(mutex_);
    SEEDBED_TRY(reserve(1));
    SEEDBED_ASSIGN(Descriptor descriptor, slots_->descriptor().duplicate());
    return Offer{Json::object(), std::move(descriptor)};
}

}  // namespace seedbed
