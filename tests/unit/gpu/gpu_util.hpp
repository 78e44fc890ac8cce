// SPDX-License-Identifier: Apache-2.0
// The device on which these tests run.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/nn/engine.hpp"
#include "gpu/vulkan_engine.hpp"

namespace seedbed::testing_gpu {

// Why there is no device for tests: no loader, or no device that it lists. Empty in all other cases, also if
// the device cannot be opened.
inline const std::string& missingDevice() {
    static const std::string reason = []() -> std::string {
        if (const auto loader = gpu::loadApi(); !loader) return loader.error().text();
        const auto devices = gpu::vulkanDevices();
        if (devices) return devices->empty() ? "the Vulkan loader lists no device" : "";
        // A loader without drivers.
        const std::string text = devices.error().text();
        return text.find("VK_ERROR_INCOMPATIBLE_DRIVER") != std::string::npos ? text : std::string();
    }();
    return reason;
}

// Why the device that exists cannot be used, which is a defect; empty if it can.
inline const std::string& brokenDevice() {
    static const std::string reason = [] {
        const auto device = gpu::openVulkanDevice("vulkan:0");
        return device ? std::string() : device.error().text();
    }();
    return reason;
}

#define SEEDBED_NEEDS_VULKAN()                                   \
    if (!::seedbed::testing_gpu::missingDevice().empty())        \
        GTEST_SKIP() << ::seedbed::testing_gpu::missingDevice(); \
    ASSERT_EQ(::seedbed::testing_gpu::brokenDevice(), "")

inline std::unique_ptr<EngineNet> vulkanNet(const NetPlan& plan) {
    EngineOptions options;
    options.device = "vulkan:0";
    auto net = compileNet("vulkan", plan, options);
    SEEDBED_CHECK(net.has_value(), net.error().text());
    return std::move(*net);
}

}  // namespace seedbed::testing_gpu
