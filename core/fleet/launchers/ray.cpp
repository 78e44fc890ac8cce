// SPDX-License-Identifier: Apache-2.0
// Actors as the tasks of a Ray job. seedbed is installed on the nodes.
#include "core/fleet/launcher.hpp"

namespace seedbed {
namespace {

constexpr const char* kRayScript =
    R"(# Starts one actor per Ray task and waits for all of them. A failed actor does not end the others.
import subprocess
import sys

import ray

PROGRAM, COUNT = sys.argv[1], int(sys.argv[2])
ray.init()


@ray.remote(num_cpus=1, max_retries=-1)
def actor():
    # The working directory of the job is on every node.
    command = [PROGRAM, "fleet", "actor", "--credentials", "actor.json"]
    try:
        return subprocess.run(command, check=False).returncode
    except OSError as error:
        print(error, file=sys.stderr)
        return 127


sys.exit(1 if any(ray.get([actor.remote() for _ in range(COUNT)])) else 0)
)";

Result<LaunchPlan> rayPlan(const LaunchRequest& request) {
    LaunchPlan plan;
    const std::string job = jobName(request);
    const std::string options = request.options.empty() ? "" : " " + request.options;
    // The working directory is sent to the cluster: it contains the credentials and the script only.
    const std::string folder = (request.folder / "ray").string();
    plan.files.emplace_back("actors.py", kRayScript);
    plan.start.push_back("mkdir -p " + shellWord(folder) + " && cp " +
                         shellWord(request.credentials.string()) + " " +
                         shellWord((request.folder / "actors.py").string()) + " " + shellWord(folder));
    plan.start.push_back("ray job submit --no-wait --submission-id " + job + options + " --working-dir " +
                         shellWord(folder) + " -- python3 actors.py " + shellWord(request.program) + " " +
                         std::to_string(request.actors));
    plan.stop.push_back("ray job stop" + options + " " + job);
    return plan;
}

[[maybe_unused]] const bool registered_ray = [] {
    launchers().add({.id = "ray", .help = "the tasks of a Ray job", .plan = rayPlan});
    return true;
}();

}  // namespace
}  // namespace seedbed
