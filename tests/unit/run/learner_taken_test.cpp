// SPDX-License-Identifier: Apache-2.0
// A resumed run that continues with the learner of another run, and one that pauses at a step.
#include <filesystem>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/os/files.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/resume.hpp"
#include "core/run/run.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/base/must.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using test::smallConfig;
using testing::must;

constexpr std::int64_t kHalf = 960, kEnd = 1920;

class Observer final : public RunObserver {
public:
    void started(std::int64_t, const SessionPlan&) override {}
    void progress(const ProgressReport& p) override {
        if (static_cast<std::int64_t>(p.steps) >= stop_at) stop.request_stop();
    }
    void evaluated(std::uint64_t, const EvaluationResult&) override {}
    void message(const std::string&) override {}

    std::int64_t stop_at = INT64_MAX;
    std::stop_source stop;
};

class LearnerTaken : public ::testing::Test {
protected:
    static TrainingConfig config(const Json& changes = Json::object(), int seed = 5) {
        Json all = changes;
        all["run"] = {{"steps", kEnd}, {"seed", seed}};
        all["eval"] = {{"every_steps", 100000}, {"episodes", 1}, {"final_episodes", 1}};
        return smallConfig("cartpole", all);
    }
    // Trains a new run up to half of its steps.
    RunOutcome half(const TrainingConfig& config) {
        Observer observer;
        observer.stop_at = kHalf;
        return must(
            trainRun({config, "", "", folder(), ""}, observer, observer.stop.get_token(), files_, clock_));
    }
    Result<RunOutcome> resume(const ResumeRequest& request) {
        Observer observer;
        return resumeRun(request, observer, observer.stop.get_token(), files_, clock_);
    }
    ResumeRequest requestOf(std::int64_t run, std::int64_t pause_at = 0) const {
        ResumeRequest request;
        request.run = run;
        request.data_folder = folder();
        request.pause_at = pause_at;
        return request;
    }
    std::filesystem::path folder() const { return temporary_.path() / "data"; }
    LoadedCheckpoint checkpoint(std::int64_t run) {
        return must(CheckpointStore(files_, folder(), run).load());
    }

    testing::TemporaryFolder temporary_;
    RealFileSystem files_;
    RealClock clock_;
};

TEST_F(LearnerTaken, PausingDoesNotChangeTheResult) {
    const RunOutcome paused = half(config());
    for (const std::int64_t step : {kHalf + 100, kHalf + 500}) {
        const RunOutcome outcome = must(resume(requestOf(paused.id, step)));
        EXPECT_TRUE(outcome.interrupted);
        EXPECT_FALSE(outcome.stopped_on_request);
        EXPECT_GE(static_cast<std::int64_t>(outcome.steps), step);
        EXPECT_LT(static_cast<std::int64_t>(outcome.steps), step + 100);
    }
    const RunOutcome end = must(resume(requestOf(paused.id)));
    EXPECT_FALSE(end.interrupted);
    Observer observer;
    const RunOutcome whole =
        must(trainRun({config(), "", "", folder(), ""}, observer, observer.stop.get_token(), files_, clock_));
    EXPECT_EQ(end.params_sha256, whole.params_sha256);
}

TEST_F(LearnerTaken, TakesParametersAndOptimiserOfEveryNetwork) {
    for (const char* algo : {"ppo", "dqn", "sac"}) {
        const Json changes{
            {"env", {{"id", std::string(algo) == "sac" ? "pendulum" : "cartpole"}}},
            {"algo",
             {{"id", algo}, {"rollout_length", nullptr}, {"epochs", nullptr}, {"minibatches", nullptr}}}};
        const RunOutcome donor = half(config(changes, 5)), taker = half(config(changes, 6));
        ASSERT_NE(donor.params_sha256, taker.params_sha256) << algo;
        ResumeRequest request = requestOf(taker.id, 1);
        request.learner_run = donor.id;
        request.learner_step = static_cast<std::int64_t>(donor.steps);
        request.settings = {{"algo.learning_rate", "0.00123"}};
        const RunOutcome taken = must(resume(request));
        EXPECT_EQ(taken.params_sha256, donor.params_sha256) << algo;
        EXPECT_EQ(taken.steps, taker.steps) << "it keeps its own counters";
        // Repeating it changes nothing.
        EXPECT_EQ(must(resume(request)).params_sha256, donor.params_sha256) << algo;

        const LoadedCheckpoint from = checkpoint(donor.id), to = checkpoint(taker.id);
        ASSERT_EQ(from.data.networks.size(), to.data.networks.size());
        for (std::size_t i = 0; i < from.data.networks.size(); ++i)
            EXPECT_EQ(from.data.networks[i].params.sha256(), to.data.networks[i].params.sha256()) << algo;
        EXPECT_GT(to.data.networks[0].params.version(), from.data.networks[0].params.version());
        const RunDetails details = must(must(StoreReader::open(folder())).details(taker.id));
        ASSERT_EQ(details.changes.size(), 1U);
        EXPECT_EQ(details.changes[0].key, "algo.learning_rate");
        EXPECT_TRUE(std::any_of(details.events.begin(), details.events.end(),
                                [](const EventRecord& event) { return event.kind == "learner_taken"; }));
        EXPECT_FALSE(must(resume(requestOf(taker.id))).interrupted) << algo;
    }
}

// The archive of a learner contains the moments of its optimisers.
TEST_F(LearnerTaken, TheOptimiserContinues) {
    const RunOutcome donor = half(config());
    const RunOutcome taker = half(config({{"algo", {{"learning_rate", 0.01}}}}));
    ASSERT_NE(donor.params_sha256, taker.params_sha256);
    const auto learnerOf = [&](std::int64_t run) {
        auto session = test::makeSession(config());
        LoadedCheckpoint loaded = checkpoint(run);
        RunCounters counters;
        must(restore(loaded, *session, counters));
        Archive archive = Archive::saving();
        session->learner().archive(archive);
        std::vector<std::uint8_t> bytes = std::move(archive).take();
        return std::vector<std::uint8_t>(bytes.begin() + 16, bytes.end());  // without updates and version
    };
    EXPECT_NE(learnerOf(donor.id), learnerOf(taker.id));
    ResumeRequest request = requestOf(taker.id, 1);
    request.learner_run = donor.id;
    request.learner_step = static_cast<std::int64_t>(donor.steps);
    must(resume(request));
    EXPECT_EQ(learnerOf(donor.id), learnerOf(taker.id));
}

TEST_F(LearnerTaken, NamesWhatIsMissing) {
    const RunOutcome taker = half(config());
    ResumeRequest request = requestOf(taker.id, 1);
    request.learner_run = half(config(Json::object(), 6)).id;
    request.learner_step = 12345;
    auto resumed = resume(request);
    ASSERT_FALSE(resumed);
    EXPECT_NE(resumed.error().text().find("12345"), std::string::npos) << resumed.error().text();
    const RunOutcome other = half(config({{"network", {{"hidden", {8}}}}}));
    request.learner_run = other.id;
    request.learner_step = static_cast<std::int64_t>(other.steps);
    resumed = resume(request);
    ASSERT_FALSE(resumed);
    EXPECT_NE(resumed.error().text().find("differs from the run's"), std::string::npos);
    EXPECT_FALSE(must(resume(requestOf(taker.id))).interrupted) << "the run itself can be resumed";
}

}  // namespace
}  // namespace seedbed
