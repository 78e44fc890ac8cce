// SPDX-License-Identifier: Apache-2.0
// The ceiling of arithmetic on this machine, measured: what independent fused multiply-adds from registers
// reach.
#pragma once

#include "core/base/simd.hpp"

namespace seedbed::app {

struct FmaPeak {
    Isa isa = Isa::base;
    bool fused =
        false;  // false: separate multiplications and additions, where the instruction set has no FMA
    int threads = 1;
    double gflops = 0;         // all threads together, 2 per multiply-add
    double thread_gflops = 0;  // one thread alone
};

// Takes about 0.1 s: the best of a few slices, since a shared machine only ever makes it slower.
FmaPeak measureFmaPeak(Isa isa, int threads);
// Of the instruction sets up to the one in use (SEEDBED_ISA lowers it), the one with the highest total.
FmaPeak measureBestFmaPeak(int threads);

}  // namespace seedbed::app
