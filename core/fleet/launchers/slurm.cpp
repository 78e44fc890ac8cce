// SPDX-License-Identifier: Apache-2.0
// Actors as the tasks of a Slurm job. The nodes need no files of the learner: the batch script that sbatch
// receives ends with the credentials, and srun sends them to the standard input of every task.
#include "core/fleet/launcher.hpp"

namespace seedbed {
namespace {

constexpr const char* kCredentialsEnd = "SEEDBED_CREDENTIALS";

// The beginning of the script, without the credentials. The log's path is a word of the shell because sbatch
// would interpret spaces, quotes and '%' in it.
std::string slurmScript(const LaunchRequest& request) {
    return "#!/bin/sh\n#SBATCH --job-name=" + jobName(request) +
           "\n#SBATCH --ntasks=" + std::to_string(request.actors) +
           "\n#SBATCH --cpus-per-task=1\n#SBATCH --output=/dev/null\n"
           "# Unless another --output was given, the log is in the data folder if this node has it,\n"
           "# otherwise in the home folder.\n"
           "if test /dev/stdout -ef /dev/null; then\n"
           "    for log in " +
           shellWord(request.folder.string()) +
           " \"$HOME\"; do\n"
           "        test -w \"$log\" && exec >> \"$log/slurm-$SLURM_JOB_ID.log\" 2>&1 && break\n"
           "    done\n"
           "fi\n"
           "# An actor that fails or is preempted is not the end of the others.\n"
           "exec srun --kill-on-bad-exit=0 " +
           actorCommand(request.program, "-") + " <<'" + kCredentialsEnd + "'\n";
}

Result<LaunchPlan> slurmPlan(const LaunchRequest& request) {
    LaunchPlan plan;
    const std::string folder = request.folder.string();
    const std::string jobs = shellWord(folder + "/slurm.jobs");
    plan.files.emplace_back("actors.sbatch", slurmScript(request));
    plan.start.push_back("{ cat " + shellWord(folder + "/actors.sbatch") + " " +
                         shellWord(request.credentials.string()) + " && printf '\\n" + kCredentialsEnd +
                         "\\n'; } | sbatch --parsable" +
                         (request.options.empty() ? "" : " " + request.options) + " >> " + jobs);
    plan.stop.push_back("test ! -e " + jobs + " || { scancel $(cut -d';' -f1 " + jobs + "); rm " + jobs +
                        "; }");
    return plan;
}

[[maybe_unused]] const bool registered_slurm = [] {
    launchers().add({.id = "slurm", .help = "the tasks of a Slurm job (sbatch)", .plan = slurmPlan});
    return true;
}();

}  // namespace
}  // namespace seedbed
