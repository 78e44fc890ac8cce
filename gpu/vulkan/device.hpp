// SPDX-License-Identifier: Apache-2.0
// One Vulkan device of this process with its queue, memory and pipelines.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.hpp"
#include "gpu/vulkan/instance.hpp"
#include "gpu/vulkan/memory.hpp"
#include "gpu/vulkan/pipelines.hpp"

namespace seedbed::gpu {

// Thread: any.
class Device {
public:
    // error: device, out_of_memory.
    static Result<std::shared_ptr<Device>> create(std::shared_ptr<Instance> instance, std::size_t index);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const Api& api() const { return api_; }
    VkDevice handle() const { return device_; }
    const DeviceInfo& info() const { return instance_->devices()[index_]; }
    const VkPhysicalDeviceLimits& limits() const { return limits_; }
    std::uint32_t queueFamily() const { return family_; }
    Memory& memory() { return *memory_; }
    Pipelines& pipelines() { return *pipelines_; }

    // Submits the batches in order and waits until they have finished. `fence` must not be in use; it is
    // reset first. `macs`: their multiply-accumulates, which determine the timeout. error: device if the
    // device is lost, or hangs: it completes no submission of any thread within the timeout. Then all later
    // calls fail.
    Result<> run(const std::vector<VkSubmitInfo>& batches, VkFence fence, double macs)
        SEEDBED_EXCLUDES(queue_mutex_);
    // Whether a call failed in such a way that the device must be opened again.
    bool isLost() const { return failure_ != VK_SUCCESS; }
    // Whether the device still executes commands whose memory must not be freed.
    bool isHanging() const { return hanging_; }

private:
    Device(std::shared_ptr<Instance> instance, std::size_t index)
        : instance_(std::move(instance)), index_(index) {}
    Result<> open();
    VkResult waitFor(VkFence fence);
    void lose(VkResult reason, const char* call);

    std::shared_ptr<Instance> instance_;
    std::size_t index_ = 0;
    Api api_;
    VkDevice device_ = VK_NULL_HANDLE;
    VkPhysicalDeviceLimits limits_{};
    std::uint32_t family_ = 0;
    std::optional<Memory> memory_;
    std::optional<Pipelines> pipelines_;
    Mutex queue_mutex_;
    VkQueue queue_ SEEDBED_PT_GUARDED_BY(queue_mutex_) = VK_NULL_HANDLE;
    std::atomic<double> queued_macs_{0};         // of submissions that have not completed
    std::atomic<std::uint64_t> completed_{0};    // submissions
    std::atomic<VkResult> failure_{VK_SUCCESS};  // the first one after which the device must be opened again
    std::atomic<const char*> failed_call_{nullptr};  // set before failure_
    std::atomic<bool> hanging_{false};
};

}  // namespace seedbed::gpu
