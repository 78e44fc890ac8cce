// SPDX-License-Identifier: Apache-2.0
#include "core/base/os/processes.hpp"

#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>
#include <system_error>

#include <unistd.h>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr int kMaxDepth = 256;  // of a chain of parents that changes while it is read

}  // namespace

int parentOf(int process, const Path& root) {
    std::ifstream file(root / "proc" / std::to_string(process) / "stat");
    std::string line;
    std::getline(file, line);
    // "12 (name) S 1 ...": the name can contain anything.
    const auto end = line.rfind(") ");
    if (end == std::string::npos || line.size() < end + 5) return 0;
    const std::string_view rest = std::string_view(line).substr(end + 4);
    return static_cast<int>(parseInteger(rest.substr(0, rest.find(' '))).value_or(0));
}

bool descendsFrom(int process, int ancestor, const Path& root) {
    for (int depth = 0; process > 0 && depth < kMaxDepth; ++depth, process = parentOf(process, root))
        if (process == ancestor) return true;
    return false;
}

std::vector<int> descendantsOf(int ancestor, const Path& root) {
    std::vector<int> found;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(root / "proc", error), end; !error && entry != end;
         entry.increment(error)) {
        const auto id = parseInteger(entry->path().filename().string());
        if (id && *id != ancestor && descendsFrom(static_cast<int>(*id), ancestor, root))
            found.push_back(static_cast<int>(*id));
    }
    return found;
}

double cpuSecondsOfAll(const Path& root) {
    std::ifstream file(root / "proc/stat");
    std::string name;
    std::int64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
    file >> name >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
    if (!file || name != "cpu") return 0;
    return static_cast<double>(user + nice + system + irq + softirq + steal) /
           static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double cpuSecondsOfThread() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace seedbed
