// SPDX-License-Identifier: Apache-2.0
// What is built from the file seam's single operations: whole files, atomic replacement, trees.
#include "core/base/files.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fstream>
#include <functional>

#include <unistd.h>

#include "core/base/stale_files.hpp"
#include "core/base/text.hpp"

namespace seedbed {

Error systemError(int error_number, const std::string& what) {
    ErrorCode code = ErrorCode::failure;
    if (error_number == ENOSPC || error_number == EDQUOT) code = ErrorCode::disk_full;
    if (error_number == ENOMEM) code = ErrorCode::out_of_memory;
    char buffer[256];
    return {code, what + " failed: " + strerror_r(error_number, buffer, sizeof buffer), {}};
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
    // The size is a hint only: the file may grow, and files of /proc report none.
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

// When a process began, in ticks since the machine was started: field 22 of /proc/PID/stat. 0: it cannot be
// told.
std::int64_t startOf(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    // The second field is a name in brackets, which may hold anything.
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) return 0;
    const auto fields = split(text.substr(name_end + 1), ' ');
    return fields.size() > 20 ? parseInteger(fields[20]).value_or(0) : 0;
}

// Who made a temporary file or folder: a number alone is given to another process after a while.
struct Maker {
    pid_t process = 0;
    std::int64_t start = 0;

    bool isThis() const { return process == getpid() && (start == 0 || start == startOf(process)); }
    bool lives() const {
        if (::kill(process, 0) != 0 && errno != EPERM) return false;
        const std::int64_t now = startOf(process);
        return start == 0 || now == 0 || start == now;
    }
};

// From ".<name>.<process>-<start>-<counter>.tmp", also when it is a database that is in use:
// "...tmp-journal".
std::optional<Maker> makerOf(std::string_view name) {
    const auto parts = split(name, '.');
    if (parts.size() < 4 || !name.starts_with('.') ||
        (parts.back() != "tmp" && !parts.back().starts_with("tmp-")))
        return std::nullopt;
    const auto numbers = split(parts[parts.size() - 2], '-');
    const auto process = parseInteger(numbers.front());
    if (!process || *process < 1 || *process > INT_MAX) return std::nullopt;
    const auto start = numbers.size() == 3 ? parseInteger(numbers[1]) : std::nullopt;
    return Maker{static_cast<pid_t>(*process), start.value_or(0)};
}

}  // namespace

Path temporaryBeside(const Path& path) {
    static std::atomic<std::uint32_t> counter{0};
    return path.parent_path() /
           ("." + path.filename().string() + "." + std::to_string(getpid()) + "-" +
            std::to_string(startOf(getpid())) + "-" + std::to_string(counter.fetch_add(1)) + ".tmp");
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
    const Path temporary = temporaryBeside(path);
    Result<> result = writeNewFile(files, temporary, bytes);
    if (result) result = files.rename(temporary, path);
    if (!result) {
        // The first failure is the one to report; a temporary file that cannot be removed either is left to
        // removeLeftovers().
        (void)files.remove(temporary);
        return tl::unexpected<Error>(std::move(result.error()).while_("saving '" + path.string() + "'"));
    }
    return files.syncFolder(folderOf(path));
}

Result<> writeFileAtomically(FileSystem& files, const Path& path, std::string_view text) {
    return writeFileAtomically(files, path, std::as_bytes(std::span(text.data(), text.size())));
}

namespace {

Result<int> removeMadeBy(FileSystem& files, const Path& folder,
                         const std::function<bool(const std::string& name, const Maker&)>& goes) {
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    int removed = 0;
    for (const auto& entry : entries) {
        const auto maker = makerOf(entry.name);
        if (!maker || !goes(entry.name, *maker)) continue;
        SEEDBED_TRY(removeTree(files, folder / entry.name));
        ++removed;
    }
    return removed;
}

}  // namespace

Result<int> removeLeftovers(FileSystem& files, const Path& folder) {
    return removeMadeBy(files, folder, [](const std::string&, const Maker& maker) {
        return maker.isThis() || !maker.lives();
    });
}

Result<int> removeLeftoversOfOthers(FileSystem& files, const Path& folder) {
    return removeMadeBy(files, folder, [](const std::string&, const Maker& maker) { return !maker.lives(); });
}

void removeAbandoned(FileSystem& files, const Path& path) {
    const std::string begin = "." + path.filename().string() + ".";
    (void)removeMadeBy(files, folderOf(path), [&](const std::string& name, const Maker& maker) {
        // Of this name and not of a longer one: only the maker stands behind it.
        return name.starts_with(begin) && name.find('.', begin.size()) == name.rfind('.') && !maker.lives();
    });
}

Result<> makeFolders(FileSystem& files, const Path& path) {
    SEEDBED_ASSIGN(const auto existing, files.info(path));
    if (existing && existing->kind == FileInfo::Kind::folder) return {};
    if (existing) return fail("'" + path.string() + "' is not a folder");
    const Path parent = folderOf(path);
    if (parent != path && !path.parent_path().empty()) SEEDBED_TRY(makeFolders(files, parent));
    if (const auto made = files.makeFolder(path); !made) {
        // Another process may have made it in between.
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
