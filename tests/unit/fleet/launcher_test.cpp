// SPDX-License-Identifier: Apache-2.0
// Launchers: the lines and files for each system, and what runs them.
#include "core/fleet/launcher.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

LaunchRequest requestFor(const std::filesystem::path& folder) {
    return {.run = 3,
            .fleet = "0a1b2c3d",
            .actors = 5,
            .program = "/opt/see d/seedbed",
            .folder = folder,
            .credentials = folder / "actor.json",
            .address = "10.0.0.5:7450",
            .hosts = {"a", "b"},
            .options = "",
            .image = "registry/seedbed:1"};
}

LaunchPlan planOf(const std::string& id, const LaunchRequest& request = requestFor("/data/fleet/run-3")) {
    auto plan = launchers().find(id)->plan(request);
    EXPECT_TRUE(plan.has_value()) << id;
    return *plan;
}

TEST(Launchers, TheFiveSystemsAreRegistered) {
    EXPECT_EQ(launchers().ids(), (std::vector<std::string>{"kubernetes", "local", "ray", "slurm", "ssh"}));
}

TEST(Launchers, WordsOfTheShellAreQuoted) {
    EXPECT_EQ(shellWord("a b"), "'a b'");
    EXPECT_EQ(shellWord("it's; rm -rf /"), "'it'\\''s; rm -rf /'");
    for (const std::string& id : launchers().ids()) {
        if (id == "kubernetes") continue;  // the image has its own path of the program
        const LaunchPlan plan = planOf(id, requestFor("/da ta/50%j"));
        std::string all = join(plan.start, "\n");
        for (const auto& [name, text] : plan.files) all += text;
        EXPECT_NE(all.find("/opt/see d/seedbed'"), std::string::npos) << id;
        for (std::size_t at = 0; (at = all.find("/da ta/", at)) != std::string::npos; ++at)
            EXPECT_EQ(all[at - 1], '\'') << id << ": " << all;
    }
}

TEST(Launchers, SlurmRunsOneTaskPerActor) {
    const LaunchPlan plan = planOf("slurm");
    ASSERT_EQ(plan.files.size(), 1U);
    const std::string& script = plan.files[0].second;
    EXPECT_TRUE(
        script.starts_with("#!/bin/sh\n#SBATCH --job-name=seedbed-run-3-0a1b2c3d\n#SBATCH --ntasks=5\n"));
    EXPECT_NE(script.find("\nexec srun --kill-on-bad-exit=0 '/opt/see d/seedbed' fleet actor --credentials "
                          "'-' <<"),
              std::string::npos);
    LaunchRequest request = requestFor("/data/fleet/run-3");
    request.options = "--partition=cpu";
    EXPECT_NE(planOf("slurm", request).start[0].find("| sbatch --parsable --partition=cpu >> '"),
              std::string::npos);
}

TEST(Launchers, SshDividesActorsAmongHosts) {
    const LaunchPlan plan = planOf("ssh");
    ASSERT_EQ(plan.start.size(), 4U);
    EXPECT_NE(plan.start[1].find("seq 3"), std::string::npos);
    EXPECT_NE(plan.start[3].find("seq 2"), std::string::npos);
    LaunchRequest request = requestFor("/data");
    request.hosts.clear();
    EXPECT_FALSE(launchers().find("ssh")->plan(request).has_value());
}

TEST(Launchers, KubernetesHasAJobAndAHeadlessService) {
    const LaunchPlan plan = planOf("kubernetes");
    const Json list = Json::parse(plan.files.at(0).second);
    const Json &service = list.at("items").at(0), &endpoints = list.at("items").at(1),
               &job = list.at("items").at(2);
    EXPECT_EQ(service.at("kind"), "Service");
    EXPECT_EQ(service.at("spec").at("clusterIP"), "None");
    EXPECT_EQ(endpoints.at("metadata").at("name"), service.at("metadata").at("name"));
    EXPECT_EQ(endpoints.at("subsets")[0].at("addresses")[0].at("ip"), "10.0.0.5");
    EXPECT_EQ(endpoints.at("subsets")[0].at("ports")[0].at("port"), 7450);
    EXPECT_EQ(job.at("kind"), "Job");
    EXPECT_EQ(job.at("spec").at("parallelism"), 5);
    const Json& container = job.at("spec").at("template").at("spec").at("containers")[0];
    EXPECT_EQ(container.at("image"), "registry/seedbed:1");
    EXPECT_EQ(container.at("command").back(), "seedbed-run-3-0a1b2c3d:7450");
    LaunchRequest request = requestFor("/data");
    request.address = "learner.example:7450";
    EXPECT_FALSE(launchers().find("kubernetes")->plan(request).has_value());
    request = requestFor("/data");
    request.image.clear();
    EXPECT_FALSE(launchers().find("kubernetes")->plan(request).has_value());
}

TEST(Launchers, LaterLaunchesHaveTheirOwnNames) {
    LaunchRequest request = requestFor("/data");
    request.number = 2;
    EXPECT_NE(join(planOf("ray", request).start, " ").find("--submission-id seedbed-run-3-0a1b2c3d-2 "),
              std::string::npos);
    request.fleet = "ffffffff";
    EXPECT_NE(jobName(request), "seedbed-run-3-0a1b2c3d-2");
}

// A launcher that leaves marks.
Result<LaunchPlan> markingPlan(const LaunchRequest& request) {
    const std::string file = shellWord((request.folder / "marks").string());
    return LaunchPlan{.files = {{"script", "text"}},
                      .start = {"cat " + shellWord((request.folder / "script").string()) + " >> " + file},
                      .stop = {"echo stop" + std::to_string(request.number) + " >> " + file}};
}
Result<LaunchPlan> failingPlan(const LaunchRequest&) {
    return LaunchPlan{.files = {}, .start = {"echo no such queue; exit 3"}, .stop = {}};
}

TEST(Launch, EveryLaunchIsStoppedOnce) {
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    const Launcher marking{.id = "marking", .help = "", .plan = markingPlan};
    ASSERT_TRUE(launch(files, marking, requestFor(folder.path())).has_value());
    ASSERT_TRUE(launch(files, marking, requestFor(folder.path())).has_value());
    EXPECT_EQ(stopLaunched(files, folder.path()).value(), 2);
    EXPECT_EQ(stopLaunched(files, folder.path()).value(), 0);
    EXPECT_EQ(readFile(files, folder.path() / "marks").value(), "texttextstop0\nstop1\n");
    // Numbers are not used again.
    ASSERT_TRUE(launch(files, marking, requestFor(folder.path())).has_value());
    EXPECT_EQ(stopLaunched(files, folder.path()).value(), 1);
    EXPECT_TRUE(readFile(files, folder.path() / "marks").value().ends_with("textstop2\n"));
}

TEST(Launch, ADamagedListOfLaunchesIsReportedAndKept) {
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    const Launcher marking{.id = "marking", .help = "", .plan = markingPlan};
    for (const std::string_view text : {"", "[", "[]", R"({"next": 1, "launches": [{"stop": [2]}]})"}) {
        ASSERT_TRUE(writeFileAtomically(files, folder.path() / "launches.json", text).has_value());
        const auto launched = launch(files, marking, requestFor(folder.path()));
        ASSERT_FALSE(launched.has_value()) << text;
        EXPECT_NE(launched.error().text().find("launches.json' is damaged"), std::string::npos);
        EXPECT_FALSE(stopLaunched(files, folder.path()).has_value()) << text;
        EXPECT_EQ(readFile(files, folder.path() / "launches.json").value(), text);
    }
}

void writeProgram(const std::filesystem::path& file, const std::string& body) {
    std::ofstream(file) << "#!/bin/sh\n" << body << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

// Waits a minute at most.
bool comesTrue(const std::function<bool()>& condition) {
    for (int i = 0; i < 6000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
}

TEST(Launch, ProcessesThatReuseTheIdsOfActorsAreNotSignalled) {
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    LaunchRequest request = requestFor(folder.path());
    request.actors = 2;
    request.program = folder.path() / "it's an actor";
    writeProgram(request.program, "for i in $(seq 600); do sleep 0.1; done");
    ASSERT_TRUE(launch(files, *launchers().find("local"), request).has_value());
    const auto pids = split(trimmed(readFile(files, folder.path() / "actors.pid").value()), '\n');
    ASSERT_EQ(pids.size(), 2U);
    const auto commandOf = [&](const std::string& pid) {
        return readFile(files, "/proc/" + pid + "/cmdline").value_or("");
    };
    for (const std::string& pid : pids)
        ASSERT_TRUE(comesTrue([&] { return commandOf(pid).ends_with("actor.json" + std::string(1, '\0')); }));
    const pid_t unrelated = fork();
    if (unrelated == 0) {
        alarm(600);
        pause();
        _exit(0);
    }
    std::ofstream(folder.path() / "actors.pid", std::ios::app) << unrelated << "\n";
    const auto asked = askLaunched(files, folder.path(), 60).value();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].text(), "Launch on this machine is running, 2 of 2 actors");
    EXPECT_EQ(stopLaunched(files, folder.path()).value(), 1);
    for (const std::string& pid : pids) EXPECT_TRUE(comesTrue([&] { return commandOf(pid).empty(); }));
    int status = 0;
    EXPECT_EQ(waitpid(unrelated, &status, WNOHANG), 0);
    kill(unrelated, SIGKILL);
    waitpid(unrelated, &status, 0);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "actors.pid"));
    EXPECT_NE(planOf("ssh").stop[0].find("/proc/$pid/cmdline"), std::string::npos);
}

TEST(Launch, SlurmTasksReadTheCredentialsWithoutASharedFolder) {
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    // sbatch runs the script on this machine; srun prints what it sends to the tasks.
    writeProgram(folder.path() / "sbatch",
                 "cat > \"$0.job\"; SLURM_JOB_ID=5 sh \"$0.job\" > /dev/null; echo 5");
    writeProgram(folder.path() / "srun", "exec cat");
    const std::string before = getenv("PATH");
    setenv("PATH", (folder.path().string() + ":" + before).c_str(), 1);
    const std::filesystem::path fleet = folder.path() / "it's 100%j";
    std::filesystem::create_directory(fleet);
    ASSERT_TRUE(writeFileAtomically(files, fleet / "actor.json", "{\n\"key\": \"$HOME\\n\"}").has_value());
    const auto launched = launch(files, *launchers().find("slurm"), requestFor(fleet));
    setenv("PATH", before.c_str(), 1);
    ASSERT_TRUE(launched.has_value()) << launched.error().text();
    EXPECT_EQ(readFile(files, fleet / "slurm.jobs").value(), "5\n");
    EXPECT_EQ(readFile(files, fleet / "slurm-5.log").value(), "{\n\"key\": \"$HOME\\n\"}\n");
    const std::string script = readFile(files, fleet / "actors.sbatch").value();
    EXPECT_EQ(script.find("key"), std::string::npos);
}

// The text about a launch if these programs are found first.
std::string stateText(const std::string& system,
                      const std::vector<std::pair<std::string, std::string>>& programs, int limit_s = 60) {
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    std::filesystem::create_directory(folder.path() / "bin");
    for (const auto& [name, body] : programs) writeProgram(folder.path() / "bin" / name, body);
    std::ofstream(folder.path() / "actor.json") << "{}";
    const std::string before = getenv("PATH");
    setenv("PATH", ((folder.path() / "bin").string() + ":" + before).c_str(), 1);
    const auto launched = launch(files, *launchers().find(system), requestFor(folder.path()));
    const auto asked = askLaunched(files, folder.path(), limit_s);
    setenv("PATH", before.c_str(), 1);
    EXPECT_TRUE(launched.has_value() || system == "slurm") << launched.error().text();
    return asked && asked->size() == 1 ? asked->front().text() : "";
}

TEST(AskLaunched, SlurmGivesTheReason) {
    const std::pair<std::string, std::string> sbatch{"sbatch", "cat > /dev/null; echo '5;cluster'"};
    const std::pair<std::string, std::string> old{
        "squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1"};
    const auto queue = [&](const std::string& line) {
        return stateText("slurm", {sbatch, {"squeue", "test \"$7\" = 5 && echo '" + line + "'"}});
    };
    EXPECT_EQ(queue("5|PENDING|Resources"), "Slurm job 5 is pending: Resources");
    EXPECT_EQ(queue("5|CONFIGURING|None"), "Slurm job 5 is pending: configuring");
    EXPECT_EQ(queue("5|RUNNING|None"), "Slurm job 5 is running");
    EXPECT_EQ(queue("5|NODE_FAIL|None"), "Slurm job 5 has failed: NODE_FAIL");
    EXPECT_EQ(stateText("slurm", {sbatch, old, {"sacct", "echo '5|CANCELLED by 1000'"}}),
              "Slurm job 5 has ended: CANCELLED");
    EXPECT_EQ(stateText("slurm", {sbatch, old, {"sacct", "echo 'accounting is disabled' >&2; exit 1"}}),
              "Slurm job 5 has ended");
    EXPECT_EQ(stateText("slurm", {sbatch, {"squeue", "exit 1"}, {"sacct", "echo no controller; exit 1"}}),
              "Slurm job 5 has an unknown state: no controller");
    EXPECT_EQ(stateText("slurm", {{"sbatch", "cat > /dev/null; exit 1"}}),
              "Slurm job has failed: sbatch has not accepted it");
    EXPECT_EQ(stateText("slurm", {sbatch, {"squeue", "exec sleep 300"}}, 1),
              "Slurm job has an unknown state: no answer within 1 s");
}

TEST(AskLaunched, RayGivesItsMessage) {
    const auto status = [](const std::string& lines) {
        return stateText("ray", {{"ray", "test \"$2\" = status || exit 0\n" + lines}});
    };
    const std::string job = "seedbed-run-3-0a1b2c3d";
    EXPECT_EQ(status("echo \"Status for job '$3': PENDING\"; echo 'Status message: no free CPU'"),
              "Ray job " + job + " is pending: no free CPU");
    EXPECT_EQ(status("echo \"Status for job '$3': RUNNING\"; echo 'Status message: Job is running.'"),
              "Ray job " + job + " is running");
    EXPECT_EQ(status("echo \"Job '$3' failed\"; echo 'Status message: exit code 1'"),
              "Ray job " + job + " has failed: exit code 1");
    EXPECT_EQ(status("echo \"Job '$3' was stopped\""), "Ray job " + job + " has ended");
    EXPECT_EQ(status("echo 'ConnectionError: no cluster' >&2; exit 1"),
              "Ray job " + job + " has an unknown state: ConnectionError: no cluster");
}

TEST(AskLaunched, KubernetesGivesTheReasonOfAPod) {
    const auto items = [](const std::string& list) {
        return stateText("kubernetes", {{"kubectl",
                                         "test \"$1\" = get || exec cat > /dev/null\necho 'Warning: old' "
                                         ">&2\necho '{\"items\": [" +
                                             list + "]}'"}});
    };
    const std::string job = R"({"kind": "Job", "status": {}})",
                      name = "Kubernetes job seedbed-run-3-0a1b2c3d";
    const std::string running = R"(, {"kind": "Pod", "status": {"phase": "Running"}})";
    EXPECT_EQ(items(job + running + running), name + " is running, 2 of 5 actors");
    EXPECT_EQ(items(job + R"(, {"kind": "Pod", "status": {"phase": "Pending", "containerStatuses": [
                            {"state": {"waiting": {"reason": "ImagePullBackOff"}}}]}})"),
              name + " is pending, 0 of 5 actors: ImagePullBackOff");
    EXPECT_EQ(items(job + R"(, {"kind": "Pod", "status": {"phase": "Pending", "conditions": [
                            {"type": "PodScheduled", "status": "False", "message": "Insufficient cpu"}]}})"),
              name + " is pending, 0 of 5 actors: Insufficient cpu");
    EXPECT_EQ(items(R"({"kind": "Job", "status": {"conditions": [
                        {"type": "Failed", "status": "True", "message": "backoff limit"}]}})"),
              name + " has failed: backoff limit");
    EXPECT_EQ(items(""), name + " has ended: it does not exist");
    EXPECT_EQ(items("7"), name + " has an unknown state: the output of kubectl cannot be read");
}

TEST(AskLaunched, TheOptionsOfTheLaunchAreKnown) {
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    LaunchRequest request = requestFor(folder.path());
    request.options = "-p cpu";
    const Launcher marking{.id = "marking", .help = "", .plan = markingPlan};
    ASSERT_TRUE(launch(files, marking, request).has_value());
    const auto asked = askLaunched(files, folder.path(), 60).value();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(join(asked[0].options, "|"),
              "--on|marking|--hosts|a,b|--image|registry/seedbed:1|--options|-p cpu");
    EXPECT_EQ(asked[0].text(), "Launch 0 has an unknown state");
}

TEST(AskLaunched, SshAddsTheActorsOfItsHosts) {
    EXPECT_EQ(stateText("ssh", {{"ssh", "test \"$1\" != -o || echo 2"}}),
              "Launch on a, b is running, 4 of 5 actors");
    EXPECT_EQ(stateText("ssh", {{"ssh", "test \"$1\" != -o || echo 0"}}),
              "Launch on a, b has ended, 0 of 5 actors");
    EXPECT_EQ(stateText("ssh", {{"ssh", "test \"$3\" != b || { echo no route; exit 255; }; echo 1"}}),
              "Launch on a, b has an unknown state: no route");
}

TEST(Launch, AFailedLineIsReportedWithItsOutput) {
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    const Launcher failing{.id = "failing", .help = "", .plan = failingPlan};
    const auto launched = launch(files, failing, requestFor(folder.path()));
    ASSERT_FALSE(launched.has_value());
    EXPECT_NE(launched.error().text().find("no such queue"), std::string::npos);
}

}  // namespace
}  // namespace seedbed
