// SPDX-License-Identifier: Apache-2.0
// Names of imported policies, for the commands that list and complete them.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"

namespace seedbed::app {

// Sorted; empty where nothing was imported. Whether they can be read is not looked at.
Result<std::vector<std::string>> importedPolicies(FileSystem& files, const Path& data_folder);

}  // namespace seedbed::app
