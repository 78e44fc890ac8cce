// SPDX-License-Identifier: Apache-2.0
// Runs a fuzzer's function without libFuzzer: on its own seeds and on mutations of them. Arguments: rounds, seed; prints both, so that a
// failure can be repeated.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/base/rng.hpp"
#include "tests/fuzz/fuzz.hpp"

int main(int argc, char** argv) {
    using namespace seedbed;
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 4000;
    const auto seed = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 1);
    std::printf("%d rounds, seed %llu\n", rounds, static_cast<unsigned long long>(seed));
    const std::vector<std::vector<std::uint8_t>> seeds = fuzzSeeds();
    for (const auto& bytes : seeds) LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    Rng rng(seed, RngPurpose::test);
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::uint8_t> bytes = seeds[rng.below(static_cast<std::uint32_t>(seeds.size()))];
        for (std::uint32_t change = 1 + rng.below(4); change > 0 && !bytes.empty(); --change) {
            const std::uint32_t at = rng.below(static_cast<std::uint32_t>(bytes.size()));
            switch (rng.below(4)) {
                case 0: bytes[at] = static_cast<std::uint8_t>(rng.below(256)); break;
                case 1: bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1u << rng.below(8))); break;
                case 2: bytes.resize(at); break;
                case 3: bytes.insert(bytes.begin() + at, static_cast<std::uint8_t>(rng.below(256))); break;
            }
        }
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    return 0;
}
