// SPDX-License-Identifier: Apache-2.0
// Launchers start actors on infrastructure that exists: one file per system in core/fleet/launchers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"
#include "core/base/registry.hpp"

namespace seedbed {

struct LaunchRequest {
    std::int64_t run = 0;
    int number = 0;     // of this launch within the run
    std::string fleet;  // FleetAuthority::id(): runs of other data folders may have the same number
    int actors = 1;
    std::filesystem::path program;      // seedbed, on the machines of the actors
    std::filesystem::path folder;       // fleetFolder(): receives the files of the plan, and logs
    std::filesystem::path credentials;  // actor.json in `folder`
    std::string address;                // "host:port" of the learner
    std::vector<std::string> hosts;     // ssh
    std::string options;                // of the system's command, as the user gave them
    std::string image;                  // kubernetes: the container image with seedbed
};

// Lines for /bin/sh that start and stop the actors, and print their state.
struct LaunchPlan {
    std::vector<std::pair<std::string, std::string>> files;  // name in the folder, contents
    std::vector<std::string> start, stop;
    std::vector<std::string> ask{};  // their output is for Launcher::state
    std::string job{};               // the name of the job, "" if it has none
};

// The state of a launch.
struct LaunchState {
    enum class Kind : std::uint8_t { pending, running, ended, failed, unknown };
    Kind kind = Kind::unknown;
    std::string detail{};          // the reason in the words of the system, or ""
    std::string job{};             // "": that of the plan
    std::optional<int> running{};  // number of actors that run, if it is known
};
// "pending", "running", ...
const char* stateName(LaunchState::Kind kind);

struct Launcher {
    std::string id;
    std::vector<std::string> aliases{};
    std::string help;       // one sentence
    std::string title{};    // of a launch, before the name of its job: "Slurm job"
    bool is_local = false;  // whether the actors run on this machine only
    // error: config: the request lacks something.
    Result<LaunchPlan> (*plan)(const LaunchRequest& request) = nullptr;
    // The state in the output of all lines `ask`, which have exit status 0.
    LaunchState (*state)(const std::string& output) = nullptr;
};
Registry<Launcher>& launchers();

// `text` as one word for /bin/sh.
std::string shellWord(const std::string& text);
// "'PROGRAM' fleet actor --credentials 'FILE'"
std::string actorCommand(const std::string& program, const std::string& credentials);

// "seedbed-run-3-FLEET", for later launches "seedbed-run-3-FLEET-1".
std::string jobName(const LaunchRequest& request);
// "-1" for launch 1, "" for the first one: a part of the names of its files.
std::string launchSuffix(const LaunchRequest& request);

// Stops the processes whose ids are in the file `pids`, and removes the file. Signals only processes that
// were started with actorCommand() and these credentials: others may have the ids of actors that have exited.
std::string stopActorsLine(const std::string& pids, const std::string& credentials);
// Prints how many of these processes are running.
std::string countActorsLine(const std::string& pids, const std::string& credentials);
// Launcher::state for the numbers that countActorsLine prints.
LaunchState countedState(const std::string& output);

// Writes the files, runs the lines that start actors, and remembers those that stop them. error: a line
// fails, with its output; FOLDER/launches.json is damaged.
Result<> launch(FileSystem& files, const Launcher& launcher, LaunchRequest request);

struct Launched {
    int number = 0, actors = 1;
    std::string on;                    // Launcher::id
    std::vector<std::string> options;  // of `seedbed fleet add`, which starts the same
    LaunchState state;
    // "Slurm job 5 is pending: Resources"
    std::string text() const;
};
// Queries the states of the newest kMaxAsked launches, at the same time. The state is unknown if there is no
// answer within `limit_s`.
Result<std::vector<Launched>> askLaunched(FileSystem& files, const std::filesystem::path& folder,
                                          int limit_s);
inline constexpr std::size_t kMaxAsked = 16;
// Runs all remembered lines that stop actors, and forgets them. Returns the number of launches.
Result<int> stopLaunched(FileSystem& files, const std::filesystem::path& folder);

}  // namespace seedbed
