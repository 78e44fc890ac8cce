// SPDX-License-Identifier: Apache-2.0
// Lists the policies folder and checks names.
#include "app/imported_policies.hpp"

#include <algorithm>

#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/policy/manifest.hpp"
#include "core/store/store_reader.hpp"

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

Result<> requireFreeName(FileSystem& files, const Path& data_folder, const std::string& name) {
    SEEDBED_ASSIGN(const auto existing, files.info(policiesFolder(data_folder) / name));
    if (existing)
        return fail(ErrorCode::config, "a policy named '" + name + "' already exists; choose another name");
    if (auto reader = StoreReader::open(data_folder); reader && reader->resolveRun(name))
        return fail(ErrorCode::config, "a run is already called '" + name + "'; choose another name");
    return {};
}

}  // namespace seedbed::app
