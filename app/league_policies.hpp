// SPDX-License-Identifier: Apache-2.0
// Copies the policies of league members between data folders. The database refers to them by their hash.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"
#include "core/store/import.hpp"

namespace seedbed::app {

// For an export: copies the policies of all leagues. Appends a sentence to `not_copied` for each one that
// could not be copied. error: interrupted.
Result<> exportLeaguePolicies(FileSystem& files, const Path& from, const Path& to,
                              const std::stop_token& stop, std::vector<std::string>& not_copied);

// For an import: copies the policies of `leagues` that `to` does not have. The folder `from` is untrusted:
// links are not followed, and each policy is checked and written again. Otherwise as exportLeaguePolicies().
Result<> importLeaguePolicies(FileSystem& files, const Path& from, const Path& to,
                              const std::vector<ImportedLeague>& leagues, const std::stop_token& stop,
                              std::vector<std::string>& not_copied);

}  // namespace seedbed::app
