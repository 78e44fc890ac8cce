// SPDX-License-Identifier: Apache-2.0
// Measures the peak arithmetic speed of this machine with independent fused multiply-adds on registers.
#pragma once

#include "core/base/simd.hpp"

namespace seedbed::app {

struct FmaPeak {
    Isa isa = Isa::base;
    bool fused = false;  // false: separate multiply and add, without FMA
    int threads = 1;
    double gflops = 0;         // all threads together, 2 per multiply-add
    double thread_gflops = 0;  // one thread alone
};

// Takes about 0.1 s. Returns the best of several slices, since other load can only lower the speed.
FmaPeak measureFmaPeak(Isa isa, int threads);
// Measures the instruction sets up to the active one (SEEDBED_ISA lowers it) and returns the fastest.
FmaPeak measureBestFmaPeak(int threads);

}  // namespace seedbed::app
