// SPDX-License-Identifier: Apache-2.0
// One loop of independent multiply-adds per instruction set.
#include "app/commands/bench/fma_peak.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace seedbed::app {
namespace {

constexpr long kRounds = 100'000;  // iterations per call, which take at most about 1 ms
volatile float sink = 0;           // keeps the compiler from removing the loop

// Hides a value from the compiler, which could otherwise fold the loop or merge equal accumulators.
#if defined(__x86_64__)
#define SEEDBED_OPAQUE(value) asm volatile("" : "+v"(value))
#elif defined(__aarch64__)
#define SEEDBED_OPAQUE(value) asm volatile("" : "+w"(value))
#else
#define SEEDBED_OPAQUE(value) asm volatile("" : "+m"(value))
#endif

// Twelve accumulators hide a latency of 4 to 5 cycles on two units. They are separate variables because the
// compiler would keep an array in memory.
constexpr int kAccumulators = 12;
#define SEEDBED_EACH(act) \
    act(0) act(1) act(2) act(3) act(4) act(5) act(6) act(7) act(8) act(9) act(10) act(11)
#define SEEDBED_DECLARE(i) auto sum##i = one;
#define SEEDBED_FOLD(i) total = SEEDBED_ADD(total, sum##i);
#define SEEDBED_STEP(i)                    \
    sum##i = SEEDBED_MULTIPLY_ADD(sum##i); \
    SEEDBED_OPAQUE(sum##i);

#if defined(__x86_64__)
#define SEEDBED_MULTIPLY_ADD(sum) _mm512_fmadd_ps(sum, a, b)
#define SEEDBED_ADD(x, y) _mm512_add_ps(x, y)
[[gnu::target("avx512f"), gnu::noinline]] double runAvx512() {
    const __m512 one = _mm512_set1_ps(1.0f), a = _mm512_set1_ps(0.999f), b = _mm512_set1_ps(0.001f);
    SEEDBED_EACH(SEEDBED_DECLARE)
    for (long round = 0; round < kRounds; ++round) {
        SEEDBED_EACH(SEEDBED_STEP)
    }
    __m512 total = one;
    SEEDBED_EACH(SEEDBED_FOLD)
    sink = _mm512_cvtss_f32(total);
    return 2.0 * 16 * kAccumulators * kRounds;
}
#undef SEEDBED_MULTIPLY_ADD
#undef SEEDBED_ADD

#define SEEDBED_MULTIPLY_ADD(sum) _mm256_fmadd_ps(sum, a, b)
#define SEEDBED_ADD(x, y) _mm256_add_ps(x, y)
[[gnu::target("avx2,fma"), gnu::noinline]] double runAvx2() {
    const __m256 one = _mm256_set1_ps(1.0f), a = _mm256_set1_ps(0.999f), b = _mm256_set1_ps(0.001f);
    SEEDBED_EACH(SEEDBED_DECLARE)
    for (long round = 0; round < kRounds; ++round) {
        SEEDBED_EACH(SEEDBED_STEP)
    }
    __m256 total = one;
    SEEDBED_EACH(SEEDBED_FOLD)
    sink = _mm256_cvtss_f32(total);
    return 2.0 * 8 * kAccumulators * kRounds;
}
#undef SEEDBED_MULTIPLY_ADD
#undef SEEDBED_ADD
#endif

// Vectors of four with separate multiply and add, which every x86-64 and ARM CPU supports.
#define SEEDBED_MULTIPLY_ADD(sum) (sum * a + b)
#define SEEDBED_ADD(x, y) (x + y)
[[gnu::noinline]] double runBase() {
    using Vector [[gnu::vector_size(16)]] = float;
    const Vector one{1, 1, 1, 1}, a{0.999f, 0.999f, 0.999f, 0.999f}, b{0.001f, 0.001f, 0.001f, 0.001f};
    SEEDBED_EACH(SEEDBED_DECLARE)
    for (long round = 0; round < kRounds; ++round) {
        SEEDBED_EACH(SEEDBED_STEP)
    }
    Vector total = one;
    SEEDBED_EACH(SEEDBED_FOLD)
    sink = total[0];
    return 2.0 * 4 * kAccumulators * kRounds;
}

double runOnce(Isa isa) {
#if defined(__x86_64__)
    if (isa == Isa::avx512) return runAvx512();
    if (isa == Isa::avx2) return runAvx2();
#endif
    static_cast<void>(isa);
    return runBase();
}

bool hasFma(Isa isa) {
#if defined(__x86_64__)
    return isa >= Isa::avx2 && __builtin_cpu_supports("fma");
#else
    static_cast<void>(isa);
    return false;
#endif
}

// Returns the best GFLOP/s of 16 slices of about 2 ms.
double bestSlice(Isa isa) {
    using Clock = std::chrono::steady_clock;
    double best = 0;
    for (int slice = 0; slice < 16; ++slice) {
        const auto begin = Clock::now();
        double flops = 0, seconds = 0;
        while (seconds < 0.002) {
            flops += runOnce(isa);
            seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        }
        best = std::max(best, flops / seconds * 1e-9);
    }
    return best;
}

}  // namespace

FmaPeak measureFmaPeak(Isa isa, int threads) {
    // With more threads than cores, adding the threads' best slices would count some cores twice.
    threads = std::clamp(threads, 1, std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    // If FMA is missing, the base version is measured.
    if (isa != Isa::base && !hasFma(isa)) isa = Isa::base;
    FmaPeak peak{.isa = isa,
                 .fused = isa != Isa::base,
                 .threads = threads,
                 .gflops = 0,
                 .thread_gflops = bestSlice(isa)};
    peak.gflops = peak.thread_gflops;
    if (threads == 1) return peak;
    // The threads wait for each other so that they measure at the same time.
    std::atomic<int> ready = 0;
    std::vector<double> each(static_cast<std::size_t>(threads));
    {
        std::vector<std::jthread> team;
        for (double& mine : each) {
            team.emplace_back([&] {
                ++ready;
                while (ready < threads) {
                }
                mine = bestSlice(isa);
            });
        }
    }
    peak.gflops = 0;
    for (const double gflops : each) peak.gflops += gflops;
    return peak;
}

FmaPeak measureBestFmaPeak(int threads) {
    FmaPeak best = measureFmaPeak(Isa::base, threads);
    for (const Isa isa : {Isa::avx2, Isa::avx512}) {
        if (isa > activeIsa()) continue;
        const FmaPeak peak = measureFmaPeak(isa, threads);
        if (peak.gflops > best.gflops) best = peak;
    }
    return best;
}

}  // namespace seedbed::app
