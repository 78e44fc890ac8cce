// SPDX-License-Identifier: Apache-2.0
#include "core/nn/engines/native/weights.hpp"

namespace seedbed::native {

void packWeight(Work& work, const PlanOp& op, int i) {
    const ParamEntry& entry = work.pass.entry(op, i);
    const int out = entry.shape[0], in = entry.shape[1];
    std::vector<float>& to = work.packedOf(op, i);
    to.resize(packedFloats(*work.kernels, out, in));
    work.kernels->pack(out, in, work.pass.weight(op, i), in, to.data());
}

void addWeightGradient(Work& work, int rows, int in, int out, View x, View dy, float* d_weight) {
    if (in >= work.kernels->lanes || in >= out) {
        work.kernels->product({.m = out,
                               .n = in,
                               .k = rows,
                               .a = dy.data,
                               .a_row = 1,
                               .a_column = dy.stride,
                               .b = x.data,
                               .b_row = x.stride,
                               .c = d_weight,
                               .c_row = in,
                               .add = true});
        return;
    }
    // With few inputs, each vector contains several outputs of one input, and the result is transposed and
    // added.
    float* transposed = grown(work.scratch, std::ptrdiff_t{in} * out);
    work.kernels->product({.m = in,
                           .n = out,
                           .k = rows,
                           .a = x.data,
                           .a_row = 1,
                           .a_column = x.stride,
                           .b = dy.data,
                           .b_row = dy.stride,
                           .c = transposed,
                           .c_row = out});
    work.kernels->transpose(in, out, transposed, out, d_weight, in, true);
}

}  // namespace seedbed::native
