// SPDX-License-Identifier: Apache-2.0
#include "core/config/resources.hpp"

#include <cstdlib>

namespace seedbed {

Result<std::filesystem::path> resourcesFolder() {
    namespace fs = std::filesystem;
    std::error_code error;
    if (const char* folder = std::getenv("SEEDBED_RESOURCES")) {
        if (fs::is_directory(fs::path(folder) / "presets", error)) return fs::path(folder);
        return fail("SEEDBED_RESOURCES is '" + std::string(folder) + "', which contains no presets");
    }
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    fs::path folder = program.parent_path();
    if (error) return fail("cannot find this program's folder: " + error.message());
    // Installed: bin/ is next to share/. In a source tree: the program is a few levels below the folder that
    // contains resources/.
    for (int up = 0; up < 5; ++up, folder = folder.parent_path()) {
        for (const fs::path& candidate : {folder / "share" / "seedbed", folder / "resources"})
            if (fs::is_directory(candidate / "presets", error)) return candidate;
    }
    const fs::path beside = program.parent_path();
    return fail("the presets of '" + program.string() + "' were not found in '" +
                (beside.parent_path() / "share" / "seedbed").string() + "' or '" +
                (beside / "resources").string() +
                "': keep the program in its installed folder, or set SEEDBED_RESOURCES to the folder that "
                "contains presets/");
}

}  // namespace seedbed
