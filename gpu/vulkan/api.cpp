// SPDX-License-Identifier: Apache-2.0
#include "gpu/vulkan/api.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <utility>

namespace seedbed::gpu {

namespace {

constexpr const char* kRemedy =
    "; install a Vulkan driver (on Debian: apt install mesa-vulkan-drivers libvulkan1) or choose another "
    "engine with --run.engine";

Result<> found(bool loaded, const char* name) {
    if (loaded) return {};
    return fail(ErrorCode::device, std::string("the Vulkan driver has no function vk") + name +
                                       "; update the graphics driver or choose another engine with "
                                       "--run.engine");
}

}  // namespace

#define SEEDBED_VK_LOAD(name)                         \
    vk##name.set(get_instance(instance, "vk" #name)); \
    SEEDBED_TRY(found(static_cast<bool>(vk##name), #name));

Result<> Api::loadInstance(VkInstance instance) {
    SEEDBED_VK_INSTANCE(SEEDBED_VK_LOAD)
    return {};
}

#undef SEEDBED_VK_LOAD
#define SEEDBED_VK_LOAD(name)              \
    vk##name.set(get(handle, "vk" #name)); \
    SEEDBED_TRY(found(static_cast<bool>(vk##name), #name));

Result<> Api::loadDevice(VkInstance instance, VkDevice handle) {
    const auto get = reinterpret_cast<PFN_vkGetDeviceProcAddr>(get_instance(instance, "vkGetDeviceProcAddr"));
    SEEDBED_TRY(found(get != nullptr, "GetDeviceProcAddr"));
    SEEDBED_VK_DEVICE(SEEDBED_VK_LOAD)
    return {};
}

#undef SEEDBED_VK_LOAD

Result<Api> loadApi(const std::string& library) {
    const char* variable = std::getenv("SEEDBED_VULKAN_LIBRARY");
    const std::string name = !library.empty()      ? library
                             : variable != nullptr ? std::string(variable)
                                                   : std::string("libvulkan.so.1");
    void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
        return fail(ErrorCode::device,
                    "the Vulkan loader could not be opened: " + std::string(dlerror()) + kRemedy);
    Api api;
    api.get_instance = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(handle, "vkGetInstanceProcAddr"));
    if (api.get_instance == nullptr)
        return fail(ErrorCode::device, name + " is not a Vulkan loader" + kRemedy);
#define SEEDBED_VK_LOAD(name)                                \
    api.vk##name.set(api.get_instance(nullptr, "vk" #name)); \
    SEEDBED_TRY(found(static_cast<bool>(api.vk##name), #name));
    SEEDBED_VK_GLOBAL(SEEDBED_VK_LOAD)
#undef SEEDBED_VK_LOAD
    return api;
}

std::string nameOf(VkResult result) {
    switch (result) {
        case VK_SUCCESS: return "VK_SUCCESS";
        case VK_TIMEOUT: return "VK_TIMEOUT";
        case VK_INCOMPLETE: return "VK_INCOMPLETE";
        case VK_ERROR_OUT_OF_HOST_MEMORY: return "VK_ERROR_OUT_OF_HOST_MEMORY";
        case VK_ERROR_OUT_OF_DEVICE_MEMORY: return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
        case VK_ERROR_OUT_OF_POOL_MEMORY: return "VK_ERROR_OUT_OF_POOL_MEMORY";
        case VK_ERROR_INITIALIZATION_FAILED: return "VK_ERROR_INITIALIZATION_FAILED";
        case VK_ERROR_DEVICE_LOST: return "VK_ERROR_DEVICE_LOST";
        case VK_ERROR_MEMORY_MAP_FAILED: return "VK_ERROR_MEMORY_MAP_FAILED";
        case VK_ERROR_LAYER_NOT_PRESENT: return "VK_ERROR_LAYER_NOT_PRESENT";
        case VK_ERROR_EXTENSION_NOT_PRESENT: return "VK_ERROR_EXTENSION_NOT_PRESENT";
        case VK_ERROR_FEATURE_NOT_PRESENT: return "VK_ERROR_FEATURE_NOT_PRESENT";
        case VK_ERROR_INCOMPATIBLE_DRIVER: return "VK_ERROR_INCOMPATIBLE_DRIVER";
        default: return "VkResult " + std::to_string(static_cast<int>(result));
    }
}

tl::unexpected<Error> Api::error(VkResult result, std::string_view call, const std::string& what) const {
    const std::string subject = device.empty() ? "Vulkan" : "the Vulkan device " + device;
    const std::string text =
        std::string(call.substr(0, call.find('('))) + " returned " + nameOf(result) + " while " + what;
    switch (result) {
        case VK_ERROR_OUT_OF_HOST_MEMORY:
        case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        case VK_ERROR_OUT_OF_POOL_MEMORY:
            return fail(ErrorCode::out_of_memory,
                        subject + " has not enough memory: " + text +
                            "; end other programs that use the device, use a smaller network or smaller "
                            "batches, or --run.device cpu");
        case VK_ERROR_DEVICE_LOST:
            return fail(ErrorCode::device, subject + " was lost: " + text +
                                               "; resume the run, with --run.device cpu if it happens again");
        case VK_TIMEOUT:
            return fail(ErrorCode::device, subject + " does not finish its work: " + text +
                                               "; resume the run, with --run.device cpu if it happens again");
        case VK_ERROR_INCOMPATIBLE_DRIVER:
            return fail(ErrorCode::device, subject + " failed: " + text + kRemedy);
        // Seedbed requests no other layers and extensions.
        case VK_ERROR_LAYER_NOT_PRESENT:
        case VK_ERROR_EXTENSION_NOT_PRESENT:
            return fail(ErrorCode::device, subject + " failed: " + text +
                                               "; install the validation layer (on Debian: apt install "
                                               "vulkan-validationlayers) or unset SEEDBED_VULKAN_VALIDATION");
        default:
            return fail(ErrorCode::device, subject + " failed: " + text +
                                               "; update the graphics driver or use --run.device cpu");
    }
}

}  // namespace seedbed::gpu
