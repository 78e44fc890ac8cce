// SPDX-License-Identifier: Apache-2.0
// Versions of a network's parameters on the device. Each version is transferred once, no matter how many
// contexts use it.
#pragma once

#include <cstdint>
#include <list>
#include <memory>

#include "core/base/mutex.hpp"
#include "core/nn/params.hpp"
#include "gpu/arena.hpp"
#include "gpu/vulkan/device.hpp"

namespace seedbed::gpu {

// Memory of one version. Its memory does not move.
struct ParamSlot {
    std::uint32_t number = 0;
    Params params;  // holding the value prevents another blob from getting its address
    Region memory, staging;
    int users = 0;

    Slice slice(VkDeviceSize bytes) const {
        return {memory.buffer(), memory.offset(), (bytes + 15) / 16 * 16, memory.mapped()};
    }
    bool holds(const Params& other) const {
        return !params.empty() && params.version() == other.version() &&
               params.blob().data() == other.blob().data();
    }
};

// Thread: any.
class Uploads {
public:
    Uploads(std::shared_ptr<Device> device, VkDeviceSize bytes);
    ~Uploads();
    Uploads(const Uploads&) = delete;
    Uploads& operator=(const Uploads&) = delete;

    // Replaces `slot`, which may be null, by the slot that holds `params`. error: out_of_memory, device.
    Result<> use(const Params& params, ParamSlot*& slot) SEEDBED_EXCLUDES(mutex_);
    void release(ParamSlot*& slot) SEEDBED_EXCLUDES(mutex_);
    // The memory of the slot now contains `params`. Other users of the slot must not be running.
    void rename(ParamSlot& slot, const Params& params) SEEDBED_EXCLUDES(mutex_);

private:
    Result<ParamSlot*> freeSlot() SEEDBED_REQUIRES(mutex_);
    Result<> fill(ParamSlot& slot, const Params& params) SEEDBED_REQUIRES(mutex_);
    Result<> copy(const ParamSlot& slot) SEEDBED_REQUIRES(mutex_);
    Result<> createCommands() SEEDBED_REQUIRES(mutex_);

    std::shared_ptr<Device> device_;
    VkDeviceSize bytes_;
    Mutex mutex_;
    std::list<ParamSlot> slots_ SEEDBED_GUARDED_BY(mutex_);
    VkCommandPool pool_ SEEDBED_GUARDED_BY(mutex_) = VK_NULL_HANDLE;
    VkCommandBuffer command_ SEEDBED_GUARDED_BY(mutex_) = VK_NULL_HANDLE;
    VkFence fence_ SEEDBED_GUARDED_BY(mutex_) = VK_NULL_HANDLE;
    std::vector<VkSubmitInfo> batch_ SEEDBED_GUARDED_BY(mutex_);
};

}  // namespace seedbed::gpu
