// SPDX-License-Identifier: Apache-2.0
// The functions of Vulkan, loaded at run time. All calls of this folder go through this table, so programs
// start on machines without Vulkan, and tests can make any call fail.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/error.hpp"
#include "gpu/vulkan/faults.hpp"

namespace seedbed::gpu {

// A loaded function. Calls that return VkResult can be made to fail; see faults.hpp.
template <class F>
class Function;

template <class R, class... Args>
class Function<R(VKAPI_PTR*)(Args...)> {
public:
    using Pointer = R(VKAPI_PTR*)(Args...);

    explicit Function(const char* name) : name_(name) {}

    R operator()(Args... args) const {
        if constexpr (std::is_same_v<R, VkResult>)
            if (const int injected = injectedFault(name_); injected != 0)
                return static_cast<VkResult>(injected);
        return pointer_(args...);
    }
    void set(PFN_vkVoidFunction pointer) { pointer_ = reinterpret_cast<Pointer>(pointer); }
    explicit operator bool() const { return pointer_ != nullptr; }

private:
    const char* name_;
    Pointer pointer_ = nullptr;
};

// Functions that need no instance, need an instance, and need a device.
// clang-format off: one function per line.
#define SEEDBED_VK_GLOBAL(X)    \
    X(EnumerateInstanceVersion) \
    X(CreateInstance)
#define SEEDBED_VK_INSTANCE(X)                \
    X(DestroyInstance)                        \
    X(EnumeratePhysicalDevices)               \
    X(GetPhysicalDeviceProperties2)           \
    X(GetPhysicalDeviceMemoryProperties)      \
    X(GetPhysicalDeviceQueueFamilyProperties) \
    X(CreateDevice)
#define SEEDBED_VK_DEVICE(X)       \
    X(DestroyDevice)               \
    X(GetDeviceQueue)              \
    X(AllocateMemory)              \
    X(FreeMemory)                  \
    X(MapMemory)                   \
    X(CreateBuffer)                \
    X(DestroyBuffer)               \
    X(GetBufferMemoryRequirements) \
    X(BindBufferMemory)            \
    X(CreateShaderModule)          \
    X(DestroyShaderModule)         \
    X(CreateDescriptorSetLayout)   \
    X(DestroyDescriptorSetLayout)  \
    X(CreatePipelineLayout)        \
    X(DestroyPipelineLayout)       \
    X(CreateComputePipelines)      \
    X(DestroyPipeline)             \
    X(CreatePipelineCache)         \
    X(DestroyPipelineCache)        \
    X(GetPipelineCacheData)        \
    X(CreateDescriptorPool)        \
    X(DestroyDescriptorPool)       \
    X(AllocateDescriptorSets)      \
    X(UpdateDescriptorSets)        \
    X(CreateCommandPool)           \
    X(DestroyCommandPool)          \
    X(AllocateCommandBuffers)      \
    X(FreeCommandBuffers)          \
    X(BeginCommandBuffer)          \
    X(EndCommandBuffer)            \
    X(CmdBindPipeline)             \
    X(CmdBindDescriptorSets)       \
    X(CmdPushConstants)            \
    X(CmdDispatch)                 \
    X(CmdPipelineBarrier)          \
    X(CmdCopyBuffer)               \
    X(CreateFence)                 \
    X(DestroyFence)                \
    X(ResetFences)                 \
    X(WaitForFences)               \
    X(QueueSubmit)                 \
    X(DeviceWaitIdle)
// clang-format on

#define SEEDBED_VK_MEMBER(name) Function<PFN_vk##name> vk##name{"vk" #name};

// Thread: any, after loading.
struct Api {
    SEEDBED_VK_GLOBAL(SEEDBED_VK_MEMBER)
    SEEDBED_VK_INSTANCE(SEEDBED_VK_MEMBER)
    SEEDBED_VK_DEVICE(SEEDBED_VK_MEMBER)
    PFN_vkGetInstanceProcAddr get_instance = nullptr;
    std::string device;  // for error messages: the device, empty before one is opened

    // error: device; names the missing function.
    Result<> loadInstance(VkInstance instance);
    Result<> loadDevice(VkInstance instance, VkDevice handle);
    // An error for a failed call: out_of_memory or device. `call`: the name of the function, possibly with
    // its arguments; `what`: the operation, for example "creating a buffer".
    tl::unexpected<Error> error(VkResult result, std::string_view call, const std::string& what) const;
};

#undef SEEDBED_VK_MEMBER

// Opens the Vulkan loader: `library`, or if that is empty the environment variable SEEDBED_VULKAN_LIBRARY, or
// libvulkan.so.1. It stays loaded. error: device, with the remedy.
Result<Api> loadApi(const std::string& library = {});

// "VK_ERROR_DEVICE_LOST".
std::string nameOf(VkResult result);

// Calls a function of `api` and returns an error unless it succeeds: SEEDBED_VK(api, vkCreateFence(...),
// "...").
#define SEEDBED_VK(api, call, what)                                                         \
    do {                                                                                    \
        if (const VkResult seedbed_vk_result = (api).call; seedbed_vk_result != VK_SUCCESS) \
            return (api).error(seedbed_vk_result, #call, what);                             \
    } while (false)

}  // namespace seedbed::gpu
