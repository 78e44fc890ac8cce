// SPDX-License-Identifier: Apache-2.0
// Checks installed packs.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/worker/pack_document.hpp"
#include "core/worker/pack_state.hpp"

namespace seedbed {

struct PackCheck {
    std::vector<std::string> problems{};       // empty if the installation is intact
    int modules = 0, packages = 0, files = 0;  // verified
};

// The libraries that are missing on this computer. Loads the others into this process.
std::vector<std::string> missingLibraries(const std::vector<std::string>& names);

// error: config, with the Debian packages, if a library that the pack's environments load is missing.
Result<> requireLibraries(const PackDocument& pack);

// Imports the modules of an installed pack and compares the versions of its packages with the document. With
// `hash_files`, also compares all files with the hashes in their wheels. error: the pack's Python does not
// run; interrupted.
Result<PackCheck> checkPack(const InstalledPack& installed, const PackDocument& pack, bool hash_files,
                            const std::stop_token& stop = {});

}  // namespace seedbed
