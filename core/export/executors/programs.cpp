// SPDX-License-Identifier: Apache-2.0
#include "core/export/executors/programs.hpp"

#include <sstream>

#include "core/base/os/files.hpp"
#include "core/base/os/paths.hpp"
#include "core/ipc/child_process.hpp"

namespace seedbed {

bool isRunnable(const std::string& program) {
    ChildOptions options;
    options.arguments = splitCommand(program);
    if (options.arguments.empty()) return false;
    options.arguments.emplace_back("--version");
    options.output = options.error = ChildOptions::Stream::null;
    auto child = ChildProcess::start(options);
    if (!child) return false;
    const auto status = child->wait({}, deadlineIn(20'000));
    return status && *status && (*status)->ok();
}

std::vector<std::string> splitCommand(const std::string& command) {
    std::vector<std::string> words;
    std::istringstream text(command);
    for (std::string word; text >> word;) words.push_back(words.empty() ? absoluteProgram(word) : word);
    return words;
}

std::string absoluteProgram(const std::string& program) {
    std::error_code error;
    const Path absolute = std::filesystem::absolute(program, error);
    return program.find('/') == std::string::npos || error ? program : absolute.string();
}

std::vector<std::string> pythonCandidates(const std::string& chosen) {
    if (!chosen.empty()) return {chosen};
    if (const auto python = processEnvironment()("SEEDBED_PYTHON")) return {*python};
    return {"python3", "python"};
}

Result<std::string> findCompiler(const std::string& chosen) {
    std::vector<std::string> candidates{"cc", "gcc", "clang"};
    if (const auto compiler = processEnvironment()("CC")) candidates = {*compiler};
    if (!chosen.empty()) candidates = {chosen};
    for (const std::string& candidate : candidates)
        if (isRunnable(candidate)) return candidate;
    return fail((candidates.size() == 1 ? "the C compiler '" + candidates[0] + "' cannot be run"
                                        : std::string("there is no C compiler (cc, gcc or clang)")) +
                "; install one (Debian: apt install gcc) or name it in the variable CC");
}

}  // namespace seedbed
