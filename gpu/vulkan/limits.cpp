// SPDX-License-Identifier: Apache-2.0
#include "gpu/vulkan/limits.hpp"

#include <vector>

namespace seedbed::gpu {

QueueFamily computeFamily(const Api& api, VkPhysicalDevice physical) {
    std::uint32_t count = 0;
    api.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    api.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    QueueFamily chosen;
    for (std::uint32_t i = 0; i < count; ++i) {
        const VkQueueFlags flags = families[i].queueFlags;
        if ((flags & VK_QUEUE_COMPUTE_BIT) == 0 || families[i].queueCount == 0) continue;
        const bool is_dedicated = (flags & VK_QUEUE_GRAPHICS_BIT) == 0;
        if (!chosen.found || is_dedicated) chosen = {i, true};
        if (is_dedicated) break;
    }
    return chosen;
}

std::string problemOf(const Api& api, VkPhysicalDevice physical,
                      const VkPhysicalDeviceProperties& properties) {
    const VkPhysicalDeviceLimits& limits = properties.limits;
    if (properties.apiVersion < VK_API_VERSION_1_2) return "its driver does not support Vulkan 1.2";
    if (limits.maxPerStageDescriptorStorageBuffers < kBindings)
        return "its shaders can read only " + std::to_string(limits.maxPerStageDescriptorStorageBuffers) +
               " buffers, " + std::to_string(kBindings) + " are needed";
    if (!computeFamily(api, physical).found) return "it has no queue for computations";
    return "";
}

}  // namespace seedbed::gpu
