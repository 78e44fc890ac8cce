// SPDX-License-Identifier: Apache-2.0
// The inner loops for any machine: vectors of four floats. On 64-bit ARM (NEON) multiply-adds are fused;
// elsewhere products and sums are rounded separately.
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#define SEEDBED_NATIVE_ISA base
#define SEEDBED_NATIVE_BASE 1
#include "core/nn/engines/native/kernels.inl"
