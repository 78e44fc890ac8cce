// SPDX-License-Identifier: Apache-2.0
// Installed packs: their state, their Python, and the pack of an environment id.
#include "core/worker/pack_state.hpp"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "core/worker/pack_install.hpp"
#include "core/worker/pack_python.hpp"
#include "core/worker/run_program.hpp"
#include "tests/unit/base/failing_files.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

using testing::FailingFiles;
using testing::TemporaryFolder;

Json documentOf(const std::string& name, const std::string& scheme, const std::string& prefix) {
    return {
        {"name", name},
        {"title", name},
        {"sentence", name},
        {"licences", Json::array()},
        {"schemes", {scheme}},
        {"envs", Json::array()},
        {"gymnasium_prefixes", {prefix}},
        {"modules", {"json"}},
        {"platforms", {{"x86_64", {"3.11"}}, {"aarch64", {"3.11"}}}},
        {"packages", {{{"name", "p"}, {"version", "1"}, {"bytes", 10}, {"sha256", {std::string(64, 'a')}}}}},
        {"installed_bytes", 100}};
}

// A pack that runs with any Python.
Json documentOfUser() {
    Json json = documentOf("mine", "mine", "Mine-");
    json["packages"] = Json::array();
    json["instructions"] = "Install it.";
    return json;
}

class PackStateTest : public ::testing::Test {
protected:
    void SetUp() override {
        ::unsetenv("SEEDBED_PYTHON");
        std::filesystem::create_directories(data() / "documents");
        write("atari", "atari", "ALE/");
        write("gymnasium", "box2d", "LunarLander");
        write("minigrid", "grid", "MiniGrid-");
        auto loaded = PackLibrary::load(files_, data() / "documents");
        ASSERT_TRUE(loaded) << loaded.error().text();
        packs_ = *loaded;
    }
    Path data() const { return folder_.path(); }
    void write(const std::string& name, const std::string& scheme, const std::string& prefix) {
        std::ofstream(data() / "documents" / (name + ".json")) << documentOf(name, scheme, prefix).dump();
    }
    // Makes a pack that contains the folders `modules`.
    void makeInstalled(const std::string& name, const std::vector<std::string>& modules,
                       const std::string& python = "/bin/sh") {
        const Path folder = packsFolder(data()) / name;
        for (const std::string& module : modules)
            std::filesystem::create_directories(folder / "site" / module);
        const InstalledPack pack{.folder = folder,
                                 .name = name,
                                 .document_hash = (*packs_.get(name))->hash,
                                 .python = python,
                                 .python_version = "3.11",
                                 .bytes = 5,
                                 .packages = {{"p", "1"}}};
        ASSERT_TRUE(writeInstalledPack(files_, folder, pack));
    }
    std::string packOf(const std::string& env) {
        return packOfEnv(files_, data(), packs_, env).value_or("(none)");
    }
    PackStatus statusOf(const std::string& name) { return packStatus(files_, data(), **packs_.get(name)); }

    TemporaryFolder folder_;
    RealFileSystem files_;
    PackLibrary packs_;
};

TEST_F(PackStateTest, ManifestsAreReadAsWritten) {
    EXPECT_EQ(statusOf("atari").state, PackState::not_installed);
    makeInstalled("atari", {"ale_py"});
    const PackStatus status = statusOf("atari");
    ASSERT_EQ(status.state, PackState::installed) << status.problem;
    EXPECT_EQ(status.installed->python, "/bin/sh");
    EXPECT_EQ(status.installed->bytes, 5u);
    EXPECT_EQ(status.installed->packages, (std::vector<std::pair<std::string, std::string>>{{"p", "1"}}));
    EXPECT_EQ(status.installed->site(), packsFolder(data()) / "atari" / "site");
}

TEST_F(PackStateTest, DamageIsExplainedWithARemedy) {
    makeInstalled("atari", {"ale_py"}, "/nowhere/python3.11");
    EXPECT_EQ(statusOf("atari").state, PackState::damaged);
    EXPECT_NE(statusOf("atari").problem.find("Python 3.11 (/nowhere/python3.11) is no longer"),
              std::string::npos);
    for (const char* text : {"", "{", "[]", "{\"format\": 2}", "{\"format\": 1, \"name\": 3}",
                             "{\"format\": 1e30}", "{\"format\": 1, \"name\": \"atari\"}"}) {
        std::ofstream(packsFolder(data()) / "atari" / "pack.json") << text;
        const PackStatus status = statusOf("atari");
        EXPECT_EQ(status.state, PackState::damaged) << text;
        EXPECT_NE(status.problem.find("'seedbed pack install atari' installs it again"), std::string::npos);
        EXPECT_FALSE(packPython(files_, data(), "atari"));
    }
    ASSERT_TRUE(removePack(files_, data(), "atari"));
    EXPECT_EQ(statusOf("atari").state, PackState::not_installed);
    EXPECT_EQ(removePack(files_, data(), "atari").error().code, ErrorCode::config);
}

TEST_F(PackStateTest, ThePythonOfAPackSeesOnlyItsPackages) {
    const auto missing = packPython(files_, data(), "atari");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::config);
    EXPECT_NE(missing.error().text().find("'seedbed pack install atari'"), std::string::npos);
    makeInstalled("atari", {"ale_py"});
    const auto python = packPython(files_, data(), "atari");
    ASSERT_TRUE(python);
    EXPECT_EQ(python->program, "/bin/sh");
    EXPECT_EQ(python->arguments.front(), "-I");
    EXPECT_EQ(python->arguments.back(), (packsFolder(data()) / "atari" / "site").string());
}

TEST_F(PackStateTest, AScriptStartsWithThePackagesOfThePackAndItsOwnFolder) {
    const auto python = findPython(*packFromJson(documentOfUser(), "mine"), "");
    if (!python) GTEST_SKIP() << python.error().text();
    makeInstalled("atari", {"ale_py"}, python->program);
    std::ofstream(packsFolder(data()) / "atari" / "site" / "ale_py" / "__init__.py") << "GAMES = 57\n";
    std::ofstream(data() / "neighbour.py") << "NAME = 'neighbour'\n";
    const std::string script = (data() / "script.py").string();
    std::ofstream(script) << "import sys, ale_py, neighbour\n"
                             "print(__name__, ale_py.GAMES, neighbour.NAME, sys.argv[1:],\n"
                             "      any('-packages' in path for path in sys.path))\n";
    const auto start = packPython(files_, data(), "atari");
    ASSERT_TRUE(start) << start.error().text();
    std::vector<std::string> command{start->program};
    command.insert(command.end(), start->arguments.begin(), start->arguments.end());
    command.insert(command.end(), {script, "--fd", "3"});
    const auto end = runProgram({.arguments = command}, {});
    ASSERT_TRUE(end) << end.error().text();
    EXPECT_EQ(end->output, "__main__ 57 neighbour ['--fd', '3'] False\n");
    EXPECT_TRUE(end->status.ok());
}

TEST_F(PackStateTest, EnvironmentIdsHaveAPack) {
    EXPECT_EQ(packOf("atari:pong"), "atari");
    EXPECT_EQ(packOf("gym:ALE/Pong-v5"), "atari");
    EXPECT_EQ(packOf("gym:MiniGrid-Empty-5x5-v0"), "minigrid");
    EXPECT_EQ(packOf("cartpole"), "(none)");
    EXPECT_EQ(packOf("godot:localhost:11008"), "(none)");
    EXPECT_EQ(packOf("gym:CartPole-v1"), "(none)");
    EXPECT_EQ(pythonForEnv(files_, data(), packs_, "gym:CartPole-v1")->program, "python3");
    makeInstalled("minigrid", {"minigrid", "gymnasium"});
    EXPECT_EQ(packOf("gym:CartPole-v1"), "minigrid");
    EXPECT_EQ(packOf("gym:./my_env.py:MyEnv"), "minigrid");
    EXPECT_EQ(packOf("gym:my_package.envs:My-v0"), "minigrid") << "its error names the missing module";
    EXPECT_EQ(packOf("gym:json:My-v0"), "(none)") << "python3 has the module";
    makeInstalled("gymnasium", {"gymnasium"});
    EXPECT_EQ(packOf("gym:CartPole-v1"), "gymnasium");
    EXPECT_EQ(packOf("gym:minigrid.envs:My-v0"), "minigrid");
    EXPECT_EQ(pythonForEnv(files_, data(), packs_, "gym:CartPole-v1")->pack, "gymnasium");
    EXPECT_FALSE(pythonForEnv(files_, data(), packs_, "atari:pong"));
    ::setenv("SEEDBED_PYTHON", "/opt/my/python", 1);
    EXPECT_EQ(pythonForEnv(files_, data(), packs_, "gym:CartPole-v1")->program, "/opt/my/python");
    EXPECT_EQ(packOf("gym:MiniGrid-Empty-5x5-v0"), "minigrid");
    ::unsetenv("SEEDBED_PYTHON");
}

TEST_F(PackStateTest, AFullDiskIsReportedBeforeTheDownload) {
    Json json = documentOf("gymnasium", "box2d", "LunarLander");
    FailingFiles files;
    files.free_bytes = 50;
    // A fake Python, since the machine may not have one.
    const Path python = data() / "python";
    std::ofstream(python) << "#!/bin/sh\necho '[\"cpython\", \"3.11\", \"x86_64\", \"" << python.string()
                          << "\", \"" << python.string() << "\"]'\n";
    std::filesystem::permissions(python, std::filesystem::perms::owner_all);
    const auto pack = packFromJson(json, "gymnasium");
    ASSERT_TRUE(pack);
    const auto full = installPack(files, data(), *pack, {.python = python.string()});
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, ErrorCode::disk_full) << full.error().text();
    EXPECT_TRUE(std::filesystem::is_empty(packsFolder(data())));

    // Every file operation of an installation fails in turn.
    files.free_bytes.reset();
    for (int at = 1; at <= 12; ++at) {
        files.failAt(at, false, ENOSPC);
        const auto failed = installPack(files, data(), *pack, {.python = python.string()});
        ASSERT_FALSE(failed);  // this Python does not import anything
        files.failAt(0, false);
        EXPECT_EQ(statusOf("gymnasium").state, PackState::not_installed) << at;
    }
}

}  // namespace
}  // namespace seedbed
