// SPDX-License-Identifier: Apache-2.0
// Launchers start actors on infrastructure that exists: one file per system in core/fleet/launchers.
#pragma once

#include <cstdint>
#include <filesystem>
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

// Lines for /bin/sh that start and stop the actors.
struct LaunchPlan {
    std::vector<std::pair<std::string, std::string>> files;  // name in the folder, contents
    std::vector<std::string> start, stop;
};

struct Launcher {
    std::string id;
    std::vector<std::string> aliases{};
    std::string help;       // one sentence
    bool is_local = false;  // whether the actors run on this machine only
    // error: config: the request lacks something.
    Result<LaunchPlan> (*plan)(const LaunchRequest& request) = nullptr;
};
Registry<Launcher>& launchers();

// `text` as one word for /bin/sh.
std::string shellWord(const std::string& text);
// "'PROGRAM' fleet actor --credentials 'FILE'"
std::string actorCommand(const std::string& program, const std::string& credentials);

// "seedbed-run-3-FLEET", for later launches "seedbed-run-3-FLEET-1".
std::string jobName(const LaunchRequest& request);

// Stops the processes whose ids are in the file `pids`, and removes the file. Signals only processes that
// were started with actorCommand() and these credentials: others may have the ids of actors that have exited.
std::string stopActorsLine(const std::string& pids, const std::string& credentials);

// Writes the files, runs the lines that start actors, and remembers those that stop them. error: a line
// fails, with its output; FOLDER/launches.json is damaged.
Result<> launch(FileSystem& files, const Launcher& launcher, LaunchRequest request);
// Runs all remembered lines that stop actors, and forgets them. Returns the number of launches.
Result<int> stopLaunched(FileSystem& files, const std::filesystem::path& folder);

}  // namespace seedbed
