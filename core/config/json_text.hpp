// SPDX-License-Identifier: Apache-2.0
// JSON files written by hand: errors name the file, line and column, and limits protect against malicious
// files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/os/files.hpp"

namespace seedbed {

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;
constexpr int kMaxConfigDepth = 32;

// Parses `text`; error messages call it `name`, usually its file. A duplicate key in an object is an error.
// error: config.
Result<Json> parseJsonText(std::string_view text, const std::string& name);
Result<Json> readJsonFile(FileSystem& files, const Path& path);

}  // namespace seedbed
