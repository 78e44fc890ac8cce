// SPDX-License-Identifier: Apache-2.0
// The inner loops for every machine: vectors of four floats, products and sums rounded separately.

#define SEEDBED_NATIVE_ISA base
#define SEEDBED_NATIVE_BASE 1
#include "core/nn/engines/native/kernels.inl"
