// SPDX-License-Identifier: Apache-2.0
// How often this test program has called operator new, for tests that promise not to allocate.
#pragma once

#include <cstdint>

namespace seedbed::testing {

std::uint64_t allocationCount();
// Bytes allocated so far.
std::uint64_t allocatedBytes();

}  // namespace seedbed::testing
