// SPDX-License-Identifier: Apache-2.0
// How requests of clients and rules for other programs combine.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "core/control/control_client.hpp"
#include "core/control/frame_stream.hpp"
#include "core/control/protocol.hpp"
#include "core/run/neighbour/neighbour_watch.hpp"
#include "tests/unit/base/must.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed::testing {
namespace {

TEST(RunControlNeighbours, NeitherRulesNorClientsEndThePauseOfTheOther) {
    const TemporaryFolder folder;
    RealFileSystem files;
    RunControl control(folder.path(), std::stop_source(), files);
    const TrainingConfig config =
        must(parseTrainingConfig({{"env", {{"id", "cartpole"}}}, {"algo", {{"id", "ppo"}}}}));
    must(control.open(1, config, std::make_unique<FrameStream>()));
    ControlClient client = must(ControlClient::connect(controlSocket(folder.path(), 1)));
    const NeighbourReadings game{.game = true}, quiet;
    const auto read = [&](const NeighbourReadings& readings) { control.setNeighbours(readings, {}, ""); };

    read(game);
    EXPECT_TRUE(control.hold().pause);
    EXPECT_EQ(control.hold().reason, "a game is running");
    must(client.ask("pause"));
    EXPECT_EQ(control.hold().reason, "") << "the client's pause";
    read(quiet);
    EXPECT_TRUE(control.hold().pause) << "a rule does not end the client's pause";
    read(game);
    must(client.ask("resume"));
    EXPECT_FALSE(control.hold().pause) << "the client overrules the rule";
    read(game);
    EXPECT_FALSE(control.hold().pause) << "until the game ends";
    read({.on_battery = true, .game = true});
    EXPECT_FALSE(control.hold().pause);
    EXPECT_EQ(control.hold().low_priority, "the computer runs on battery") << "a new reason";
    read(quiet);
    read(game);
    EXPECT_TRUE(control.hold().pause) << "the next game";
    control.waitWhilePaused("", {});  // returns immediately: the reason is another one
}

TEST(LowPriority, LowersAllThreads) {
    EXPECT_EXIT(
        {
            LowPriority low;
            const bool lowered = ::getpriority(PRIO_PROCESS, 0) == 19;
            std::_Exit(lowered ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace seedbed::testing
