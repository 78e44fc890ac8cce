// SPDX-License-Identifier: Apache-2.0
#include "core/base/os/temporary_files.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <fstream>
#include <functional>

#include <unistd.h>

#include "core/base/text.hpp"

namespace seedbed {

namespace {

// Start time of a process in clock ticks since boot: field 22 of /proc/PID/stat. 0 if it cannot be read.
std::int64_t startOf(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    // The second field is the program's name in parentheses, which may contain blanks and parentheses.
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) return 0;
    const auto fields = split(text.substr(name_end + 1), ' ');
    return fields.size() > 20 ? parseInteger(fields[20]).value_or(0) : 0;
}

// The process that created a temporary file or folder. The id alone may have been reused since.
struct Creator {
    pid_t process = 0;
    std::int64_t start = 0;

    bool isThis() const { return process == getpid() && (start == 0 || start == startOf(process)); }
    bool isRunning() const {
        if (::kill(process, 0) != 0 && errno != EPERM) return false;
        const std::int64_t now = startOf(process);
        return start == 0 || now == 0 || start == now;
    }
};

// Parses ".<name>.<process>-<start>-<counter>.tmp", with SQLite's suffixes too ("...tmp-journal").
std::optional<Creator> creatorOf(std::string_view name) {
    const auto parts = split(name, '.');
    if (parts.size() < 4 || !name.starts_with('.') ||
        (parts.back() != "tmp" && !parts.back().starts_with("tmp-")))
        return std::nullopt;
    const auto numbers = split(parts[parts.size() - 2], '-');
    const auto process = parseInteger(numbers.front());
    if (!process || *process < 1 || *process > INT_MAX) return std::nullopt;
    const auto start = numbers.size() == 3 ? parseInteger(numbers[1]) : std::nullopt;
    return Creator{static_cast<pid_t>(*process), start.value_or(0)};
}

Result<int> removeIf(FileSystem& files, const Path& folder,
                     const std::function<bool(const std::string& name, const Creator&)>& is_stale) {
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    int removed = 0;
    for (const auto& entry : entries) {
        const auto creator = creatorOf(entry.name);
        if (!creator || !is_stale(entry.name, *creator)) continue;
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
            std::to_string(startOf(getpid())) + "-" + std::to_string(counter.fetch_add(1)) + ".tmp");
}

Result<int> removeStaleFiles(FileSystem& files, const Path& folder) {
    return removeIf(files, folder, [](const std::string&, const Creator& creator) {
        return creator.isThis() || !creator.isRunning();
    });
}

Result<int> removeStaleFilesOfOthers(FileSystem& files, const Path& folder) {
    return removeIf(files, folder,
                    [](const std::string&, const Creator& creator) { return !creator.isRunning(); });
}

void removeStaleFilesFor(FileSystem& files, const Path& path) {
    const Path folder = path.parent_path().empty() ? Path(".") : path.parent_path();
    const std::string begin = "." + path.filename().string() + ".";
    (void)removeIf(files, folder, [&](const std::string& name, const Creator& creator) {
        // Not the temporary files of a longer name: only the creator's numbers follow `begin`.
        return name.starts_with(begin) && name.find('.', begin.size()) == name.rfind('.') &&
               !creator.isRunning();
    });
}

}  // namespace seedbed
