// SPDX-License-Identifier: Apache-2.0
// The push constants of shaders/window.glsl.
#pragma once

#include "gpu/pass.hpp"

namespace seedbed::gpu {

struct WindowPush {
    std::uint32_t rows;
    std::uint32_t channels, height, width;
    std::uint32_t to_channels, to_height, to_width;
    std::uint32_t kernel, stride, pad;
    std::uint32_t weight = 0, bias = 0, activation = 0;
    std::uint32_t add = 0;
    std::uint32_t part = 0;

    // Multiply-accumulates of a convolution.
    double macs() const {
        return static_cast<double>(rows) * to_height * to_width * to_channels * channels * kernel * kernel;
    }
};

inline WindowPush windowOf(const Pass& pass, const PlanOp& op) {
    const PlanValue &from = pass.shape(Pass::input(op)), &to = pass.shape(op.output);
    const auto u = [](int x) { return static_cast<std::uint32_t>(x); };
    return {.rows = pass.rows,
            .channels = u(from.channels),
            .height = u(from.height),
            .width = u(from.width),
            .to_channels = u(to.channels),
            .to_height = u(to.height),
            .to_width = u(to.width),
            .kernel = u(op.kernel),
            .stride = u(op.stride),
            .pad = u(op.pad)};
}

}  // namespace seedbed::gpu
