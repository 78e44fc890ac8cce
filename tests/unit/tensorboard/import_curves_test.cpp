// SPDX-License-Identifier: Apache-2.0
#include "core/run/tensorboard/import_curves.hpp"

#include <gmock/gmock.h>

#include "core/store/store_reader.hpp"
#include "tests/unit/base/temporary_folder.hpp"

using namespace seedbed;
using seedbed::testing::TemporaryFolder;
using tensorboard::ScalarCurve;
using ::testing::ElementsAre;

namespace {

CurveImport cleanRl() {
    CurveImport import;
    import.name = "theirs";
    import.env = {{"id", "cartpole"}};
    import.algo = "ppo";
    import.seed = 7;
    import.from = "runs/x";
    import.curves = {{"charts/episodic_length", {20, 35}, {100, 101}, {20, 15}},
                     {"charts/episodic_return", {20, 35}, {100, 101}, {20, 15}},
                     {"losses/entropy", {32}, {103.5}, {0.69}}};
    return import;
}

TEST(RunNames, OfCleanRlAndStableBaselinesAreUnderstood) {
    const NamedRun clean = readRunName("CartPole-v1__ppo__3__1700000000");
    EXPECT_EQ(clean.env, "CartPole-v1");
    EXPECT_EQ(clean.algo, "ppo");
    EXPECT_EQ(clean.seed, 3);
    EXPECT_EQ(readRunName("PPO_12").algo, "PPO");
    for (const char* other : {"logs", "", "__", "my_run", "_3"})
        EXPECT_EQ(readRunName(other).algo, "") << other;
}

TEST(ImportCurves, StoresCurvesEpisodesAndTotals) {
    TemporaryFolder folder;
    const auto run = importCurves(folder.path(), cleanRl());
    ASSERT_TRUE(run) << run.error().text();
    auto reader = StoreReader::open(folder.path());
    ASSERT_TRUE(reader);
    const RunDetails details = *reader->details(*run);
    EXPECT_EQ(details.run.status, RunStatus::finished);
    EXPECT_EQ(details.run.env, "cartpole");
    EXPECT_EQ(details.run.seed, 7u);
    EXPECT_EQ(details.run.progress.steps, 35);
    EXPECT_DOUBLE_EQ(details.run.progress.train_seconds, 3.5);
    EXPECT_TRUE(details.auto_settings.contains(kImportedFrom));
    EXPECT_THAT(*reader->metricNames(*run),
                ElementsAre("episode/length", "episode/return", "losses/entropy"));
    EXPECT_THAT(reader->metric(*run, "episode/return")->values, ElementsAre(20, 15));
    const auto episodes = reader->episodes(*run);
    ASSERT_EQ(episodes->size(), 2u);
    EXPECT_EQ(episodes->back().length, 15);
    EXPECT_FALSE(importCurves(folder.path(), cleanRl())) << "the name is taken";
}

TEST(ImportCurves, NamesThatOccurTwiceRemain) {
    std::vector<ScalarCurve> curves{{"episode/return", {1}, {1}, {1}},
                                    {"rollout/ep_rew_mean", {1}, {1}, {2}}};
    useSeedbedNames(curves);
    EXPECT_EQ(curves[1].tag, "rollout/ep_rew_mean");
}

}  // namespace
