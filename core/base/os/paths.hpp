// SPDX-License-Identifier: Apache-2.0
// The user's folders: the XDG folders of this program, and the data folder with the runs.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/base/error.hpp"

namespace seedbed {

// All paths are absolute. The folders are not created.
struct UserFolders {
    // Runs and database: --data, else SEEDBED_DATA, else XDG_DATA_HOME/seedbed, else ~/.local/share/seedbed.
    std::filesystem::path data;
    std::filesystem::path config;  // settings of the window, the user's presets
    std::filesystem::path cache;   // may be deleted at any time
    std::filesystem::path state;   // logs, window layout
    // Sockets; deleted at logout. Below `cache` if XDG_RUNTIME_DIR is unset.
    std::filesystem::path runtime;
};

// Returns the value of an environment variable; nullopt if it is unset or empty.
using EnvironmentVariables = std::function<std::optional<std::string>(const char* name)>;
EnvironmentVariables processEnvironment();

// Determines the folders. `data_flag` is the value of --data; it and SEEDBED_DATA may be relative to the
// working directory. Relative XDG folders are ignored, as the XDG Base Directory Specification 0.8 requires.
// error: config if there is no home folder.
Result<UserFolders> userFolders(const std::optional<std::string>& data_flag,
                                const EnvironmentVariables& variables = processEnvironment());

// error: config if the data folder exists but is a file.
Result<> checkDataFolder(const std::filesystem::path& folder);

}  // namespace seedbed
