// SPDX-License-Identifier: Apache-2.0
#include "gpu/vulkan_engine.hpp"

#include <map>
#include <set>
#include <utility>

#include "core/base/log.hpp"
#include "core/nn/operation.hpp"
#include "gpu/fallback.hpp"
#include "gpu/net.hpp"

namespace seedbed::gpu {

namespace {

// The devices in use, which are owned by the networks on them, and the instance.
struct OpenDevices {
    Mutex mutex;
    std::map<std::string, std::weak_ptr<Device>> devices SEEDBED_GUARDED_BY(mutex);
    // Kept until the process exits: NVIDIA's driver fails after it was loaded repeatedly.
    std::shared_ptr<Instance> instance SEEDBED_GUARDED_BY(mutex);
    std::set<std::string> named SEEDBED_GUARDED_BY(mutex);  // software devices with a warning in the log
};

OpenDevices& openDevices() {
    static OpenDevices& devices = *new OpenDevices;  // drivers may be unloaded before static objects
    return devices;
}

Result<std::shared_ptr<Instance>> instanceOf(OpenDevices& open) SEEDBED_REQUIRES(open.mutex) {
    if (open.instance == nullptr) {
        SEEDBED_ASSIGN(open.instance, Instance::create());
    }
    return open.instance;
}

Result<std::vector<std::string>> listDevices() {
    SEEDBED_ASSIGN(const std::vector<DeviceInfo> devices, vulkanDevices());
    return deviceTexts(devices);
}

// Measured with lavapipe, which includes LLVM.
constexpr std::size_t kDriverBytes = std::size_t{80} << 20;

Result<std::unique_ptr<EngineNet>> compileVulkan(const NetPlan& plan, const EngineOptions& options) {
    if (options.double_precision)
        return fail(ErrorCode::config, "engine 'vulkan' computes in float; 'reference' supports double");
    SEEDBED_TRY(checkOperations(plan, gpuOperations(), "vulkan"));
    SEEDBED_ASSIGN(std::shared_ptr<Device> device, openVulkanDevice(options.device));
    std::unique_ptr<EngineNet> net = std::make_unique<VulkanNet>(plan, std::move(device));
    if (options.cpu_fallback) net = std::make_unique<FallbackNet>(std::move(net));
    return net;
}

[[maybe_unused]] const bool registered_vulkan = [] {
    engineRegistry().add({
        .id = "vulkan",
        .aliases = {},
        .help = "Vulkan 1.2 on graphics cards and other devices: every network, inference and training.",
        .devices = listDevices,
        .compile = compileVulkan,
        .context_bytes = vulkanContextBytes,
        .rows_independent = true,
        .library_bytes = kDriverBytes,
    });
    return true;
}();

}  // namespace

Result<std::vector<DeviceInfo>> vulkanDevices() {
    OpenDevices& open = openDevices();
    const MutexLock lock(open.mutex);
    SEEDBED_ASSIGN(const std::shared_ptr<Instance> instance, instanceOf(open));
    return instance->devices();
}

Result<std::vector<std::string>> deviceTexts(const std::vector<DeviceInfo>& devices) {
    std::vector<std::string> texts, unusable;
    for (const DeviceInfo& device : devices) {
        if (device.problem.empty()) texts.push_back(device.text());
        else unusable.push_back("unusable: " + device.text() + ": " + device.problem);
    }
    const auto best = chooseDevice(devices, "vulkan");
    // The error lists the devices with the reasons why they cannot be used.
    if (texts.empty()) return tl::unexpected<Error>(best.error());
    if (best) texts.push_back("vulkan (" + devices[*best].id + ")");
    texts.insert(texts.end(), unusable.begin(), unusable.end());
    return texts;
}

Result<std::shared_ptr<Device>> openVulkanDevice(const std::string& name) {
    OpenDevices& open = openDevices();
    const MutexLock lock(open.mutex);
    SEEDBED_ASSIGN(std::shared_ptr<Instance> instance, instanceOf(open));
    SEEDBED_ASSIGN(const std::size_t index, chooseDevice(instance->devices(), name));
    const DeviceInfo& info = instance->devices()[index];
    std::weak_ptr<Device>& known = open.devices[info.id];
    if (auto device = known.lock(); device != nullptr && !device->isLost()) return device;
    if (info.software && open.named.insert(info.id).second)
        log::warning("this Vulkan device is software, which is slower than --run.device cpu",
                     {{"device", info.text()}});
    SEEDBED_ASSIGN(std::shared_ptr<Device> device, Device::create(instance, index));
    known = device;
    return device;
}

}  // namespace seedbed::gpu
