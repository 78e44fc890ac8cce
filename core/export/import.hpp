// SPDX-License-Identifier: Apache-2.0
// Import: foreign weights become a policy of this data folder, which can be evaluated, watched and started
// from by its name.
#pragma once

#include <string>

#include "core/base/files.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

struct ImportRequest {
    Path source;  // an exported folder, a checkpoint, a folder with config.json and model.safetensors, or
                  // FILE.safetensors beside its config.json
    std::string name;  // "" takes the folder's or file's
    Path data_folder;
};

struct ImportedPolicy {
    std::string name;
    Path folder;  // <data>/policies/<name>
    PolicyBundle bundle;
};

// The name it will have: the one that was asked for, or that of folder or file. error: config, when that is
// none.
Result<std::string> importName(const ImportRequest& request);

// Nothing in the source is believed before it is checked: sizes, shapes, names, that numbers are finite and
// keys unique, that files are plain ones; SHA-256 where there is a manifest, in an exported folder of every
// file that it names. No code is loaded, no link followed. error: names file, reason and remedy; then the
// data folder is as it was.
Result<ImportedPolicy> importPolicy(FileSystem& files, const ImportRequest& request);

}  // namespace seedbed
