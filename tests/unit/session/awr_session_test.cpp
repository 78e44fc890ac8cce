// SPDX-License-Identifier: Apache-2.0
// AWR in whole sessions: the same bits for any number of threads, with and without memory, with discrete and
// continuous actions; exact resume with the saved replay.
#include <gtest/gtest.h>

#include "core/session/session.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::makeSession;

TrainingConfig awrConfig(const std::string& env, const std::string& core,
                         const Json& changes = Json::object()) {
    Json all{{"algo",
              {{"id", "awr"},
               {"rollout_length", 8},
               {"epochs", nullptr},
               {"minibatches", nullptr},
               {"replay_size", 800},
               {"replay_start", 200},
               {"replay_ratio", 4},
               {"batch_size", 6},
               {"sequence", 8},
               {"stride", 4},
               {"learning_rate", 0.01}}},
             {"learner", {{"chunk_rows", 16}}}};
    all["network"] = core == "none" ? Json{{"core", "none"}} : Json{{"core", core}, {"core_size", 8}};
    all.merge_patch(changes);
    return test::smallConfig(env, all);
}

using AwrBits = testing::TestWithParam<std::tuple<const char*, const char*>>;

TEST_P(AwrBits, ForAnyNumberOfThreads) {
    const auto& [env, core] = GetParam();
    const auto run = [&](int threads) {
        const auto session = makeSession(awrConfig(env, core, {{"run", {{"threads", threads}}}}));
        const std::string initial = session->learner().params(0).sha256();
        for (int i = 0; i < 16; ++i) {
            const auto stats = session->iterate();
            EXPECT_TRUE(stats.has_value()) << stats.error().text();
        }
        EXPECT_NE(session->learner().params(0).sha256(), initial) << "it learns";
        return session->learner().params(0).sha256();
    };
    const std::string one = run(1);
    EXPECT_EQ(one, run(2));
    EXPECT_EQ(one, run(3));
}

TEST_P(AwrBits, AResumeWithTheSavedReplayContinuesExactly) {
    const auto& [env, core] = GetParam();
    const TrainingConfig config = awrConfig(env, core, {{"checkpoint", {{"replay", "full"}}}});
    const auto whole = makeSession(config), resumed = makeSession(config);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(whole->iterate().has_value());
    Archive saved = Archive::saving();
    ASSERT_TRUE(whole->archive(saved).has_value());
    resumed->learner().setParams(0, whole->learner().params(0));
    Archive loaded = Archive::loading(saved.bytes());
    const auto result = resumed->archive(loaded);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    ASSERT_TRUE(loaded.finish().has_value());
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(whole->iterate().has_value());
        ASSERT_TRUE(resumed->iterate().has_value());
        ASSERT_EQ(whole->learner().params(0).sha256(), resumed->learner().params(0).sha256()) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Tasks, AwrBits,
                         testing::Combine(testing::Values("cartpole", "pendulum", "repeat_previous_easy"),
                                          testing::Values("none", "lstm")));

}  // namespace
}  // namespace seedbed
