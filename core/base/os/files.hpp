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

// An open file. The destructor closes it and ignores errors.
// Thread: one owner at a time. Errors of all functions: failure or disk_full, with the path and the system's
// reason.
class File {
public:
    virtual ~File() = default;
    // Reads from the current position. Returns the number of bytes, which may be less than into.size(); 0 at
    // the end of the file.
    virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
    // Writes at the current position. Returns the number of bytes, which may be less than from.size() but is
    // at least 1. Prefer writeAll().
    virtual Result<std::size_t> write(std::span<const std::byte> from) = 0;
    // Flushes the contents to the disk. Do not retry after a failure: the kernel has dropped the pages. Write
    // a new file instead.
    virtual Result<> sync() = 0;
    // Closes the file. Some file systems report a failed write only here.
    virtual Result<> close() = 0;
};

enum class OpenMode {
    read,    // the file must exist
    create,  // for writing; the file must not exist
    append,  // for writing at the end; creates the file if it is missing
};

struct FileInfo {
    // A symbolic link has the kind of its target; a broken one is `other`.
    enum class Kind { file, folder, other };

    std::string name;  // last component of the path
    Kind kind = Kind::file;
    bool is_link = false;
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0;  // wall clock, since 1970 UTC
};

// Operations on a file system. Thread: any. Interrupted system calls are repeated internally. Errors: failure
// or disk_full, with the path and the system's reason.
class FileSystem {
public:
    virtual ~FileSystem() = default;
    // Does not block on pipes. Also fails if the path is not a regular file.
    virtual Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) = 0;
    // nullopt if the path does not exist.
    virtual Result<std::optional<FileInfo>> info(const Path& path) = 0;
    // The entries of a folder, sorted by name, without "." and "..".
    virtual Result<std::vector<FileInfo>> list(const Path& folder) = 0;
    // Replaces `to` atomically. `to` may be an empty folder.
    virtual Result<> rename(const Path& from, const Path& to) = 0;
    // Removes a file or an empty folder.
    virtual Result<> remove(const Path& path) = 0;
    // Creates one folder. Also fails if the parent is missing or the folder exists.
    virtual Result<> makeFolder(const Path& path) = 0;
    // Flushes the directory entries of a folder to the disk; needed after create, rename and remove.
    virtual Result<> syncFolder(const Path& folder) = 0;
    // Bytes that this user may still write to the file system of `path`.
    virtual Result<std::uint64_t> freeBytes(const Path& path) = 0;
};

// Access to new files and folders.
enum class FileAccess {
    owner,  // only this user: everything that Seedbed stores
    umask,  // according to the user's umask: exports and other files at a path that the user chose
};

// The file system of this machine. Opens regular files only: links, pipes and devices are refused
// immediately.
class RealFileSystem final : public FileSystem {
public:
    explicit RealFileSystem(FileAccess access = FileAccess::owner) : access_(access) {}
    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override;
    Result<std::optional<FileInfo>> info(const Path& path) override;
    Result<std::vector<FileInfo>> list(const Path& folder) override;
    Result<> rename(const Path& from, const Path& to) override;
    Result<> remove(const Path& path) override;
    Result<> makeFolder(const Path& path) override;
    Result<> syncFolder(const Path& folder) override;
    Result<std::uint64_t> freeBytes(const Path& path) override;

private:
    FileAccess access_;
};

// Opens a regular file, for libraries that need a descriptor; the caller closes it. error: the path is
// missing, or is a link, a pipe or a device.
Result<int> openForReading(const Path& path);

// Resolves the links in a path that the user gave. Returns the path unchanged if the file does not exist.
Path resolveLinks(const Path& path);

// Revokes other users' access to a file or folder of this user. Does not change links or folders that were
// set up for sharing. Ignores errors.
void makePrivate(const Path& path);

// The error for a failed system call. `what` is the operation ("writing x.json"). ENOSPC and EDQUOT become
// disk_full; ENOMEM becomes out_of_memory.
Error systemError(int error_number, const std::string& what);

// Writes all of `bytes`.
Result<> writeAll(File& file, std::span<const std::byte> bytes);

// Reads a whole file. Fails if it has more than `max_bytes`.
Result<std::string> readFile(FileSystem& files, const Path& path,
                             std::uint64_t max_bytes = std::uint64_t{1} << 30);

// Replaces `path` so that it contains either the old or the new bytes at every instant: writes a temporary
// file in the same folder, syncs and renames it, and syncs the folder. Removes the temporary file after a
// failure. If only the last sync fails, the new bytes are visible but may not survive a power failure.
Result<> writeFileAtomically(FileSystem& files, const Path& path, std::span<const std::byte> bytes);
Result<> writeFileAtomically(FileSystem& files, const Path& path, std::string_view text);

// Creates a folder and its parents and syncs the new names. Succeeds if the folder exists.
Result<> makeFolders(FileSystem& files, const Path& path);

// Removes a folder with its contents, or a file. Links are removed, not followed. Succeeds if the path does
// not exist.
Result<> removeTree(FileSystem& files, const Path& path);

}  // namespace seedbed
