// SPDX-License-Identifier: Apache-2.0
// The minimum that this engine requires of a device.
#pragma once

#include <string>

#include "gpu/vulkan/api.hpp"

namespace seedbed::gpu {

constexpr std::uint32_t kBindings = 8;    // storage buffers of a kernel
constexpr std::uint32_t kPushBytes = 96;  // push constants of a kernel
constexpr std::uint32_t kGroupThreads = 64;

// Why the device cannot be used; empty if it can.
std::string problemOf(const Api& api, VkPhysicalDevice physical,
                      const VkPhysicalDeviceProperties& properties);
// The first queue family with compute, preferring one without graphics; not `found` if the device
// has no such family.
struct QueueFamily {
    std::uint32_t index = 0;
    bool found = false;
};
QueueFamily computeFamily(const Api& api, VkPhysicalDevice physical);

}  // namespace seedbed::gpu
