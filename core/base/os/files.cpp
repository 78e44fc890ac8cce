// SPDX-License-Identifier: Apache-2.0
// RealFileSystem, implemented with Linux system calls, and whole-file operations that use the file seam.
#include "core/base/os/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/base/os/temporary_files.hpp"
#include "core/base/text.hpp"

namespace seedbed {

Error systemError(int error_number, const std::string& what) {
    ErrorCode code = ErrorCode::failure;
    if (error_number == ENOSPC || error_number == EDQUOT) code = ErrorCode::disk_full;
    if (error_number == ENOMEM) code = ErrorCode::out_of_memory;
    char buffer[256];
    return {code, what + " failed: " + strerror_r(error_number, buffer, sizeof buffer), {}};
}

namespace {

// Repeats a system call while signals interrupt it.
template <class Call>
auto uninterrupted(const Call& call) {
    auto result = call();
    while (result == -1 && errno == EINTR) result = call();
    return result;
}

tl::unexpected<Error> failed(const char* doing, const Path& path) {
    return tl::unexpected<Error>(systemError(errno, std::string(doing) + " '" + path.string() + "'"));
}

class RealFile final : public File {
public:
    RealFile(int descriptor, Path path) : descriptor_(descriptor), path_(std::move(path)) {}
    ~RealFile() override {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    RealFile(const RealFile&) = delete;
    RealFile& operator=(const RealFile&) = delete;

    Result<std::size_t> read(std::span<std::byte> into) override {
        const auto count = uninterrupted([&] { return ::read(descriptor_, into.data(), into.size()); });
        if (count < 0) return failed("reading", path_);
        return static_cast<std::size_t>(count);
    }
    Result<std::size_t> write(std::span<const std::byte> from) override {
        if (from.empty()) return std::size_t{0};
        const auto count = uninterrupted([&] { return ::write(descriptor_, from.data(), from.size()); });
        if (count < 0) return failed("writing", path_);
        if (count == 0) return fail("writing '" + path_.string() + "' made no progress");
        return static_cast<std::size_t>(count);
    }
    Result<> sync() override {
        if (uninterrupted([&] { return ::fsync(descriptor_); }) != 0) return failed("syncing", path_);
        return {};
    }
    Result<> close() override {
        // Not repeated on EINTR: Linux has already released the descriptor, and another thread may already
        // reuse its number.
        const int result = ::close(std::exchange(descriptor_, -1));
        if (result != 0 && errno != EINTR) return failed("closing", path_);
        return {};
    }

private:
    int descriptor_;
    Path path_;
};

// Describes `name` relative to the folder `descriptor` (or AT_FDCWD). nullopt with errno set on failure.
std::optional<FileInfo> describe(int descriptor, const char* name) {
    struct stat status {};
    if (::fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
    FileInfo info;
    info.name = Path(name).filename().string();
    info.is_link = S_ISLNK(status.st_mode);
    if (info.is_link) {
        struct stat target {};
        if (::fstatat(descriptor, name, &target, 0) == 0) status = target;
    }
    info.kind = S_ISREG(status.st_mode)   ? FileInfo::Kind::file
                : S_ISDIR(status.st_mode) ? FileInfo::Kind::folder
                                          : FileInfo::Kind::other;
    info.bytes = static_cast<std::uint64_t>(status.st_size);
    info.modified_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    return info;
}

}  // namespace

namespace {

// Opens regular files only: opening a pipe blocks until its other end is opened, and a link or device in an
// imported folder may give access to unrelated files.
Result<int> openRegular(const Path& path, int flags, mode_t mode) {
    const bool reads = (flags & O_ACCMODE) == O_RDONLY;
    const int descriptor = uninterrupted(
        [&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode); });
    if (descriptor < 0 && errno == ELOOP) return fail("'" + path.string() + "' is a symbolic link");
    // ENXIO: a pipe without a reader.
    if (descriptor < 0 && errno != ENXIO) return failed(reads ? "opening" : "creating", path);
    struct stat status {};
    if (descriptor >= 0 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) return descriptor;
    if (descriptor >= 0) ::close(descriptor);
    return fail("'" + path.string() + "' is not a regular file");
}

}  // namespace

Result<int> openForReading(const Path& path) { return openRegular(path, O_RDONLY, 0); }

Path resolveLinks(const Path& path) {
    std::error_code failed;
    Path target = std::filesystem::canonical(path, failed);
    return failed ? path : target;
}

void makePrivate(const Path& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || status.st_uid != ::geteuid()) return;
    if ((!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) || (status.st_mode & 077) == 0) return;
    // A folder with one of these bits was set up for sharing.
    if (S_ISDIR(status.st_mode) && (status.st_mode & (S_ISGID | S_ISVTX)) != 0) return;
    (void)::chmod(path.c_str(), status.st_mode & 0700);
}

Result<std::unique_ptr<File>> RealFileSystem::open(const Path& path, OpenMode mode) {
    int flags = O_RDONLY;
    if (mode == OpenMode::create) flags = O_WRONLY | O_CREAT | O_EXCL;
    if (mode == OpenMode::append) flags = O_WRONLY | O_CREAT | O_APPEND;
    SEEDBED_ASSIGN(const int descriptor,
                   openRegular(path, flags, access_ == FileAccess::owner ? 0600 : 0666));
    return std::unique_ptr<File>(std::make_unique<RealFile>(descriptor, path));
}

Result<std::optional<FileInfo>> RealFileSystem::info(const Path& path) {
    if (auto info = describe(AT_FDCWD, path.c_str())) return info;
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<FileInfo>();
    return failed("reading the status of", path);
}

Result<std::vector<FileInfo>> RealFileSystem::list(const Path& folder) {
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(folder.c_str()), ::closedir);
    if (!stream) return failed("listing", folder);
    std::vector<FileInfo> entries;
    while (true) {
        errno = 0;
        const dirent* entry = ::readdir(stream.get());
        if (entry == nullptr) break;
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        // An entry that was removed in the meantime is skipped.
        if (auto info = describe(::dirfd(stream.get()), entry->d_name)) entries.push_back(std::move(*info));
    }
    if (errno != 0) return failed("listing", folder);
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return entries;
}

Result<> RealFileSystem::rename(const Path& from, const Path& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) return failed("renaming to", to);
    return {};
}

Result<> RealFileSystem::remove(const Path& path) {
    if (::remove(path.c_str()) != 0) return failed("removing", path);
    return {};
}

Result<> RealFileSystem::makeFolder(const Path& path) {
    if (::mkdir(path.c_str(), access_ == FileAccess::owner ? 0700 : 0777) != 0)
        return failed("creating folder", path);
    return {};
}

Result<> RealFileSystem::syncFolder(const Path& folder) {
    const int descriptor =
        uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (descriptor < 0) return failed("opening", folder);
    const int result = uninterrupted([&] { return ::fsync(descriptor); });
    const int error_number = errno;
    ::close(descriptor);
    // EINVAL: the file system does not support syncing folders.
    if (result != 0 && error_number != EINVAL) {
        errno = error_number;
        return failed("syncing", folder);
    }
    return {};
}

Result<std::uint64_t> RealFileSystem::freeBytes(const Path& path) {
    struct statvfs status {};
    if (uninterrupted([&] { return ::statvfs(path.c_str(), &status); }) != 0)
        return failed("reading the free space of", path);
    return std::uint64_t{status.f_bavail} * status.f_frsize;
}

Result<> writeAll(File& file, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        SEEDBED_ASSIGN(const std::size_t written, file.write(bytes));
        SEEDBED_CHECK(written >= 1 && written <= bytes.size());
        bytes = bytes.subspan(written);
    }
    return {};
}

Result<std::string> readFile(FileSystem& files, const Path& path, std::uint64_t max_bytes) {
    SEEDBED_ASSIGN(const auto file, files.open(path, OpenMode::read));
    SEEDBED_ASSIGN(const auto info, files.info(path));
    const auto tooLong = [&] {
        return fail("'" + path.string() + "' is longer than " + formatBytes(max_bytes));
    };
    if (info && info->bytes > max_bytes) return tooLong();
    // The size is only a hint: the file may grow, and files in /proc report 0.
    std::string text;
    std::size_t size = 0;
    while (true) {
        text.resize(std::max<std::size_t>(
            {size + 4096, info ? static_cast<std::size_t>(info->bytes) + 1 : 0, size + size / 2}));
        SEEDBED_ASSIGN(const std::size_t count,
                       file->read(std::as_writable_bytes(std::span(text).subspan(size))));
        size += count;
        if (size > max_bytes) return tooLong();
        if (count == 0) break;
    }
    text.resize(size);
    return text;
}

namespace {

Path folderOf(const Path& path) { return path.parent_path().empty() ? Path(".") : path.parent_path(); }

Result<> writeNewFile(FileSystem& files, const Path& path, std::span<const std::byte> bytes) {
    SEEDBED_ASSIGN(const auto file, files.open(path, OpenMode::create));
    SEEDBED_TRY(writeAll(*file, bytes));
    SEEDBED_TRY(file->sync());
    return file->close();
}

}  // namespace

Result<> writeFileAtomically(FileSystem& files, const Path& path, std::span<const std::byte> bytes) {
    const Path temporary = temporaryPathFor(path);
    Result<> result = writeNewFile(files, temporary, bytes);
    if (result) result = files.rename(temporary, path);
    if (!result) {
        // Report the first failure. If this removal fails, removeStaleFiles() removes the temporary file
        // later.
        (void)files.remove(temporary);
        return tl::unexpected<Error>(std::move(result.error()).withContext("saving '" + path.string() + "'"));
    }
    return files.syncFolder(folderOf(path));
}

Result<> writeFileAtomically(FileSystem& files, const Path& path, std::string_view text) {
    return writeFileAtomically(files, path, std::as_bytes(std::span(text.data(), text.size())));
}

Result<> makeFolders(FileSystem& files, const Path& path) {
    SEEDBED_ASSIGN(const auto existing, files.info(path));
    if (existing && existing->kind == FileInfo::Kind::folder) return {};
    if (existing) return fail("'" + path.string() + "' is not a folder");
    const Path parent = folderOf(path);
    if (parent != path && !path.parent_path().empty()) SEEDBED_TRY(makeFolders(files, parent));
    if (auto made = files.makeFolder(path); !made) {
        // Another process may have created the folder in the meantime.
        SEEDBED_ASSIGN(const auto now, files.info(path));
        if (!now || now->kind != FileInfo::Kind::folder) return made;
    }
    return files.syncFolder(parent);
}

Result<> removeTree(FileSystem& files, const Path& path) {
    SEEDBED_ASSIGN(const auto info, files.info(path));
    if (!info) return {};
    if (info->kind == FileInfo::Kind::folder && !info->is_link) {
        SEEDBED_ASSIGN(const auto entries, files.list(path));
        for (const auto& entry : entries) SEEDBED_TRY(removeTree(files, path / entry.name));
    }
    return files.remove(path);
}

}  // namespace seedbed
