// SPDX-License-Identifier: Apache-2.0
// Selects the table of inner loops.
#include "core/nn/engines/native/kernels.hpp"

namespace seedbed::native {

const Kernels* kernelsOf(Isa isa) {
    if (isa > detectedIsa()) return nullptr;
#if defined(__x86_64__)
    if (isa != Isa::base && !__builtin_cpu_supports("fma")) return nullptr;
    if (isa == Isa::avx512) return &avx512::kKernels;
    if (isa == Isa::avx2) return &avx2::kKernels;
#endif
    return &base::kKernels;
}

const Kernels& activeKernels() {
    const Kernels* found = kernelsOf(activeIsa());
    return found != nullptr ? *found : base::kKernels;
}

}  // namespace seedbed::native
