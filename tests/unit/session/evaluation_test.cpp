// SPDX-License-Identifier: Apache-2.0
// Evaluations end, whatever their environments do, and report missing episodes.
#include "core/session/evaluation.hpp"

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/mutex.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/troubled_env.hpp"

namespace seedbed {
namespace {

using std::chrono::steady_clock;
using test::makeSession;
using test::smallConfig;
using test::Troubles;

// "troubled" whose environment 0 fails in exchange 5 and every `every` exchanges after it.
class FlaggedBatch final : public EnvBatch {
public:
    FlaggedBatch(std::unique_ptr<LocalBatch> inner, int every) : inner_(std::move(inner)), every_(every) {}
    int count() const override { return inner_->count(); }
    const EnvSpec& spec() const override { return inner_->spec(); }
    Result<> begin(const Exchange& exchange) override {
        SEEDBED_TRY(inner_->begin(exchange));
        if (++exchanges_ % every_ != 5) return {};
        exchange.flags[0] = column_flag::failed;
        notices_.emplace_back("environment 0 failed on request");
        return {};
    }
    std::vector<std::string> takeNotices() override { return std::exchange(notices_, {}); }
    void draw(int env, Scene& scene) const override { inner_->draw(env, scene); }
    void archive(int env, Archive& archive) override { inner_->archive(env, archive); }
    Json state(int env) const override { return inner_->state(env); }
    Result<> setState(int env, const Json& state) override { return inner_->setState(env, state); }

private:
    std::unique_ptr<LocalBatch> inner_;
    int every_, exchanges_ = 0;
    std::vector<std::string> notices_;
};

// Id "flagged_EVERY".
const EnvEntry& flaggedEntry(int every) {
    const std::string id = "flagged_" + std::to_string(every);
    if (const EnvEntry* known = envRegistry().find(id)) return *known;
    EnvEntry entry = *envRegistry().find("troubled");
    entry.id = id;
    entry.aliases.clear();
    entry.make = [make = entry.makeLocal, every](const Json& params,
                                                 int count) -> Result<std::unique_ptr<EnvBatch>> {
        SEEDBED_ASSIGN(auto batch, make(params, count));
        return std::make_unique<FlaggedBatch>(std::move(batch), every);
    };
    registerEnv(std::move(entry));
    return *envRegistry().find(id);
}

// The session does not train here; its environments are created before those of the evaluation.
class BoundedEvaluation : public testing::Test {
protected:
    BoundedEvaluation() : session_(makeSession(smallConfig("troubled", {{"run", {{"threads", 2}}}}))) {
        troubles_->instances = 0;
    }
    // Without hanging environments, no step reaches the limit.
    EvaluationRequest request(int episodes, double stall_s = 60) const {
        EvaluationRequest request = session_->evaluationRequest(episodes, Selection::greedy, 1);
        request.limits.stall_s = stall_s;
        return request;
    }
    EvaluationResult play(const EvaluationRequest& request) {
        auto result = session_->evaluate(request, {});
        EXPECT_TRUE(result.has_value()) << result.error().text();
        return std::move(*result);
    }
    double secondsSinceBegin() const {
        return std::chrono::duration<double>(steady_clock::now() - begin_).count();
    }

    Troubles troubles_;
    std::unique_ptr<Session> session_;
    steady_clock::time_point begin_ = steady_clock::now();
};

TEST_F(BoundedEvaluation, EpisodesThatNeverEndAreCutReportedAndNotCounted) {
    session_ = makeSession(smallConfig("troubled", {{"run", {{"threads", 1}}}}));
    troubles_->instances = 0;
    troubles_->endless_from = 5;  // 16 environments, created in order by one thread
    EvaluationRequest endless = request(16);
    endless.limits.episode_decisions = 50;
    endless.record = true;
    const EvaluationResult result = play(endless);
    EXPECT_EQ(result.episodes.size(), 5u);
    EXPECT_EQ(result.asked, 16);
    EXPECT_FALSE(result.isComplete());
    EXPECT_NE(result.problem.find("11 of 16 episodes were cut short after 50 decisions (eval.max_steps)"),
              std::string::npos)
        << result.problem;
    for (const EpisodeResult& episode : result.episodes) EXPECT_EQ(episode.length, 10);
    for (std::size_t env = 0; env < result.tracks.size(); ++env)
        EXPECT_EQ(result.tracks[env].episodes.size(), env < 5 ? 1u : 0u)
            << "episodes that were cut short have no replay";
}

TEST_F(BoundedEvaluation, EpisodesAsLongAsTheEnvironmentsOwnLimitAreComplete) {
    // CartPole ends its episodes after 500 decisions; a limit of 500 cuts none short.
    const auto session = makeSession(smallConfig("cartpole"));
    EvaluationRequest request = session->evaluationRequest(10, Selection::greedy, 1);
    request.limits.episode_decisions = 500;
    const auto result = session->evaluate(request, {});
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->episodes.size(), 10u);
    EXPECT_TRUE(result->isComplete()) << result->problem;
}

TEST_F(BoundedEvaluation, ASecondLimitIsOnTheDecisionsOfAllEpisodes) {
    troubles_->endless_from = 0;
    EvaluationRequest endless = request(10);
    endless.limits.decisions = 1000;
    const EvaluationResult result = play(endless);
    EXPECT_TRUE(result.episodes.empty());
    EXPECT_EQ(result.decisions, 1000u);
    EXPECT_NE(result.problem.find("eval.max_total_steps"), std::string::npos) << result.problem;
    EXPECT_FALSE(requireEpisodes(result).has_value());
}

TEST_F(BoundedEvaluation, AThirdLimitIsOnTime) {
    troubles_->sleep_us = 2000;
    EvaluationRequest slow = request(6400);
    slow.limits.seconds = 0.3;
    const EvaluationResult result = play(slow);
    EXPECT_LT(result.episodes.size(), 6400u);
    EXPECT_NE(result.problem.find("eval.max_seconds"), std::string::npos) << result.problem;
    EXPECT_LT(secondsSinceBegin(), test::measuredLimit(5));
}

TEST_F(BoundedEvaluation, EnvironmentsThatDoNotReturnAreLeftOutAndNamed) {
    troubles_->hangs_from = 8;
    troubles_->hangs_to = 9;
    const EvaluationResult result = play(request(24, 3));
    EXPECT_EQ(result.episodes.size(), 16u);
    EXPECT_NE(result.problem.find(" did not return for 3 s"), std::string::npos) << result.problem;
    EXPECT_NE(result.problem.find("environments "), std::string::npos) << result.problem;
    EXPECT_LT(secondsSinceBegin(), test::measuredLimit(10));
    EXPECT_EQ(troubles_->hanging, 1);
}

TEST_F(BoundedEvaluation, EnvironmentsThatThrowAreLeftOutAndTheirReasonIsReported) {
    troubles_->throws_from = 0;
    troubles_->throws_to = 1;
    const EvaluationResult result = play(request(24));
    EXPECT_EQ(result.episodes.size(), 16u);
    EXPECT_NE(result.problem.find("the environment failed on request"), std::string::npos) << result.problem;
    troubles_->throws_to = Troubles::kNever;
    EXPECT_TRUE(play(request(24)).episodes.empty());
}

TEST_F(BoundedEvaluation, AnEnvironmentThatFailsSometimesRepeatsItsEpisode) {
    EvaluationRequest failing = request(8);
    failing.env = &flaggedEntry(20);
    failing.record = true;
    const EvaluationResult result = play(failing);
    EXPECT_EQ(result.episodes.size(), 8u);
    EXPECT_TRUE(result.isComplete()) << result.problem;
    EXPECT_EQ(result.replaced, 1);
    EXPECT_NE(result.problem.find("1 episode failed and was replaced"), std::string::npos) << result.problem;
    for (const EpisodeResult& episode : result.episodes) EXPECT_EQ(episode.length, 10);
    failing.env = &flaggedEntry(8);
    const EvaluationResult incomplete = play(failing);
    EXPECT_LT(incomplete.episodes.size(), 8u);
    EXPECT_NE(incomplete.problem.find("failed on request"), std::string::npos) << incomplete.problem;
}

// For example, the file of the environment was saved with a mistake during training.
TEST_F(BoundedEvaluation, EnvironmentsThatCannotBeMadeAnyMoreAreItsProblem) {
    EvaluationRequest broken = request(16);
    EnvEntry entry = *broken.env;
    entry.spec = [](const Json&) -> Result<EnvSpec> { return fail("SyntaxError: line 3"); };
    entry.make = [](const Json&, int) -> Result<std::unique_ptr<EnvBatch>> {
        return fail("SyntaxError: line 3");
    };
    broken.env = &entry;
    const EvaluationResult result = play(broken);
    EXPECT_TRUE(result.episodes.empty());
    EXPECT_NE(result.problem.find("SyntaxError: line 3"), std::string::npos) << result.problem;
}

TEST_F(BoundedEvaluation, EnvironmentsWithOtherSpacesAreNotPlayed) {
    EvaluationRequest changed = request(16);
    EnvEntry entry = *changed.env;
    entry.spec = envRegistry().find("cartpole")->spec;
    entry.make = envRegistry().find("cartpole")->make;
    entry.makeFrom = nullptr;
    changed.env = &entry;
    const EvaluationResult result = play(changed);
    EXPECT_TRUE(result.episodes.empty());
    EXPECT_NE(result.problem.find("not those that the network was made for"), std::string::npos)
        << result.problem;
}

TEST_F(BoundedEvaluation, StopsWithinTwoSecondsWhileAllItsEnvironmentsHang) {
    troubles_->hangs_from = 0;
    troubles_->hangs_to = Troubles::kNever;
    const EvaluationRequest hanging = request(16, 6000);
    std::stop_source stop;
    std::jthread user([&] {
        while (troubles_->hanging < 2) std::this_thread::yield();
        begin_ = steady_clock::now();
        stop.request_stop();
    });
    const auto result = session_->evaluate(hanging, stop.get_token());
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::interrupted);
    EXPECT_LT(secondsSinceBegin(), test::measuredLimit(2));
}

TEST_F(BoundedEvaluation, RecordingAnEnvironmentEndsAtALimitAndKeepsItsEarlierEpisodes) {
    const EnvSpec spec = envRegistry().find("troubled")->spec(Json::object()).value();
    const auto ring = Ring::create({.spaces = spec.spaces, .columns = 1, .rows = 4});
    ASSERT_TRUE(ring.has_value());
    EpisodeRecorder recorder(**ring, 1, 0, 25 * sizeof(float));
    for (int step = 1; step <= 100; ++step) {
        (*ring)->valid((*ring)->head())[0] = 1;
        (*ring)->advance();
        std::vector<EpisodeEnd> ended;
        if (step % 10 == 0) ended.push_back({.column = 0, .row = 0, .length = 10});
        recorder.stepped(ended);
        EXPECT_LE(recorder.tracks()[0].actions.size(), 25u);
    }
    const auto tracks = recorder.take();
    EXPECT_EQ(tracks[0].episodes.size(), 2u);
    EXPECT_EQ(tracks[0].actions.size(), 20u);
}

// As in DMLab-30: environment e plays task e modulo the number of tasks.
TEST_F(BoundedEvaluation, EveryTaskHasItsScoreAndTheMeanIsCapped) {
    EvaluationRequest asked = request(20);
    EnvEntry entry = *asked.env;
    asked.env_spec.tasks = {{"easy", 0, 5}, {"hard", 0, 40}, {"negative", 20, 30}};
    Mutex mutex;
    std::set<std::pair<int, int>> made;
    entry.makeFrom = [&, make = entry.make](const Json& params, int first, int count) {
        const MutexLock lock(mutex);
        made.emplace(first, count);
        return make(params, count);
    };
    asked.env = &entry;
    const EvaluationResult result = play(asked);
    EXPECT_EQ(made, (std::set<std::pair<int, int>>{{0, 8}, {8, 8}, {16, 4}}));
    ASSERT_EQ(result.tasks.size(), 3U);
    const double percent[] = {200, 25, -100};  // every return is 10
    const int episodes[] = {7, 7, 6};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(result.tasks[i].mean, 10) << i;
        EXPECT_EQ(result.tasks[i].human_normalised, percent[i]) << i;
        EXPECT_EQ(result.tasks[i].episodes, episodes[i]) << i;
    }
    EXPECT_EQ(result.tasks[2].task, "negative");
    EXPECT_NEAR(*humanNormalised(result), (100.0 + 25 - 100) / 3, 1e-12);
    EvaluationResult single = result;
    single.tasks.resize(1);
    EXPECT_EQ(*humanNormalised(single), 200) << "a single task is not capped";
    EXPECT_FALSE(humanNormalised(EvaluationResult()).has_value());
    EXPECT_EQ(result.problem, "");
    asked.episodes = 2;
    const EvaluationResult partial = play(asked);
    EXPECT_EQ(partial.tasks.size(), 2U);
    EXPECT_FALSE(humanNormalised(partial).has_value()) << "the third task has no episode";
    EXPECT_TRUE(partial.isComplete());
    EXPECT_EQ(partial.problem,
              "1 of 3 tasks have no episode, so there is no human-normalised score (eval.episodes is less "
              "than the number of tasks)");
}

TEST_F(BoundedEvaluation, RecordingEndsAtANumberOfEpisodesOfAllEnvironments) {
    const EnvSpec spec = envRegistry().find("troubled")->spec(Json::object()).value();
    const auto ring = Ring::create({.spaces = spec.spaces, .columns = 2, .rows = 4});
    ASSERT_TRUE(ring.has_value());
    EpisodeRecorder recorder(**ring, 1, 0, EpisodeRecorder::kMaxBytes, 5);
    for (int step = 1; step <= 100; ++step) {
        for (const int column : {0, 1}) (*ring)->valid((*ring)->head())[column] = 1;
        (*ring)->advance();
        std::vector<EpisodeEnd> ended;
        if (step % 10 == 0)
            for (const int column : {0, 1}) ended.push_back({.column = column, .row = 0, .length = 10});
        recorder.stepped(ended);
    }
    const auto tracks = recorder.take();
    EXPECT_EQ(tracks[0].episodes.size(), 3u);
    EXPECT_EQ(tracks[0].actions.size(), 30u);
    EXPECT_EQ(tracks[1].episodes.size(), 2u);
    EXPECT_EQ(tracks[1].actions.size(), 20u);
}

}  // namespace
}  // namespace seedbed
