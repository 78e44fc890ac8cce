// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/launcher.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <memory>
#include <utility>

#include "core/base/json.hpp"
#include "core/base/strict_json.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kLaunchFile = 1 << 26, kLineOutput = 1 << 26;
constexpr int kTimedOut = 124, kKilled = 137;  // exit status of timeout(1)

std::filesystem::path launchesFile(const std::filesystem::path& folder) { return folder / "launches.json"; }

// A launch that can be stopped.
struct KnownLaunch {
    int number = 0, actors = 1;
    std::string on, job;
    std::vector<std::string> options, ask, stop;
};

struct Launches {
    int next = 0;  // number of the next launch; never restarts
    std::vector<KnownLaunch> known;
};

Result<Launches> readLaunches(FileSystem& files, const std::filesystem::path& folder) try {
    Launches launches;
    SEEDBED_ASSIGN(const auto exists, files.info(launchesFile(folder)));
    if (!exists) return launches;
    SEEDBED_ASSIGN(const std::string text, readFile(files, launchesFile(folder), kLaunchFile));
    const Json json = parseStrictJson(text);
    json.at("next").get_to(launches.next);
    for (const Json& each : json.at("launches")) {
        KnownLaunch& known = launches.known.emplace_back();
        each.at("number").get_to(known.number);
        each.at("actors").get_to(known.actors);
        each.at("on").get_to(known.on);
        each.at("job").get_to(known.job);
        each.at("options").get_to(known.options);
        each.at("ask").get_to(known.ask);
        each.at("stop").get_to(known.stop);
    }
    return launches;
} catch (const Json::exception&) {
    return fail(
        "'" + launchesFile(folder).string() +
        "' is damaged, so its actors cannot be stopped; stop them by other means and remove the file");
}

Result<> writeLaunches(FileSystem& files, const std::filesystem::path& folder, const Launches& launches) {
    Json list = Json::array();
    for (const KnownLaunch& known : launches.known)
        list.push_back({{"number", known.number},
                        {"actors", known.actors},
                        {"on", known.on},
                        {"job", known.job},
                        {"options", known.options},
                        {"ask", known.ask},
                        {"stop", known.stop}});
    const Json json{{"next", launches.next}, {"launches", list}};
    return writeFileAtomically(files, launchesFile(folder), json.dump(2));
}

// A command of /bin/sh and its output.
class Line {
public:
    explicit Line(const std::string& command) : pipe_(popen((command + " 2>&1").c_str(), "r")) {}
    Line(Line&& other) noexcept : pipe_(std::exchange(other.pipe_, nullptr)) {}
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    ~Line() {
        if (pipe_ != nullptr) pclose(pipe_);
    }
    // Waits for its end. Returns the exit status, -1 if it could not be started, and the output.
    std::pair<int, std::string> finish() {
        std::string output;
        if (pipe_ == nullptr) return {-1, "/bin/sh could not be started"};
        std::array<char, 4096> buffer;
        while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe_))
            if (output.size() < kLineOutput) output.append(buffer.data(), size);
        const int status = pclose(std::exchange(pipe_, nullptr));
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
    }

private:
    std::FILE* pipe_;
};

Result<> runLine(const std::string& line) {
    constexpr std::size_t kShown = 4096;
    const auto [status, output] = Line("( " + line + " )").finish();
    if (status == 0) return {};
    return fail("'" + line + "' failed: " + printableText(trimmed(output.substr(0, kShown))));
}

std::string lastLineOf(const std::string& output) {
    const std::vector<std::string> lines = split(trimmed(output), '\n');
    return lines.empty() ? "" : printableText(trimmed(lines.back()).substr(0, 500));
}

LaunchState stateOf(const Launcher* launcher, std::vector<Line>& lines, int limit_s) {
    std::string all;
    std::optional<LaunchState> problem;
    for (Line& line : lines) {
        const auto [status, output] = line.finish();
        all += output;
        if (status == 0 || problem) continue;
        problem = LaunchState{.detail = status == kTimedOut || status == kKilled
                                            ? "no answer within " + std::to_string(limit_s) + " s"
                                            : lastLineOf(output)};
    }
    if (problem) return *problem;
    if (launcher == nullptr || launcher->state == nullptr || lines.empty()) return {};
    LaunchState state = launcher->state(all);
    state.detail = printableText(state.detail.substr(0, 500));
    state.job = printableText(state.job.substr(0, 500));
    return state;
}

// The options of `seedbed fleet add` for the same launch, except for the number of actors.
std::vector<std::string> optionsOf(const Launcher& launcher, const LaunchRequest& request) {
    if (launcher.is_local) return {};
    std::vector<std::string> words{"--on", launcher.id};
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) words.insert(words.end(), {option, value});
    };
    add("--hosts", join(request.hosts, ","));
    add("--image", request.image);
    add("--options", request.options);
    return words;
}

// The shell's test whether $pid is an actor with these credentials: others may have the ids of actors that
// have exited.
std::string isActor(const std::string& credentials) {
    // Compares the last four arguments of the process, separated by line breaks.
    const std::string found = "\"$(cat /proc/$pid/cmdline 2> /dev/null | tr '\\0' '\\n' | tail -n 4)\"";
    const std::string actor =
        "\"$(printf '%s\\n' fleet actor --credentials " + shellWord(credentials) + ")\"";
    return "test " + found + " = " + actor;
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

const char* stateName(LaunchState::Kind kind) {
    switch (kind) {
        case LaunchState::Kind::pending: return "pending";
        case LaunchState::Kind::running: return "running";
        case LaunchState::Kind::ended: return "ended";
        case LaunchState::Kind::failed: return "failed";
        case LaunchState::Kind::unknown: break;
    }
    return "unknown";
}

std::string launchSuffix(const LaunchRequest& request) {
    return request.number > 0 ? "-" + std::to_string(request.number) : "";
}

std::string jobName(const LaunchRequest& request) {
    return "seedbed-run-" + std::to_string(request.run) + "-" + request.fleet + launchSuffix(request);
}

std::string stopActorsLine(const std::string& pids, const std::string& credentials) {
    return "for pid in $(cat " + shellWord(pids) + " 2> /dev/null); do " + isActor(credentials) +
           " && kill $pid; done; rm -f " + shellWord(pids);
}

std::string countActorsLine(const std::string& pids, const std::string& credentials) {
    return "n=0; for pid in $(cat " + shellWord(pids) + " 2> /dev/null); do " + isActor(credentials) +
           " && n=$((n + 1)); done; echo $n";
}

LaunchState countedState(const std::string& output) {
    int running = 0;
    for (const std::string& line : split(trimmed(output), '\n')) {
        const auto count = parseInteger(trimmed(line));
        if (!count) return {.detail = line};
        running += static_cast<int>(*count);
    }
    return {.kind = running > 0 ? LaunchState::Kind::running : LaunchState::Kind::ended, .running = running};
}

Result<> launch(FileSystem& files, const Launcher& launcher, LaunchRequest request) {
    SEEDBED_ASSIGN(Launches launches, readLaunches(files, request.folder));
    request.number = launches.next++;
    SEEDBED_ASSIGN(const LaunchPlan plan, launcher.plan(request));
    for (const auto& [name, text] : plan.files)
        SEEDBED_TRY(writeFileAtomically(files, request.folder / name, text));
    launches.known.push_back({.number = request.number,
                              .actors = request.actors,
                              .on = launcher.id,
                              .job = plan.job,
                              .options = optionsOf(launcher, request),
                              .ask = plan.ask,
                              .stop = plan.stop});
    SEEDBED_TRY(writeLaunches(files, request.folder, launches));
    for (const std::string& line : plan.start) SEEDBED_TRY(runLine(line));
    return {};
}

std::string Launched::text() const {
    const Launcher* launcher = launchers().find(on);
    std::string text = launcher != nullptr ? launcher->title : "Launch " + std::to_string(number);
    if (!state.job.empty()) text += " " + state.job;
    switch (state.kind) {
        case LaunchState::Kind::pending: text += " is pending"; break;
        case LaunchState::Kind::running: text += " is running"; break;
        case LaunchState::Kind::ended: text += " has ended"; break;
        case LaunchState::Kind::failed: text += " has failed"; break;
        case LaunchState::Kind::unknown: text += " has an unknown state"; break;
    }
    if (state.running)
        text += ", " + std::to_string(*state.running) + " of " + std::to_string(actors) + " actors";
    return state.detail.empty() ? text : text + ": " + state.detail;
}

Result<std::vector<Launched>> askLaunched(FileSystem& files, const std::filesystem::path& folder,
                                          int limit_s) {
    SEEDBED_ASSIGN(Launches launches, readLaunches(files, folder));
    if (launches.known.size() > kMaxAsked)
        launches.known.erase(launches.known.begin(), launches.known.end() - kMaxAsked);
    std::vector<std::vector<Line>> lines;
    for (const KnownLaunch& known : launches.known) {
        std::vector<Line>& own = lines.emplace_back();
        for (const std::string& line : known.ask)
            own.emplace_back("timeout -k 1 " + std::to_string(limit_s) + " /bin/sh -c " + shellWord(line) +
                             " < /dev/null");
    }
    std::vector<Launched> states;
    for (std::size_t i = 0; i < launches.known.size(); ++i) {
        const KnownLaunch& known = launches.known[i];
        Launched& launched = states.emplace_back(Launched{.number = known.number,
                                                          .actors = known.actors,
                                                          .on = known.on,
                                                          .options = known.options,
                                                          .state = {}});
        launched.state = stateOf(launchers().find(known.on), lines[i], limit_s);
        if (launched.state.job.empty()) launched.state.job = known.job;
    }
    return states;
}

Result<int> stopLaunched(FileSystem& files, const std::filesystem::path& folder) {
    SEEDBED_ASSIGN(Launches launches, readLaunches(files, folder));
    Result<> first;
    for (const KnownLaunch& known : launches.known)
        for (const std::string& line : known.stop)
            if (Result<> ran = runLine(line); !ran && first) first = std::move(ran);
    SEEDBED_TRY(std::move(first));
    const auto count = static_cast<int>(launches.known.size());
    launches.known.clear();
    if (count > 0) SEEDBED_TRY(writeLaunches(files, folder, launches));
    return count;
}

}  // namespace seedbed
