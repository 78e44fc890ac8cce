// SPDX-License-Identifier: Apache-2.0
// Device memory in three pools. A pool allocates large blocks, each with one buffer, and divides them into
// regions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>

#include "core/base/mutex.hpp"
#include "gpu/vulkan/api.hpp"

namespace seedbed::gpu {

// device: fast for kernels; upload: written by the host, read by kernels; readback: written by kernels, read
// by the host.
enum class Pool : std::uint8_t { device, upload, readback };

class Memory;

// A part of a buffer. Returns its memory when it is destroyed; the Memory must still exist.
class Region {
public:
    Region() = default;
    Region(Region&& other) noexcept { swap(other); }
    Region& operator=(Region&& other) noexcept {
        Region taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~Region();

    VkBuffer buffer() const { return buffer_; }
    VkDeviceSize offset() const { return offset_; }
    VkDeviceSize bytes() const { return bytes_; }
    // Host address; null if the host cannot access the memory.
    std::byte* mapped() const { return mapped_; }

private:
    friend class Memory;
    void swap(Region& other) noexcept;

    Memory* memory_ = nullptr;
    void* block_ = nullptr;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceSize offset_ = 0, bytes_ = 0;
    std::byte* mapped_ = nullptr;
};

// Thread: any.
class Memory {
public:
    Memory(const Api& api, VkDevice device, const VkPhysicalDeviceMemoryProperties& types)
        : api_(api), device_(device), types_(types) {}
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // The region starts at a multiple of kAlignment. error: out_of_memory, device.
    Result<Region> allocate(Pool pool, VkDeviceSize bytes) SEEDBED_EXCLUDES(mutex_);
    // Bytes of all blocks.
    VkDeviceSize allocated() const SEEDBED_EXCLUDES(mutex_);
    // The device does not finish its work, so its memory must not be freed any more.
    void abandon() SEEDBED_EXCLUDES(mutex_);

    // The largest minStorageBufferOffsetAlignment that Vulkan permits.
    static constexpr VkDeviceSize kAlignment = 256;

private:
    friend class Region;
    struct Block {
        Pool pool = Pool::device;
        VkDeviceMemory memory = VK_NULL_HANDLE;
        VkBuffer buffer = VK_NULL_HANDLE;
        VkDeviceSize bytes = 0;
        std::byte* mapped = nullptr;
        std::map<VkDeviceSize, VkDeviceSize> free{};  // offset -> bytes, without adjacent ranges
    };

    Result<Block*> addBlock(Pool pool, VkDeviceSize bytes) SEEDBED_REQUIRES(mutex_);
    Result<> bind(Block& block, Pool pool) SEEDBED_REQUIRES(mutex_);
    void destroy(const Block& block);
    void release(void* block, VkDeviceSize offset, VkDeviceSize bytes) SEEDBED_EXCLUDES(mutex_);
    Result<std::uint32_t> typeFor(Pool pool, std::uint32_t allowed) const;

    const Api& api_;
    VkDevice device_;
    VkPhysicalDeviceMemoryProperties types_;
    mutable Mutex mutex_;
    std::list<Block> blocks_ SEEDBED_GUARDED_BY(mutex_);
    bool abandoned_ SEEDBED_GUARDED_BY(mutex_) = false;
};

}  // namespace seedbed::gpu
