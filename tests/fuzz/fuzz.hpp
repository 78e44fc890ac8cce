// SPDX-License-Identifier: Apache-2.0
// What every fuzzer has: libFuzzer's entry, and inputs to begin with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace seedbed {

// Valid inputs, so that mutations come behind the first check.
std::vector<std::vector<std::uint8_t>> fuzzSeeds();

}  // namespace seedbed
