// SPDX-License-Identifier: Apache-2.0
// Actors as background processes of this machine.
#include "core/fleet/launcher.hpp"

namespace seedbed {
namespace {

Result<LaunchPlan> localPlan(const LaunchRequest& request) {
    LaunchPlan plan;
    const std::string pids = (request.folder / ("actors" + launchSuffix(request) + ".pid")).string();
    for (int i = 0; i < request.actors; ++i)
        plan.start.push_back("nohup " + actorCommand(request.program, request.credentials) +
                             " < /dev/null >> " + shellWord((request.folder / "actors.log").string()) +
                             " 2>&1 & echo $! >> " + shellWord(pids));
    plan.stop.push_back(stopActorsLine(pids, request.credentials.string()));
    plan.ask.push_back(countActorsLine(pids, request.credentials.string()));
    return plan;
}

[[maybe_unused]] const bool registered_local = [] {
    launchers().add({.id = "local",
                     .help = "background processes on this machine",
                     .title = "Launch on this machine",
                     .is_local = true,
                     .plan = localPlan,
                     .state = countedState});
    return true;
}();

}  // namespace
}  // namespace seedbed
