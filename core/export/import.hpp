// SPDX-License-Identifier: Apache-2.0
// Imports weights as a named policy in the data folder. The policy can be evaluated, watched and used to
// start training.
#pragma once

#include <string>

#include "core/base/os/files.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

struct ImportRequest {
    // An exported folder, a checkpoint, a folder with config.json and model.safetensors, or FILE.safetensors
    // with config.json in the same folder.
    Path source;
    std::string name;  // "": the name of the folder or file
    Path data_folder;
};

struct ImportedPolicy {
    std::string name;
    Path folder;  // <data>/policies/<name>
    PolicyBundle bundle;
};

// The name of the imported policy: the requested name, or the name of the folder or file. error: config if
// the name is not allowed.
Result<std::string> importName(const ImportRequest& request);

// The source is not trusted. Checks sizes, shapes and names, and that numbers are finite, keys are unique and
// files are regular; if there is a manifest, also checks SHA-256 hashes (for exported folders, of all files).
// Never loads code or follows links. error: names the file, the reason and a remedy; the data folder is
// unchanged.
Result<ImportedPolicy> importPolicy(FileSystem& files, const ImportRequest& request);

}  // namespace seedbed
