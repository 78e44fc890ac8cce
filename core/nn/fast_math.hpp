// SPDX-License-Identifier: Apache-2.0
// exp, log, tanh and the logistic function in float without branches or tables, so that loops over arrays
// vectorise with the same bits on every instruction set. A test measures the stated errors over the whole
// range.
//
// Polynomials of exp and log: Moshier, Cephes Math Library 2.2, expf.c and logf.c (public domain).
#pragma once

#include <bit>
#include <cstdint>

#include "core/base/simd.hpp"

namespace seedbed {

namespace fast_math_detail {

// e^r - 1 for |r| <= 0.35.
SEEDBED_INLINE float expm1Reduced(float r) {
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    return p * (r * r) + r;
}

// x = n log 2 + r; returns 2^n for n in [-126, 127] and sets r.
SEEDBED_INLINE float splitExponent(float x, float& r) {
    constexpr float kShift = 0x1.8p23f, kLog2E = 1.44269504088896341f;
    constexpr float kLn2High = 0.693359375f,
                    kLn2Low = -2.12194440e-4f;  // the high part has 10 bits: its products are exact
    const float shifted = x * kLog2E + kShift;
    const float n = shifted - kShift;
    r = (x - n * kLn2High) - n * kLn2Low;
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) << 23) + 0x3f800000u);
}

}  // namespace fast_math_detail

// Relative error below 2e-7 for |x| <= 87; smaller x give about 1e-38, larger ones about 2e38, NaN gives NaN.
SEEDBED_INLINE float expF(float x) {
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    float r;
    const float scale = fast_math_detail::splitExponent(x, r);
    return (fast_math_detail::expm1Reduced(r) + 1.0f) * scale;
}

// Natural logarithm of a normal positive x: error below 1.5e-7 times max(1, |log x|). NaN gives NaN; not for
// zero, subnormal or negative x.
SEEDBED_INLINE float logF(float x) {
    // x = 2^e m with m in [sqrt(1/2), sqrt(2)).
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::int32_t e = static_cast<std::int32_t>(bits - 0x3f3504f3u) >> 23;
    const float f = std::bit_cast<float>(bits - (static_cast<std::uint32_t>(e) << 23)) - 1.0f;
    const float exponent = static_cast<float>(e), z = f * f;
    float p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    float y = p * f * z;
    y = y + exponent * -2.12194440e-4f;
    y = y - 0.5f * z;
    const float result = (f + y) + exponent * 0.693359375f;
    return x != x ? x : result;
}

// Relative error below 4e-7 everywhere; NaN gives NaN.
SEEDBED_INLINE float tanhF(float x) {
    // tanh a = E / (E + 2), E = e^(2a) - 1 = 2^n (e^r - 1) + (2^n - 1), for a = |x|; above 9.1 it is 1 in
    // float.
    const std::uint32_t sign = std::bit_cast<std::uint32_t>(x) & 0x80000000u;
    float a = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7fffffffu);
    a = a > 9.1f ? 9.1f : a;
    float r;
    const float scale = fast_math_detail::splitExponent(a + a, r);
    const float e = fast_math_detail::expm1Reduced(r) * scale + (scale - 1.0f);
    const float y = e / (e + 2.0f);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(y) | sign);
}

// 1 / (1 + e^-x): relative error below 4e-7 for x >= -80.
SEEDBED_INLINE float sigmoidF(float x) { return 1.0f / (1.0f + expF(-x)); }

}  // namespace seedbed
