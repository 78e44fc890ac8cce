// SPDX-License-Identifier: Apache-2.0
// Counts the calls of operator new in a test program, for tests of code that must not allocate, and makes
// them fail on demand. Test programs in other folders add allocation_count.cpp to their sources.
#pragma once

#include <cstdint>

namespace seedbed::testing {

std::uint64_t allocationCount();
// Bytes allocated so far.
std::uint64_t allocatedBytes();
// Allocations fail while `refuses` returns true. It may be called on any thread.
void refuseAllocations(bool (*refuses)());

}  // namespace seedbed::testing
