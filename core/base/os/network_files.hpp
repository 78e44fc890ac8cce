// SPDX-License-Identifier: Apache-2.0
// Recognises network file systems, on which a database in WAL mode is not safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace seedbed {

// The name of the network file system with this f_type of statfs(2), for example "NFS"; nullopt for others.
std::optional<std::string_view> networkFileSystemName(std::uint32_t type);

// The FUSE file system that contains `path`, according to /proc/self/mountinfo, if it is known to use the
// network, for example "sshfs".
std::optional<std::string> networkFuse(std::string_view mountinfo, const std::filesystem::path& path);

// The name of the network file system that contains the existing `path`; nullopt if it is local or unknown.
// Thread: any.
std::optional<std::string> networkFileSystemOf(const std::filesystem::path& path);

}  // namespace seedbed
