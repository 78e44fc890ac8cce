// SPDX-License-Identifier: Apache-2.0
#include "core/nn/engines/native/images.hpp"

#include <algorithm>

namespace seedbed::native {

const float* withLayout(Work& work, int value, const float* image, bool last, std::vector<float>& buffer) {
    if (work.isLast(value) == last) return image;
    const PlanValue& size = work.pass.shape(value);
    const int pixels = size.height * size.width, rows = last ? size.channels : pixels;
    const int columns = last ? pixels : size.channels;
    float* to = grown(buffer, static_cast<std::ptrdiff_t>(size.size()));
    work.kernels->transpose(rows, columns, image, columns, to, rows, false);
    return to;
}

void addImageGradient(Work& work, int value, const Product& to, int row, const float* image, bool last) {
    const PlanValue& size = work.pass.shape(value);
    const int pixels = size.height * size.width, count = pixels * size.channels;
    float* gradient = to.c + row * to.c_row;
    if (work.isLast(value) != last) {
        const int rows = last ? pixels : size.channels, columns = last ? size.channels : pixels;
        work.kernels->transpose(rows, columns, image, columns, gradient, rows, to.add);
    } else if (to.add) {
        work.kernels->addRun(image, gradient, count);
    } else {
        std::copy_n(image, count, gradient);
    }
    if (to.derive != nullptr)
        work.kernels->deactivate(to.derive_activation, to.derive + row * to.derive_row, gradient,
                                 static_cast<std::size_t>(count));
}

const std::uint8_t* bytesOf(const Work& work, const PlanOp& op, int row, float& high) {
    const auto input = static_cast<std::size_t>(op.inputs[0]);
    if (!work.facts[input].borrowed) return nullptr;
    const PlanOp& source = work.pass.plan->ops[static_cast<std::size_t>(work.facts[input].producer)];
    const auto leaf = static_cast<std::size_t>(source.leaf);
    high = static_cast<float>(work.pass.plan->spec.spaces.obs[leaf].high);
    return work.pass.panel->obs[leaf] + static_cast<std::size_t>(row) * work.pass.plan->values[input].size();
}

const float* imageOf(Work& work, const PlanOp& op, int row) {
    float high = 1;
    const std::uint8_t* bytes = bytesOf(work, op, row, high);
    if (bytes == nullptr) return work.xRow(op, 0, row);
    const std::size_t size = work.pass.plan->values[static_cast<std::size_t>(op.inputs[0])].size();
    float* image = grown(work.scratch3, static_cast<std::ptrdiff_t>(size));
    work.kernels->scaleBytes(bytes, high, image, size);
    return image;
}

void copyWithBorder(Work& work, const PlanValue& size, const float* image, bool last, int border,
                    std::ptrdiff_t stride, float* to) {
    const int channels = size.channels, pixels = size.height * size.width;
    const std::ptrdiff_t line = (size.width + 2 * border) * stride, inner = size.width * stride,
                         side = border * stride;
    to = std::fill_n(to, border * line, 0.0f);
    for (int y = 0; y < size.height; ++y) {
        to = std::fill_n(to, side, 0.0f);
        if (stride > channels) std::fill_n(to, inner, 0.0f);
        const float* from = image + std::ptrdiff_t{y} * size.width * (last ? channels : 1);
        if (!last) work.kernels->transpose(channels, size.width, from, pixels, to, stride, false);
        else if (stride == channels) std::copy_n(from, inner, to);
        else
            for (int x = 0; x < size.width; ++x)
                std::copy_n(from + std::ptrdiff_t{x} * channels, channels, to + x * stride);
        to = std::fill_n(to + inner, side, 0.0f);
    }
    std::fill_n(to, border * line, 0.0f);
}

}  // namespace seedbed::native
