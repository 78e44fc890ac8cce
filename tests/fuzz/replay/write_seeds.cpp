// SPDX-License-Identifier: Apache-2.0
// Writes the seeds of a libFuzzer program to the folder in SEEDBED_FUZZ_SEEDS, if set, and exits.
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* folder = std::getenv("SEEDBED_FUZZ_SEEDS");
    if (folder == nullptr) return 0;
    int number = 0;
    for (const auto& bytes : seedbed::fuzzSeeds()) {
        std::ofstream file(std::string(folder) + "/seed" + std::to_string(number++), std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (!file) std::exit(1);
    }
    std::exit(0);
}
