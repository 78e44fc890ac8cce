// SPDX-License-Identifier: Apache-2.0
// The imported policies of a data folder.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"

namespace seedbed::app {

// A file in the folder of an imported policy: {"source": path, "time": seconds since 1970}.
inline constexpr const char* kImportRecord = "import.json";

// Returns the names, sorted. Does not check whether the policies can be read.
Result<std::vector<std::string>> importedPolicies(FileSystem& files, const Path& data_folder);
// error: config if a policy or a run has the name: 'eval NAME' would be ambiguous.
Result<> requireFreeName(FileSystem& files, const Path& data_folder, const std::string& name);

}  // namespace seedbed::app
