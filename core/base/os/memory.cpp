// SPDX-License-Identifier: Apache-2.0
// Reads /proc/meminfo and the memory controllers of cgroup v2 and v1.
#include "core/base/os/memory.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include <execinfo.h>
#include <malloc.h>
#include <sys/resource.h>

#include "core/base/text.hpp"

namespace seedbed {

namespace {

using std::filesystem::path;

std::optional<std::string> contents(const path& file) {
    std::ifstream stream(file);
    if (!stream) return std::nullopt;
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

// The number after `key` at the start of a line: "MemTotal:  123 kB", "inactive_file 456".
std::optional<std::uint64_t> valueOf(const std::string& text, const std::string& key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(key)) continue;
        std::istringstream rest(line.substr(key.size()));
        if (std::uint64_t value = 0; rest >> value) return value;
    }
    return std::nullopt;
}

// The number in a file; nullopt for "max" and anything else.
std::optional<std::uint64_t> numberIn(const path& file) {
    const auto text = contents(file);
    const auto value = text ? parseInteger(trimmed(*text)) : std::nullopt;
    if (!value || *value < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*value);
}

// Applies the limit of one cgroup folder to `info`.
void applyGroup(MemoryInfo& info, const path& group, const char* limit_file, const char* usage_file,
                const char* reclaimable_key) {
    const auto limit = numberIn(group / limit_file);
    const auto used = numberIn(group / usage_file);
    if (!limit || !used || *limit >= info.total_bytes) return;
    // Inactive file pages are reclaimed before the limit is reached.
    const auto statistics = contents(group / "memory.stat");
    const std::uint64_t reclaimable = statistics ? valueOf(*statistics, reclaimable_key).value_or(0) : 0;
    const std::uint64_t held = *used - std::min(*used, reclaimable);
    info.total_bytes = *limit;
    info.limited = true;
    info.available_bytes = std::min(info.available_bytes, *limit - std::min(*limit, held));
}

// The cgroup folder of a process; the mount point if the host's path does not exist inside a container.
path groupFolder(const path& mount, const std::string& group) {
    const path folder = mount / path(group).relative_path();
    std::error_code error;
    return std::filesystem::is_directory(folder, error) ? folder : mount;
}

void applyGroupsUpTo(MemoryInfo& info, const path& mount, const std::string& group, bool unified) {
    for (path folder = groupFolder(mount, group);; folder = folder.parent_path()) {
        if (unified) applyGroup(info, folder, "memory.max", "memory.current", "inactive_file ");
        else
            applyGroup(info, folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                       "total_inactive_file ");
        if (folder == mount || !folder.has_relative_path()) return;
    }
}

}  // namespace

Result<MemoryInfo> readMemory(const path& root) {
    const auto text = contents(root / "proc/meminfo");
    const auto total = text ? valueOf(*text, "MemTotal:") : std::nullopt;
    const auto available = text ? valueOf(*text, "MemAvailable:") : std::nullopt;
    if (!total || !available) return fail("/proc/meminfo does not report the free memory");
    MemoryInfo info{*total * 1024, *available * 1024, false};

    // Lines are "hierarchy:controllers:path"; the unified hierarchy has number 0 and no controllers.
    std::istringstream groups(contents(root / "proc/self/cgroup").value_or(""));
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const auto controllers = split(line.substr(first + 1, second - first - 1), ',');
        const std::string group = line.substr(second + 1);
        if (controllers.empty()) applyGroupsUpTo(info, root / "sys/fs/cgroup", group, true);
        else if (std::find(controllers.begin(), controllers.end(), "memory") != controllers.end())
            applyGroupsUpTo(info, root / "sys/fs/cgroup/memory", group, false);
    }
    return info;
}

void releaseFreeMemory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void returnLargeBlocks() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 4 << 20);  // setting it disables glibc's automatic increase
#endif
}

void prepareUnwinding() {
#ifdef __GLIBC__
    void* frame = nullptr;
    (void)::backtrace(&frame, 1);
#endif
}

std::uint64_t peakResidentBytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace seedbed
