// SPDX-License-Identifier: Apache-2.0
// Detects the instruction set.
#include "core/base/simd.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

namespace seedbed {
namespace {

Isa wantedIsa() {
    const char* text = std::getenv("SEEDBED_ISA");
    const std::string_view wanted = text ? text : "";
    if (wanted == "base") return Isa::base;
    if (wanted == "avx2") return Isa::avx2;
    return Isa::avx512;
}

std::atomic<Isa>& active() {
    static std::atomic<Isa> isa = std::min(detectedIsa(), wantedIsa());
    return isa;
}

}  // namespace

const char* nameOf(Isa isa) {
    switch (isa) {
        case Isa::avx512: return "avx512";
        case Isa::avx2: return "avx2";
        case Isa::base: break;
    }
    return "base";
}

Isa detectedIsa() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return Isa::avx512;
    if (__builtin_cpu_supports("avx2")) return Isa::avx2;
#endif
    return Isa::base;
}

Isa activeIsa() { return active().load(std::memory_order_relaxed); }

void limitIsa(Isa limit) { active().store(std::min(limit, detectedIsa()), std::memory_order_relaxed); }

}  // namespace seedbed
