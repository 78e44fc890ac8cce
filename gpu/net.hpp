// SPDX-License-Identifier: Apache-2.0
// A network on a Vulkan device, and its contexts.
#pragma once

#include <memory>

#include "core/nn/engine.hpp"
#include "gpu/program.hpp"
#include "gpu/uploads.hpp"

namespace seedbed::gpu {

class VulkanNet final : public EngineNet {
public:
    VulkanNet(const NetPlan& plan, std::shared_ptr<Device> device);
    const NetPlan& plan() const override { return plan_; }
    std::unique_ptr<NetContext> context() override;

private:
    NetPlan plan_;
    std::shared_ptr<Device> device_;
    Uploads uploads_;
};

// Host bytes of a context; see EngineEntry::context_bytes.
std::size_t vulkanContextBytes(const NetPlan& plan, std::size_t rows, int steps, Keep keep);

}  // namespace seedbed::gpu
