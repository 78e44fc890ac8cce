// SPDX-License-Identifier: Apache-2.0
// Convolution.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

constexpr const char* kConvolution =
    R"c(/* Pictures [channels][height][width], filters [out][in][kernel][kernel]. */
static inline void policy_conv(const float *POLICY_RESTRICT x, const float *POLICY_RESTRICT w, const float *bias, float *POLICY_RESTRICT y,
                               int in, int h, int wd, int out, int oh, int ow, int kernel, int stride, int pad)
{
    int o, c, ky, kx, oy, ox, i;
    for (o = 0; o < out; o++) {
        float *plane = y + o * oh * ow;
        for (i = 0; i < oh * ow; i++) plane[i] = bias[o];
        for (c = 0; c < in; c++)
            for (ky = 0; ky < kernel; ky++)
                for (kx = 0; kx < kernel; kx++) {
                    const float a = *w++;
                    const int shift = kx - pad;
                    const int begin = shift >= 0 ? 0 : (stride - 1 - shift) / stride;
                    const int last = wd - 1 - shift;
                    const int end = last < 0 ? 0 : last / stride + 1 < ow ? last / stride + 1 : ow;
                    for (oy = 0; oy < oh; oy++) {
                        const int iy = oy * stride + ky - pad;
                        const int row = (c * h + iy) * wd + shift;
                        float *to = plane + oy * ow;
                        if (iy < 0 || iy >= h) continue;
                        if (stride == 1)
                            for (ox = begin; ox < end; ox++) to[ox] += a * x[row + ox];
                        else
                            for (ox = begin; ox < end; ox++) to[ox] += a * x[row + ox * stride];
                    }
                }
    }
}

)c";

std::string writeConv2d(CWriter& writer, const PlanOp& op, const std::string& title) {
    const std::string x = writer.pointer(op.inputs[0]), y = writer.place(op.output);
    writer.helper("policy_conv", kConvolution);
    const bool plain = op.activation == Activation::none;
    return CWriter::block(title, x, y,
                          std::string(plain ? "" : "        int i;\n") + "        policy_conv(x, " +
                              writer.param(op, 0) + ", " + writer.param(op, 1) + ", y" + writer.window(op) +
                              ");\n" + CWriter::activation(op.activation, writer.sizeOf(op.output)));
}

[[maybe_unused]] const bool registered_conv2d = registerCOperation("conv2d", writeConv2d);

}  // namespace

}  // namespace seedbed::c_operations
