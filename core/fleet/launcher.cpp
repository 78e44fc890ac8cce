// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/launcher.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <memory>

#include "core/base/json.hpp"
#include "core/base/strict_json.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kLaunchFile = 1 << 20;

std::filesystem::path launchesFile(const std::filesystem::path& folder) { return folder / "launches.json"; }

// The launches that can be stopped: a list of lists of lines.
Json launchesOf(FileSystem& files, const std::filesystem::path& folder) {
    const auto text = readFile(files, launchesFile(folder), kLaunchFile);
    const Json json = text ? parseStrictJson(*text) : Json::array();
    return json.is_array() ? json : Json::array();
}

Result<> runLine(const std::string& line) {
    std::FILE* pipe = popen(("( " + line + " ) 2>&1").c_str(), "r");
    if (pipe == nullptr) return fail("'" + line + "' could not be started");
    std::string output;
    std::array<char, 4096> buffer;
    while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
        if (output.size() < buffer.size()) output.append(buffer.data(), size);
    const int status = pclose(pipe);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    return fail("'" + line + "' failed: " + printableText(std::string(trimmed(output))));
}

}  // namespace

Registry<Launcher>& launchers() {
    static Registry<Launcher> registry;
    return registry;
}

std::string shellWord(const std::string& text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string actorCommand(const std::string& program, const std::string& credentials) {
    return shellWord(program) + " fleet actor --credentials " + shellWord(credentials);
}

std::string jobName(const LaunchRequest& request) {
    return "seedbed-run-" + std::to_string(request.run) +
           (request.number > 0 ? "-" + std::to_string(request.number) : "");
}

Result<> launch(FileSystem& files, const Launcher& launcher, LaunchRequest request) {
    Json launches = launchesOf(files, request.folder);
    request.number = static_cast<int>(launches.size());
    SEEDBED_ASSIGN(const LaunchPlan plan, launcher.plan(request));
    for (const auto& [name, text] : plan.files)
        SEEDBED_TRY(writeFileAtomically(files, request.folder / name, text));
    launches.push_back(plan.stop);
    SEEDBED_TRY(writeFileAtomically(files, launchesFile(request.folder), launches.dump(2)));
    for (const std::string& line : plan.start) SEEDBED_TRY(runLine(line));
    return {};
}

Result<int> stopLaunched(FileSystem& files, const std::filesystem::path& folder) {
    const Json launches = launchesOf(files, folder);
    Result<> first;
    for (const Json& lines : launches)
        for (const Json& line : lines)
            if (Result<> ran = runLine(line.get<std::string>()); !ran && first) first = std::move(ran);
    SEEDBED_TRY(std::move(first));
    if (!launches.empty()) SEEDBED_TRY(files.remove(launchesFile(folder)));
    return static_cast<int>(launches.size());
}

}  // namespace seedbed
