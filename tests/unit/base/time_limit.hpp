// SPDX-License-Identifier: Apache-2.0
// Wall-clock limits of tests.
#pragma once

#include <cstdlib>

namespace seedbed::test {

// The factor by which builds with sanitizers extend the limits.
#if defined(__SANITIZE_THREAD__)
inline constexpr int kSlowdown = 15;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr int kSlowdown = 4;
#else
inline constexpr int kSlowdown = 1;
#endif

// Whether tests run in their long forms (packaging/test.sh --long).
inline bool isLong() { return std::getenv("SEEDBED_LONG") != nullptr; }

// A limit of `seconds` where time is measured (SEEDBED_LONG=1). Otherwise, since other programs may use the
// processors, a minute, which only a test that hangs reaches.
inline double measuredLimit(double seconds) { return isLong() ? seconds * kSlowdown : 60.0 * kSlowdown; }

}  // namespace seedbed::test
