// SPDX-License-Identifier: Apache-2.0
// A network on a Vulkan device, and its contexts.
#pragma once

#include <atomic>
#include <memory>

#include "core/nn/learn_device.hpp"
#include "gpu/program.hpp"
#include "gpu/uploads.hpp"

namespace seedbed::gpu {

class VulkanNet final : public EngineNet, public LearnsOnDevice {
public:
    VulkanNet(const NetPlan& plan, std::shared_ptr<Device> device);
    const NetPlan& plan() const override { return plan_; }
    std::unique_ptr<NetContext> context() override;
    std::unique_ptr<LearnDevice> learnDevice(Optimiser* optimiser) override;

    Device& device() { return *device_; }
    Uploads& uploads() { return uploads_; }
    // Whether gradients of parameters stay on the device.
    std::atomic<bool> keeps_gradients{false};

private:
    NetPlan plan_;
    std::shared_ptr<Device> device_;
    Uploads uploads_;
};

// All contexts of VulkanNet.
class LaneContext : public NetContext {
public:
    // See LearnDevice::backward().
    virtual Result<> backwardToLane(const float* head_gradients, const DeviceLane& lane,
                                    const std::vector<float*>* input_gradient) = 0;
};

// Host bytes of a context; see EngineEntry::context_bytes.
std::size_t vulkanContextBytes(const NetPlan& plan, std::size_t rows, int steps, Keep keep);

}  // namespace seedbed::gpu
