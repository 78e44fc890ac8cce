// SPDX-License-Identifier: Apache-2.0
// Launchers: the lines and files for each system, and what runs them.
#include "core/fleet/launcher.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

LaunchRequest requestFor(const std::filesystem::path& folder) {
    return {.run = 3,
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
        const LaunchPlan plan = planOf(id);
        std::string all = join(plan.start, "\n");
        for (const auto& [name, text] : plan.files) all += text;
        EXPECT_NE(all.find("/opt/see d/seedbed'"), std::string::npos) << id;
    }
}

TEST(Launchers, SlurmRunsOneTaskPerActor) {
    const LaunchPlan plan = planOf("slurm");
    ASSERT_EQ(plan.files.size(), 1U);
    const std::string& script = plan.files[0].second;
    EXPECT_TRUE(script.starts_with("#!/bin/sh\n#SBATCH --job-name=seedbed-run-3\n#SBATCH --ntasks=5\n"));
    EXPECT_NE(script.find("\nexec srun --kill-on-bad-exit=0 '/opt/see d/seedbed' fleet actor --credentials "
                          "'/data/fleet/run-3/actor.json'\n"),
              std::string::npos);
    LaunchRequest request = requestFor("/data/fleet/run-3");
    request.options = "--partition=cpu";
    EXPECT_TRUE(planOf("slurm", request).start[0].starts_with("sbatch --parsable --partition=cpu '"));
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
    EXPECT_EQ(container.at("command").back(), "seedbed-run-3:7450");
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
    EXPECT_NE(join(planOf("ray", request).start, " ").find("--submission-id seedbed-run-3-2 "),
              std::string::npos);
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
    const Launcher marking{.id = "marking", .help = "", .program = "cat", .plan = markingPlan};
    ASSERT_TRUE(launch(files, marking, requestFor(folder.path())).has_value());
    ASSERT_TRUE(launch(files, marking, requestFor(folder.path())).has_value());
    EXPECT_EQ(stopLaunched(files, folder.path()).value(), 2);
    EXPECT_EQ(stopLaunched(files, folder.path()).value(), 0);
    EXPECT_EQ(readFile(files, folder.path() / "marks").value(), "texttextstop0\nstop1\n");
}

TEST(Launch, AFailedLineIsReportedWithItsOutput) {
    const testing::TemporaryFolder folder;
    RealFileSystem files;
    const Launcher failing{.id = "failing", .help = "", .program = "sh", .plan = failingPlan};
    const auto launched = launch(files, failing, requestFor(folder.path()));
    ASSERT_FALSE(launched.has_value());
    EXPECT_NE(launched.error().text().find("no such queue"), std::string::npos);
}

}  // namespace
}  // namespace seedbed
