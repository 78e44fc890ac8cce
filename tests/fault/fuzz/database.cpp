// SPDX-License-Identifier: Apache-2.0
// Database files of others: taken in whole or refused, never more than that.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include "core/store/maintenance.hpp"
#include "core/store/store.hpp"

namespace {

struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("seedbed-fuzz-" + std::to_string(getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace seedbed;
    static const Folder folder;
    const auto file = folder.path / "input.db";
    if (std::FILE* out = std::fopen(file.c_str(), "wb")) {
        std::fwrite(data, 1, size, out);
        std::fclose(out);
    }
    for (const char* end : {"-journal", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
    const auto target = folder.path / "target";
    if (const auto imported = importDatabase(target, file)) {
        // What was taken in is good by our own measure.
        const auto report = checkDatabase(target);
        if (!report || !report->problems.empty()) std::abort();
        if (!imported->empty()) std::filesystem::remove_all(target);
    }
    return 0;
}
