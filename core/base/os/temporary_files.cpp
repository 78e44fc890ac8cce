// SPDX-License-Identifier: Apache-2.0
#include "core/base/os/temporary_files.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <fstream>
#include <functional>

#include <sys/stat.h>
#include <unistd.h>

#include "core/base/text.hpp"

namespace seedbed {

namespace {

constexpr std::chrono::hours kUnseenTime{24};

// Start time of a process in clock ticks since boot: field 22 of /proc/PID/stat. 0 if it cannot be read.
std::int64_t startOf(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    // The second field is the program's name in parentheses, which may contain spaces and parentheses.
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) return 0;
    const auto fields = split(text.substr(name_end + 1), ' ');
    return fields.size() > 20 ? parseInteger(fields[20]).value_or(0) : 0;
}

// Number of the PID namespace of this process. Each container has its own namespace.
std::int64_t processSpace() {
    static const std::int64_t number = [] {
        struct stat status {};
        return ::stat("/proc/self/ns/pid", &status) == 0 ? static_cast<std::int64_t>(status.st_ino) : 0;
    }();
    return number;
}

// The process that created a temporary file or folder. Its start time is included because process ids are
// reused.
struct Creator {
    pid_t process = 0;
    std::int64_t start = 0;
    std::int64_t space = 0;  // 0: unknown, in names made by earlier versions
    bool is_old = false;     // not modified for kUnseenTime

    bool isForeign() const { return space != 0 && space != processSpace(); }
    bool isThis() const {
        return !isForeign() && process == getpid() && (start == 0 || start == startOf(process));
    }
    // Processes of other containers are not visible here, so they count as running until kUnseenTime has
    // passed.
    bool isRunning() const {
        if (isForeign()) return !is_old;
        if (::kill(process, 0) != 0 && errno != EPERM) return false;
        const std::int64_t now = startOf(process);
        return start == 0 || now == 0 || start == now;
    }
};

// Parses ".<name>.<process>-<start>-<counter>-<space>.tmp", also with SQLite's suffixes ("...tmp-journal").
std::optional<Creator> creatorOf(std::string_view name) {
    const auto parts = split(name, '.');
    if (parts.size() < 4 || !name.starts_with('.') ||
        (parts.back() != "tmp" && !parts.back().starts_with("tmp-")))
        return std::nullopt;
    const auto numbers = split(parts[parts.size() - 2], '-');
    const auto process = parseInteger(numbers.front());
    if (!process || *process < 1 || *process > INT_MAX) return std::nullopt;
    const bool has_start = numbers.size() == 3 || numbers.size() == 4;
    const auto start = has_start ? parseInteger(numbers[1]) : std::nullopt;
    const auto space = numbers.size() == 4 ? parseInteger(numbers[3]) : std::nullopt;
    return Creator{static_cast<pid_t>(*process), start.value_or(0), space.value_or(0)};
}

Result<int> removeIf(FileSystem& files, const Path& folder,
                     const std::function<bool(const std::string& name, const Creator&)>& is_stale) {
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    int removed = 0;
    for (const auto& entry : entries) {
        auto creator = creatorOf(entry.name);
        if (!creator) continue;
        creator->is_old = now - entry.modified_ns > std::chrono::nanoseconds(kUnseenTime).count();
        if (!is_stale(entry.name, *creator)) continue;
        SEEDBED_TRY(removeTree(files, folder / entry.name));
        ++removed;
    }
    return removed;
}

}  // namespace

Path temporaryPathFor(const Path& path) {
    static std::atomic<std::uint32_t> counter{0};
    return path.parent_path() /
           ("." + path.filename().string() + "." + std::to_string(getpid()) + "-" +
            std::to_string(startOf(getpid())) + "-" + std::to_string(counter.fetch_add(1)) + "-" +
            std::to_string(processSpace()) + ".tmp");
}

Result<int> removeStaleFiles(FileSystem& files, const Path& folder) {
    return removeIf(files, folder, [](const std::string&, const Creator& creator) {
        return creator.isThis() || !creator.isRunning();
    });
}

Result<int> removeTemporaryFiles(FileSystem& files, const Path& folder) {
    return removeIf(files, folder, [](const std::string&, const Creator&) { return true; });
}

Result<int> removeStaleFilesOfOthers(FileSystem& files, const Path& folder) {
    return removeIf(files, folder,
                    [](const std::string&, const Creator& creator) { return !creator.isRunning(); });
}

void removeStaleFilesFor(FileSystem& files, const Path& path) {
    const Path folder = path.parent_path().empty() ? Path(".") : path.parent_path();
    const std::string begin = "." + path.filename().string() + ".";
    (void)removeIf(files, folder, [&](const std::string& name, const Creator& creator) {
        // Excludes temporary files of longer names: only the creator's numbers may follow `begin`.
        return name.starts_with(begin) && name.find('.', begin.size()) == name.rfind('.') &&
               !creator.isRunning();
    });
}

}  // namespace seedbed
