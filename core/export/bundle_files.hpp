// SPDX-License-Identifier: Apache-2.0
// The bundle inside an exported or foreign folder: config.json and a safetensors file, read without a
// manifest and with suspicion.
#pragma once

#include <string>

#include "core/base/files.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

// `folder`/config.json and `folder`/`tensors`. Refused: links and anything but plain files, other names than
// [A-Za-z0-9_.-]+, files of more than 4 GiB, tensors that are missing, too many, of other shapes, overlapping
// or not finite, keys that come twice. error: names file and reason.
Result<PolicyBundle> loadExportedNetworks(FileSystem& files, const Path& folder,
                                          const std::string& tensors = "model.safetensors",
                                          const std::string& config = "config.json");

}  // namespace seedbed
