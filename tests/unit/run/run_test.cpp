// SPDX-License-Identifier: Apache-2.0
// Whole runs in a data folder: what they record, how they stop, and what a failure leaves behind.
#include "core/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/env/env_registry.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/env/small_spec.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::smallConfig;

// CartPole whose observations become NaN after some steps.
class BrokenEnv final : public Env {
public:
    struct Params {
        int good_steps = 200;
        std::string what = "observation";

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("broken", "An environment that breaks.")
                    .field(&Params::good_steps, "good_steps", "Steps before it breaks.")
                    .field(&Params::what, "what", "What breaks.", {.choices = {"observation", "reward"}});
            return description;
        }
    };
    static EnvSpec spec(const Params&) {
        EnvSpec spec = test::smallSpec("broken_test", {.shape = {2}, .low = -10, .high = 10});
        spec.horizon = 10;
        spec.reward_low = 0;
        spec.reward_high = 1;
        return spec;
    }

    explicit BrokenEnv(const Params& params) : params_(params) {}
    void reset(Rng&) override {}
    StepResult step(const float*, float* rewards, Rng&) override {
        ++steps_;
        rewards[0] = steps_ > params_.good_steps && params_.what == "reward"
                         ? std::numeric_limits<float>::quiet_NaN()
                         : 1.0f;
        return {.reward = rewards[0]};
    }
    void observe(int, ObsOut out) const override {
        const bool bad = steps_ > params_.good_steps && params_.what == "observation";
        out.leaf<float>(0)[0] = 0.5f;
        out.leaf<float>(0)[1] = bad ? std::numeric_limits<float>::quiet_NaN() : -0.5f;
    }
    void draw(Scene&) const override {}
    void archive(Archive& archive) override { archive.field("steps", steps_, range(0, 1000000)); }
    Json state() const override { return {{"steps", steps_}}; }
    Result<> setState(const Json&) override { return {}; }

private:
    Params params_;
    int steps_ = 0;
};
SEEDBED_REGISTER_ENV(broken_test, BrokenEnv)

class Recorder final : public RunObserver {
public:
    void started(std::int64_t run, const SessionPlan&) override { id = run; }
    void progress(const ProgressReport& p) override {
        const bool went_back =
            !messages.empty() && messages.back().find("returned to the checkpoint") != std::string::npos;
        if (!went_back) {
            EXPECT_GE(p.steps, last.steps);
        }
        last = p;
        if (stop_after > 0 && p.updates >= stop_after) stop.request_stop();
    }
    void evaluated(std::uint64_t, const EvaluationResult&) override { ++evaluations; }
    void message(const std::string& text) override { messages.push_back(text); }

    std::int64_t id = 0;
    ProgressReport last;
    int evaluations = 0;
    std::uint64_t stop_after = 0;
    std::stop_source stop;
    std::vector<std::string> messages;
};

class RunTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("seedbed-run-" + std::to_string(getpid()) + "-" +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::remove_all(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    Result<RunOutcome> train(const TrainingConfig& config, const std::string& name = "",
                             const std::string& init_from = "") {
        const RunRequest request{config, name, "", folder_, init_from};
        return trainRun(request, recorder_, recorder_.stop.get_token(), files_, clock_);
    }
    RunDetails details(std::int64_t id) {
        auto reader = StoreReader::open(folder_);
        EXPECT_TRUE(reader.has_value()) << reader.error().text();
        auto details = reader->details(id);
        EXPECT_TRUE(details.has_value()) << details.error().text();
        return *details;
    }
    Result<LoadedPolicy> policy(const std::string& name) {
        return loadPolicy(files_, folder_, name, [&](std::string_view run) -> Result<std::int64_t> {
            SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(folder_));
            return reader.resolveRun(run);
        });
    }

    std::filesystem::path folder_;
    RealFileSystem files_;
    RealClock clock_;
    Recorder recorder_;
};

TEST_F(RunTest, RecordsMetricsEpisodesEvaluationsAndCheckpoints) {
    const auto outcome = train(smallConfig("cartpole", {{"run", {{"steps", 2000}}},
                                                        {"eval", {{"episodes", 5}, {"final_episodes", 8}}}}),
                               "first");
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_EQ(outcome->id, 1);
    EXPECT_FALSE(outcome->interrupted);
    EXPECT_GE(outcome->steps, 2000u);
    EXPECT_LT(outcome->steps, 2000u + 16 * 6);
    ASSERT_TRUE(outcome->last_evaluation.has_value());
    EXPECT_EQ(outcome->last_evaluation->episodes.size(), 8u);

    const RunDetails run = details(1);
    EXPECT_EQ(run.run.status, RunStatus::finished);
    EXPECT_EQ(run.run.name, "first");
    EXPECT_EQ(run.run.progress.steps, static_cast<std::int64_t>(outcome->steps));
    EXPECT_EQ(run.params_sha256, outcome->params_sha256);
    EXPECT_GE(run.evaluations.size(), 10u);
    EXPECT_EQ(run.evaluations.back().episodes.size(), 8u);

    auto reader = StoreReader::open(folder_);
    ASSERT_TRUE(reader.has_value());
    const auto names = reader->metricNames(1);
    ASSERT_TRUE(names.has_value());
    for (const char* name :
         {"episode/return", "episode/length", "eval/return", "loss/policy", "loss/value", "policy/entropy",
          "policy/kl", "policy/clip_fraction", "value/explained_variance", "grad/norm",
          "optimiser/learning_rate", "speed/env_steps_per_s", "speed/updates_per_s", "time/forward"})
        EXPECT_NE(std::find(names->begin(), names->end(), name), names->end()) << name;
    const auto curve = reader->metric(1, "loss/value");
    ASSERT_TRUE(curve.has_value());
    EXPECT_EQ(curve->steps.back(), static_cast<std::int64_t>(outcome->steps));
    const auto episodes = reader->episodes(1);
    ASSERT_TRUE(episodes.has_value());
    EXPECT_GT(episodes->size(), 20u);

    // The newest checkpoint contains the reported parameters and their network.
    const auto loaded = policy("first");
    ASSERT_TRUE(loaded.has_value()) << loaded.error().text();
    EXPECT_EQ(loaded->bundle.network.params.sha256(), outcome->params_sha256);
    EXPECT_EQ(loaded->bundle.provenance.env, "cartpole");
}

TEST_F(RunTest, StopsCleanlyAtTheNextUpdateOnRequest) {
    recorder_.stop_after = 3;
    const auto outcome = train(smallConfig("cartpole", {{"run", {{"steps", 1000000}}}}));
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_TRUE(outcome->interrupted);
    EXPECT_EQ(recorder_.last.updates, 3u);
    EXPECT_EQ(details(1).run.status, RunStatus::interrupted);
    EXPECT_EQ(policy("1")->bundle.network.params.sha256(), outcome->params_sha256);
}

TEST_F(RunTest, StopsWhenAnEvaluationReachesTheTarget) {
    const auto outcome = train(smallConfig(
        "two_state", {{"run", {{"target_return", 37}, {"steps", 200000}}},
                      {"algo", {{"learning_rate", 0.01}, {"gamma", 0.9}}},
                      {"eval", {{"every_steps", 2000}, {"episodes", 20}, {"final_episodes", 20}}}}));
    ASSERT_TRUE(outcome.has_value());
    EXPECT_TRUE(outcome->target_reached);
    EXPECT_LT(outcome->steps, 100000u);
    EXPECT_GE(outcome->last_evaluation->summary.mean, 37);
}

TEST_F(RunTest, NanStopsTheRunIsNamedAndKeepsTheLastGoodCheckpoint) {
    for (const auto& [what, culprit] : {std::pair{"observation", "obs"}, {"reward", "reward"}}) {
        const auto outcome = train(smallConfig("broken_test", {{"env", {{"good_steps", 100}, {"what", what}}},
                                                               {"run", {{"steps", 1000000}}},
                                                               {"eval", {{"final_episodes", 0}}}}));
        ASSERT_FALSE(outcome.has_value()) << what;
        recorder_.last = {};
        EXPECT_NE(outcome.error().text().find("NaN"), std::string::npos) << outcome.error().text();
        EXPECT_NE(outcome.error().text().find(culprit), std::string::npos) << outcome.error().text();
        const RunDetails run = details(recorder_.id);
        EXPECT_EQ(run.run.status, RunStatus::failed);
        EXPECT_NE(run.run.status_text.find("NaN"), std::string::npos);
        const auto loaded = policy(std::to_string(recorder_.id));
        ASSERT_TRUE(loaded.has_value()) << loaded.error().text();
        for (const float value : loaded->bundle.network.params.blob()) ASSERT_TRUE(std::isfinite(value));
    }
}

TEST_F(RunTest, StartsFromTheWeightsOfAnotherRun) {
    const Json short_run{{"run", {{"steps", 1000}}}, {"eval", {{"final_episodes", 0}}}};
    const auto first = train(smallConfig("cartpole", short_run));
    ASSERT_TRUE(first.has_value());
    Recorder second_recorder;
    second_recorder.stop
        .request_stop();  // stops before the first update, so its checkpoint contains the initial state
    const RunRequest request{smallConfig("cartpole", short_run), "", "", folder_, "1"};
    const auto second = trainRun(request, second_recorder, second_recorder.stop.get_token(), files_, clock_);
    ASSERT_TRUE(second.has_value()) << second.error().text();
    EXPECT_EQ(second->params_sha256, first->params_sha256);

    const auto other_network =
        train(smallConfig("cartpole", {{"run", {{"steps", 1000}}}, {"network", {{"hidden", {8}}}}}), "", "1");
    ASSERT_FALSE(other_network.has_value());
    EXPECT_EQ(other_network.error().code, ErrorCode::config);
    EXPECT_FALSE(train(smallConfig("cartpole", short_run), "", "99").has_value());
}

TEST_F(RunTest, ATakenNameIsRejectedBeforeTraining) {
    const Json short_run{{"run", {{"steps", 100}}}, {"eval", {{"final_episodes", 0}}}};
    ASSERT_TRUE(train(smallConfig("cartpole", short_run), "twin").has_value());
    const auto second = train(smallConfig("cartpole", short_run), "twin");
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, ErrorCode::config);
}

TEST_F(RunTest, AFolderThatCannotBeCreatedIsOneSentence) {
    folder_ = "/proc/seedbed-test";
    const auto outcome = train(smallConfig("cartpole", {{"run", {{"steps", 100}}}}));
    ASSERT_FALSE(outcome.has_value());
    EXPECT_NE(outcome.error().text().find("/proc/seedbed-test"), std::string::npos) << outcome.error().text();
}

}  // namespace
}  // namespace seedbed
