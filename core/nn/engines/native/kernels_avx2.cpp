// SPDX-License-Identifier: Apache-2.0
// The inner loops for AVX2 with FMA.
#if defined(__x86_64__)
#include <immintrin.h>

#define SEEDBED_NATIVE_ISA avx2
#define SEEDBED_NATIVE_AVX2 1
#include "core/nn/engines/native/kernels.inl"
#endif
