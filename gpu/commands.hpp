// SPDX-License-Identifier: Apache-2.0
// A pool for command buffers, and a fence to wait for them. Thread: one owner.
#pragma once

#include "gpu/vulkan/device.hpp"

namespace seedbed::gpu {

class CommandPool {
public:
    explicit CommandPool(Device& device) : device_(device) {}
    ~CommandPool() {
        if (device_.isHanging()) return;
        if (fence_ != VK_NULL_HANDLE) device_.api().vkDestroyFence(device_.handle(), fence_, nullptr);
        if (pool_ != VK_NULL_HANDLE) device_.api().vkDestroyCommandPool(device_.handle(), pool_, nullptr);
    }
    CommandPool(const CommandPool&) = delete;
    CommandPool& operator=(const CommandPool&) = delete;

    // Has no effect once it has succeeded. error: device, out_of_memory.
    Result<> open() {
        if (pool_ == VK_NULL_HANDLE) {
            VkCommandPoolCreateInfo info{};
            info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
            info.queueFamilyIndex = device_.queueFamily();
            SEEDBED_VK(device_.api(), vkCreateCommandPool(device_.handle(), &info, nullptr, &pool_),
                       "creating a command pool");
        }
        if (fence_ == VK_NULL_HANDLE) {
            VkFenceCreateInfo info{};
            info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
            SEEDBED_VK(device_.api(), vkCreateFence(device_.handle(), &info, nullptr, &fence_),
                       "creating a fence");
        }
        return {};
    }
    VkCommandPool pool() const { return pool_; }
    VkFence fence() const { return fence_; }

private:
    Device& device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkFence fence_ = VK_NULL_HANDLE;
};

}  // namespace seedbed::gpu
