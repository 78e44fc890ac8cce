// SPDX-License-Identifier: Apache-2.0
// Memory of a context that is laid out separately for every kind of call and grows to the largest one.
#pragma once

#include "gpu/vulkan/memory.hpp"

namespace seedbed::gpu {

// A range of a buffer that a kernel reads or writes.
struct Slice {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0, bytes = 0;
    std::byte* host = nullptr;  // the same bytes on the host; null if the host cannot access them

    explicit operator bool() const { return bytes != 0; }
};

// Use: begin(), take() for every range, grow(); then begin() and the same calls of take() again, whose
// results are valid until the memory moves.
class Arena {
public:
    Arena(Memory& memory, Pool pool) : memory_(memory), pool_(pool) {}

    void begin() { used_ = 0; }
    Slice take(VkDeviceSize bytes) {
        const VkDeviceSize begin = used_, size = (bytes + 15) / 16 * 16;
        used_ += (size + Memory::kAlignment - 1) / Memory::kAlignment * Memory::kAlignment;
        most_ = used_ > most_ ? used_ : most_;
        std::byte* host = region_.mapped() == nullptr ? nullptr : region_.mapped() + begin;
        return {region_.buffer(), region_.offset() + begin, size, host};
    }
    bool mustGrow() const { return most_ > region_.bytes(); }
    // Moves the memory if it must grow. After an error there is no memory; call release() before begin().
    // error: out_of_memory, device.
    Result<> grow() {
        if (!mustGrow()) return {};
        region_ = Region();  // first, because there may not be enough memory for both
        SEEDBED_ASSIGN(region_, memory_.allocate(pool_, most_));
        return {};
    }
    // Frees the memory and forgets its size.
    void release() {
        region_ = Region();
        most_ = 0;
    }

private:
    Memory& memory_;
    Pool pool_;
    Region region_;
    VkDeviceSize used_ = 0, most_ = 0;
};

}  // namespace seedbed::gpu
