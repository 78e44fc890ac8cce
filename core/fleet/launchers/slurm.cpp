// SPDX-License-Identifier: Apache-2.0
// Actors as the tasks of a Slurm job. The nodes need no files of the learner: the batch script that sbatch
// receives ends with the credentials, and srun sends them to the standard input of every task.
#include <algorithm>
#include <initializer_list>

#include "core/base/text.hpp"
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
    const std::string jobs = shellWord(folder + "/slurm" + launchSuffix(request) + ".jobs");
    plan.files.emplace_back("actors.sbatch", slurmScript(request));
    plan.start.push_back("{ cat " + shellWord(folder + "/actors.sbatch") + " " +
                         shellWord(request.credentials.string()) + " && printf '\\n" + kCredentialsEnd +
                         "\\n'; } | sbatch --parsable" +
                         (request.options.empty() ? "" : " " + request.options) + " >> " + jobs);
    plan.stop.push_back("test ! -e " + jobs + " || { scancel $(cut -d';' -f1 " + jobs + "); rm " + jobs +
                        "; }");
    // squeue forgets jobs about five minutes after their end; sacct works if Slurm keeps accounts.
    plan.ask.push_back("test -s " + jobs + " || { echo none; exit 0; }; job=$(cut -d';' -f1 " + jobs +
                       "); echo \"$job\"; squeue -h -t all -o '%i|%T|%r' -j \"$job\" || "
                       "sacct -n -X -P -o JobID,State -j \"$job\" || true");
    return plan;
}

LaunchState::Kind slurmKind(const std::string& state) {
    using Kind = LaunchState::Kind;
    const auto is = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, state) != names.end();
    };
    if (is({"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "SUSPENDED"})) return Kind::pending;
    if (is({"RUNNING", "COMPLETING", "RESIZING", "STAGE_OUT"})) return Kind::running;
    if (is({"FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY"})) return Kind::failed;
    return Kind::ended;
}

// The number of the job, then "5|PENDING|Resources" of squeue or "5|TIMEOUT" of sacct, among errors.
LaunchState slurmState(const std::string& output) {
    const std::vector<std::string> lines = split(trimmed(output), '\n');
    if (lines.empty() || lines[0] == "none")
        return {.kind = LaunchState::Kind::failed, .detail = "sbatch has not accepted it"};
    LaunchState state{.job = lines[0]};
    for (const std::string& line : lines) {
        const std::vector<std::string> words = split(line, '|');
        if (words.size() < 2) continue;
        const std::string name = words[1].substr(0, words[1].find(' '));  // "CANCELLED by 1000"
        state.kind = slurmKind(name);
        const std::string reason = words.size() > 2 && words[2] != "None" ? words[2] : "";
        if (state.kind == LaunchState::Kind::pending) state.detail = reason.empty() ? lowered(name) : reason;
        else if (state.kind != LaunchState::Kind::running) state.detail = name;
        return state;
    }
    if (output.find("Invalid job id") != std::string::npos) state.kind = LaunchState::Kind::ended;
    else if (lines.size() > 1) state.detail = lines.back();
    return state;
}

[[maybe_unused]] const bool registered_slurm = [] {
    launchers().add({.id = "slurm",
                     .help = "the tasks of a Slurm job (sbatch)",
                     .title = "Slurm job",
                     .plan = slurmPlan,
                     .state = slurmState});
    return true;
}();

}  // namespace
}  // namespace seedbed
