// SPDX-License-Identifier: Apache-2.0
// Sealed blocks of metric points: either rejected, or decoded into lists of equal length.
#include <cstdint>
#include <cstdlib>

#include "core/store/metric_block.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::int64_t> steps;
    std::vector<double> times, values;
    const auto decoded = seedbed::decodeBlock(std::as_bytes(std::span(data, size)), steps, times, values);
    seedbed::noteOutcome("block", decoded);
    if (decoded && (steps.size() != times.size() || steps.size() != values.size())) std::abort();
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    std::vector<std::vector<std::uint8_t>> seeds;
    for (const double factor : {1.0, 0.1, 1e300}) {
        std::vector<MetricPoint> points;
        for (int i = 0; i < 20; ++i) points.push_back({i * 2048, 1.7e9 + i * factor, i * factor});
        const auto bytes = encodeBlock(points);
        const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
        seeds.emplace_back(first, first + bytes.size());
    }
    return seeds;
}
