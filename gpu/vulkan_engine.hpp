// SPDX-License-Identifier: Apache-2.0
// The engine "vulkan": the devices of this machine, opened on first use and shared by all networks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/vulkan/device.hpp"

namespace seedbed::gpu {

// All devices that the Vulkan loader lists, including those that cannot be used. error: device.
Result<std::vector<DeviceInfo>> vulkanDevices();
// For EngineEntry::devices: the devices that can be used, the alias "vulkan", then the others as "unusable: "
// and the reason. error: device, if none can be used.
Result<std::vector<std::string>> deviceTexts(const std::vector<DeviceInfo>& devices);
// "vulkan" or "vulkan:N"; a device that was lost is opened again. error: device, out_of_memory.
Result<std::shared_ptr<Device>> openVulkanDevice(const std::string& name);

}  // namespace seedbed::gpu
