// SPDX-License-Identifier: Apache-2.0
// Runs a program until it exits, and passes on its output line by line.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/ipc/child_process.hpp"

namespace seedbed {

struct ProgramRun {
    std::vector<std::string> arguments;  // [0] is the program
    std::vector<std::pair<std::string, std::string>> environment{};
    std::int64_t timeout_ms = 600'000;
    // Called on the caller's thread with each line of output, and with "" every 0.2 s.
    std::function<void(const std::string& line)> on_line{};
};

struct ProgramEnd {
    ExitStatus status;
    std::string output;  // the last 64 KiB of stdout and stderr
};

// Runs a program in a separate process group. Its standard input is a pipe that closes when this process
// exits. After a stop request or the timeout, the group is killed. error: interrupted, failure (for example
// if the program does not exist).
Result<ProgramEnd> runProgram(const ProgramRun& run, const std::stop_token& stop);

}  // namespace seedbed
