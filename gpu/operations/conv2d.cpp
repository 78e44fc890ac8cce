// SPDX-License-Identifier: Apache-2.0
// Convolutions.
#include "gpu/operations/shared/product.hpp"
#include "gpu/operations/shared/window.hpp"

namespace seedbed::gpu {

namespace {

constexpr std::uint32_t kChannels = 8, kPixels = 4, kTaps = 4;  // results per invocation, as in conv2d*.comp

std::uint32_t divideUp(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

void forwardConv2d(Pass& pass, const PlanOp& op) {
    WindowPush push = windowOf(pass, op);
    push.weight = pass.weight(op, 0);
    push.bias = pass.weight(op, 1);
    push.activation = static_cast<std::uint32_t>(op.activation);
    const std::uint32_t places = push.rows * push.to_height * push.to_width;
    pass.dispatch("conv2d", {pass.value(Pass::input(op)), pass.blob, pass.value(op.output)}, push,
                  std::uint64_t{divideUp(places, kPixels)} * divideUp(push.to_channels, kChannels),
                  push.macs());
}

void weightGradient(Pass& pass, const PlanOp& op, WindowPush push) {
    const std::uint32_t taps = push.channels * push.kernel * push.kernel, count = push.to_channels * taps;
    push.part = rowsPerPart(push.rows, push.to_height * push.to_width, count);
    const std::uint32_t parts = divideUp(push.rows, push.part);
    const Slice sums = pass.scratch(std::uint64_t{parts} * count);
    pass.dispatch("conv2d_weights", {pass.gradient(op.output), pass.value(Pass::input(op)), sums}, push,
                  std::uint64_t{parts} * divideUp(push.to_channels, kChannels) * divideUp(taps, kTaps),
                  push.macs());
    partSums(pass, sums, parts, count, pass.weight(op, 0));
}

void backwardConv2d(Pass& pass, const PlanOp& op) {
    const int x = Pass::input(op);
    deactivate(pass, op);
    WindowPush push = windowOf(pass, op);
    push.weight = pass.weight(op, 0);
    if (pass.grades(op, 0)) weightGradient(pass, op, push);
    if (pass.grades(op, 1))
        columnSums(pass, pass.gradient(op.output), push.to_channels, push.to_height * push.to_width,
                   pass.weight(op, 1));
    if (!pass.wants(x)) return;
    push.add = pass.adding(x);
    pass.dispatch("conv2d_inputs", {pass.gradient(op.output), pass.blob, pass.gradient(x)}, push,
                  std::uint64_t{push.rows} * push.height * push.width * divideUp(push.channels, kChannels),
                  push.macs());
}

[[maybe_unused]] const bool registered_conv2d = registerGpuOperation({
    .id = "conv2d",
    .forward = forwardConv2d,
    .backward = backwardConv2d,
});

}  // namespace

}  // namespace seedbed::gpu
