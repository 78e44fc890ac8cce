// SPDX-License-Identifier: Apache-2.0
// The factor by which builds with sanitizers extend the wall-clock limits of tests.
#pragma once

namespace seedbed::test {

#if defined(__SANITIZE_THREAD__)
inline constexpr int kSlowdown = 15;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr int kSlowdown = 4;
#else
inline constexpr int kSlowdown = 1;
#endif

}  // namespace seedbed::test
