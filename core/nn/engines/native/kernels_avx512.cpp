// SPDX-License-Identifier: Apache-2.0
// The inner loops for AVX-512 (F, DQ, BW, VL).
#if defined(__x86_64__)
#include <immintrin.h>

#define SEEDBED_NATIVE_ISA avx512
#define SEEDBED_NATIVE_AVX512 1
#include "core/nn/engines/native/kernels.inl"
#endif
