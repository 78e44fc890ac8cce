// SPDX-License-Identifier: Apache-2.0
// Lists the policies folder.
#include "app/imported_policies.hpp"

#include <algorithm>

#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/policy/manifest.hpp"

namespace seedbed::app {

Result<std::vector<std::string>> importedPolicies(FileSystem& files, const Path& data_folder) {
    const Path folder = policiesFolder(data_folder);
    std::vector<std::string> names;
    SEEDBED_ASSIGN(const auto there, files.info(folder));
    if (!there) return names;
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    for (const FileInfo& entry : entries) {
        if (entry.kind != FileInfo::Kind::folder || !isPlainFileName(entry.name)) continue;
        SEEDBED_ASSIGN(const auto manifest, files.info(folder / entry.name / kManifestName));
        if (manifest) names.push_back(entry.name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace seedbed::app
