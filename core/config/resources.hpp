// SPDX-License-Identifier: Apache-2.0
// Where the files are that come with the program: presets, pictures, results.
#pragma once

#include <filesystem>

#include "core/base/error.hpp"

namespace seedbed {

// SEEDBED_RESOURCES, else beside the program, as installed (bin/ and share/seedbed) or in the source tree.
// error: failure when there is none.
Result<std::filesystem::path> resourcesFolder();

}  // namespace seedbed
