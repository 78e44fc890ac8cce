// SPDX-License-Identifier: Apache-2.0
// The functions that every fuzzer defines: libFuzzer's entry point and the seed inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace seedbed {

// Valid inputs, so that mutations get past the first check.
std::vector<std::vector<std::uint8_t>> fuzzSeeds();

// Outcome of the most recent input: the part of the format it tests, then "accepted" or the error.
// name_corpus.py names stored inputs after it.
inline std::string& fuzzOutcome() {
    static std::string outcome;
    return outcome;
}
template <class T>
void noteOutcome(const char* part, const Result<T>& result) {
    fuzzOutcome() = std::string(part) + ": " + (result ? "accepted" : result.error().text());
}

}  // namespace seedbed
