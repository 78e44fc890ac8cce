// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/shaders.hpp"

#include <cstdlib>
#include <iterator>

namespace seedbed::ui::live {

namespace {

// Written by cmake/SeedbedShaders.cmake: one array per shader, and the table kShaders.
#include <seedbed_shaders.inc>

}  // namespace

const Shader& shaderNamed(std::string_view name) {
    for (const Shader& shader : kShaders)
        if (shader.name == name) return shader;
    std::abort();
}

}  // namespace seedbed::ui::live
