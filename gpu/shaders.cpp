// SPDX-License-Identifier: Apache-2.0
#include "gpu/shaders.hpp"

#include <span>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"

namespace seedbed::gpu {

namespace {

// Written by cmake/SeedbedShaders.cmake: one array per kernel, and the table kShaders.
#include <seedbed_shaders.inc>

}  // namespace

const Shader& shaderNamed(std::string_view name) {
    for (const Shader& shader : kShaders)
        if (shader.name == name) return shader;
    SEEDBED_CHECK(false, std::string(name));
    std::abort();
}

const std::string& shadersHash() {
    static const std::string hash = [] {
        Sha256 sum;
        for (const Shader& shader : kShaders) sum.update(std::as_bytes(std::span(shader.code, shader.words)));
        return sum.hex();
    }();
    return hash;
}

}  // namespace seedbed::gpu
