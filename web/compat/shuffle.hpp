// SPDX-License-Identifier: Apache-2.0
// GCC's __builtin_shuffle for Clang, which turns this loop over constants into one instruction. Included
// before every file of the WebAssembly module.
#pragma once

template <class Vector, class Picks>
[[gnu::always_inline]] inline Vector __builtin_shuffle(Vector a, Vector b, Picks picks) {
    constexpr int kCount = static_cast<int>(sizeof(Vector) / sizeof(a[0]));
    Vector result{};
    for (int i = 0; i < kCount; ++i) {
        const int pick = static_cast<int>(picks[i]);
        result[i] = pick < kCount ? a[pick] : b[pick - kCount];
    }
    return result;
}
