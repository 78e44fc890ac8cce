// SPDX-License-Identifier: Apache-2.0
// Algorithms and recurrent networks in whole sessions: the learner computes the same outputs on a window as
// the actors did, the same bits for any number of threads, and a resumed run continues exactly.
#include <gtest/gtest.h>

#include "core/session/session.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::makeSession;
using test::smallConfig;

Json vtrace(Json more = Json::object()) {
    // Removes the PPO settings of the small configuration.
    Json algo{{"id", "vtrace"},
              {"rollout_length", 16},
              {"epochs", nullptr},
              {"minibatches", nullptr},
              {"entropy_cost", 0.01}};
    algo.merge_patch(more);
    return algo;
}

// The settings that replace those of PPO in the small configuration.
Json settingsOf(const std::string& algo, Json more = Json::object()) {
    if (algo == "vtrace") return vtrace(std::move(more));
    Json settings{{"id", algo}};
    if (algo == "a2c") settings.update({{"epochs", nullptr}, {"minibatches", nullptr}});
    settings.merge_patch(more);
    return settings;
}

Json memory(const std::string& core) {
    if (core == "none") return {{"core", "none"}};
    return {{"core", core}, {"core_size", 8}, {"previous_action", true}, {"previous_reward", true}};
}

double metric(const IterationStats& stats, const std::string& name) {
    for (const auto& [known, value] : stats.update.metrics)
        if (known == name) return value;
    ADD_FAILURE() << "no metric " << name;
    return -1;
}

class Cores : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

// Episodes of these environments end inside windows, terminated (repeat_previous_easy, cartpole) or truncated
// (two_state).
TEST_P(Cores, TheLearnerFindsThePolicyThatActedAtEveryRow) {
    const auto& [algo, core] = GetParam();
    if (algo == "vmpo") GTEST_SKIP() << "its divergence is that of two networks of the learner";
    for (const char* env : {"cartpole_position_only", "two_state", "repeat_previous_easy"}) {
        Json changes{{"network", memory(core)}};
        changes["algo"] =
            settingsOf(algo, algo == "ppo" ? Json{{"epochs", 1}, {"minibatches", 1}} : Json::object());
        const auto session = makeSession(smallConfig(env, changes));
        for (int i = 0; i < 12; ++i) {
            const auto stats = session->iterate();
            ASSERT_TRUE(stats.has_value()) << stats.error().text();
            EXPECT_EQ(metric(*stats, "policy/kl"), 0) << env << ", update " << i;
            if (algo == "a2c") continue;  // has no ratio to clip
            EXPECT_EQ(metric(*stats, "policy/clip_fraction"), 0) << env << ", update " << i;
        }
    }
}

// Statistics of PopArt, multipliers of V-MPO and of the entropy cost are resumed, too.
TEST_P(Cores, ResumedRunsContinueBitForBit) {
    const auto& [algo, core] = GetParam();
    const TrainingConfig config =
        smallConfig("pendulum", {{"network", memory(core)}, {"algo", settingsOf(algo, {{"popart", true}})}});
    const auto whole = makeSession(config), resumed = makeSession(config);
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(whole->iterate().has_value());
    Archive saved = Archive::saving();
    ASSERT_TRUE(whole->archive(saved).has_value());
    for (std::size_t net = 0; net < whole->learner().networkCount(); ++net)
        resumed->learner().setParams(net, whole->learner().params(net));
    Archive loaded = Archive::loading(saved.bytes());
    ASSERT_TRUE(resumed->archive(loaded).has_value());
    for (int i = 0; i < 5; ++i) {
        const auto a = whole->iterate(), b = resumed->iterate();
        ASSERT_TRUE(a.has_value() && b.has_value());
        EXPECT_EQ(a->update.metrics, b->update.metrics);
        // Returns of Pendulum are far from 1.
        EXPECT_GT(metric(*a, "value/scale"), 2);
    }
    EXPECT_EQ(whole->learner().params().sha256(), resumed->learner().params().sha256());
}

TEST_P(Cores, TheSameBitsForAnyNumberOfThreads) {
    const auto& [algo, core] = GetParam();
    const auto hash = [&](int threads) {
        Json changes{{"network", memory(core)}, {"run", {{"threads", threads}}}};
        changes["algo"] = settingsOf(algo, algo == "vtrace" ? Json{{"minibatches", 2}} : Json::object());
        const auto session = makeSession(smallConfig("cartpole_position_only", changes));
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(session->iterate().has_value());
        return session->learner().params().sha256();
    };
    const std::string once = hash(1);
    EXPECT_EQ(once, hash(2));
    EXPECT_EQ(once, hash(4));
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Cores,
                         testing::Combine(testing::Values("ppo", "vtrace", "a2c", "vmpo"),
                                          testing::Values("none", "lstm", "gru")),
                         [](const auto& test) {
                             return std::get<0>(test.param) + "_" + std::get<1>(test.param);
                         });

TEST(Algorithms, ResumedVtraceContinuesBitForBit) {
    // The learned entropy cost and the position in the linear schedule are resumed, too.
    const Json changes{{"network", memory("lstm")},
                       {"optimiser", {{"kind", "rmsprop"}, {"epsilon", 0.01}, {"epsilon_inside_sqrt", true}}},
                       {"algo", vtrace({{"entropy_control", "target"},
                                        {"target_entropy", 0.4},
                                        {"entropy_rate", 0.5},
                                        {"lr_schedule", "linear"},
                                        {"lr_horizon", 2000}})}};
    const auto whole = makeSession(smallConfig("cartpole_position_only", changes));
    for (int i = 0; i < 6; ++i) ASSERT_TRUE(whole->iterate().has_value());
    Archive saved = Archive::saving();
    ASSERT_TRUE(whole->archive(saved).has_value());
    const auto resumed = makeSession(smallConfig("cartpole_position_only", changes));
    resumed->learner().setParams(0, whole->learner().params());
    Archive loaded = Archive::loading(saved.bytes());
    ASSERT_TRUE(resumed->archive(loaded).has_value());
    for (int i = 0; i < 6; ++i) {
        const auto a = whole->iterate(), b = resumed->iterate();
        ASSERT_TRUE(a.has_value() && b.has_value());
        EXPECT_EQ(a->update.metrics, b->update.metrics);
        EXPECT_NE(metric(*a, "policy/entropy_cost"), 0.01);
        EXPECT_LT(metric(*a, "optimiser/learning_rate"), 3.5e-4);
    }
    EXPECT_EQ(whole->learner().params().sha256(), resumed->learner().params().sha256());
}

TEST(Algorithms, OldDataIsCorrectedByVtraceAndPpo) {
    const auto hashes = [](Json algo, int lag) {
        const auto session =
            makeSession(smallConfig("cartpole", {{"algo", std::move(algo)}, {"run", {{"forced_lag", lag}}}}));
        double kl = 0;
        for (int i = 0; i < 8; ++i) {
            const auto stats = session->iterate();
            EXPECT_TRUE(stats.has_value());
            kl = metric(*stats, "policy/kl");
        }
        return std::pair(session->learner().params().sha256(), kl);
    };
    EXPECT_GT(hashes(vtrace(), 4).second, 0);
    const auto correction = [](const char* how) { return Json{{"correction", how}}; };
    EXPECT_EQ(hashes(correction("auto"), 4).first, hashes(correction("vtrace"), 4).first);
    EXPECT_NE(hashes(correction("auto"), 4).first, hashes(correction("none"), 4).first);
    EXPECT_EQ(hashes(correction("auto"), 0).first, hashes(correction("none"), 0).first)
        << "data of the current parameters needs no correction";
}

}  // namespace
}  // namespace seedbed
