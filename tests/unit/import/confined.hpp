// SPDX-License-Identifier: Apache-2.0
// Runs code in a child process whose system calls are filtered (seccomp): it can read files, use memory, and
// write below one folder. Any other call fails and is recorded.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace seedbed::testing {

struct ConfinedRun {
    bool returned = false;               // false: the process was killed by `signal`, or exited
    int signal = 0;                      // 0: none
    std::string report;                  // returned by the code; at most 4,000 characters
    std::vector<std::string> forbidden;  // calls, such as "socket" or "openat /etc/passwd"
    long peak_kib = 0;                   // largest resident memory, including the parent's at the start
};

// Empty if this machine can filter calls, otherwise the reason why not.
std::string confinementProblem();

// Allowed are reads of any file; memory that is not executable; creating, renaming and removing files below
// `folder`, which exists. Not allowed are, for example, starting programs, processes and threads, and
// creating sockets, executable memory, links and devices.
ConfinedRun runConfined(const std::filesystem::path& folder, const std::function<std::string()>& code);

}  // namespace seedbed::testing
