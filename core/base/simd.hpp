// SPDX-License-Identifier: Apache-2.0
// Chooses the instruction set for hot loops at run time. A loop is written once in plain C++ and compiled for
// each set. It uses only IEEE operations, without contraction to FMA, so all versions give the same bits.
#pragma once

namespace seedbed {

// Instruction sets; each includes the ones before it.
enum class Isa : int { base, avx2, avx512 };

const char* nameOf(Isa isa);
// The best instruction set of this machine.
Isa detectedIsa();
// The instruction set in use: the detected one, limited by the environment variable SEEDBED_ISA (base | avx2
// | avx512) or by limitIsa(). Thread: any.
Isa activeIsa();
// Limits the instruction set of the process, for tests and diagnosis. A limit above the detected set has no
// effect.
void limitIsa(Isa limit);

}  // namespace seedbed

// An always-inlined function, compiled for the instruction set of its caller.
#define SEEDBED_INLINE [[gnu::always_inline]] inline

// Place before a loop whose iterations do not depend on each other through memory.
#if defined(__clang__)
#define SEEDBED_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define SEEDBED_INDEPENDENT _Pragma("GCC ivdep")
#endif

// Defines `void name parameters`, which calls the always-inlined `body` compiled for the instruction set in
// use, e.g.
//   SEEDBED_VERSIONED(stepAll, stepLoop, (const Block& block), (block))
#if defined(__x86_64__)
#define SEEDBED_VERSIONED(name, body, parameters, arguments)                                           \
    void name##Base parameters { body arguments; }                                                     \
    [[gnu::target("avx2")]] void name##Avx2 parameters { body arguments; }                             \
    [[gnu::target(                                                                                     \
        "avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")]] void name##Avx512 parameters { \
        body arguments;                                                                                \
    }                                                                                                  \
    void name parameters {                                                                             \
        switch (::seedbed::activeIsa()) {                                                              \
            case ::seedbed::Isa::avx512: return name##Avx512 arguments;                                \
            case ::seedbed::Isa::avx2: return name##Avx2 arguments;                                    \
            case ::seedbed::Isa::base: break;                                                          \
        }                                                                                              \
        name##Base arguments;                                                                          \
    }
#else
#define SEEDBED_VERSIONED(name, body, parameters, arguments) \
    void name parameters { body arguments; }
#endif
