// SPDX-License-Identifier: Apache-2.0
// The source of the inner loops, compiled once per instruction set by kernels_*.cpp, which define
// SEEDBED_NATIVE_ISA. Code in these files must not call inline functions of other headers: the linker could
// keep a copy that was compiled for a different instruction set.
#include <utility>

#include "core/nn/engines/native/kernels.hpp"

namespace seedbed::native::SEEDBED_NATIVE_ISA {

namespace {

// The order matters: each file uses the ones before it.
#include "core/nn/engines/native/vector.inl"

#include "core/nn/engines/native/functions.inl"

#include "core/nn/engines/native/transpose.inl"

#include "core/nn/engines/native/product.inl"

#include "core/nn/engines/native/window.inl"

#include "core/nn/engines/native/lines.inl"

#include "core/nn/engines/native/pool.inl"

#include "core/nn/engines/native/sparse.inl"

#include "core/nn/engines/native/norm.inl"

#include "core/nn/engines/native/recurrent.inl"

// Quotients are correctly rounded. With fused multiply-adds, the reciprocal and one correction by the
// remainder give the same bits; a test checks all bytes with all integer divisors.
void scaleBytes(const std::uint8_t* from, float divisor, float* to, std::size_t count) {
    if (divisor == 1.0f) {
        for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]);
        return;
    }
#if defined(SEEDBED_NATIVE_AVX512) || defined(SEEDBED_NATIVE_AVX2)
    if (divisor >= 1.0f && divisor <= 255.0f && divisor == static_cast<float>(static_cast<int>(divisor))) {
        const float reciprocal = 1.0f / divisor;
        for (std::size_t i = 0; i < count; ++i) {
            const float x = static_cast<float>(from[i]), quotient = x * reciprocal;
            to[i] = __builtin_fmaf(__builtin_fmaf(-quotient, divisor, x), reciprocal, quotient);
        }
        return;
    }
#endif
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]) / divisor;
}

}  // namespace

extern const Kernels kKernels;  // NOLINT(readability-redundant-declaration): gives it external linkage
const Kernels kKernels{.isa = Isa::SEEDBED_NATIVE_ISA,
                       .lanes = kLanes,
                       .panel = kPanel,
                       .product = product,
                       .pack = pack,
                       .dots = dots,
                       .addColumnSums = addColumnSums,
                       .activate = activate,
                       .deactivate = deactivate,
                       .windowProduct = windowProduct,
                       .lineProduct = lineProduct,
                       .poolForward = poolForward,
                       .poolBackward = poolBackward,
                       .transpose = transpose,
                       .addRun = addRun,
                       .sparseForward = sparseForward,
                       .sparseBackward = sparseBackward,
                       .scaleBytes = scaleBytes,
                       .exponential = exponential,
                       .sigmoid = sigmoid,
                       .normForward = normForward,
                       .normBackward = normBackward,
                       .lstmForward = lstmForward,
                       .lstmBackward = lstmBackward,
                       .gruForward = gruForward,
                       .gruBackward = gruBackward};

}  // namespace seedbed::native::SEEDBED_NATIVE_ISA
