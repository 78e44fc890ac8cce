// SPDX-License-Identifier: Apache-2.0
// Counts the calls of operator new of a test program, for tests of code that must not allocate, and lets them
// fail. Programs of other folders add allocation_count.cpp to their sources.
#pragma once

#include <cstdint>

namespace seedbed::testing {

std::uint64_t allocationCount();
// Bytes allocated so far.
std::uint64_t allocatedBytes();
// Allocations fail while `refuses` returns true. Any thread calls it.
void refuseAllocations(bool (*refuses)());

}  // namespace seedbed::testing
