// SPDX-License-Identifier: Apache-2.0
// The kernels of shaders/*.comp, compiled to SPIR-V by the build and embedded into the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace seedbed::gpu {

struct Shader {
    std::string_view name;
    const std::uint32_t* code = nullptr;
    std::size_t words = 0;
};

// An unknown name is a bug.
const Shader& shaderNamed(std::string_view name);
// Identifies the code of all kernels.
const std::string& shadersHash();

}  // namespace seedbed::gpu
