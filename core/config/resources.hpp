// SPDX-License-Identifier: Apache-2.0
// The folder with the files installed with the program: presets, pictures, results.
#pragma once

#include <filesystem>

#include "core/base/error.hpp"

namespace seedbed {

// The value of SEEDBED_RESOURCES, else share/seedbed next to bin/, else resources/ of the source tree. error:
// none of them exists.
Result<std::filesystem::path> resourcesFolder();

}  // namespace seedbed
