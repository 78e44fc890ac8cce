// SPDX-License-Identifier: Apache-2.0
#include "gpu/vulkan/device.hpp"

#include <utility>

#include "gpu/vulkan/limits.hpp"

namespace seedbed::gpu {

namespace {

// Time without a completed submission after which a device hangs, if `macs` are queued. The slowest hardware
// computes a billion multiply-accumulates per second; other processes may use it, too. Software devices share
// the processor with everything else.
std::uint64_t timeoutOf(double macs, bool software) {
    const double seconds = software ? 60 + macs / 1e7 : 10 + macs / 1e9;
    return static_cast<std::uint64_t>(seconds * 1e9);
}

// Adds `macs` to `total` while it exists.
class Queued {
public:
    Queued(std::atomic<double>& total, double macs) : total_(total), macs_(macs) { total_ += macs_; }
    ~Queued() { total_ -= macs_; }
    Queued(const Queued&) = delete;
    Queued& operator=(const Queued&) = delete;

private:
    std::atomic<double>& total_;
    double macs_;
};

// Devices that hang use their instance until the process exits.
void keepForever(std::shared_ptr<Instance> instance) {
    static Mutex mutex;
    static auto* kept = new std::vector<std::shared_ptr<Instance>>();
    const MutexLock lock(mutex);
    kept->push_back(std::move(instance));
}

}  // namespace

Result<std::shared_ptr<Device>> Device::create(std::shared_ptr<Instance> instance, std::size_t index) {
    std::shared_ptr<Device> self(new Device(std::move(instance), index));
    SEEDBED_TRY(self->open());
    return self;
}

Result<> Device::open() {
    api_ = instance_->api();
    api_.device = info().id + " (" + info().name + ")";
    VkPhysicalDevice physical = instance_->physical(index_);
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    api_.vkGetPhysicalDeviceProperties2(physical, &properties);
    limits_ = properties.properties.limits;
    family_ = computeFamily(api_, physical).index;

    const float priority = 0.5f;
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    SEEDBED_VK(api_, vkCreateDevice(physical, &info, nullptr, &device_), "opening it");
    SEEDBED_TRY(api_.loadDevice(instance_->handle(), device_));
    api_.vkGetDeviceQueue(device_, family_, 0, &queue_);
    VkPhysicalDeviceMemoryProperties types{};
    api_.vkGetPhysicalDeviceMemoryProperties(physical, &types);
    memory_.emplace(api_, device_, types);
    pipelines_.emplace(api_, device_, properties.properties);
    return pipelines_->open();
}

Device::~Device() {
    if (device_ == VK_NULL_HANDLE || !api_.vkDestroyDevice) return;
    // Freeing objects in use is undefined, so they are left to the end of the process.
    if (hanging_) {
        keepForever(std::move(instance_));
        return;
    }
    if (!isLost()) static_cast<void>(api_.vkDeviceWaitIdle(device_));
    pipelines_.reset();
    memory_.reset();
    api_.vkDestroyDevice(device_, nullptr);
}

void Device::lose(VkResult reason, const char* call) {
    const char* no_call = nullptr;
    failed_call_.compare_exchange_strong(no_call, call);
    VkResult none = VK_SUCCESS;
    failure_.compare_exchange_strong(none, reason);
}

// Waits as long as the device completes submissions, of any thread: a queue may be long.
VkResult Device::waitFor(VkFence fence) {
    for (;;) {
        const std::uint64_t before = completed_;
        const std::uint64_t timeout = timeoutOf(queued_macs_, info().software);
        const VkResult waited = api_.vkWaitForFences(device_, 1, &fence, VK_TRUE, timeout);
        if (waited == VK_SUCCESS) ++completed_;
        if (waited != VK_TIMEOUT || completed_ == before) return waited;
    }
}

Result<> Device::run(const std::vector<VkSubmitInfo>& batches, VkFence fence, double macs) {
    if (isLost()) return api_.error(failure_, failed_call_.load(), "running an earlier batch");
    const auto checked = [this](VkResult result, const char* call, const char* what) -> Result<> {
        if (result == VK_SUCCESS) return {};
        if (result == VK_ERROR_DEVICE_LOST || result == VK_TIMEOUT) lose(result, call);
        return api_.error(result, call, what);
    };
    SEEDBED_TRY(checked(api_.vkResetFences(device_, 1, &fence), "vkResetFences", "starting the next batch"));
    const Queued queued(queued_macs_, macs);
    {
        const MutexLock lock(queue_mutex_);
        SEEDBED_TRY(checked(
            api_.vkQueueSubmit(queue_, static_cast<std::uint32_t>(batches.size()), batches.data(), fence),
            "vkQueueSubmit", "submitting a batch"));
    }
    const VkResult waited = waitFor(fence);
    if (waited == VK_SUCCESS) return {};
    lose(waited, "vkWaitForFences");
    // A lost device is idle soon. After any other failure the batch may still be running.
    if (waited == VK_ERROR_DEVICE_LOST) {
        const MutexLock lock(queue_mutex_);
        static_cast<void>(api_.vkDeviceWaitIdle(device_));
    } else {
        hanging_ = true;
        memory_->abandon();
        pipelines_->abandon();
    }
    return api_.error(waited, "vkWaitForFences", "waiting for a batch");
}

}  // namespace seedbed::gpu
