// SPDX-License-Identifier: Apache-2.0
// What every fuzzer has: libFuzzer's entry, and inputs to begin with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace seedbed {

// Valid inputs, so that mutations come behind the first check.
std::vector<std::vector<std::uint8_t>> fuzzSeeds();

// What became of the newest input: the part of the format that it is about, and "accepted" or the error.
// Kept inputs are named after it (name_corpus.py).
inline std::string& fuzzOutcome() {
    static std::string outcome;
    return outcome;
}
template <class T>
void noteOutcome(const char* part, const Result<T>& result) {
    fuzzOutcome() = std::string(part) + ": " + (result ? "accepted" : result.error().text());
}

}  // namespace seedbed
