// SPDX-License-Identifier: Apache-2.0
// The restrictions of workers, queried in a worker that is started as for a real environment.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "core/base/json.hpp"
#include "core/base/os/memory.hpp"
#include "core/worker/worker_command.hpp"

namespace seedbed {
namespace {

Json found(const std::string& id, std::uint64_t memory = 0) {
    ::setenv("SSH_AUTH_SOCK", "/run/agent", 1);
    ::setenv("DISPLAY", ":7", 1);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    WorkerPlan plan;
    const auto added = addWorkerCommand(id, plan);
    EXPECT_TRUE(added.has_value()) << added.error().text();
    if (memory > 0) plan.memory = memory;
    const auto script = std::ranges::find_if(
        plan.command, [](const std::string& text) { return text.ends_with("seedbed_worker"); });
    EXPECT_NE(script, plan.command.end());
    if (script == plan.command.end()) return {};
    *script = SEEDBED_SOURCE_DIR "/tests/unit/worker/restricted_worker.py";
    plan.id = id;
    const auto worker = WorkerProcess::start(plan);
    EXPECT_FALSE(worker.has_value());
    const std::string text = worker ? "" : worker.error().text();
    const std::size_t begin = text.find('{'), end = text.rfind('}');
    EXPECT_NE(begin, std::string::npos) << text;
    return begin == std::string::npos ? Json()
                                      : Json::parse(text.substr(begin, end - begin + 1), nullptr, false);
}

TEST(WorkerCommand, WorkersHaveNoTerminalNoSecretsAndNoNetwork) {
    const Json facts = found("gym:CartPole-v1");
    EXPECT_EQ(facts["leads_session"], true);
    EXPECT_EQ(facts["secret"], "none");
    EXPECT_EQ(facts["display"], "none");
    EXPECT_EQ(facts["language"], "C.UTF-8");
    EXPECT_EQ(facts["network"], "none");
}

TEST(WorkerCommand, MemoryIsLimitedByDefaultAndBySetting) {
    const auto machine = readMemory();
    ASSERT_TRUE(machine.has_value());
    const std::uint64_t expected = std::max(machine->total_bytes / 2, std::uint64_t{2} << 30);
    EXPECT_EQ(found("gym:CartPole-v1")["data_mib"], expected >> 20);
    const Json chosen = found("gym:CartPole-v1", std::uint64_t{3} << 30);
    EXPECT_EQ(chosen["data_mib"], 3072);
    EXPECT_EQ(chosen["limits"], 1) << "the setting replaces the default argument";
}

TEST(WorkerCommand, GamesHaveADisplayAndAnOwnNetwork) {
    const Json facts = found("godot:/games/Game.x86_64");
    EXPECT_EQ(facts["display"], ":7");
    EXPECT_EQ(facts["secret"], "none");
    EXPECT_EQ(facts["network"], "game");
    EXPECT_EQ(found("godot:127.0.0.1:11008")["network"], "listen:127.0.0.1:11008");
}

}  // namespace
}  // namespace seedbed
