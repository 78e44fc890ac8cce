// SPDX-License-Identifier: Apache-2.0
// All tests of this program run with the Khronos validation layer where it is installed, and it reports
// nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "gpu/vulkan/instance.hpp"

namespace seedbed::testing_gpu {
namespace {

class Validation : public ::testing::Environment {
public:
    void SetUp() override {
        for (const char* folder : {"/usr/share", "/usr/local/share", "/etc"})
            if (std::filesystem::exists(std::filesystem::path(folder) /
                                        "vulkan/explicit_layer.d/VkLayer_khronos_validation.json"))
                return static_cast<void>(setenv("SEEDBED_VULKAN_VALIDATION", "1", 0));
        std::printf("The Khronos validation layer is not installed.\n");
    }
    void TearDown() override { EXPECT_EQ(gpu::Instance::validationMessages(), 0); }
};

[[maybe_unused]] const auto* const registered = ::testing::AddGlobalTestEnvironment(new Validation);

}  // namespace
}  // namespace seedbed::testing_gpu
