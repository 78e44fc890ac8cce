// SPDX-License-Identifier: Apache-2.0
// Installed packs: DATA/packs/NAME contains pack.json and, in the folder site, the Python packages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"
#include "core/worker/pack_document.hpp"

namespace seedbed {

// The contents of DATA/packs/NAME/pack.json.
struct InstalledPack {
    Path folder;                        // DATA/packs/NAME
    std::string name;                   // equals the folder's name
    std::string document_hash;          // PackDocument::hash when it was installed
    std::string python;                 // absolute path of the interpreter
    std::string python_version;         // "3.11"
    bool uses_python_packages = false;  // whether it uses packages that the user installed for the
                                        // interpreter
    std::uint64_t bytes = 0;
    std::vector<std::pair<std::string, std::string>> packages{};  // name, version

    Path site() const { return folder / "site"; }
};

Path packsFolder(const Path& data_folder);

// Writes pack.json into `folder`, which differs from pack.folder during the installation.
Result<> writeInstalledPack(FileSystem& files, const Path& folder, const InstalledPack& pack);

// nullopt if the pack is not installed. error: config if it is damaged or its interpreter is missing.
Result<std::optional<InstalledPack>> readInstalledPack(FileSystem& files, const Path& data_folder,
                                                       const std::string& name);

enum class PackState { not_installed, installed, outdated, damaged };
std::string nameOf(PackState state);  // "not installed"

struct PackStatus {
    PackState state = PackState::not_installed;
    std::optional<InstalledPack> installed;
    std::string problem;  // why the pack is damaged, or ""
};
PackStatus packStatus(FileSystem& files, const Path& data_folder, const PackDocument& pack);

// Removes an installed or damaged pack. Processes that use it fail. error: config if it is not installed.
Result<> removePack(FileSystem& files, const Path& data_folder, const std::string& name);

}  // namespace seedbed
