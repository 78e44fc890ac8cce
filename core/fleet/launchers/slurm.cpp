// SPDX-License-Identifier: Apache-2.0
// Actors as the tasks of a Slurm job. The data folder is on a file system that the nodes share.
#include "core/fleet/launcher.hpp"

namespace seedbed {
namespace {

Result<LaunchPlan> slurmPlan(const LaunchRequest& request) {
    LaunchPlan plan;
    const std::string folder = request.folder.string();
    plan.files.emplace_back("actors.sbatch",
                            "#!/bin/sh\n"
                            "#SBATCH --job-name=" +
                                jobName(request) + "\n#SBATCH --ntasks=" + std::to_string(request.actors) +
                                "\n#SBATCH --cpus-per-task=1\n#SBATCH --output=" + folder +
                                "/slurm-%j.log\n"
                                "# An actor that fails or is preempted is not the end of the others.\n"
                                "exec srun --kill-on-bad-exit=0 " +
                                actorCommand(request.program, request.credentials) + "\n");
    const std::string jobs = shellWord(folder + "/slurm.jobs");
    plan.start.push_back("sbatch --parsable" + (request.options.empty() ? "" : " " + request.options) + " " +
                         shellWord(folder + "/actors.sbatch") + " >> " + jobs);
    plan.stop.push_back("test ! -e " + jobs + " || { scancel $(cut -d';' -f1 " + jobs + "); rm " + jobs +
                        "; }");
    return plan;
}

[[maybe_unused]] const bool registered_slurm = [] {
    launchers().add(
        {.id = "slurm", .help = "the tasks of a Slurm job (sbatch)", .program = "sbatch", .plan = slurmPlan});
    return true;
}();

}  // namespace
}  // namespace seedbed
