// SPDX-License-Identifier: Apache-2.0
// The file seam: every file operation that must survive a fault goes through FileSystem, so that tests can
// make any of them fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

using Path = std::filesystem::path;

// An open file; the destructor closes it without a word. Thread: one owner at a time. errors of all calls:
// failure or disk_full, with the path and the system's reason.
class File {
public:
    virtual ~File() = default;
    // Reads on from the current position; fewer bytes than asked for are possible, 0 is the end of the file.
    virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
    // Writes on; may write fewer bytes than given, at least one. Use writeAll().
    virtual Result<std::size_t> write(std::span<const std::byte> from) = 0;
    // Contents reach the disk. After a failure never try again on this file: the kernel has dropped the
    // pages; write a new file.
    virtual Result<> sync() = 0;
    // Some file systems report a failed write only here.
    virtual Result<> close() = 0;
};

enum class OpenMode {
    read,
    create,  // must not exist
    append,  // made when missing
};

struct FileInfo {
    enum class Kind {
        file,
        folder,
        other
    };  // a symbolic link counts as what it points to, a broken one as other

    std::string name;  // last part of the path
    Kind kind = Kind::file;
    bool is_link = false;
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0;  // wall clock
};

// Thread: any. Interrupted system calls are repeated inside.
class FileSystem {
public:
    virtual ~FileSystem() = default;
    virtual Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) = 0;
    // nullopt: there is nothing of this name.
    virtual Result<std::optional<FileInfo>> info(const Path& path) = 0;
    // Sorted by name, without "." and "..".
    virtual Result<std::vector<FileInfo>> list(const Path& folder) = 0;
    // Replaces `to` in one step, also a folder that is empty.
    virtual Result<> rename(const Path& from, const Path& to) = 0;
    // A file or an empty folder.
    virtual Result<> remove(const Path& path) = 0;
    // One level; the parent must exist. An existing folder is an error.
    virtual Result<> makeFolder(const Path& path) = 0;
    // The names in the folder reach the disk: after create, rename and remove.
    virtual Result<> syncFolder(const Path& folder) = 0;
    // What this user may still write to the file system that holds `path`.
    virtual Result<std::uint64_t> freeBytes(const Path& path) = 0;
};

class RealFileSystem final : public FileSystem {
public:
    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override;
    Result<std::optional<FileInfo>> info(const Path& path) override;
    Result<std::vector<FileInfo>> list(const Path& folder) override;
    Result<> rename(const Path& from, const Path& to) override;
    Result<> remove(const Path& path) override;
    Result<> makeFolder(const Path& path) override;
    Result<> syncFolder(const Path& folder) override;
    Result<std::uint64_t> freeBytes(const Path& path) override;
};

// An error for a failed system call, `what` = "writing x.json"; ENOSPC and EDQUOT are disk_full, ENOMEM is
// out_of_memory.
Error systemError(int error_number, const std::string& what);

Result<> writeAll(File& file, std::span<const std::byte> bytes);
// The whole file. A file of more than `max_bytes` is an error before it is read.
Result<std::string> readFile(FileSystem& files, const Path& path,
                             std::uint64_t max_bytes = std::uint64_t{1} << 30);
// Temporary file beside `path`, fsync, rename, fsync of the folder: at every instant `path` holds the old or
// the new bytes. After a failure the temporary file is removed. An error from the last step means that the
// new bytes are visible, but might not survive a power cut.
Result<> writeFileAtomically(FileSystem& files, const Path& path, std::span<const std::byte> bytes);
Result<> writeFileAtomically(FileSystem& files, const Path& path, std::string_view text);
// A name for something that is made beside `path` and renamed to it when complete: ".<name>.<unique>.tmp".
Path temporaryBeside(const Path& path);
// Removes what temporaryBeside() named in `folder` and a crash left behind, but nothing of another living
// process; returns how many. For the start of a program: call it before this process makes temporary files in
// the folder.
Result<int> removeLeftovers(FileSystem& files, const Path& folder);
// With parents; an existing folder is fine. New names are synced.
Result<> makeFolders(FileSystem& files, const Path& path);
// The folder and all below it; links are removed, not followed. Nothing of this name is fine.
Result<> removeTree(FileSystem& files, const Path& path);

}  // namespace seedbed
