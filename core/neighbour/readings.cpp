// SPDX-License-Identifier: Apache-2.0
// Power supplies: Documentation/ABI/testing/sysfs-class-power in the Linux sources. Steam sets SteamAppId
// and SteamGameId for its games, `gamemoderun` preloads libgamemode.
#include "core/neighbour/readings.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/os/memory.hpp"
#include "core/base/os/processes.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kMaxRead = 1 << 17;  // bytes; the kernel's limit for one variable
constexpr std::size_t kMaxName = 15;       // the kernel stores this many bytes of a program's name

// "" if the file cannot be read.
std::string contents(const Path& path) {
    // These calls and not a stream, because this is executed for every process.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return "";
    const auto text = std::make_unique_for_overwrite<char[]>(kMaxRead);
    std::size_t bytes = 0;
    for (ssize_t count = 1; count > 0 && bytes < kMaxRead; bytes += static_cast<std::size_t>(count))
        count = std::max(::read(file, text.get() + bytes, kMaxRead - bytes), ssize_t{0});
    ::close(file);
    return {text.get(), bytes};
}

std::string lineIn(const Path& path) { return std::string(trimmed(contents(path))); }

bool runsOnBattery(FileSystem& files, const Path& supplies) {
    const auto listed = files.list(supplies);
    bool discharging = false;
    for (const FileInfo& entry : listed ? *listed : std::vector<FileInfo>()) {
        const Path supply = supplies / entry.name;
        const std::string type = lineIn(supply / "type");
        if (type == "Mains" || type == "USB") {
            if (const auto online = parseInteger(lineIn(supply / "online")); online && *online > 0)
                return false;
        } else if (type == "Battery" && lineIn(supply / "scope") != "Device") {
            discharging |= lineIn(supply / "status") == "Discharging";
        }
    }
    return discharging;
}

// The mark of a process as a game, from its environment; "" if it has none. The order of the variables
// varies.
std::string gameMark(const Path& process) {
    const std::vector<std::string> variables = split(contents(process / "environ"), '\0');
    for (const std::string_view name : {"SteamAppId=", "SteamGameId="})
        for (const std::string& variable : variables)
            if (variable.starts_with(name) && variable.size() > name.size() &&
                variable.substr(name.size()) != "0")
                return variable;
    for (const std::string& variable : variables)
        if (variable.starts_with("LD_PRELOAD=") && variable.find("libgamemode") != std::string::npos)
            return "libgamemode";
    return "";
}

// 0 if it cannot be read.
int selfIn(const Path& folder) {
    const std::string stat = contents(folder / "self" / "stat");
    return static_cast<int>(parseInteger(stat.substr(0, stat.find(' '))).value_or(0));
}

bool isZombie(const Path& process) {
    const std::string stat = contents(process / "stat");
    const auto end = stat.rfind(") ");
    return end != std::string::npos && stat.compare(end + 2, 1, "Z") == 0;
}

bool isInPath(const std::string& program) {
    const char* path = std::getenv("PATH");
    for (const std::string& folder : split(path == nullptr ? "" : path, ':'))
        for (const std::string& name : {program, lowered(program)})
            if (!folder.empty() && ::access((Path(folder) / name).c_str(), X_OK) == 0) return true;
    return false;
}

void readProcesses(NeighbourReadings& readings, const NeighbourRules& rules, const Path& folder) {
    std::vector<std::pair<std::string, std::string>> wanted;  // the name as the kernel has it, and the user
    for (const std::string& name : rules.programNames())
        wanted.emplace_back(lowered(name.substr(0, kMaxName)), name);
    // Of the processes that started this one or that it started, none counts.
    const std::string own = gameMark(folder / "self");
    const int self = selfIn(folder);
    const auto isRelated = [&](const Path& process) {
        const int id = static_cast<int>(parseInteger(process.filename().string()).value_or(0));
        return self > 0 &&
               (descendsFrom(id, self, folder.parent_path()) || descendsFrom(self, id, folder.parent_path()));
    };
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const Path& process = entry->path();
        struct stat status {};
        if (process.filename().string().find_first_not_of("0123456789") != std::string::npos ||
            ::stat(process.c_str(), &status) != 0 || status.st_uid != ::geteuid())
            continue;
        if (!wanted.empty() && readings.program.empty()) {
            const std::string name = lowered(lineIn(process / "comm"));
            const auto found = std::find_if(wanted.begin(), wanted.end(),
                                            [&](const auto& each) { return each.first == name; });
            if (found != wanted.end() && !isZombie(process) && !isRelated(process))
                readings.program = found->second;
        }
        if (!readings.game) {
            const std::string mark = gameMark(process);
            const bool is_own = mark == own && mark != "libgamemode";
            readings.game = !mark.empty() && !is_own && !isRelated(process);
        }
    }
}

}  // namespace

NeighbourReadings readNeighbours(const NeighbourRules& rules, FileSystem& files, const Path& data_folder,
                                 const Path& root) {
    NeighbourReadings readings;
    if (rules.battery != NeighbourRules::kIgnore)
        readings.on_battery = runsOnBattery(files, root / "sys/class/power_supply");
    if (rules.game != NeighbourRules::kIgnore) readProcesses(readings, rules, root / "proc");
    if (rules.min_memory > 0)
        if (const auto memory = readMemory(root)) readings.free_memory = memory->available_bytes;
    if (rules.min_disk > 0)
        if (const auto bytes = files.freeBytes(data_folder)) readings.free_disk = *bytes;
    return readings;
}

std::vector<std::string> programsNotFound(const NeighbourRules& rules, const Path& root) {
    std::vector<std::string> missing = rules.programNames();
    std::erase_if(missing, isInPath);
    std::error_code error;
    for (std::filesystem::directory_iterator entry(root / "proc", error), end;
         !missing.empty() && !error && entry != end; entry.increment(error)) {
        const std::string running = lowered(lineIn(entry->path() / "comm"));
        std::erase_if(missing,
                      [&](const std::string& name) { return lowered(name.substr(0, kMaxName)) == running; });
    }
    return missing;
}

}  // namespace seedbed
