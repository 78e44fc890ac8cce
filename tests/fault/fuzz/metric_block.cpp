// SPDX-License-Identifier: Apache-2.0
// Sealed blocks of metric points: refused, or as many of each list.
#include <cstdint>
#include <cstdlib>

#include "core/store/metric_block.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::int64_t> steps;
    std::vector<double> times, values;
    const auto decoded = seedbed::decodeBlock(std::as_bytes(std::span(data, size)), steps, times, values);
    if (decoded && (steps.size() != times.size() || steps.size() != values.size())) std::abort();
    return 0;
}
