// SPDX-License-Identifier: Apache-2.0
// Runs that return to an earlier checkpoint: settings that have changed since then are listed, and
// checkpoints that cannot be continued are not used again.
#include <cmath>
#include <cstring>
#include <utility>

#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/resume.hpp"
#include "tests/unit/run/watch_fixture.hpp"

namespace seedbed {
namespace {

using test::smallConfig;
using testing::Quiet;

class Return : public testing::Watch {
protected:
    using Settings = std::vector<std::pair<std::string, std::string>>;

    static TrainingConfig config() {
        return smallConfig("cartpole", {{"run", {{"steps", 100000}, {"threads", 1}}},
                                        {"eval", {{"every_steps", 100000}, {"final_episodes", 0}}}});
    }
    static void stopAfter(Quiet& observer, std::uint64_t updates) {
        observer.on_progress = [&observer, updates](const ProgressReport& p) {
            if (p.updates >= updates) observer.stop.request_stop();
        };
    }
    RunOutcome trainUntil(std::uint64_t updates) {
        Quiet observer;
        stopAfter(observer, updates);
        const auto outcome = train(config(), observer, files_, clock_);
        EXPECT_TRUE(outcome.has_value()) << outcome.error().text();
        return outcome.value_or(RunOutcome{});
    }
    // The messages of the resume, or its error.
    std::string resume(std::int64_t run, std::uint64_t updates, const Settings& settings,
                       const std::string& selector) {
        Quiet observer;
        stopAfter(observer, updates);
        const auto outcome = resumeRun({run, folder_, {}, selector, settings}, observer,
                                       observer.stop.get_token(), files_, clock_);
        if (!outcome) return outcome.error().text();
        std::string all;
        for (const std::string& text : observer.messages) all += text + "\n";
        return all;
    }
    static bool contains(const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    }
};

TEST_F(Return, NamesSettingsThatChangedAfterTheCheckpoint) {
    const RunOutcome whole = trainUntil(15), part = trainUntil(5);
    const std::string earlier = std::to_string(part.steps);
    resume(part.id, 10, {{"algo.learning_rate", "0.0001"}}, "");

    const std::string kept = resume(part.id, 10, {}, earlier);
    EXPECT_FALSE(contains(kept, "bit for bit")) << kept;
    EXPECT_TRUE(contains(kept,
                         "algo.learning_rate 0.0003 -> 0.0001 (changed in this run after the checkpoint "
                         "was saved; resume with '--algo.learning_rate 0.0003' to use the checkpoint's)"))
        << kept;
    EXPECT_EQ(details(part.id).config["algo"]["learning_rate"], 0.0001);
    EXPECT_EQ(details(part.id).changes.size(), 1U);

    const std::string restored = resume(part.id, 15, {{"algo.learning_rate", "0.0003"}}, earlier);
    EXPECT_TRUE(contains(restored, "bit for bit")) << restored;
    EXPECT_EQ(details(part.id).params_sha256, whole.params_sha256);
    EXPECT_TRUE(details(part.id).changes.empty());
}

TEST_F(Return, ACheckpointWithAnInvalidStateNamesAnOlderOne) {
    const RunOutcome part = trainUntil(5);
    CheckpointStore store(files_, folder_, part.id);
    LoadedCheckpoint newest = *store.load();
    // After the schedule's name, six counters and the adaptive rate: the first number of the optimiser.
    constexpr std::size_t kFirstMoment = 12 + 6 * 8;
    const float nan = std::nanf("");
    for (CheckpointFile& file : newest.data.files)
        if (file.name == kSessionFile) std::memcpy(file.bytes.data() + kFirstMoment, &nan, sizeof nan);
    ASSERT_TRUE(store.save(newest.data).has_value());
    const std::string refused = resume(part.id, 10, {}, "");
    EXPECT_TRUE(contains(refused, "a mean of gradients is not a finite number")) << refused;
    EXPECT_TRUE(contains(
        refused, "'seedbed resume " + std::to_string(part.id) + ":0' resumes from an older checkpoint"))
        << refused;
    const std::string resumed = resume(part.id, 5, {}, "0");
    EXPECT_TRUE(contains(resumed, "bit for bit")) << resumed;
    EXPECT_EQ(details(part.id).params_sha256, part.params_sha256);
}

TEST_F(Return, ARollbackDoesNotUseACheckpointFromWhichNoUpdateSucceeded) {
    const RunOutcome part = trainUntil(10);
    CheckpointStore store(files_, folder_, part.id);
    LoadedCheckpoint newest = *store.load();
    Params& params = newest.data.networks.front().params;
    params = Params(std::vector<float>(params.blob().size(), 1e38F), params.version());
    ASSERT_TRUE(store.save(newest.data).has_value());
    const std::string said = resume(part.id, 15, {}, "");
    EXPECT_TRUE(contains(said, "returned to the checkpoint at step 0 and halved the learning rate")) << said;
    EXPECT_EQ(details(part.id).run.status, RunStatus::interrupted);
    EXPECT_GT(details(part.id).run.progress.steps, part.steps);
}

TEST(ChangedConfig, RunsStoredBeforeActionsWereScaledKeepTheirUnits) {
    Json document = smallConfig("cartpole", Json::object()).document;
    EXPECT_TRUE(changedConfig(document, {}).value().network.scale_actions);
    document["network"].erase("scale_actions");
    EXPECT_FALSE(changedConfig(document, {}).value().network.scale_actions);
}

}  // namespace
}  // namespace seedbed
