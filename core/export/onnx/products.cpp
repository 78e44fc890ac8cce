// SPDX-License-Identifier: Apache-2.0
// Definitions: github.com/onnx/onnx, docs/Operators.md, versions of operator set 15. Sums are computed in
// double, so that comparisons measure the rounding of the engine, not that of the interpreter.
#include "core/export/onnx/products.hpp"

#include <algorithm>
#include <limits>

namespace seedbed::onnx {

namespace {

std::int64_t integerOf(const Node& node, const std::string& name, std::int64_t otherwise) {
    const Attribute* attribute = node.find(name);
    return attribute == nullptr ? otherwise : attribute->integer;
}

// y[j] += a * x[j]
void addScaled(double a, const float* x, std::int64_t count, double* y) {
    for (std::int64_t j = 0; j < count; ++j) y[j] += a * static_cast<double>(x[j]);
}

// A window that slides over images.
struct Window {
    std::int64_t height, width;  // size of the image
    std::int64_t kernel_h, kernel_w, stride_h, stride_w, top, left;
    std::int64_t out_h, out_w;
};

Result<Window> windowOf(const Node& node, const Value& x) {
    const auto list = [&](const char* name, std::size_t size) -> const std::vector<std::int64_t>* {
        const Attribute* attribute = node.find(name);
        return attribute != nullptr && attribute->integers.size() == size ? &attribute->integers : nullptr;
    };
    const auto *kernel = list("kernel_shape", 2), *strides = list("strides", 2), *pads = list("pads", 4);
    if (x.dims.size() != 4 || kernel == nullptr || strides == nullptr || pads == nullptr)
        return fail("needs an image, kernel_shape, strides and pads");
    for (const char* other : {"dilations", "auto_pad", "ceil_mode", "storage_order"})
        if (node.find(other) != nullptr)
            return fail(std::string("has the attribute ") + other + ", which policies do not use");
    constexpr std::int64_t kMost = 1 << 16;
    for (const auto* values : {kernel, strides, pads})
        for (const std::int64_t value : *values)
            if (value < 0 || value > kMost) return fail("has an invalid window");
    Window w{x.dims[2],
             x.dims[3],
             (*kernel)[0],
             (*kernel)[1],
             (*strides)[0],
             (*strides)[1],
             (*pads)[0],
             (*pads)[1],
             0,
             0};
    if (w.kernel_h < 1 || w.kernel_w < 1 || w.stride_h < 1 || w.stride_w < 1)
        return fail("has an invalid window");
    w.out_h = (w.height + (*pads)[0] + (*pads)[2] - w.kernel_h) / w.stride_h + 1;
    w.out_w = (w.width + (*pads)[1] + (*pads)[3] - w.kernel_w) / w.stride_w + 1;
    if (w.height + (*pads)[0] + (*pads)[2] < w.kernel_h || w.width + (*pads)[1] + (*pads)[3] < w.kernel_w)
        return fail("has a window larger than its image");
    return w;
}

}  // namespace

Result<std::size_t> elementsOf(const std::vector<std::int64_t>& dims) {
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        if (dim < 0 || (dim > 0 && count > kMaxElements / dim)) return fail("has an invalid shape");
        count *= dim;
    }
    return static_cast<std::size_t>(count);
}

Result<Value> floatValue(std::vector<std::int64_t> dims) {
    SEEDBED_ASSIGN(const std::size_t count, elementsOf(dims));
    Value value{Type::float32, std::move(dims), std::vector<float>(count, 0.0f), {}};
    return value;
}

Result<Value> runGemm(const Node& node, const std::vector<const Value*>& inputs) {
    if (inputs.size() != 3 || integerOf(node, "transB", 0) != 1 || integerOf(node, "transA", 0) != 0 ||
        node.find("alpha") != nullptr || node.find("beta") != nullptr)
        return fail("must be x times a transposed matrix plus a vector");
    const Value &x = *inputs[0], &w = *inputs[1], &bias = *inputs[2];
    if (x.dims.size() != 2 || w.dims.size() != 2 || x.dims[1] != w.dims[1] ||
        bias.dims != std::vector<std::int64_t>{w.dims[0]} || x.type != Type::float32 ||
        w.type != Type::float32 || bias.type != Type::float32)
        return fail("has matrices with incompatible shapes");
    const std::int64_t rows = x.dims[0], in = w.dims[1], out = w.dims[0];
    SEEDBED_ASSIGN(Value y, floatValue({rows, out}));
    // Transposed, so that the inner loop reads adjacent elements.
    std::vector<float> turned(w.floats.size());
    for (std::int64_t o = 0; o < out; ++o)
        for (std::int64_t i = 0; i < in; ++i)
            turned[static_cast<std::size_t>(i * out + o)] = w.floats[static_cast<std::size_t>(o * in + i)];
    std::vector<double> sum(static_cast<std::size_t>(out));
    for (std::int64_t row = 0; row < rows; ++row) {
        std::copy(bias.floats.begin(), bias.floats.end(), sum.begin());
        for (std::int64_t i = 0; i < in; ++i)
            addScaled(static_cast<double>(x.floats[static_cast<std::size_t>(row * in + i)]),
                      turned.data() + i * out, out, sum.data());
        std::transform(sum.begin(), sum.end(), y.floats.begin() + row * out,
                       [](double s) { return static_cast<float>(s); });
    }
    return y;
}

Result<Value> runConv(const Node& node, const std::vector<const Value*>& inputs) {
    if (inputs.size() != 3 || integerOf(node, "group", 1) != 1)
        return fail("must have an image, filters and a bias");
    const Value &x = *inputs[0], &filters = *inputs[1], &bias = *inputs[2];
    SEEDBED_ASSIGN(const Window w, windowOf(node, x));
    const std::int64_t channels = x.dims[1];
    if (filters.dims.size() != 4 || filters.dims[1] != channels || filters.dims[2] != w.kernel_h ||
        filters.dims[3] != w.kernel_w || bias.dims != std::vector<std::int64_t>{filters.dims[0]} ||
        x.type != Type::float32 || filters.type != Type::float32 || bias.type != Type::float32)
        return fail("has filters that do not match its image");
    const std::int64_t out = filters.dims[0], pixels = w.out_h * w.out_w;
    SEEDBED_ASSIGN(Value y, floatValue({x.dims[0], out, w.out_h, w.out_w}));
    std::vector<double> plane(static_cast<std::size_t>(pixels));
    // For each tap, a row of the output is a shifted row of the input.
    for (std::int64_t n = 0; n < x.dims[0]; ++n) {
        for (std::int64_t o = 0; o < out; ++o) {
            std::fill(plane.begin(), plane.end(),
                      static_cast<double>(bias.floats[static_cast<std::size_t>(o)]));
            const float* weight = filters.floats.data() + o * channels * w.kernel_h * w.kernel_w;
            for (std::int64_t c = 0; c < channels; ++c) {
                const float* picture = x.floats.data() + (n * channels + c) * w.height * w.width;
                for (std::int64_t ky = 0; ky < w.kernel_h; ++ky) {
                    for (std::int64_t kx = 0; kx < w.kernel_w; ++kx) {
                        const auto a = static_cast<double>(*weight++);
                        const std::int64_t shift = kx - w.left;
                        const std::int64_t begin = shift >= 0 ? 0 : (-shift + w.stride_w - 1) / w.stride_w;
                        const std::int64_t last = w.width - 1 - shift;
                        const std::int64_t end = last < 0 ? 0 : std::min(w.out_w, last / w.stride_w + 1);
                        for (std::int64_t oy = 0; oy < w.out_h; ++oy) {
                            const std::int64_t iy = oy * w.stride_h + ky - w.top;
                            if (iy < 0 || iy >= w.height) continue;
                            const float* from = picture + iy * w.width + shift;
                            double* to = plane.data() + oy * w.out_w;
                            if (w.stride_w == 1 && end > begin)
                                addScaled(a, from + begin, end - begin, to + begin);
                            else
                                for (std::int64_t ox = begin; ox < end; ++ox)
                                    to[ox] += a * static_cast<double>(from[ox * w.stride_w]);
                        }
                    }
                }
            }
            std::transform(plane.begin(), plane.end(), y.floats.begin() + (n * out + o) * pixels,
                           [](double s) { return static_cast<float>(s); });
        }
    }
    return y;
}

Result<Value> runMaxPool(const Node& node, const std::vector<const Value*>& inputs) {
    const Value& x = *inputs[0];
    SEEDBED_ASSIGN(const Window w, windowOf(node, x));
    if (x.type != Type::float32) return fail("needs a float input");
    SEEDBED_ASSIGN(Value y, floatValue({x.dims[0], x.dims[1], w.out_h, w.out_w}));
    float* to = y.floats.data();
    for (std::int64_t plane = 0; plane < x.dims[0] * x.dims[1]; ++plane) {
        const float* picture = x.floats.data() + plane * w.height * w.width;
        for (std::int64_t oy = 0; oy < w.out_h; ++oy) {
            for (std::int64_t ox = 0; ox < w.out_w; ++ox) {
                float best = -std::numeric_limits<float>::infinity();
                const std::int64_t y0 = oy * w.stride_h - w.top, x0 = ox * w.stride_w - w.left;
                for (std::int64_t iy = std::max<std::int64_t>(0, y0);
                     iy < std::min(w.height, y0 + w.kernel_h); ++iy)
                    for (std::int64_t ix = std::max<std::int64_t>(0, x0);
                         ix < std::min(w.width, x0 + w.kernel_w); ++ix)
                        best = std::max(best, picture[iy * w.width + ix]);
                *to++ = best;
            }
        }
    }
    return y;
}

}  // namespace seedbed::onnx
