// SPDX-License-Identifier: Apache-2.0
// The compute pipelines of a device, compiled on first use. Drivers' compiled code is kept in a file of the
// cache folder.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/mutex.hpp"
#include "core/base/os/files.hpp"
#include "gpu/vulkan/api.hpp"

namespace seedbed::gpu {

// Thread: any.
class Pipelines {
public:
    Pipelines(const Api& api, VkDevice device, const VkPhysicalDeviceProperties& properties);
    // Writes the cache file if pipelines were compiled, and removes those of the same device's other BUILDs.
    ~Pipelines();
    Pipelines(const Pipelines&) = delete;
    Pipelines& operator=(const Pipelines&) = delete;

    // Reads the cache file; one that is missing, damaged or refused is ignored. error: out_of_memory, device.
    Result<> open();
    // The pipeline of the kernel in shaders/<name>.comp. error: out_of_memory, device.
    Result<VkPipeline> pipeline(std::string_view name) SEEDBED_EXCLUDES(mutex_);
    // All kernels have kBindings storage buffers in set 0 and kPushBytes of push constants.
    VkDescriptorSetLayout setLayout() const { return set_layout_; }
    VkPipelineLayout layout() const { return layout_; }
    // Neither destroys nor writes anything any more.
    void abandon() { abandoned_ = true; }

    // The cache file of a device, "vulkan-VENDOR-DEVICE-BUILD.bin"; empty if there is no cache folder. BUILD
    // identifies the driver's version and the kernels.
    static Path cacheFile(const VkPhysicalDeviceProperties& properties);

private:
    Result<> createCache();
    void save();

    const Api& api_;
    VkDevice device_;
    Path file_;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipelineCache cache_ = VK_NULL_HANDLE;
    bool abandoned_ = false;
    Mutex mutex_;
    std::map<std::string, VkPipeline, std::less<>> pipelines_ SEEDBED_GUARDED_BY(mutex_);
    bool compiled_ SEEDBED_GUARDED_BY(mutex_) = false;
};

}  // namespace seedbed::gpu
