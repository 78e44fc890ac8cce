// SPDX-License-Identifier: Apache-2.0
// The device on which these tests run.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/nn/engine.hpp"
#include "gpu/vulkan_engine.hpp"

namespace seedbed::testing_gpu {

// Why there is no device for tests; empty if there is one.
inline const std::string& missingDevice() {
    static const std::string reason = [] {
        const auto device = gpu::openVulkanDevice("vulkan:0");
        return device ? std::string() : device.error().text();
    }();
    return reason;
}

#define SEEDBED_NEEDS_VULKAN()                            \
    if (!::seedbed::testing_gpu::missingDevice().empty()) \
    GTEST_SKIP() << ::seedbed::testing_gpu::missingDevice()

inline std::unique_ptr<EngineNet> vulkanNet(const NetPlan& plan) {
    EngineOptions options;
    options.device = "vulkan:0";
    auto net = compileNet("vulkan", plan, options);
    SEEDBED_CHECK(net.has_value(), net.error().text());
    return std::move(*net);
}

}  // namespace seedbed::testing_gpu
