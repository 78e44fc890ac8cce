// SPDX-License-Identifier: Apache-2.0
// Actors on hosts that the user reaches with ssh without a password. seedbed is installed there.
#include "core/base/text.hpp"
#include "core/fleet/launcher.hpp"

namespace seedbed {
namespace {

Result<LaunchPlan> sshPlan(const LaunchRequest& request) {
    if (request.hosts.empty())
        return fail(ErrorCode::config, "--on ssh needs --hosts HOST,HOST (names as for ssh)");
    LaunchPlan plan;
    plan.job = join(request.hosts, ", ");
    const std::string name = jobName(request), file = ".cache/" + name + ".json";
    const std::string options = request.options.empty() ? "" : " " + request.options;
    const auto hosts = static_cast<int>(request.hosts.size());
    for (int h = 0; h < hosts && h < request.actors; ++h) {
        const std::string host = shellWord(request.hosts[static_cast<std::size_t>(h)]);
        const int count = request.actors / hosts + (h < request.actors % hosts ? 1 : 0);
        plan.start.push_back("ssh" + options + " " + host + " 'umask 077; mkdir -p .cache; cat > " + file +
                             "' < " + shellWord(request.credentials.string()));
        const std::string actors = "for i in $(seq " + std::to_string(count) + "); do nohup " +
                                   actorCommand(request.program, file) + " < /dev/null >> .cache/" + name +
                                   ".log 2>&1 & echo $! >> .cache/" + name + ".pid; done";
        plan.start.push_back("ssh" + options + " " + host + " " + shellWord(actors));
        plan.ask.push_back("ssh -o BatchMode=yes" + options + " " + host + " " +
                           shellWord(countActorsLine(".cache/" + name + ".pid", file)));
        plan.stop.push_back("ssh" + options + " " + host + " " +
                            shellWord(stopActorsLine(".cache/" + name + ".pid", file) + " " + file));
    }
    return plan;
}

[[maybe_unused]] const bool registered_ssh = [] {
    launchers().add({.id = "ssh",
                     .help = "processes on the machines of --hosts",
                     .title = "Launch on",
                     .plan = sshPlan,
                     .state = countedState});
    return true;
}();

}  // namespace
}  // namespace seedbed
