// SPDX-License-Identifier: Apache-2.0
#include "gpu/vulkan/instance.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "core/base/log.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "gpu/vulkan/limits.hpp"

namespace seedbed::gpu {

namespace {

std::atomic<int> validation_messages{0};

bool wantsValidation() {
    const char* value = std::getenv("SEEDBED_VULKAN_VALIDATION");
    return value != nullptr && std::string_view(value) == "1";
}

VKAPI_ATTR VkBool32 VKAPI_CALL reportMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                             VkDebugUtilsMessageTypeFlagsEXT,
                                             const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
    ++validation_messages;
    log::warning("Vulkan validation", {{"message", data->pMessage}});
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo() {
    VkDebugUtilsMessengerCreateInfoEXT info{};
    info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
    info.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    info.messageType =
        VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    info.pfnUserCallback = reportMessage;
    return info;
}

const char* kindOf(VkPhysicalDeviceType type) {
    switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete";
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated";
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual";
        case VK_PHYSICAL_DEVICE_TYPE_CPU: return "software";
        default: return "other";
    }
}

int rankOf(const std::string& kind) {
    const std::vector<std::string> order{"discrete", "integrated", "virtual", "other", "software"};
    return static_cast<int>(std::find(order.begin(), order.end(), kind) - order.begin());
}

DeviceInfo describeDevice(const Api& api, VkPhysicalDevice physical) {
    VkPhysicalDeviceDriverProperties driver{};
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &driver;
    api.vkGetPhysicalDeviceProperties2(physical, &properties);
    VkPhysicalDeviceMemoryProperties memory{};
    api.vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    DeviceInfo info;
    info.name = properties.properties.deviceName;
    info.driver = std::string(driver.driverName) + ", " + driver.driverInfo;
    info.kind = kindOf(properties.properties.deviceType);
    info.software = info.kind == "software";
    for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i)
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
            info.memory_bytes += memory.memoryHeaps[i].size;
    info.problem = problemOf(api, physical, properties.properties);
    return info;
}

}  // namespace

std::string DeviceInfo::text() const {
    return id + " (" + name + ", " + kind + ", " + formatBytes(memory_bytes) + ", driver " + driver + ")";
}

int Instance::validationMessages() { return validation_messages; }

Result<std::shared_ptr<Instance>> Instance::create(const std::string& library) {
    std::shared_ptr<Instance> self(new Instance());
    SEEDBED_ASSIGN(self->api_, loadApi(library));
    SEEDBED_TRY(self->open());
    SEEDBED_TRY(self->list());
    return self;
}

Result<> Instance::open() {
    std::uint32_t version = 0;
    SEEDBED_VK(api_, vkEnumerateInstanceVersion(&version), "reading the version of the Vulkan loader");
    if (version < VK_API_VERSION_1_2)
        return fail(ErrorCode::device, "the Vulkan loader is older than version 1.2; update it");
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.pApplicationName = "seedbed";
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    const char* layer = "VK_LAYER_KHRONOS_validation";
    const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo();
    if (wantsValidation()) {
        info.pNext = &messenger;
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = &layer;
        info.enabledExtensionCount = 1;
        info.ppEnabledExtensionNames = &extension;
    }
    SEEDBED_VK(api_, vkCreateInstance(&info, nullptr, &instance_), "creating a Vulkan instance");
    SEEDBED_TRY(api_.loadInstance(instance_));
    if (!wantsValidation()) return {};
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        api_.get_instance(instance_, "vkCreateDebugUtilsMessengerEXT"));
    if (create != nullptr) create(instance_, &messenger, nullptr, &messenger_);
    return {};
}

Result<> Instance::list() {
    std::uint32_t count = 0;
    SEEDBED_VK(api_, vkEnumeratePhysicalDevices(instance_, &count, nullptr), "listing Vulkan devices");
    std::vector<VkPhysicalDevice> found(count);
    SEEDBED_VK(api_, vkEnumeratePhysicalDevices(instance_, &count, found.data()), "listing Vulkan devices");
    std::vector<DeviceInfo> infos;
    for (VkPhysicalDevice physical : found) infos.push_back(describeDevice(api_, physical));
    std::vector<std::size_t> order(found.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return rankOf(infos[a].kind) < rankOf(infos[b].kind);
    });
    for (const std::size_t i : order) {
        infos[i].id = "vulkan:" + std::to_string(infos_.size());
        physical_.push_back(found[i]);
        infos_.push_back(infos[i]);
    }
    return {};
}

Instance::~Instance() {
    if (instance_ == VK_NULL_HANDLE || !api_.vkDestroyInstance) return;
    if (messenger_ != VK_NULL_HANDLE) {
        const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
            api_.get_instance(instance_, "vkDestroyDebugUtilsMessengerEXT"));
        destroy(instance_, messenger_, nullptr);
    }
    api_.vkDestroyInstance(instance_, nullptr);
}

Result<std::size_t> chooseDevice(const std::vector<DeviceInfo>& devices, const std::string& name) {
    std::vector<std::string> texts;
    for (const DeviceInfo& device : devices)
        texts.push_back(device.text() + (device.problem.empty() ? "" : ": " + device.problem));
    const std::string list = texts.empty() ? "none" : join(texts, "; ");
    if (devices.empty())
        return fail(ErrorCode::device,
                    "the Vulkan loader lists no device; install a driver (on Debian: apt install "
                    "mesa-vulkan-drivers) or choose --run.device cpu");
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const DeviceInfo& device = devices[i];
        if (name != device.id && (name != "vulkan" || device.software)) continue;
        if (device.problem.empty()) return i;
        if (name == device.id)
            return fail(ErrorCode::device, "device '" + name + "' cannot be used: " + device.problem +
                                               "; choose another one or --run.device cpu");
    }
    if (name == "vulkan")
        return fail(ErrorCode::device,
                    "no Vulkan device is hardware that can be used; a software device "
                    "must be named by its number; available: " +
                        list);
    return fail(ErrorCode::device, "no Vulkan device is called '" + name + "'; available: " + list);
}

}  // namespace seedbed::gpu
