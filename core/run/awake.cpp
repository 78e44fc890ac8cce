// SPDX-License-Identifier: Apache-2.0
#include "core/run/awake.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "core/base/log.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

bool isInPath(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::error_code error;
    for (const std::string& folder : split(path == nullptr ? "/usr/bin" : path, ':'))
        if (!folder.empty() && std::filesystem::exists(std::filesystem::path(folder) / program, error))
            return true;
    return false;
}

// Checked first because systemd-inhibit only prints an error if logind is missing.
bool hasLogind() {
    std::error_code error;
    const char* forced = std::getenv("SEEDBED_LOGIND");  // for tests that replace systemd-inhibit in PATH
    return forced != nullptr ? std::string_view(forced) == "1"
                             : std::filesystem::exists("/run/systemd/seats", error);
}

}  // namespace

StayAwake::StayAwake(const std::string& why) {
    if (!hasLogind() || !isInPath("systemd-inhibit")) return;
    ChildOptions options;
    // `cat`, and with it the inhibitor, exits when this process closes its end of the pipe.
    options.arguments = {"systemd-inhibit", "--what=sleep", "--mode=block",
                         "--who=Seedbed",   "--why=" + why, "cat"};
    options.input = ChildOptions::Stream::pipe;
    options.output = ChildOptions::Stream::null;
    options.error = ChildOptions::Stream::null;
    auto helper = ChildProcess::start(options);
    if (helper) helper_ = std::move(*helper);
    else log::debug("suspend is not inhibited", {{"reason", helper.error().text()}});
}

bool raiseOomScore(int score) {
    constexpr const char* kFile = "/proc/self/oom_score_adj";
    int now = 0;
    if (!(std::ifstream(kFile) >> now)) return false;
    if (now >= score) return true;
    std::ofstream out(kFile);
    out << score << std::flush;
    return out.good();
}

}  // namespace seedbed
