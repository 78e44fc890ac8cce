// SPDX-License-Identifier: Apache-2.0
// Clocks, folders and memory limits of the system, and the log.
#include <algorithm>
#include <fstream>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "core/base/log.hpp"
#include "core/base/os/clock.hpp"
#include "core/base/os/memory.hpp"
#include "core/base/os/paths.hpp"
#include "core/base/stop_grace.hpp"
#include "core/base/thread.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

TEST(Clock, ManualClockSeparatesSleepAndJumps) {
    ManualClock clock(100, 1000);
    clock.advance(5);
    clock.sleepMachine(20);
    clock.jumpWall(-500);
    EXPECT_EQ(clock.monotonicNs(), 105);
    EXPECT_EQ(clock.bootNs(), 125);
    EXPECT_EQ(clock.wallNs(), 525);
}

TEST(Clock, RealClocksAdvanceAndBootIncludesMonotonic) {
    const RealClock clock;
    const std::int64_t monotonic = clock.monotonicNs(), boot = clock.bootNs();
    EXPECT_GE(clock.monotonicNs(), monotonic);
    EXPECT_GE(boot, monotonic);
    EXPECT_GT(clock.wallNs(), 1'600'000'000'000'000'000);
}

TEST(StopBudget, APhaseGetsTheTimeThatEarlierOnesLeft) {
    using std::chrono::milliseconds;
    constexpr std::int64_t kMillisecond = 1'000'000;
    ManualClock clock;
    std::stop_source stop;
    const StopBudget budget(stop.get_token(), clock);
    clock.advance(5000 * kMillisecond);
    EXPECT_EQ(budget.left(milliseconds(5000)), milliseconds(5000)) << "nothing was stopped";
    stop.request_stop();
    EXPECT_EQ(budget.left(milliseconds(5000)), kStopTime);
    clock.advance(1000 * kMillisecond);  // an update takes this long
    EXPECT_EQ(budget.left(milliseconds(200)), milliseconds(200));
    EXPECT_EQ(budget.left(milliseconds(1000)), kStopTime - milliseconds(1000));
    // Phases that all use up their time end within two seconds in total.
    milliseconds total{1000};
    for (int phase = 0; phase < 5; ++phase) {
        const milliseconds time = budget.left(milliseconds(1000));
        EXPECT_GE(time, kLeastPhaseTime);
        clock.advance(time.count() * kMillisecond);
        total += time;
    }
    EXPECT_LE(total, milliseconds(2000));
}

TEST(StopBudget, CountsFromAStopAtAnyTimeOfTheClock) {
    using std::chrono::milliseconds;
    ManualClock clock(0);  // 0 must not be mistaken for "not stopped"
    std::stop_source stop;
    const StopBudget before(stop.get_token(), clock);
    stop.request_stop();
    const StopBudget after(stop.get_token(), clock);  // a part of the run that is created while the run stops
    for (const StopBudget* budget : {&before, &after})
        EXPECT_EQ(budget->left(milliseconds(60'000)), kStopTime);
    clock.advance(10'000'000'000);
    for (const StopBudget* budget : {&before, &after}) {
        EXPECT_EQ(budget->left(milliseconds(60'000)), kLeastPhaseTime);
        EXPECT_EQ(budget->left(milliseconds(20)), milliseconds(20)) << "never more than the phase wants";
    }
}

Result<UserFolders> foldersWith(std::optional<std::string> flag,
                                std::map<std::string, std::string> variables) {
    return userFolders(flag, [variables](const char* name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() || found->second.empty() ? std::nullopt
                                                                 : std::optional(found->second);
    });
}

TEST(Paths, DataFolderByPrecedence) {
    std::map<std::string, std::string> variables{{"HOME", "/home/x"}};
    EXPECT_EQ(foldersWith({}, variables)->data, "/home/x/.local/share/seedbed");
    variables["XDG_DATA_HOME"] = "/xdg";
    EXPECT_EQ(foldersWith({}, variables)->data, "/xdg/seedbed");
    variables["SEEDBED_DATA"] = "/from/variable";
    EXPECT_EQ(foldersWith({}, variables)->data, "/from/variable");
    EXPECT_EQ(foldersWith("/from/flag", variables)->data, "/from/flag");
    EXPECT_EQ(foldersWith("below", variables)->data, std::filesystem::current_path() / "below");
    EXPECT_EQ(foldersWith("", variables).error().code, ErrorCode::usage);
}

TEST(Paths, RelativeXdgFoldersAreIgnored) {
    const auto folders =
        foldersWith({}, {{"HOME", "/h"}, {"XDG_CONFIG_HOME", "relative"}, {"XDG_CACHE_HOME", "/c"}});
    EXPECT_EQ(folders->config, "/h/.config/seedbed");
    EXPECT_EQ(folders->cache, "/c/seedbed");
    EXPECT_EQ(folders->state, "/h/.local/state/seedbed");
    EXPECT_EQ(folders->runtime, "/c/seedbed/run");
    EXPECT_EQ(foldersWith({}, {{"HOME", "/h"}, {"XDG_RUNTIME_DIR", "/run/user/7"}})->runtime,
              "/run/user/7/seedbed");
}

class Memory : public ::testing::Test {
protected:
    void put(const std::string& name, const std::string& text) {
        const auto path = folder.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    void SetUp() override {
        put("proc/meminfo", "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:   600 kB\n");
    }
    MemoryInfo read() { return readMemory(folder.path()).value(); }

    testing::TemporaryFolder folder;
};

TEST_F(Memory, WithoutGroupsTheMachineCounts) {
    EXPECT_EQ(read().total_bytes, 1000u * 1024);
    EXPECT_EQ(read().available_bytes, 600u * 1024);
    EXPECT_FALSE(read().limited);
}

TEST_F(Memory, TheTightestParentGroupCounts) {
    put("proc/self/cgroup", "0::/user/app\n");
    put("sys/fs/cgroup/user/app/memory.max", "max\n");
    put("sys/fs/cgroup/user/app/memory.current", "1000\n");
    put("sys/fs/cgroup/user/memory.max", "409600\n");
    put("sys/fs/cgroup/user/memory.current", "204800\n");
    put("sys/fs/cgroup/user/memory.stat", "anon 5\ninactive_file 102400\n");
    EXPECT_TRUE(read().limited);
    EXPECT_EQ(read().total_bytes, 409600u);
    EXPECT_EQ(read().available_bytes, 409600u - 102400u) << "file pages can be reclaimed";
}

TEST_F(Memory, InsideAContainerTheMountItselfIsTheGroup) {
    put("proc/self/cgroup", "4:cpu,memory:/docker/abc\n1:name=systemd:/x\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "204800\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "4800\n");
    EXPECT_EQ(read().available_bytes, 200000u);
}

TEST_F(Memory, AGroupAboveItsLimitHasNoFreeMemory) {
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/memory.max", "1000\n");
    put("sys/fs/cgroup/memory.current", "2000\n");
    EXPECT_EQ(read().available_bytes, 0u);
}

TEST_F(Memory, MissingMeminfoIsAnError) {
    std::filesystem::remove(folder.path() / "proc/meminfo");
    EXPECT_FALSE(readMemory(folder.path()));
}

TEST(MemoryOfThisMachine, IsPlausible) {
    const MemoryInfo info = readMemory().value();
    EXPECT_GT(info.available_bytes, 0u);
    EXPECT_LE(info.available_bytes, info.total_bytes);
    EXPECT_GT(peakResidentBytes(), 1u << 20);
}

std::string logged(const std::function<void()>& body) {
    ::testing::internal::CaptureStderr();
    body();
    return ::testing::internal::GetCapturedStderr();
}

TEST(Log, TextLinesContainLevelThreadAndValues) {
    log::configure({.level = log::Level::info, .json = false});
    const std::string text = logged([] {
        log::info("saved", {{"run", 3}, {"file", "a b.json"}, {"plain", "x"}});
        NamedThread(
            "actor 1",
            [](const std::stop_token&) -> Result<> {
                log::warning("late");
                return {};
            },
            nullptr);
    });
    EXPECT_NE(text.find("saved  run=3  file=\"a b.json\"  plain=x\n"), std::string::npos) << text;
    EXPECT_NE(text.find("warning: late [actor 1]\n"), std::string::npos) << text;
}

TEST(Log, LevelsFilterAndControlCharactersCannotForgeLines) {
    log::configure({.level = log::Level::warning, .json = false});
    EXPECT_EQ(logged([] { log::info("hidden"); }), "");
    EXPECT_FALSE(log::enabled(log::Level::info));
    const std::string text = logged([] { log::error("bad", {{"name", "x\ny"}}); });
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    log::configure({.level = log::Level::info, .json = false});
}

TEST(Log, JsonLinesParseWithAnyValueEvenBrokenUtf8) {
    log::configure({.level = log::Level::debug, .json = true});
    const std::string text = logged([] { log::debug("line\nbreak", {{"bytes", "\xff"}, {"list", {1, 2}}}); });
    log::configure({.level = log::Level::info, .json = false});
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    const Json line = Json::parse(text);
    EXPECT_EQ(line["level"], "debug");
    EXPECT_EQ(line["thread"], "main");
    EXPECT_EQ(line["text"], "line\nbreak");
    EXPECT_EQ(line["list"], Json({1, 2}));
    EXPECT_EQ(line["time"].get<std::string>().size(), std::string("2026-01-01T00:00:00.000Z").size());
}

TEST(Log, LevelNames) {
    EXPECT_EQ(log::levelFromText("WARN"), log::Level::warning);
    EXPECT_EQ(log::levelFromText("loud"), std::nullopt);
}

TEST(Log, AThreadThatFailsWithoutAnOwnerIsLogged) {
    const std::string text = logged([] {
        NamedThread(
            "orphan", [](const std::stop_token&) -> Result<> { return fail("out of luck"); }, nullptr);
    });
    EXPECT_NE(text.find("out of luck"), std::string::npos) << text;
}

}  // namespace
}  // namespace seedbed
