// SPDX-License-Identifier: Apache-2.0
// The fleet of a run that this process trains: the actors that may connect, and how they are started.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/fleet/fleet_server.hpp"
#include "core/fleet/launcher.hpp"
#include "core/run/run.hpp"

namespace seedbed::app {

// The options of `fleet start` and `fleet add`.
struct FleetLaunch {
    std::string on = "local";
    int actors = 1;
    std::string address, hosts, options, image, program;
    double valid_days = 7;
};

// The request for the actors of a run, whose learner is at `address`. The id of the data folder is zero.
LaunchRequest launchRequest(const FleetLaunch& launch, const std::filesystem::path& data_folder,
                            std::int64_t run, const std::string& address);
// Writes new credentials for actors of a run, and starts the actors.
Result<> launchActors(FileSystem& files, const FleetLaunch& launch, const std::filesystem::path& data_folder,
                      std::int64_t run, const std::string& address);

// Does nothing for a run without actor.fleet.
class FleetRun {
public:
    FleetRun(FileSystem& files, std::filesystem::path data_folder);
    const std::shared_ptr<FleetServer>& server() const { return server_; }
    // Starts these actors when the run has started; their learner is at `address`.
    void launchOnStart(FleetLaunch launch, std::string address);
    void started(std::int64_t run);
    // Actors of a run that has reached its goal exit; others wait for the learner.
    void ended(const Result<RunOutcome>& outcome);

private:
    FileSystem& files_;
    std::filesystem::path data_folder_;
    std::shared_ptr<FleetServer> server_;
    std::unique_ptr<FleetLaunch> launch_;
    std::string address_;
};

}  // namespace seedbed::app
