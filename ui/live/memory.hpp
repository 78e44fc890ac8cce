// SPDX-License-Identifier: GPL-3.0-or-later
// Buffers and images of the window's device.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <string>

#include <QVulkanWindow>

namespace seedbed::ui::live {

// The first failed call of a device; later ones are ignored. Nothing more is drawn after it.
class Status {
public:
    // False if the call failed.
    bool check(VkResult result, const char* call);
    bool failed() const { return !failure_.empty(); }
    const std::string& failure() const { return failure_; }

private:
    std::string failure_;
};

// Memory that the processor writes. Empty until grow().
struct Buffer {
    VkBuffer handle = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    void* mapped = nullptr;
    VkDeviceSize size = 0;

    // At least `bytes`; loses its content. The device must not use the buffer.
    bool grow(QVulkanWindow& window, VkDeviceSize bytes, VkBufferUsageFlags usage, Status& status);
    void destroy(VkDevice device);
};

// An array of equal pictures, RGBA, that shaders read.
struct Pictures {
    VkImage image = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    std::uint32_t width = 0, height = 0, layers = 0;

    bool create(QVulkanWindow& window, std::uint32_t wide, std::uint32_t high, std::uint32_t count,
                Status& status);
    void destroy(VkDevice device);
    // Records a copy of all layers, one after another in the buffer.
    void copyFrom(VkBuffer buffer, VkCommandBuffer commands) const;
};

}  // namespace seedbed::ui::live
