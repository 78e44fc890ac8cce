// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/memory.hpp"

#include <algorithm>

namespace seedbed::ui::live {
namespace {

// A type of memory that the requirements allow, with the properties if there is one.
std::uint32_t memoryType(VkPhysicalDevice device, std::uint32_t allowed, VkMemoryPropertyFlags wanted) {
    VkPhysicalDeviceMemoryProperties types{};
    vkGetPhysicalDeviceMemoryProperties(device, &types);
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; i < types.memoryTypeCount; ++i) {
        if (!(allowed & (1U << i))) continue;
        if ((types.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
        any = i;
    }
    return any;
}

bool allocate(QVulkanWindow& window, const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted,
              VkDeviceMemory& memory, Status& status) {
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.allocationSize = needs.size;
    info.memoryTypeIndex = memoryType(window.physicalDevice(), needs.memoryTypeBits, wanted);
    return status.check(vkAllocateMemory(window.device(), &info, nullptr, &memory), "vkAllocateMemory");
}

void barrier(VkCommandBuffer commands, VkImage image, std::uint32_t layers, VkImageLayout from,
             VkImageLayout to) {
    const bool before = to == VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    VkImageMemoryBarrier change{};
    change.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    change.srcAccessMask = before ? VK_ACCESS_SHADER_READ_BIT : VK_ACCESS_TRANSFER_WRITE_BIT;
    change.dstAccessMask = before ? VK_ACCESS_TRANSFER_WRITE_BIT : VK_ACCESS_SHADER_READ_BIT;
    change.oldLayout = from;
    change.newLayout = to;
    change.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    change.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    change.image = image;
    change.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers};
    vkCmdPipelineBarrier(commands,
                         before ? VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
                         before ? VK_PIPELINE_STAGE_TRANSFER_BIT : VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0,
                         0, nullptr, 0, nullptr, 1, &change);
}

}  // namespace

bool Status::check(VkResult result, const char* call) {
    if (result == VK_SUCCESS) return true;
    if (!failed()) failure_ = std::string(call) + " returned " + std::to_string(static_cast<int>(result));
    return false;
}

bool Buffer::grow(QVulkanWindow& window, VkDeviceSize bytes, VkBufferUsageFlags usage, Status& status) {
    if (bytes <= size) return true;
    const VkDevice device = window.device();
    destroy(device);
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = std::max<VkDeviceSize>(4096, bytes + bytes / 2);
    info.usage = usage;
    if (!status.check(vkCreateBuffer(device, &info, nullptr, &handle), "vkCreateBuffer")) return false;
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(device, handle, &needs);
    if (!allocate(window, needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                  memory, status) ||
        !status.check(vkBindBufferMemory(device, handle, memory, 0), "vkBindBufferMemory") ||
        !status.check(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory"))
        return false;
    size = info.size;
    return true;
}

void Buffer::destroy(VkDevice device) {
    vkDestroyBuffer(device, handle, nullptr);
    vkFreeMemory(device, memory, nullptr);
    *this = {};
}

bool Pictures::create(QVulkanWindow& window, std::uint32_t wide, std::uint32_t high, std::uint32_t count,
                      Status& status) {
    const VkDevice device = window.device();
    destroy(device);
    VkImageCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.extent = {wide, high, 1};
    info.mipLevels = 1;
    info.arrayLayers = count;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (!status.check(vkCreateImage(device, &info, nullptr, &image), "vkCreateImage")) return false;
    VkMemoryRequirements needs{};
    vkGetImageMemoryRequirements(device, image, &needs);
    if (!allocate(window, needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, memory, status) ||
        !status.check(vkBindImageMemory(device, image, memory, 0), "vkBindImageMemory"))
        return false;
    VkImageViewCreateInfo seen{};
    seen.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    seen.image = image;
    seen.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    seen.format = info.format;
    seen.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, count};
    width = wide;
    height = high;
    layers = count;
    return status.check(vkCreateImageView(device, &seen, nullptr, &view), "vkCreateImageView");
}

void Pictures::destroy(VkDevice device) {
    vkDestroyImageView(device, view, nullptr);
    vkDestroyImage(device, image, nullptr);
    vkFreeMemory(device, memory, nullptr);
    *this = {};
}

void Pictures::copyFrom(VkBuffer buffer, VkCommandBuffer commands) const {
    barrier(commands, image, layers, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    VkBufferImageCopy copy{};
    copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers};
    copy.imageExtent = {width, height, 1};
    vkCmdCopyBufferToImage(commands, buffer, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    barrier(commands, image, layers, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

}  // namespace seedbed::ui::live
