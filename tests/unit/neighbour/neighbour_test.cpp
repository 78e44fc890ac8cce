// SPDX-License-Identifier: Apache-2.0
// The rules for other programs, on made-up trees of /sys and /proc.
#include <fstream>

#include <gtest/gtest.h>

#include "core/neighbour/decision.hpp"
#include "tests/unit/base/must.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed::testing {
namespace {

using namespace std::string_literals;
using Action = NeighbourAction;

class NeighbourTest : public ::testing::Test {
protected:
    void file(const Path& path, const std::string& text) {
        std::filesystem::create_directories((root() / path).parent_path());
        std::ofstream(root() / path, std::ios::binary) << text;
    }
    void supply(const std::string& name, const std::string& type, const std::string& key,
                const std::string& value) {
        file("sys/class/power_supply/" + name + "/type", type + "\n");
        file("sys/class/power_supply/" + name + "/" + key, value + "\n");
    }
    void process(int id, const std::string& name, const std::string& environment) {
        const std::string folder = "proc/" + std::to_string(id);
        file(folder + "/comm", name + "\n");
        file(folder + "/environ", environment);
        file(folder + "/stat", std::to_string(id) + " (" + name + ") S 1");
    }
    const Path& root() { return folder_.path(); }
    NeighbourReadings read() { return readNeighbours(rules, files, root(), root()); }

    RealFileSystem files;
    NeighbourRules rules;

private:
    TemporaryFolder folder_;
};

TEST_F(NeighbourTest, OnlyADischargingBatteryOfTheComputerWithoutMainsCounts) {
    EXPECT_FALSE(read().on_battery) << "a server has no power supplies";
    supply("hidpp_0", "Battery", "status", "Discharging");
    file("sys/class/power_supply/hidpp_0/scope", "Device\n");
    EXPECT_FALSE(read().on_battery) << "the battery of a mouse";
    supply("BAT0", "Battery", "status", "Full");
    EXPECT_FALSE(read().on_battery);
    supply("BAT0", "Battery", "status", "Discharging");
    EXPECT_TRUE(read().on_battery);
    supply("AC", "Mains", "online", "0");
    EXPECT_TRUE(read().on_battery);
    supply("ucsi", "USB", "online", "1");
    EXPECT_FALSE(read().on_battery) << "powered by USB";
    supply("ucsi", "USB", "online", "0");
    supply("AC", "Mains", "online", "1");
    EXPECT_FALSE(read().on_battery);
    supply("AC", "Mains", "online", "0");
    rules.battery = NeighbourRules::kIgnore;
    EXPECT_FALSE(read().on_battery);
}

TEST_F(NeighbourTest, GamesAreFoundByTheirEnvironmentAndProgramsByTheirNames) {
    process(10, "bash", "HOME=/home/a\0XSteamAppId=5\0"s);
    process(11, "steam", "SteamAppId=0\0SteamGameId=0\0LD_PRELOAD=gameoverlayrenderer.so\0"s);
    EXPECT_FALSE(read().game);
    process(12, "reaper", "A=1\0SteamGameId=570\0"s);
    EXPECT_TRUE(read().game);
    file("proc/self/environ", "SteamGameId=570\0"s);
    EXPECT_FALSE(read().game) << "Seedbed itself was started from it";
    process(13, "supertuxkart", "LD_PRELOAD=/usr/lib/libgamemodeauto.so.0\0"s);
    EXPECT_TRUE(read().game);

    rules.programs = " Blender ,a_very_long_name_of_a_program";
    EXPECT_EQ(read().program, "");
    process(14, "a_very_long_nam", "");
    EXPECT_EQ(read().program, "a_very_long_name_of_a_program") << "the kernel keeps 15 bytes of a name";
    file("proc/14/stat", "14 (a_very_long_nam) Z 1");
    EXPECT_EQ(read().program, "") << "it has ended";
    process(15, "blender", "");
    EXPECT_EQ(read().program, "Blender");
    rules.game = NeighbourRules::kIgnore;
    EXPECT_EQ(read().program, "");
    EXPECT_FALSE(read().game);
}

TEST_F(NeighbourTest, MemoryAndDiskAreReadIfTheyHaveALimit) {
    file("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 1000000 kB\n");
    EXPECT_FALSE(read().free_memory);
    EXPECT_FALSE(read().free_disk);
    rules.min_memory = 1;
    rules.min_disk = 1;
    EXPECT_EQ(read().free_memory, 1'024'000'000U);
    EXPECT_GT(read().free_disk.value_or(0), 0U);
}

TEST_F(NeighbourTest, TheRulesOfAFolderAreKeptAndDamagedOnesAreRefused) {
    EXPECT_EQ(must(readNeighbourRules(files, root())), NeighbourRules());
    rules = {.battery = NeighbourRules::kPause, .programs = "blender,obs", .min_memory = 500};
    must(writeNeighbourRules(files, root(), rules));
    EXPECT_EQ(must(readNeighbourRules(files, root())), rules);
    for (NeighbourRules bad : {NeighbourRules{.game = "sleep"}, NeighbourRules{.programs = "/usr/bin/obs"},
                               NeighbourRules{.programs = "a\nb"}, NeighbourRules{.min_disk = -1}})
        EXPECT_FALSE(writeNeighbourRules(files, root(), bad));
    EXPECT_EQ(must(readNeighbourRules(files, root())), rules) << "a refused change changes nothing";
    for (const std::string& text :
         {""s, "[]"s, "{\"battery\": 1}"s, "{\"battery\": \"sleep\"}"s, "{\"min_memory\": 1e99}"s,
          "{\"battery\": \"low\", \"battery\": \"low\"}"s, "{\"programs\": \"a/b\"}"s,
          "{\"programs\": \"" + std::string(1 << 17, 'a') + "\"}"}) {
        file(kNeighbourFile, text);
        const auto read = readNeighbourRules(files, root());
        ASSERT_FALSE(read) << text.substr(0, 40);
        EXPECT_NE(read.error().text().find(kNeighbourFile), std::string::npos) << read.error().text();
    }
}

NeighbourFinding battery(Action action) {
    return {NeighbourReason::battery, action, "the computer runs on battery"};
}

TEST(NeighbourDecisions, FollowTheRules) {
    const NeighbourRules all{.battery = "low", .game = "pause", .min_memory = 500, .min_disk = 1000};
    const std::uint64_t mb = 1'000'000;
    const struct {
        NeighbourReadings readings;
        NeighbourRules rules;
        const char* sentence;
    } cases[] = {
        {{}, all, ""},
        {{.on_battery = true}, all, "Low priority: the computer runs on battery"},
        {{.on_battery = true}, {.battery = "pause"}, "Paused: the computer runs on battery"},
        {{.on_battery = true}, {.battery = "ignore"}, ""},
        {{.on_battery = true, .game = true}, all, "Paused: a game is running"},
        {{.on_battery = true, .game = true},
         {.battery = "pause", .game = "low"},
         "Paused: the computer runs on battery"},
        {{.game = true, .program = "obs"}, all, "Paused: the program obs is running"},
        {{.program = "obs"}, {.game = "low"}, "Low priority: the program obs is running"},
        {{.free_memory = 499 * mb, .free_disk = 1}, all, "Paused: less than 500 MB of memory is free"},
        {{.free_memory = 500 * mb, .free_disk = 999 * mb},
         all,
         "Paused: less than 1,000 MB is free on the disk of the data folder"},
        {{.free_memory = 0, .free_disk = 0}, {}, ""},
    };
    for (const auto& each : cases)
        EXPECT_EQ(decide(neighbourFindings(each.readings, each.rules)).sentence(), each.sentence);
}

TEST(NeighbourDecisions, ALimitHoldsUntilAQuarterMoreIsFree) {
    const NeighbourRules rules{.min_memory = 400};
    const auto find = [&](std::uint64_t megabytes, const std::vector<NeighbourFinding>& before) {
        return neighbourFindings({.free_memory = megabytes * 1'000'000}, rules, before);
    };
    EXPECT_TRUE(find(450, {}).empty());
    const auto held = find(399, {});
    ASSERT_EQ(held.size(), 1U);
    EXPECT_EQ(find(499, held), held);
    EXPECT_TRUE(find(500, held).empty());
}

TEST(NeighbourDecisions, APersonOverrulesAReasonUntilItHasEnded) {
    NeighbourState state;
    state.update({battery(Action::pause)});
    EXPECT_EQ(state.decision().action, Action::pause);
    state.trainAnyway();
    EXPECT_EQ(state.decision(), NeighbourDecision());
    state.update({battery(Action::pause)});
    EXPECT_EQ(state.decision().action, Action::go_on) << "the same reason";
    const NeighbourFinding game{NeighbourReason::program, Action::pause, "a game is running"};
    state.update({game, battery(Action::pause)});
    EXPECT_EQ(state.decision().text, game.text) << "another reason";
    state.update({});
    state.update({battery(Action::pause)});
    EXPECT_EQ(state.decision().action, Action::pause) << "it had ended";
}

}  // namespace
}  // namespace seedbed::testing
