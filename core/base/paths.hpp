// SPDX-License-Identifier: Apache-2.0
// Where the user's files are: the XDG folders of this program, and the data folder that holds runs.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/base/error.hpp"

namespace seedbed {

// All absolute; none is made here.
struct UserFolders {
    std::filesystem::path data;  // runs, database: flag, else SEEDBED_DATA, else XDG_DATA_HOME/seedbed, else
                                 // ~/.local/share/seedbed
    std::filesystem::path config;  // settings of the window, own presets
    std::filesystem::path cache;   // may be deleted at any time
    std::filesystem::path state;   // logs, window layout
    std::filesystem::path
        runtime;  // sockets; gone after logout; below `cache` where there is no XDG_RUNTIME_DIR
};

// The value of an environment variable; nullopt when unset or empty.
using EnvironmentVariables = std::function<std::optional<std::string>(const char* name)>;
EnvironmentVariables processEnvironment();

// `data_flag` is the value of --data. Relative XDG folders are ignored, as the XDG Base Directory
// Specification 0.8 asks; the flag and SEEDBED_DATA may be relative to the working directory. error: config
// when there is no home folder to fall back on.
Result<UserFolders> userFolders(const std::optional<std::string>& data_flag,
                                const EnvironmentVariables& variables = processEnvironment());

}  // namespace seedbed
