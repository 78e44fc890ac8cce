// SPDX-License-Identifier: Apache-2.0
// Runs a fuzzer's function without libFuzzer: on its seeds, on stored inputs, and on mutations of both.
// Arguments: rounds, seed, folder of stored inputs; prints rounds and seed, so that a failure can be
// reproduced. SEEDBED_FUZZ_ROUNDS=N: at most N rounds, except in long forms of tests. With --outcomes
// FILE...: prints the outcome of each file, one per line.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include <signal.h>
#include <sys/time.h>

#include "core/base/rng.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/unit/base/time_limit.hpp"

namespace {

std::vector<std::uint8_t> contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// libFuzzer interrupts its programs with an alarm; this program does so too, and more often.
void startAlarms() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigaction(SIGALRM, &action, nullptr);
    const itimerval interval{{0, 50'000}, {0, 50'000}};
    ::setitimer(ITIMER_REAL, &interval, nullptr);
}

int printOutcomes(int count, char** paths) {
    for (int i = 0; i < count; ++i) {
        const std::vector<std::uint8_t> bytes = contents(paths[i]);
        seedbed::fuzzOutcome() = "empty";
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
        std::string line = seedbed::fuzzOutcome();
        std::replace(line.begin(), line.end(), '\n', ' ');
        std::printf("%s\n", line.c_str());
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace seedbed;
    if (argc > 1 && std::strcmp(argv[1], "--outcomes") == 0) return printOutcomes(argc - 2, argv + 2);
    startAlarms();
    int rounds = argc > 1 ? std::atoi(argv[1]) : 4000;
    const char* short_form = std::getenv("SEEDBED_FUZZ_ROUNDS");
    if (short_form != nullptr && !test::isLong()) rounds = std::min(rounds, std::atoi(short_form));
    const auto seed = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 1);
    std::vector<std::vector<std::uint8_t>> seeds = fuzzSeeds();
    const std::size_t own = seeds.size();
    if (argc > 3 && std::filesystem::is_directory(argv[3])) {
        // Sorted by name, so that the rounds are the same on every machine.
        std::set<std::filesystem::path> kept;
        for (const auto& entry : std::filesystem::directory_iterator(argv[3])) kept.insert(entry.path());
        for (const auto& path : kept) seeds.push_back(contents(path));
    }
    std::printf("%d rounds, seed %llu, %zu seeds, %zu stored inputs\n", rounds,
                static_cast<unsigned long long>(seed), own, seeds.size() - own);
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
