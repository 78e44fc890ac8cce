// SPDX-License-Identifier: Apache-2.0
// A change to the Python file of an environment is detected when a run is resumed.
#include "core/run/env_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/env/env_registry.hpp"
#include "core/run/run.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

std::vector<EnvFile> imported;  // what the worker reports

// Registers environments from files; all of them are CartPole here.
[[maybe_unused]] const bool registered = [] {
    envSchemes().add({.id = "gym", .aliases = {}, .entry = [](const std::string& name) -> Result<EnvEntry> {
                          EnvEntry entry = *envRegistry().find("cartpole");
                          entry.id = "gym:" + name;
                          entry.aliases.clear();
                          entry.spec = [spec = entry.spec](const Json& params) {
                              return spec(params).map([](EnvSpec found) {
                                  found.files = imported;
                                  return found;
                              });
                          };
                          return entry;
                      }});
    return true;
}();

class StopAfterOne final : public RunObserver {
public:
    void started(std::int64_t, const SessionPlan&) override {}
    void progress(const ProgressReport& p) override {
        if (p.updates >= 1) stop.request_stop();
    }
    void evaluated(std::uint64_t, const EvaluationResult&) override {}
    void message(const std::string& text) override { messages += text + "\n"; }

    std::stop_source stop;
    std::string messages;
};

class EnvFileTest : public ::testing::Test {
protected:
    void write(const std::string& text) { std::ofstream(file_) << text; }
    std::int64_t train() {
        StopAfterOne observer;
        const auto outcome =
            trainRun({test::smallConfig(id_, {{"run", {{"steps", 100'000}}}}), "", "", data_, ""}, observer,
                     observer.stop.get_token(), files_, clock_);
        EXPECT_TRUE(outcome.has_value()) << outcome.error().text();
        messages_ = observer.messages;
        return outcome ? outcome->id : 0;
    }
    // Resumes the run and returns the messages to the user.
    std::string resume(std::int64_t run) {
        StopAfterOne observer;
        const auto outcome =
            resumeRun({run, data_, {}, "", {}}, observer, observer.stop.get_token(), files_, clock_);
        EXPECT_TRUE(outcome.has_value()) << outcome.error().text();
        return observer.messages;
    }
    std::size_t countChanges(std::int64_t run) {
        const auto details = StoreReader::open(data_)->details(run);
        return static_cast<std::size_t>(
            std::count_if(details->events.begin(), details->events.end(),
                          [](const EventRecord& event) { return event.kind == "environment_changed"; }));
    }

    seedbed::testing::TemporaryFolder folder_;
    const Path data_ = folder_.path() / "data", file_ = folder_.path() / "my env.py";
    const std::string id_ = "gym:" + file_.string() + ":MyEnv";
    RealFileSystem files_;
    RealClock clock_;
    std::string messages_;  // messages of the last new run
};

TEST_F(EnvFileTest, OnlyIdsOfFilesHaveOne) {
    write("a = 1\n");
    const auto found = envFileOf(files_, id_);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->path, file_.string());
    EXPECT_EQ(found->sha256.size(), 64u);
    for (const char* id :
         {"cartpole", "atari:pong", "gym:CartPole-v1", "gym:module:Id-v0", "gym:/nowhere/a.py:B"})
        EXPECT_FALSE(envFileOf(files_, id).has_value()) << id;
}

TEST_F(EnvFileTest, AResumeReportsAChangedFile) {
    write("a = 1\n");
    const std::int64_t run = train();
    const Json stored =
        StoreReader::open(data_)->details(run)->auto_settings.value("environment_file", Json());
    EXPECT_EQ(stored.value("sha256", ""), envFileOf(files_, id_)->sha256);
    EXPECT_EQ(stored.value("path", ""), file_.string());
    EXPECT_EQ(resume(run).find("has changed"), std::string::npos);
    EXPECT_EQ(countChanges(run), 0u);
    write("a = 2\n");
    const std::string messages = resume(run);
    EXPECT_NE(messages.find("'" + file_.string() + "' has changed"), std::string::npos) << messages;
    EXPECT_NE(messages.find("the file of the environment has changed"), std::string::npos) << messages;
    EXPECT_EQ(countChanges(run), 1u);
    EXPECT_EQ(resume(run).find("has changed"), std::string::npos) << "the change is reported only once";
}

TEST_F(EnvFileTest, ANewRunNamesTheLastOneWithOtherContents) {
    write("a = 1\n");
    train();
    const std::int64_t second = train();
    EXPECT_EQ(messages_.find("has changed"), std::string::npos) << messages_;
    write("a = 2\n");
    const std::int64_t third = train();
    EXPECT_NE(messages_.find("'" + file_.string() + "' has changed since run " + std::to_string(second)),
              std::string::npos)
        << messages_;
    EXPECT_EQ(countChanges(third), 1u);
    train();
    EXPECT_EQ(messages_.find("has changed"), std::string::npos) << messages_;
}

TEST_F(EnvFileTest, ModulesThatTheFileImportsAreCompared) {
    write("import maps\n");
    const std::string maps = (folder_.path() / "maps.py").string();
    imported = {{file_.string(), std::string(64, '0')}, {maps, std::string(64, 'a')}};
    const std::int64_t run = train();
    EXPECT_EQ(resume(run).find("has changed"), std::string::npos);
    imported[1].sha256 = std::string(64, 'b');
    const std::string messages = resume(run);
    EXPECT_NE(messages.find("or a module that it imports has changed since the checkpoint"),
              std::string::npos)
        << messages;
    train();
    EXPECT_NE(messages_.find("has changed since run " + std::to_string(run)), std::string::npos) << messages_;
    imported.clear();
}

}  // namespace
}  // namespace seedbed
