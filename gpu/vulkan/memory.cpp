// SPDX-License-Identifier: Apache-2.0
#include "gpu/vulkan/memory.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace seedbed::gpu {

namespace {

constexpr VkDeviceSize kBlockBytes = VkDeviceSize{4} << 20;

VkDeviceSize aligned(VkDeviceSize bytes) {
    return (std::max<VkDeviceSize>(bytes, 1) + Memory::kAlignment - 1) / Memory::kAlignment *
           Memory::kAlignment;
}

}  // namespace

Region::~Region() {
    if (memory_ != nullptr) memory_->release(block_, offset_, bytes_);
}

void Region::swap(Region& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(block_, other.block_);
    std::swap(buffer_, other.buffer_);
    std::swap(offset_, other.offset_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_, other.mapped_);
}

Memory::~Memory() {
    const MutexLock lock(mutex_);
    if (abandoned_) return;
    for (const Block& block : blocks_) destroy(block);
}

void Memory::abandon() {
    const MutexLock lock(mutex_);
    abandoned_ = true;
}

VkDeviceSize Memory::allocated() const {
    const MutexLock lock(mutex_);
    VkDeviceSize bytes = 0;
    for (const Block& block : blocks_) bytes += block.bytes;
    return bytes;
}

Result<Region> Memory::allocate(Pool pool, VkDeviceSize bytes) {
    bytes = aligned(bytes);
    const MutexLock lock(mutex_);
    Block* from = nullptr;
    for (Block& block : blocks_) {
        if (block.pool != pool) continue;
        const bool has_room = std::any_of(block.free.begin(), block.free.end(),
                                          [bytes](const auto& range) { return range.second >= bytes; });
        if (has_room) from = &block;
        if (has_room) break;
    }
    if (from == nullptr) {
        SEEDBED_ASSIGN(from, addBlock(pool, bytes));
    }
    const auto range = std::find_if(from->free.begin(), from->free.end(),
                                    [bytes](const auto& each) { return each.second >= bytes; });
    const auto [offset, room] = *range;
    from->free.erase(range);
    if (room > bytes) from->free.emplace(offset + bytes, room - bytes);
    Region region;
    region.memory_ = this;
    region.block_ = from;
    region.buffer_ = from->buffer;
    region.offset_ = offset;
    region.bytes_ = bytes;
    region.mapped_ = from->mapped == nullptr ? nullptr : from->mapped + offset;
    return region;
}

Result<Memory::Block*> Memory::addBlock(Pool pool, VkDeviceSize bytes) {
    Block block;
    block.pool = pool;
    block.bytes = std::max(bytes, kBlockBytes);
    block.free.emplace(0, block.bytes);
    if (auto bound = bind(block, pool); !bound) {
        destroy(block);
        return tl::unexpected<Error>(std::move(bound).error());
    }
    blocks_.push_back(std::move(block));
    return &blocks_.back();
}

Result<> Memory::bind(Block& block, Pool pool) {
    const std::string what = "allocating " + std::to_string(block.bytes >> 20) + " MiB of device memory";
    VkBufferCreateInfo buffer{};
    buffer.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    buffer.size = block.bytes;
    buffer.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                   VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    buffer.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    SEEDBED_VK(api_, vkCreateBuffer(device_, &buffer, nullptr, &block.buffer), what);
    VkMemoryRequirements needs{};
    api_.vkGetBufferMemoryRequirements(device_, block.buffer, &needs);
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.allocationSize = needs.size;
    SEEDBED_ASSIGN(info.memoryTypeIndex, typeFor(pool, needs.memoryTypeBits));
    SEEDBED_VK(api_, vkAllocateMemory(device_, &info, nullptr, &block.memory), what);
    SEEDBED_VK(api_, vkBindBufferMemory(device_, block.buffer, block.memory, 0), what);
    constexpr VkMemoryPropertyFlags kHost =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if ((types_.memoryTypes[info.memoryTypeIndex].propertyFlags & kHost) != kHost) return {};
    void* mapped = nullptr;
    SEEDBED_VK(api_, vkMapMemory(device_, block.memory, 0, VK_WHOLE_SIZE, 0, &mapped), what);
    block.mapped = static_cast<std::byte*>(mapped);
    return {};
}

void Memory::destroy(const Block& block) {
    if (block.buffer != VK_NULL_HANDLE) api_.vkDestroyBuffer(device_, block.buffer, nullptr);
    if (block.memory != VK_NULL_HANDLE) api_.vkFreeMemory(device_, block.memory, nullptr);
}

void Memory::release(void* block, VkDeviceSize offset, VkDeviceSize bytes) {
    const MutexLock lock(mutex_);
    auto& from = *static_cast<Block*>(block);
    auto at = from.free.emplace(offset, bytes).first;
    if (const auto after = std::next(at);
        after != from.free.end() && at->first + at->second == after->first) {
        at->second += after->second;
        from.free.erase(after);
    }
    if (at != from.free.begin()) {
        const auto before = std::prev(at);
        if (before->first + before->second == at->first) {
            before->second += at->second;
            from.free.erase(at);
        }
    }
    if (abandoned_ || from.free.begin()->second != from.bytes) return;
    destroy(from);
    blocks_.remove_if([&from](const Block& each) { return &each == &from; });
}

Result<std::uint32_t> Memory::typeFor(Pool pool, std::uint32_t allowed) const {
    constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                    kHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                    kCached = kHost | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    // Requested properties in order; the last one is guaranteed by Vulkan.
    const std::array<VkMemoryPropertyFlags, 2> wishes =
        pool == Pool::device   ? std::array<VkMemoryPropertyFlags, 2>{kLocal, 0}
        : pool == Pool::upload ? std::array<VkMemoryPropertyFlags, 2>{kHost, kHost}
                               : std::array<VkMemoryPropertyFlags, 2>{kCached, kHost};
    for (const VkMemoryPropertyFlags wish : wishes)
        for (std::uint32_t i = 0; i < types_.memoryTypeCount; ++i)
            if ((allowed >> i & 1) != 0 && (types_.memoryTypes[i].propertyFlags & wish) == wish) return i;
    return fail(ErrorCode::device, "the Vulkan driver has no memory of the kind that is needed; update it");
}

}  // namespace seedbed::gpu
