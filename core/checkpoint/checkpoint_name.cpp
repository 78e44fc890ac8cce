// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/checkpoint_name.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/policy/manifest.hpp"

namespace seedbed {

Result<CheckpointName> parseCheckpointName(FileSystem& files, std::string_view text) {
    CheckpointName name;
    if (text.empty())
        return fail(ErrorCode::config,
                    "name a checkpoint as RUN, RUN:best, RUN:STEP or the path of a folder");
    const bool is_number =
        std::all_of(text.begin(), text.end(), [](char letter) { return letter >= '0' && letter <= '9'; });
    // Names of runs contain no '/' and do not begin with a dot. A word without '/' may also name a folder in
    // the current folder; a number is always a run.
    bool is_path = text.find('/') != std::string_view::npos || text.front() == '.';
    if (!is_path && !is_number) {
        SEEDBED_ASSIGN(const auto manifest, files.info(Path(text) / kManifestName));
        is_path = manifest.has_value();
    }
    if (is_path) {
        name.folder = Path(text);
        return name;
    }
    const auto colon = text.rfind(':');
    name.run = std::string(text.substr(0, colon));
    if (colon != std::string_view::npos) {
        name.selector = std::string(text.substr(colon + 1));
        if (name.run.empty() ||
            (name.selector != "best" && name.selector != "newest" && !parseInteger(name.selector)))
            return fail(
                ErrorCode::config,
                "'" + std::string(text) +
                    "' is not the name of a checkpoint: use RUN, RUN:best, RUN:STEP or the path of a folder");
    }
    return name;
}

Result<LoadedCheckpoint> loadCheckpoint(FileSystem& files, const Path& data_folder, std::string_view text,
                                        const RunResolver& resolve) {
    SEEDBED_ASSIGN(const CheckpointName name, parseCheckpointName(files, text));
    if (!name.folder.empty()) return loadCheckpoint(files, name.folder);
    SEEDBED_ASSIGN(const std::int64_t run, resolve(name.run));
    return CheckpointStore(files, data_folder, run).load(name.selector);
}

Path policiesFolder(const Path& data_folder) { return data_folder / "policies"; }

Result<LoadedPolicy> loadPolicy(FileSystem& files, const Path& data_folder, std::string_view text,
                                const RunResolver& resolve) {
    SEEDBED_ASSIGN(const CheckpointName name, parseCheckpointName(files, text));
    if (!name.folder.empty()) return readPolicyFolder(files, name.folder);
    if (const Path imported = policiesFolder(data_folder) / name.run;
        name.selector.empty() && isPlainFileName(name.run)) {
        SEEDBED_ASSIGN(const auto manifest, files.info(imported / kManifestName));
        if (manifest && resolve(name.run))
            return fail(ErrorCode::config, "both a run and an imported policy are named '" + name.run +
                                               "'; use the number of the run or '" + imported.string() + "'");
        if (manifest) return readPolicyFolder(files, imported);
    }
    SEEDBED_ASSIGN(const std::int64_t run, resolve(name.run));
    return CheckpointStore(files, data_folder, run).loadPolicy(name.selector);
}

}  // namespace seedbed
