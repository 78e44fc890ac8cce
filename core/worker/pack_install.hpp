// SPDX-License-Identifier: Apache-2.0
// Installs packs with pip.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"
#include "core/worker/pack_document.hpp"
#include "core/worker/pack_state.hpp"

namespace seedbed {

struct PackProgress {
    enum class Phase { preparing, downloading, installing, checking };
    Phase phase = Phase::preparing;
    std::string package;  // downloading: file name of package `number` of `count`
    int number = 0, count = 0;
    std::uint64_t bytes = 0, total_bytes = 0;  // downloaded
};

struct PackInstallOptions {
    std::string python;  // "": see findPython()
    std::function<void(const PackProgress&)> progress{};
    std::stop_token stop{};
};

// Downloads the packages of a pack, verifies their hashes, installs them into a temporary folder, imports
// them, and renames the folder to DATA/packs/NAME, replacing an older installation. Takes minutes. A failure
// or stop leaves no files behind; the next call removes files of killed processes. error: config (no suitable
// Python, no pip), disk_full, interrupted, failure; each with a remedy.
Result<InstalledPack> installPack(FileSystem& files, const Path& data_folder, const PackDocument& pack,
                                  const PackInstallOptions& options);

}  // namespace seedbed
