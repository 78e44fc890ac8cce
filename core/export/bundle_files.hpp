// SPDX-License-Identifier: Apache-2.0
// Reads the bundle in an exported or third-party folder: config.json and a safetensors file, without a
// manifest.
#pragma once

#include <string>

#include "core/base/os/files.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

// Reads `folder`/config.json and `folder`/`tensors`. error: names the file and the reason. Rejects links and
// other non-regular files, names other than [A-Za-z0-9_.-]+, files over 4 GiB, duplicate keys, and tensors
// that are missing, unknown, overlapping, not finite or of the wrong shape.
Result<PolicyBundle> loadExportedNetworks(FileSystem& files, const Path& folder,
                                          const std::string& tensors = "model.safetensors",
                                          const std::string& config = "config.json");

}  // namespace seedbed
