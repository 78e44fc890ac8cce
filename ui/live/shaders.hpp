// SPDX-License-Identifier: GPL-3.0-or-later
// The shaders of shaders/, compiled to SPIR-V by the build and embedded into the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace seedbed::ui::live {

struct Shader {
    std::string_view name;
    const std::uint32_t* code = nullptr;
    std::size_t words = 0;
};

// "shape_vert" is shaders/shape.vert. An unknown name is a bug.
const Shader& shaderNamed(std::string_view name);

}  // namespace seedbed::ui::live
