// SPDX-License-Identifier: Apache-2.0
#include "core/base/os/network_files.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include <sys/vfs.h>

namespace seedbed {
namespace {

struct Type {
    std::uint32_t number;  // linux/magic.h, or the file system's own source
    std::string_view name;
};
constexpr Type kTypes[] = {
    {0x6969, "NFS"},          {0x517B, "SMB"},       {0xFF534D42, "CIFS"},   {0xFE534D42, "SMB"},
    {0x5346414F, "AFS"},      {0x6B414653, "AFS"},   {0x73757245, "Coda"},   {0x564C, "NCP"},
    {0x01021997, "9P"},       {0x00C36400, "Ceph"},  {0x47504653, "GPFS"},   {0x0BD00BD0, "Lustre"},
    {0x01161970, "GFS2"},     {0x7461636F, "OCFS2"}, {0x19830326, "BeeGFS"}, {0xAAD7AAEA, "PanFS"},
    {0x20030528, "OrangeFS"},
};
constexpr std::uint32_t kFuse = 0x65735546;
// The part of the type after "fuse.", as in "fuse.sshfs". Other FUSE types are local file systems, such as
// those of containers and removable disks.
constexpr std::string_view kNetworkFuse[] = {"sshfs",      "rclone",  "s3fs",      "gcsfuse",  "glusterfs",
                                             "ceph-fuse",  "davfs",   "curlftpfs", "smbnetfs", "goofys",
                                             "gvfsd-fuse", "juicefs", "moosefs",   "lizardfs"};

// mountinfo writes spaces and backslashes as \040 and \134.
std::string unescaped(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size()) {
            plain += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

bool contains(const std::filesystem::path& folder, const std::filesystem::path& path) {
    const auto [mismatch, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return mismatch == folder.end() || mismatch->empty();
}

}  // namespace

std::optional<std::string_view> networkFileSystemName(std::uint32_t type) {
    for (const Type& known : kTypes)
        if (known.number == type) return known.name;
    return std::nullopt;
}

std::optional<std::string> networkFuse(std::string_view mountinfo, const std::filesystem::path& path) {
    std::istringstream lines{std::string(mountinfo)};
    std::string best_type;
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);) {
        // proc_pid_mountinfo(5): id, parent, device, root, mount point, options, ... "-" type source options
        const auto separator = line.find(" - ");
        if (separator == std::string::npos) continue;
        std::istringstream fields(line);
        std::string skipped, mount_point, type;
        fields >> skipped >> skipped >> skipped >> skipped >> mount_point;
        std::istringstream after(line.substr(separator + 3));
        after >> type;
        const std::string folder = unescaped(mount_point);
        // Of several mounts at one point, the last one hides the others.
        if (folder.size() < longest || !contains(folder, path)) continue;
        longest = folder.size();
        best_type = type;
    }
    constexpr std::string_view kPrefix = "fuse.";
    if (!best_type.starts_with(kPrefix)) return std::nullopt;
    const std::string name = best_type.substr(kPrefix.size());
    for (const std::string_view known : kNetworkFuse)
        if (name == known) return name;
    return std::nullopt;
}

std::optional<std::string> networkFileSystemOf(const std::filesystem::path& path) {
    struct statfs status {};
    int result = ::statfs(path.c_str(), &status);
    while (result != 0 && errno == EINTR) result = ::statfs(path.c_str(), &status);
    if (result != 0) return std::nullopt;
    const auto type = static_cast<std::uint32_t>(status.f_type);
    if (const auto name = networkFileSystemName(type)) return std::string(*name);
    if (type != kFuse) return std::nullopt;
    std::ifstream file("/proc/self/mountinfo");
    const std::string mounts{std::istreambuf_iterator<char>(file), {}};
    std::error_code failed;
    const auto absolute = std::filesystem::canonical(path, failed);
    if (failed) return std::nullopt;
    return networkFuse(mounts, absolute);
}

}  // namespace seedbed
