// SPDX-License-Identifier: Apache-2.0
// The control protocol: version, paths of sockets, and format of replies. README.md describes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/os/files.hpp"

namespace seedbed {

// Incremented if older clients would misinterpret messages; new verbs and members do not change it.
inline constexpr int kControlVersion = 1;

// <data>/control/run-<id>.sock; exists while the run's process is running.
std::filesystem::path controlFolder(const std::filesystem::path& data_folder);
std::filesystem::path controlSocket(const std::filesystem::path& data_folder, std::int64_t run);
// <data>/control/play-<pid>.sock.
std::filesystem::path playerSocket(const std::filesystem::path& data_folder, std::int64_t process);
// Removes the sockets of players that were killed.
void removeDeadPlayerSockets(FileSystem& files, const std::filesystem::path& data_folder);

// {"re": id, "ok": true, ...fields} and {"re": id, "ok": false, "error": {"code", "text"}}.
Json replyOf(const Json& request, const Result<Json>& result);
// The result in a reply.
Result<Json> resultOf(const Json& reply);

}  // namespace seedbed
