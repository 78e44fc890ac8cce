// SPDX-License-Identifier: Apache-2.0
#include "app/fleet/fleet_run.hpp"

#include <cstdio>
#include <ctime>
#include <utility>

#include "core/base/text.hpp"

namespace seedbed::app {

LaunchRequest launchRequest(const FleetLaunch& launch, const std::filesystem::path& data_folder,
                            std::int64_t run, const std::string& address) {
    LaunchRequest request{.run = run,
                          .fleet = "00000000",
                          .actors = launch.actors,
                          .program = launch.program,
                          .folder = fleetFolder(data_folder, run),
                          .credentials = {},
                          .address = address,
                          .hosts = split(launch.hosts, ','),
                          .options = launch.options,
                          .image = launch.image};
    request.credentials = request.folder / "actor.json";
    std::error_code error;
    if (launch.program.empty()) request.program = std::filesystem::read_symlink("/proc/self/exe", error);
    return request;
}

Result<> launchActors(FileSystem& files, const FleetLaunch& launch, const std::filesystem::path& data_folder,
                      std::int64_t run, const std::string& address) {
    LaunchRequest request = launchRequest(launch, data_folder, run, address);
    SEEDBED_ASSIGN(const Launcher* launcher, launchers().get(launch.on, "launcher"));
    SEEDBED_ASSIGN(const FleetAuthority authority, FleetAuthority::open(files, data_folder));
    request.fleet = authority.id();
    SEEDBED_ASSIGN(const ActorCredentials credentials,
                   authority.actor(run, address, std::time(nullptr),
                                   static_cast<std::int64_t>(launch.valid_days * 86'400)));
    SEEDBED_TRY(makeFolders(files, request.folder));
    SEEDBED_TRY(writeFileAtomically(files, request.credentials, credentials.json()));
    if (launch.actors == 0) return {};
    return seedbed::launch(files, *launcher, request);
}

FleetRun::FleetRun(FileSystem& files, std::filesystem::path data_folder)
    : files_(files),
      data_folder_(std::move(data_folder)),
      server_(std::make_shared<FleetServer>(files_, data_folder_)) {}

void FleetRun::launchOnStart(FleetLaunch launch, std::string address) {
    launch_ = std::make_unique<FleetLaunch>(std::move(launch));
    address_ = std::move(address);
}

void FleetRun::started(std::int64_t run) {
    server_->admit(run);
    if (launch_ == nullptr) return;
    const Result<> launched = launchActors(files_, *launch_, data_folder_, run, address_);
    // The run continues: actors may be started by other means.
    if (!launched)
        std::fprintf(stderr,
                     "The actors were not started: %s\nThe run waits for actors; 'seedbed fleet show %lld' "
                     "prints the command that starts them.\n",
                     launched.error().text().c_str(), static_cast<long long>(run));
}

void FleetRun::ended(const Result<RunOutcome>& outcome) {
    server_->end(outcome && !outcome->interrupted && !outcome->stopped_on_request);
}

}  // namespace seedbed::app
