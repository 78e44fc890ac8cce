// SPDX-License-Identifier: Apache-2.0
// Workers report the spaces of an environment once, and again when its file has changed.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>

#include "core/env/env_registry.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

// Resources whose worker is a script. The script records each start in a file in its folder. If the id
// contains "Slow", it waits until the file "go" exists.
constexpr const char* kMain = R"(import json, os, pathlib, runpy, socket, sys, time
folder = pathlib.Path(os.environ["SEEDBED_TEST_FOLDER"])
line = socket.socket(fileno=os.dup(3)).recv(65536, socket.MSG_PEEK)
name = json.loads(line)["id"].rsplit(":", 1)[1]
with open(folder / "starts", "a") as starts:
    starts.write(name + "\n")
while name == "Slow" and not (folder / "go").exists():
    time.sleep(0.01)
sys.argv = ["worker", "names_a_file", "0", str(folder / "imported.py")]
runpy.run_path(os.environ["SEEDBED_TEST_WORKER"], run_name="__main__")
)";

class WorkerSpecTest : public ::testing::Test {
protected:
    WorkerSpecTest() {
        const std::filesystem::path worker = folder_.path() / "resources" / "python" / "seedbed_worker";
        std::filesystem::create_directories(worker);
        for (const char* name : {"packs", "presets"})
            std::filesystem::create_directories(folder_.path() / "resources" / name);
        std::ofstream(worker / "__main__.py") << kMain;
        std::ofstream(file_) << "one";
        ::setenv("SEEDBED_RESOURCES", (folder_.path() / "resources").c_str(), 1);
        ::setenv("SEEDBED_DATA", (folder_.path() / "data").c_str(), 1);
        ::setenv("SEEDBED_TEST_FOLDER", folder_.path().c_str(), 1);
        ::setenv("SEEDBED_TEST_WORKER", SEEDBED_SOURCE_DIR "/tests/unit/worker/scripted_worker.py", 1);
    }
    ~WorkerSpecTest() override {
        for (const char* name :
             {"SEEDBED_RESOURCES", "SEEDBED_DATA", "SEEDBED_TEST_FOLDER", "SEEDBED_TEST_WORKER"})
            ::unsetenv(name);
    }
    Result<EnvSpec> specOf(const std::string& name) {
        SEEDBED_ASSIGN(const EnvEntry* entry, findEnv("gym:" + file_.string() + ":" + name));
        return entry->spec(Json::object());
    }
    std::string starts() {
        std::ifstream file(folder_.path() / "starts");
        return {std::istreambuf_iterator<char>(file), {}};
    }

    testing::TemporaryFolder folder_;
    const std::filesystem::path file_ = folder_.path() / "env.py";
};

TEST_F(WorkerSpecTest, AWorkerReportsTheSpacesOnceAndAgainAfterAChangeOfTheFile) {
    const auto spec = specOf("One");
    ASSERT_TRUE(spec.has_value()) << spec.error().text();
    EXPECT_EQ(spec->title, "Scripted");
    ASSERT_TRUE(specOf("One").has_value());
    EXPECT_EQ(starts(), "One\n");
    std::ofstream(file_) << "changed";
    ASSERT_TRUE(specOf("One").has_value());
    EXPECT_EQ(starts(), "One\nOne\n");
    std::ofstream(folder_.path() / "imported.py") << "changed";
    ASSERT_TRUE(specOf("One").has_value());
    ASSERT_TRUE(specOf("One").has_value());
    EXPECT_EQ(starts(), "One\nOne\nOne\n");
}

TEST_F(WorkerSpecTest, AnEnvironmentThatStartsSlowlyDoesNotDelayOthers) {
    auto slow = std::async(std::launch::async, [this] { return specOf("Slow"); });
    while (starts().empty() && slow.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready) {
    }
    const auto other = specOf("Other");
    EXPECT_TRUE(other.has_value()) << other.error().text();
    EXPECT_EQ(slow.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    std::ofstream(folder_.path() / "go") << "";
    EXPECT_TRUE(slow.get().has_value());
    EXPECT_EQ(starts(), "Slow\nOther\n");
}

}  // namespace
}  // namespace seedbed
