// SPDX-License-Identifier: Apache-2.0
// Elementary functions without branches or table look-ups, so that loops over arrays vectorise; used inside
// SEEDBED_VERSIONED loops.
#pragma once

// Coefficients and polynomial evaluation of sin and cos are those of fdlibm 5.3 (k_sin.c, k_cos.c,
// e_rem_pio2.c):
//   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun
//   Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is freely
//   granted, provided that this notice is preserved.

#include <bit>
#include <cstdint>

#include "core/base/simd.hpp"

namespace seedbed {

// Nearest integer to x, ties to even; |x| < 2^51.
SEEDBED_INLINE double roundNearest(double x) {
    constexpr double kShift = 0x1.8p52;
    return (x + kShift) - kShift;
}

// Sine and cosine of x in radians, |x| <= 1e6. Error: below 1 ulp for |x| <= pi/4, elsewhere below 1 ulp or
// 1e-16 (whichever is larger).
SEEDBED_INLINE void sinCos(double x, double& sine, double& cosine) {
    constexpr double kTwoOverPi = 6.36619772367581382433e-01, kShift = 0x1.8p52;
    // the high part has 33 bits
    constexpr double kHalfPiHigh = 1.57079632673412561417e+00, kHalfPiLow = 6.07710050650619224932e-11;
    // Cody-Waite: x = quadrant * pi/2 + y + tail with |y| <= pi/4; the product with the high part is exact.
    const double shifted = x * kTwoOverPi + kShift;
    const double n = shifted - kShift;
    const auto quadrant = std::bit_cast<std::uint64_t>(shifted);
    const double reduced = x - n * kHalfPiHigh, low = n * kHalfPiLow;
    const double y = reduced - low, tail = (reduced - y) - low;

    constexpr double kS1 = -1.66666666666666324348e-01, kS2 = 8.33333333332248946124e-03,
                     kS3 = -1.98412698298579493134e-04;
    constexpr double kS4 = 2.75573137070700676789e-06, kS5 = -2.50507602534068634195e-08,
                     kS6 = 1.58969099521155010221e-10;
    const double z = y * y, v = z * y;
    const double s =
        y - ((z * (0.5 * tail - v * (kS2 + z * (kS3 + z * (kS4 + z * (kS5 + z * kS6))))) - tail) - v * kS1);

    constexpr double kC1 = 4.16666666666666019037e-02, kC2 = -1.38888888888741095749e-03,
                     kC3 = 2.48015872894767294178e-05;
    constexpr double kC4 = -2.75573143513906633035e-07, kC5 = 2.08757232129817482790e-09,
                     kC6 = -1.13596475577881948265e-11;
    const double polynomial =
        z * (kC1 + z * (kC2 + z * kC3)) + (z * z) * (z * z) * (kC4 + z * (kC5 + z * kC6));
    const double half = 0.5 * z, w = 1.0 - half;
    const double c = w + (((1.0 - w) - half) + (z * polynomial - y * tail));

    // Odd quadrants swap sine and cosine; the signs depend on the quadrant.
    const auto s_bits = std::bit_cast<std::uint64_t>(s), c_bits = std::bit_cast<std::uint64_t>(c);
    const std::uint64_t swap = (std::uint64_t{0} - (quadrant & 1)) & (s_bits ^ c_bits);
    sine = std::bit_cast<double>((s_bits ^ swap) ^ ((quadrant & 2) << 62));
    cosine = std::bit_cast<double>((c_bits ^ swap) ^ (((quadrant + 1) & 2) << 62));
}

SEEDBED_INLINE double sine(double x) {
    double s, c;
    sinCos(x, s, c);
    return s;
}

SEEDBED_INLINE double cosine(double x) {
    double s, c;
    sinCos(x, s, c);
    return c;
}

SEEDBED_INLINE double clamp(double x, double low, double high) {
    x = x < low ? low : x;
    return x > high ? high : x;
}

}  // namespace seedbed
