// SPDX-License-Identifier: Apache-2.0
// Max pooling.
#include "core/export/c_writer.hpp"

namespace seedbed::c_operations {

namespace {

constexpr const char* kPooling =
    R"c(static inline void policy_max_pool(const float *POLICY_RESTRICT x, float *POLICY_RESTRICT y, int in, int h, int wd, int out, int oh,
                                   int ow, int kernel, int stride, int pad)
{
    int c, oy, ox, iy, ix;
    (void)out;
    for (c = 0; c < in; c++)
        for (oy = 0; oy < oh; oy++)
            for (ox = 0; ox < ow; ox++) {
                int any = 0;
                float best = 0.0f;
                for (iy = oy * stride - pad; iy < oy * stride - pad + kernel; iy++)
                    for (ix = ox * stride - pad; ix < ox * stride - pad + kernel; ix++) {
                        if (iy < 0 || iy >= h || ix < 0 || ix >= wd) continue;
                        if (!any || x[(c * h + iy) * wd + ix] > best) best = x[(c * h + iy) * wd + ix];
                        any = 1;
                    }
                y[(c * oh + oy) * ow + ox] = best;
            }
}

)c";

std::string writeMaxPool(CWriter& writer, const PlanOp& op, const std::string&) {
    const std::string x = writer.pointer(op.inputs[0]), y = writer.place(op.output);
    writer.helper("policy_max_pool", kPooling);
    return CWriter::block("max pooling", x, y, "        policy_max_pool(x, y" + writer.window(op) + ");\n");
}

[[maybe_unused]] const bool registered_max_pool = registerCOperation("max_pool", writeMaxPool);

}  // namespace

}  // namespace seedbed::c_operations
