// SPDX-License-Identifier: Apache-2.0
// Measures time for limits that also apply on a busy machine.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace seedbed::test {

// Wall-clock time since construction, excluding time in which threads of this process were ready to run while
// other programs used the processors. Threads that have stopped do not count. Thread: one at a time.
class OwnTime {
public:
    double seconds() const {
        double own = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
        for (const auto& [thread, waited] : waiting()) {
            const auto before = waited_.find(thread);
            own -= waited - (before == waited_.end() ? 0 : before->second);
        }
        return own;
    }

private:
    // Seconds that each thread has waited.
    static std::map<std::string, double> waiting() {
        std::map<std::string, double> found;
        for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
            std::ifstream file(thread.path() / "schedstat");  // nanoseconds: running, waiting
            double running = 0, waited = 0;
            if (file >> running >> waited) found[thread.path().filename().string()] = waited * 1e-9;
        }
        return found;
    }

    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::map<std::string, double> waited_ = waiting();
};

}  // namespace seedbed::test
