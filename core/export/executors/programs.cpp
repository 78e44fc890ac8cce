// SPDX-License-Identifier: Apache-2.0
// Looks for programs by running them.
#include "core/export/executors/programs.hpp"

#include "core/base/paths.hpp"
#include "core/ipc/child_process.hpp"

namespace seedbed {

namespace {

bool runs(const std::string& program) {
    ChildOptions options;
    options.arguments = {program, "--version"};
    options.output = options.error = ChildOptions::Stream::null;
    auto child = ChildProcess::start(options);
    if (!child) return false;
    const auto status = child->wait({}, deadlineIn(20'000));
    return status && *status && (*status)->ok();
}

}  // namespace

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
        if (runs(candidate)) return candidate;
    return fail((candidates.size() == 1 ? "the C compiler '" + candidates[0] + "' cannot be run"
                                        : std::string("there is no C compiler (cc, gcc or clang)")) +
                "; install one (Debian: apt install gcc) or name it in the variable CC");
}

}  // namespace seedbed
