// SPDX-License-Identifier: Apache-2.0
// The Vulkan instance and the devices that it lists, in the order in which they are numbered: discrete,
// integrated and other hardware before software, in the driver's order within a kind.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/vulkan/api.hpp"

namespace seedbed::gpu {

struct DeviceInfo {
    std::string id;      // "vulkan:0"
    std::string name;    // "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string driver;  // "llvmpipe, Mesa 22.3.6 (LLVM 15.0.6)"
    std::string kind;    // "discrete", "integrated", "virtual", "software" or "other"
    bool software = false;
    std::uint64_t memory_bytes = 0;  // device-local memory
    std::string problem;             // why it cannot be used; empty if it can

    // "vulkan:0 (llvmpipe (...), software, 2.0 GiB, driver llvmpipe, Mesa 22.3.6)".
    std::string text() const;
};

// Thread: any.
class Instance {
public:
    // `library`: see loadApi(). With the environment variable SEEDBED_VULKAN_VALIDATION=1 the validation
    // layer is enabled and its messages are logged and counted. error: device, out_of_memory.
    static Result<std::shared_ptr<Instance>> create(const std::string& library = {});
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    const Api& api() const { return api_; }
    VkInstance handle() const { return instance_; }
    const std::vector<DeviceInfo>& devices() const { return infos_; }
    VkPhysicalDevice physical(std::size_t index) const { return physical_[index]; }
    // Errors and warnings of the validation layer in this process, 0 if it is not enabled.
    static int validationMessages();

private:
    Instance() = default;
    Result<> open();
    Result<> list();

    Api api_;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    std::vector<VkPhysicalDevice> physical_;
    std::vector<DeviceInfo> infos_;
};

// The index of `name` in `devices`: "vulkan:N", or "vulkan" for the first that is not software. error:
// device, with the reasons and the available devices.
Result<std::size_t> chooseDevice(const std::vector<DeviceInfo>& devices, const std::string& name);

}  // namespace seedbed::gpu
