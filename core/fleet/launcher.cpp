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

constexpr std::size_t kLaunchFile = 1 << 26;

std::filesystem::path launchesFile(const std::filesystem::path& folder) { return folder / "launches.json"; }

struct Launches {
    int next = 0;                                // number of the next launch; never restarts
    std::vector<std::vector<std::string>> stop;  // of each launch that can be stopped, its lines
};

Result<Launches> readLaunches(FileSystem& files, const std::filesystem::path& folder) try {
    Launches launches;
    SEEDBED_ASSIGN(const auto exists, files.info(launchesFile(folder)));
    if (!exists) return launches;
    SEEDBED_ASSIGN(const std::string text, readFile(files, launchesFile(folder), kLaunchFile));
    const Json json = parseStrictJson(text);
    json.at("next").get_to(launches.next);
    json.at("stop").get_to(launches.stop);
    return launches;
} catch (const Json::exception&) {
    return fail(
        "'" + launchesFile(folder).string() +
        "' is damaged, so its actors cannot be stopped; stop them by other means and remove the file");
}

Result<> writeLaunches(FileSystem& files, const std::filesystem::path& folder, const Launches& launches) {
    const Json json{{"next", launches.next}, {"stop", launches.stop}};
    return writeFileAtomically(files, launchesFile(folder), json.dump(2));
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
    return "seedbed-run-" + std::to_string(request.run) + "-" + request.fleet +
           (request.number > 0 ? "-" + std::to_string(request.number) : "");
}

std::string stopActorsLine(const std::string& pids, const std::string& credentials) {
    // Compares the last four arguments of the process, separated by line breaks.
    const std::string found = "\"$(cat /proc/$pid/cmdline 2> /dev/null | tr '\\0' '\\n' | tail -n 4)\"";
    const std::string actor =
        "\"$(printf '%s\\n' fleet actor --credentials " + shellWord(credentials) + ")\"";
    return "for pid in $(cat " + shellWord(pids) + " 2> /dev/null); do test " + found + " = " + actor +
           " && kill $pid; done; rm -f " + shellWord(pids);
}

Result<> launch(FileSystem& files, const Launcher& launcher, LaunchRequest request) {
    SEEDBED_ASSIGN(Launches launches, readLaunches(files, request.folder));
    request.number = launches.next++;
    SEEDBED_ASSIGN(const LaunchPlan plan, launcher.plan(request));
    for (const auto& [name, text] : plan.files)
        SEEDBED_TRY(writeFileAtomically(files, request.folder / name, text));
    launches.stop.push_back(plan.stop);
    SEEDBED_TRY(writeLaunches(files, request.folder, launches));
    for (const std::string& line : plan.start) SEEDBED_TRY(runLine(line));
    return {};
}

Result<int> stopLaunched(FileSystem& files, const std::filesystem::path& folder) {
    SEEDBED_ASSIGN(Launches launches, readLaunches(files, folder));
    Result<> first;
    for (const auto& lines : launches.stop)
        for (const std::string& line : lines)
            if (Result<> ran = runLine(line); !ran && first) first = std::move(ran);
    SEEDBED_TRY(std::move(first));
    const auto count = static_cast<int>(launches.stop.size());
    launches.stop.clear();
    if (count > 0) SEEDBED_TRY(writeLaunches(files, folder, launches));
    return count;
}

}  // namespace seedbed
