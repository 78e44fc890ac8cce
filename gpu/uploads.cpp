// SPDX-License-Identifier: Apache-2.0
#include "gpu/uploads.hpp"

#include <cstring>
#include <utility>

namespace seedbed::gpu {

Uploads::Uploads(std::shared_ptr<Device> device, VkDeviceSize bytes)
    : device_(std::move(device)), bytes_(bytes) {}

Uploads::~Uploads() {
    const MutexLock lock(mutex_);
    if (device_->isHanging()) return;
    const Api& api = device_->api();
    if (fence_ != VK_NULL_HANDLE) api.vkDestroyFence(device_->handle(), fence_, nullptr);
    if (pool_ != VK_NULL_HANDLE) api.vkDestroyCommandPool(device_->handle(), pool_, nullptr);
}

Result<> Uploads::use(const Params& params, ParamSlot*& slot) {
    if (slot != nullptr && slot->holds(params)) return {};
    release(slot);
    const MutexLock lock(mutex_);
    ParamSlot* found = nullptr;
    for (ParamSlot& known : slots_)
        if (known.holds(params)) found = &known;
    if (found == nullptr) {
        SEEDBED_ASSIGN(found, freeSlot());
        SEEDBED_TRY(fill(*found, params));
    }
    ++found->users;
    slot = found;
    return {};
}

void Uploads::release(ParamSlot*& slot) {
    const MutexLock lock(mutex_);
    if (slot != nullptr) --slot->users;
    slot = nullptr;
}

void Uploads::rename(ParamSlot& slot, const Params& params) {
    const MutexLock lock(mutex_);
    slot.params = params;
}

// Prefers the oldest version that no context uses. One unused version is kept, because actors alternate
// between the versions of the learner and their own.
Result<ParamSlot*> Uploads::freeSlot() {
    ParamSlot* oldest = nullptr;
    int unused = 0;
    for (ParamSlot& slot : slots_) {
        if (slot.users > 0) continue;
        ++unused;
        if (oldest == nullptr || slot.params.empty() || slot.params.version() < oldest->params.version())
            oldest = &slot;
    }
    if (unused > 1) return oldest;
    ParamSlot slot;
    slot.number = static_cast<std::uint32_t>(slots_.size());
    SEEDBED_ASSIGN(slot.memory, device_->memory().allocate(Pool::device, bytes_));
    if (slot.memory.mapped() == nullptr) {
        SEEDBED_ASSIGN(slot.staging, device_->memory().allocate(Pool::upload, bytes_));
    }
    slots_.push_back(std::move(slot));
    return &slots_.back();
}

Result<> Uploads::fill(ParamSlot& slot, const Params& params) {
    slot.params = Params();
    std::byte* host = slot.memory.mapped() != nullptr ? slot.memory.mapped() : slot.staging.mapped();
    std::memcpy(host, params.blob().data(), params.blob().size_bytes());
    if (slot.memory.mapped() == nullptr) {
        SEEDBED_TRY(copy(slot));
    }
    slot.params = params;
    return {};
}

Result<> Uploads::createCommands() {
    const Api& api = device_->api();
    const char* what = "preparing a transfer";
    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = device_->queueFamily();
    SEEDBED_VK(api, vkCreateCommandPool(device_->handle(), &pool, nullptr, &pool_), what);
    VkCommandBufferAllocateInfo buffer{};
    buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    buffer.commandPool = pool_;
    buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    buffer.commandBufferCount = 1;
    SEEDBED_VK(api, vkAllocateCommandBuffers(device_->handle(), &buffer, &command_), what);
    VkFenceCreateInfo fence{};
    fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    SEEDBED_VK(api, vkCreateFence(device_->handle(), &fence, nullptr, &fence_), what);
    VkSubmitInfo submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &command_;
    batch_.assign(1, submit);
    return {};
}

Result<> Uploads::copy(const ParamSlot& slot) {
    if (batch_.empty()) {
        SEEDBED_TRY(createCommands());
    }
    const Api& api = device_->api();
    const char* what = "transferring parameters";
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    SEEDBED_VK(api, vkBeginCommandBuffer(command_, &begin), what);
    const VkBufferCopy range{slot.staging.offset(), slot.memory.offset(), bytes_};
    api.vkCmdCopyBuffer(command_, slot.staging.buffer(), slot.memory.buffer(), 1, &range);
    SEEDBED_VK(api, vkEndCommandBuffer(command_), what);
    return device_->run(batch_, fence_, 0);
}

}  // namespace seedbed::gpu
