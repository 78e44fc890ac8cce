// SPDX-License-Identifier: Apache-2.0
// Rollbacks of runs after NaN, including while the database is locked.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/checkpoint/checkpoint_store.hpp"
#include "core/control/control_client.hpp"
#include "core/control/protocol.hpp"
#include "core/run/saving/catch_up.hpp"
#include "core/store/check_database.hpp"
#include "tests/unit/run/watch_fixture.hpp"

namespace seedbed {
namespace {

using test::smallConfig;
using testing::Browser;
using testing::HookedFiles;
using testing::kTrainingWaits;
using testing::MoodyEnv;
using testing::Quiet;

SEEDBED_REGISTER_ENV(moody_test, MoodyEnv)

class Rollback : public testing::Watch {};

TEST_F(Rollback, AfterNanTheRunRollsBackOnceWithHalfTheLearningRate) {
    MoodyEnv::steps_ = 0;
    // 6 environments with 16 decisions each per update: the first bad step is in the sixth update.
    const auto config =
        smallConfig("moody_test", {{"env", {{"bad_from", 500}, {"bad_to", 501}}},
                                   {"run", {{"steps", 1500}, {"threads", 1}}},
                                   {"checkpoint", {{"every_s", 0.1}}},
                                   {"eval", {{"every_steps", 100000}, {"final_episodes", 0}}}});
    Quiet observer;
    const auto outcome = train(config, observer, files_, clock_);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_TRUE(observer.said("halved the learning rate")) << observer.messages.size();
    const RunDetails run = details(observer.id);
    EXPECT_EQ(run.run.status, RunStatus::finished);
    const auto found = std::find_if(run.events.begin(), run.events.end(),
                                    [](const auto& e) { return e.kind == "rolled_back"; });
    ASSERT_NE(found, run.events.end());
    EXPECT_NE(found->text.find("NaN"), std::string::npos) << found->text;
    EXPECT_EQ(run.config["algo"]["learning_rate"], 1.5e-4);
    auto reader = StoreReader::open(folder_);
    const MetricCurve rate = *reader->metric(observer.id, "optimiser/learning_rate");
    EXPECT_DOUBLE_EQ(rate.values.back(), 1.5e-4);
    EXPECT_EQ(run.segments.size(), 2u);
    EXPECT_TRUE(checkDatabase(folder_)->problems.empty());
}

TEST_F(Rollback, SettingsThatAreChangedAfterARollbackKeepTheHalvedLearningRate) {
    MoodyEnv::steps_ = 0;
    const auto config =
        smallConfig("moody_test", {{"env", {{"bad_from", 500}, {"bad_to", 501}}},
                                   {"run", {{"steps", 3000}, {"threads", 1}}},
                                   {"checkpoint", {{"every_s", 0.1}}},
                                   {"eval", {{"every_steps", 100000}, {"final_episodes", 0}}}});
    Quiet observer;
    bool asked = false, saved = false;
    observer.on_progress = [&](const ProgressReport&) {
        if (asked || !observer.said("halved the learning rate")) return;
        // Already saved: if the process were killed now, the resumed run would include the rollback.
        const auto newest = CheckpointStore(files_, folder_, observer.id).load();
        saved = newest && newest->data.provenance.config["algo"]["learning_rate"] == 1.5e-4;
        auto client = ControlClient::connect(controlSocket(folder_, observer.id));
        ASSERT_TRUE(client.has_value()) << client.error().text();
        ASSERT_TRUE(client->ask("set", {{"settings", {{"eval.episodes", 7}}}}));
        asked = true;
    };
    const auto outcome = train(config, observer, files_, clock_);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    ASSERT_TRUE(asked);
    EXPECT_TRUE(saved);
    const RunDetails run = details(observer.id);
    EXPECT_EQ(run.config["algo"]["learning_rate"], 1.5e-4);
    EXPECT_EQ(run.config["eval"]["episodes"], 7);
    const auto found = std::find_if(run.events.begin(), run.events.end(),
                                    [](const auto& e) { return e.kind == "settings"; });
    ASSERT_NE(found, run.events.end());
    EXPECT_EQ(found->data.size(), 1u) << found->data.dump();
    auto reader = StoreReader::open(folder_);
    EXPECT_DOUBLE_EQ(reader->metric(observer.id, "optimiser/learning_rate")->values.back(), 1.5e-4);
}

TEST_F(Rollback, ASecondRollbackStopsTheRunWithTheReason) {
    MoodyEnv::steps_ = 0;
    const auto config =
        smallConfig("moody_test", {{"env", {{"bad_from", 500}, {"bad_to", 100000}}},
                                   {"run", {{"steps", 5000}, {"threads", 1}}},
                                   {"eval", {{"every_steps", 100000}, {"final_episodes", 0}}}});
    Quiet observer;
    const auto outcome = train(config, observer, files_, clock_);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_NE(outcome.error().text().find("NaN"), std::string::npos);
    const RunDetails run = details(observer.id);
    EXPECT_EQ(run.run.status, RunStatus::failed);
    EXPECT_NE(run.run.status_text.find("NaN"), std::string::npos);
    const auto all = kinds(run);
    EXPECT_EQ(std::count(all.begin(), all.end(), "rolled_back"), 1);
}

class RollbackOfALockedDatabase : public Rollback {
protected:
    RollbackOfALockedDatabase() { MoodyEnv::steps_ = 0; }
    ~RollbackOfALockedDatabase() override { MoodyEnv::on_step_ = nullptr; }

    // The step that fails belongs to the sixth update.
    static TrainingConfig config() {
        return smallConfig("moody_test", {{"env", {{"bad_from", 500}, {"bad_to", 501}}},
                                          {"run", {{"steps", 1500}, {"threads", 1}}},
                                          {"checkpoint", {{"every_s", 0.1}}},
                                          {"eval", {{"every_steps", 100000}, {"final_episodes", 0}}}});
    }
    void lockBeforeTheRollback() {
        MoodyEnv::on_step_ = [this] {
            if (MoodyEnv::steps_ == 500) browser_.lock(folder_);
        };
    }
    void expectRolledBack(RunId id, std::size_t segments) {
        const RunDetails run = details(id);
        EXPECT_EQ(run.segments.size(), segments);
        EXPECT_EQ(run.config["algo"]["learning_rate"], 1.5e-4);
        const auto all = kinds(run);
        EXPECT_EQ(std::count(all.begin(), all.end(), "rolled_back"), 1);
        const auto changes = StoreReader::open(folder_)->settingChanges(id);
        ASSERT_TRUE(changes.has_value());
        EXPECT_EQ(std::count_if(changes->begin(), changes->end(),
                                [](const SettingChange& change) {
                                    return change.key == "algo.learning_rate" &&
                                           change.source == SettingSource::rollback;
                                }),
                  1);
        EXPECT_TRUE(checkDatabase(folder_)->problems.empty());
    }

    Browser browser_;
};

TEST_F(RollbackOfALockedDatabase, WaitsAndAppliesRequestsUntilItIsUnlocked) {
    lockBeforeTheRollback();
    Quiet observer;
    int waited = 0;
    double trained_s = 0;
    observer.on_progress = [&](const ProgressReport& p) {
        if (!browser_.hasLocked() || p.phase != RunPhase::waiting || ++waited < 4) return;
        auto client = ControlClient::connect(controlSocket(folder_, observer.id));
        ASSERT_TRUE(client.has_value()) << client.error().text();
        auto status = client->ask("status");
        ASSERT_TRUE(status.has_value()) << status.error().text();
        trained_s = status->at("status").value("trained_s", 0.0);
        ASSERT_TRUE(client->ask("set", {{"settings", {{"eval.episodes", 7}}}}));
        browser_.unlock();
    };
    const auto outcome = train(config(), observer, files_, clock_);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_EQ(waited, 4);
    EXPECT_TRUE(observer.said(kTrainingWaits));
    EXPECT_EQ(details(observer.id).run.status, RunStatus::finished);
    EXPECT_EQ(details(observer.id).config["eval"]["episodes"], 7);
    EXPECT_LT(trained_s, 2) << "waiting does not count as training";
    expectRolledBack(observer.id, 2);
}

TEST_F(RollbackOfALockedDatabase, EndsAtAStopRequestAndTheResumedRunHasRolledBack) {
    lockBeforeTheRollback();
    Quiet observer;
    observer.on_message = [&](const std::string& text) {
        if (text.find(kTrainingWaits) != std::string::npos) observer.stop.request_stop();
    };
    const auto outcome = train(config(), observer, files_, clock_);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_NE(outcome.error().text().find("They are saved with the weights"), std::string::npos)
        << outcome.error().text();
    EXPECT_TRUE(observer.said(kTrainingWaits));
    EXPECT_FALSE(observer.said("waiting for the database")) << "a stop does not wait";
    browser_.unlock();
    ASSERT_TRUE(catchUpRun(System{&files_, &clock_}, folder_, observer.id));
    EXPECT_LT(details(observer.id).run.progress.steps, 500);
    EXPECT_EQ(details(observer.id).run.status, RunStatus::interrupted);
    expectRolledBack(observer.id, 1);
    Quiet again;
    const auto resumed =
        resumeRun({observer.id, folder_, {}, "", {}}, again, again.stop.get_token(), files_, clock_);
    ASSERT_TRUE(resumed.has_value()) << resumed.error().text();
    EXPECT_EQ(details(observer.id).run.status, RunStatus::finished);
    expectRolledBack(observer.id, 2);
}

// The database is locked after the last rows were saved, when the next segment begins.
TEST_F(RollbackOfALockedDatabase, IsRepeatedIfTheLockCameInBetween) {
    HookedFiles files;
    bool was_locked = false;
    files.before_info = [&](const Path& path) {
        if (path != folder_ || MoodyEnv::steps_ < 500 || std::exchange(was_locked, true)) return;
        browser_.lock(folder_);
    };
    Quiet observer;
    observer.on_message = [&](const std::string& text) {
        if (text.find(kTrainingWaits) != std::string::npos) browser_.unlock();
    };
    const auto outcome = train(config(), observer, files, clock_);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().text();
    EXPECT_TRUE(was_locked);
    EXPECT_TRUE(observer.said(kTrainingWaits));
    EXPECT_EQ(details(observer.id).run.status, RunStatus::finished);
    expectRolledBack(observer.id, 2);
}

}  // namespace
}  // namespace seedbed
