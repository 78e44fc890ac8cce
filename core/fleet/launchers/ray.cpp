// SPDX-License-Identifier: Apache-2.0
// Actors as the tasks of a Ray job. seedbed is installed on the nodes.
#include "core/base/text.hpp"
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
    plan.ask.push_back("ray job status" + options + " " + job);
    plan.job = job;
    return plan;
}

// The output of `ray job status`: "Job 'NAME' failed", or "Status for job 'NAME': PENDING" and
// "Status message: ...".
LaunchState rayState(const std::string& output) {
    using Kind = LaunchState::Kind;
    LaunchState state;
    for (const std::string& line : split(output, '\n')) {
        const auto ends = [&](std::string_view text) { return trimmed(line).ends_with(text); };
        if (ends("' succeeded") || ends("' was stopped")) state.kind = Kind::ended;
        else if (ends("' failed")) state.kind = Kind::failed;
        else if (ends("PENDING")) state.kind = Kind::pending;
        else if (ends("RUNNING")) state.kind = Kind::running;
        else if (const std::size_t at = line.find("Status message: ");
                 at != std::string::npos && state.kind != Kind::running)
            state.detail = trimmed(line.substr(at + 16));
    }
    return state;
}

[[maybe_unused]] const bool registered_ray = [] {
    launchers().add({.id = "ray",
                     .help = "the tasks of a Ray job",
                     .title = "Ray job",
                     .plan = rayPlan,
                     .state = rayState});
    return true;
}();

}  // namespace
}  // namespace seedbed
