// SPDX-License-Identifier: Apache-2.0
// Implements the XDG rules.
#include "core/base/os/paths.hpp"

#include <cstdlib>
#include <vector>

#include <pwd.h>
#include <unistd.h>

namespace seedbed {

namespace {

std::optional<std::filesystem::path> homeFolder(const EnvironmentVariables& variables) {
    if (const auto home = variables("HOME"); home && home->starts_with('/')) return *home;
#ifdef SEEDBED_STATIC
    return std::nullopt;  // a static program cannot load the C library's modules for users
#else
    // HOME is often unset in services and containers.
    passwd entry{};
    passwd* found = nullptr;
    std::vector<char> buffer(16384);
    if (getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr)
        return std::nullopt;
    if (found->pw_dir == nullptr || found->pw_dir[0] != '/') return std::nullopt;
    return found->pw_dir;
#endif
}

}  // namespace

EnvironmentVariables processEnvironment() {
    return [](const char* name) -> std::optional<std::string> {
        const char* value = std::getenv(name);
        if (value == nullptr || *value == '\0') return std::nullopt;
        return value;
    };
}

Result<UserFolders> userFolders(const std::optional<std::string>& data_flag,
                                const EnvironmentVariables& variables) {
    const auto home = homeFolder(variables);
    bool missing = false;
    const auto folder = [&](const char* variable, const char* below_home) -> std::filesystem::path {
        if (const auto value = variables(variable); value && value->starts_with('/'))
            return std::filesystem::path(*value) / "seedbed";
        if (!home) missing = true;
        return home ? *home / below_home / "seedbed" : std::filesystem::path();
    };

    UserFolders folders;
    folders.config = folder("XDG_CONFIG_HOME", ".config");
    folders.cache = folder("XDG_CACHE_HOME", ".cache");
    folders.state = folder("XDG_STATE_HOME", ".local/state");
    folders.data = folder("XDG_DATA_HOME", ".local/share");
    if (missing) return fail(ErrorCode::config, "no home folder found; set HOME to a writable folder");

    if (data_flag && data_flag->empty()) return fail(ErrorCode::usage, "--data needs the name of a folder");
    std::optional<std::string> chosen = data_flag;
    if (!chosen) chosen = variables("SEEDBED_DATA");
    if (chosen) {
        std::error_code error;
        folders.data = std::filesystem::absolute(*chosen, error).lexically_normal();
        if (error) return fail("the working directory does not exist: " + error.message());
    }
    const auto runtime = variables("XDG_RUNTIME_DIR");
    folders.runtime = runtime && runtime->starts_with('/') ? std::filesystem::path(*runtime) / "seedbed"
                                                           : folders.cache / "run";
    return folders;
}

Result<> checkDataFolder(const std::filesystem::path& folder) {
    std::error_code ignored;
    const auto status = std::filesystem::status(folder, ignored);
    if (!std::filesystem::exists(status) || std::filesystem::is_directory(status)) return {};
    return fail(ErrorCode::config, "the data folder '" + folder.string() + "' is not a folder");
}

}  // namespace seedbed
