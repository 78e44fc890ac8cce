// SPDX-License-Identifier: Apache-2.0
// The control protocol in names: its version, where sockets lie, and the shape of requests and replies.
// README.md describes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"

namespace seedbed {

// Raised when a client of the old version would misunderstand; new verbs and new members do not raise it.
inline constexpr int kControlVersion = 1;

// <data>/control/run-<id>.sock: there while the run's process lives.
std::filesystem::path controlFolder(const std::filesystem::path& data_folder);
std::filesystem::path controlSocket(const std::filesystem::path& data_folder, std::int64_t run);
// <data>/control/play-<pid>.sock.
std::filesystem::path playerSocket(const std::filesystem::path& data_folder, std::int64_t process);
// Sockets of players that were killed.
void removeDeadPlayerSockets(FileSystem& files, const std::filesystem::path& data_folder);

// {"re": id, "ok": true, ...fields} and {"re": id, "ok": false, "error": {"code", "text"}}.
Json replyOf(const Json& request, const Result<Json>& result);
// The result that a reply carries.
Result<Json> resultOf(const Json& reply);

}  // namespace seedbed
