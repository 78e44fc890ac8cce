// SPDX-License-Identifier: Apache-2.0
// JSON as people write it in files: errors name file, line and column; limits keep hostile files harmless.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"

namespace seedbed {

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;
constexpr int kMaxConfigDepth = 32;

// `name` is what the error calls the text, usually its file. A key that stands twice in one object is an
// error. error: config.
Result<Json> parseJsonText(std::string_view text, const std::string& name);
Result<Json> readJsonFile(FileSystem& files, const Path& path);

}  // namespace seedbed
