// SPDX-License-Identifier: Apache-2.0
// Checkpoints: completeness, names, retention, moves after a rollback, and the saving thread.
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/checkpoint/checkpoint_store.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <new>
#include <thread>

#include <unistd.h>

#include "core/base/sha256.hpp"
#include "core/checkpoint/checkpoint_writer.hpp"
#include "tests/unit/policy/policy_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;
using Steps = std::vector<std::int64_t>;

class Checkpoints : public testing::PolicyTest {};
class CheckpointNames : public testing::PolicyTest {};
class CheckpointThread : public testing::PolicyTest {};
class Policies : public testing::PolicyTest {};

TEST_F(Checkpoints, SavedStateIsLoaded) {
    CheckpointData data = checkpoint(1000, 12.5);
    data.milestone = true;
    RealFileSystem real;
    const CheckpointInfo info = must(store(real).save(data));
    EXPECT_EQ(info.folder, folderOf("1000"));
    EXPECT_EQ(info.params_sha256, data.networks[0].params.sha256());
    const LoadedCheckpoint loaded = must(store(real).load());
    expectSame(loaded.data, data);
    EXPECT_EQ(loaded.info.score, 12.5);
    EXPECT_EQ(loaded.info.bytes, info.bytes);
    EXPECT_TRUE(loaded.info.milestone);
    EXPECT_TRUE(loaded.notices.empty());
    EXPECT_EQ(names(), std::vector<std::string>{"1000"});
}

TEST_F(Checkpoints, EveryFileIsOnDiskBeforeTheNameAppearsAndThenTheName) {
    must(store().save(checkpoint(1)));
    files_.log.clear();
    must(store().save(checkpoint(2)));
    ASSERT_EQ(files_.log.size(), 8u);
    EXPECT_TRUE(files_.log[5].starts_with("sync folder .2.")) << files_.log[5];
    files_.log.erase(files_.log.begin() + 5);
    EXPECT_EQ(files_.log, (std::vector<std::string>{"sync policy.json", "sync params.safetensors",
                                                    "sync optimiser.bin", "sync state.bin",
                                                    "sync manifest.json", "rename to 2", "sync folder 3"}));
}

TEST_F(Checkpoints, TheNewestIsDeterminedByItsStepNotItsName) {
    for (const std::int64_t step : {0, 900, 1000, 20}) must(store().save(checkpoint(step)));
    EXPECT_EQ(steps(), (Steps{0, 20, 900, 1000}));
    EXPECT_EQ(must(store().load()).info.step, 1000);
    EXPECT_EQ(must(store().load("900")).info.step, 900);
    EXPECT_EQ(must(store().find("0")).step, 0);
}

TEST_F(Checkpoints, ThreeGenerationsTheBestAndMilestonesAreKept) {
    Steps removed;
    for (std::int64_t step = 0; step < 10; ++step) {
        CheckpointData data = checkpoint(step, step == 2 ? 9.0 : 1.0);
        data.milestone = step == 4;
        must(store().save(data));
        if (step == 2) must(store().markBest(2, 9.0));
        for (const std::int64_t gone : must(store().prune())) removed.push_back(gone);
    }
    EXPECT_EQ(steps(), (Steps{2, 4, 7, 8, 9}));
    EXPECT_EQ(removed, (Steps{0, 1, 3, 5, 6}));
    const auto best = must(store().load("best"));
    EXPECT_EQ(best.info.step, 2);
    EXPECT_TRUE(best.info.best);
    EXPECT_FALSE(must(store().load()).info.best);
}

TEST_F(Checkpoints, WithoutAMarkTheBestHasTheHighestScore) {
    must(store().save(checkpoint(1)));
    EXPECT_EQ(store().load("best").error().code, ErrorCode::config);
    must(store().save(checkpoint(2, 5.0)));
    must(store().save(checkpoint(3, 4.0)));
    EXPECT_EQ(must(store().load("best")).info.step, 2);
    must(store().markBest(3, 6.0));
    EXPECT_EQ(must(store().find("best")).score, 6.0);
    overwrite(folderOf("best.json"), "{broken");
    EXPECT_EQ(must(store().load("best")).info.step, 2);
}

TEST_F(Checkpoints, ASecondOneOfTheSameStepReplacesTheFirst) {
    CheckpointData first = checkpoint(50);
    first.milestone = true;
    must(store().save(first));
    CheckpointData second = checkpoint(50);
    second.info = {{"note", "second"}};
    must(store().save(second));
    EXPECT_EQ(steps(), Steps{50});
    EXPECT_EQ(names().size(), 1u);
    const auto loaded = must(store().load("50"));
    EXPECT_EQ(loaded.data.info, second.info);
    EXPECT_TRUE(loaded.info.milestone);
}

TEST_F(Checkpoints, NewerOnesAreMovedAsideUntilTheResumePassesThem) {
    for (const std::int64_t step : {10, 20, 30}) must(store().save(checkpoint(step)));
    must(store().supersedeAfter(10));
    EXPECT_EQ(steps(), Steps{10});
    EXPECT_EQ(must(store().load()).info.step, 10);
    EXPECT_FALSE(store().load("20"));
    must(store().save(checkpoint(20)));
    must(store().prune());
    EXPECT_EQ(names(), (std::vector<std::string>{"10", "20", "20.superseded", "30.superseded"}));
    must(store().supersedeAfter(10));
    for (const std::int64_t step : {25, 31}) must(store().save(checkpoint(step)));
    must(store().prune());
    EXPECT_EQ(names(), (std::vector<std::string>{"10", "25", "31"}));
}

TEST_F(Checkpoints, AFailedResumeRestoresTheNewerOnes) {
    for (const std::int64_t step : {10, 20, 30}) must(store().save(checkpoint(step)));
    const auto aside = must(store().supersedeAfter(10));
    EXPECT_EQ(aside, (std::vector<std::string>{"20", "30"}));
    must(store().restoreSuperseded(aside));
    EXPECT_EQ(steps(), (Steps{10, 20, 30}));
    // If only some of the renames succeed, they are reverted immediately.
    testing::FailingFiles failing;
    for (int n = 1;; ++n) {
        failing.failAt(n, false);
        const auto put = store(failing).supersedeAfter(10);
        if (failing.count() < n) break;
        if (put) must(store().restoreSuperseded(*put));
        ASSERT_EQ(steps(), (Steps{10, 20, 30})) << n;
    }
}

TEST_F(Checkpoints, AMarkRefersToParametersNotToTheStep) {
    must(store().save(checkpoint(10, 5.0)));
    must(store().save(checkpoint(20, 9.0)));
    must(store().markBest(20, 9.0));
    EXPECT_EQ(must(store().find("best")).step, 20);
    // The run rolls back, learns something else, and reaches the same step again.
    must(store().supersedeAfter(10));
    CheckpointData other = checkpoint(20, 2.0);
    other.networks = {network("policy", 999)};
    must(store().save(other));
    EXPECT_EQ(must(store().find("best")).step, 10);
    EXPECT_EQ(must(store().find("20")).score, 2.0);
    for (const std::int64_t step : {30, 40, 50}) must(store().save(checkpoint(step, 1.0)));
    must(store().prune());
    EXPECT_EQ(steps(), (Steps{10, 30, 40, 50}));
}

TEST_F(Checkpoints, OneOfANewerVersionIsNeitherDamagedNorRemoved) {
    for (const std::int64_t step : {10, 20}) must(store().save(checkpoint(step)));
    const Path manifest = folderOf("20") / "manifest.json";
    Json json = Json::parse(read(manifest));
    json.erase("sha256");
    json["version"] = 99;
    json["sha256"] = sha256Hex(json.dump(2) + "\n");
    overwrite(manifest, json.dump(2) + "\n");
    const auto loaded = store().load();
    ASSERT_FALSE(loaded);
    EXPECT_NE(loaded.error().text().find("newer version"), std::string::npos) << loaded.error().text();
    EXPECT_FALSE(store().loadPolicy());
    EXPECT_EQ(must(store().load("10")).info.step, 10);
    for (const std::int64_t step : {30, 40, 50, 60}) must(store().save(checkpoint(step)));
    EXPECT_FALSE(store().prune());
    EXPECT_TRUE(must(files_.info(folderOf("20"))));
}

TEST_F(Checkpoints, CopyingNeedsNoMemoryForAnyManifest) {
    must(store().save(checkpoint(10)));
    must(copyCheckpoint(files_, folderOf("10"), folderOf("77")));
    expectSame(must(loadCheckpoint(files_, folderOf("77"))).data, checkpoint(10));
    // A sparse file of one tebibyte, and a matching manifest.
    const Path manifest = folderOf("10") / "manifest.json", state = folderOf("10") / "state.bin";
    ASSERT_EQ(::truncate(state.c_str(), std::int64_t{1} << 40), 0);
    Json json = Json::parse(read(manifest));
    json.erase("sha256");
    for (Json& file : json["files"])
        if (file["name"] == "state.bin") file["bytes"] = std::uint64_t{1} << 40;
    json["sha256"] = sha256Hex(json.dump(2) + "\n");
    overwrite(manifest, json.dump(2) + "\n");
    EXPECT_EQ(loadCheckpoint(files_, folderOf("10")).error().code, ErrorCode::out_of_memory);
    testing::FailingFiles small;
    small.free_bytes = std::uint64_t{1} << 30;
    const auto copied = copyCheckpoint(small, folderOf("10"), folderOf("78"));
    ASSERT_FALSE(copied);
    EXPECT_EQ(copied.error().code, ErrorCode::disk_full);
}

TEST_F(Checkpoints, LeftoversOfACrashAreRemovedAtTheNextStart) {
    must(store().clean());
    must(store().save(checkpoint(1)));
    // A leftover from a process that has exited.
    const Path half = folderOf(".2.999999999-5-0.tmp");
    must(files_.makeFolder(half));
    must(writeFileAtomically(files_, half / "policy.json", "{}"));
    EXPECT_EQ(steps(), Steps{1});
    must(store().clean());
    EXPECT_EQ(names(), std::vector<std::string>{"1"});
}

TEST_F(Checkpoints, ARunWithoutCheckpointsIsReported) {
    EXPECT_TRUE(must(store().list()).empty());
    EXPECT_NE(store().load().error().message.find("run 3 has no checkpoint"), std::string::npos);
    must(store().save(checkpoint(7)));
    EXPECT_NE(store().load("8").error().message.find("existing steps: 7"), std::string::npos);
    EXPECT_FALSE(store().load("newish"));
}

TEST_F(Checkpoints, ParametersThatDoNotMatchTheirNetworkAreNotSaved) {
    CheckpointData data = checkpoint(1);
    data.networks[1].params = Params(std::vector<float>(7), 1);
    EXPECT_FALSE(store().save(data));
    data = checkpoint(1);
    data.networks[1].name = "policy";
    EXPECT_FALSE(store().save(data));
    data.networks[1].name = "../x";
    EXPECT_FALSE(store().save(data));
    EXPECT_FALSE(
        std::filesystem::exists(checkpointsFolder(this->data(), 3)));  // not even a folder for the run
}

TEST_F(CheckpointNames, PathsRunsAndSelectorsAreDistinguished) {
    const auto parsed = [&](const char* text) { return must(parseCheckpointName(files_, text)); };
    EXPECT_EQ(parsed("3").run, "3");
    EXPECT_EQ(parsed("pole:best").run, "pole");
    EXPECT_EQ(parsed("pole:best").selector, "best");
    EXPECT_EQ(parsed("pole:1000").selector, "1000");
    EXPECT_EQ(parsed("./pole").folder, "./pole");
    EXPECT_EQ(parsed("a/b:best").folder, "a/b:best");
    for (const char* text : {"", "3:worst", ":best", "3:"})
        EXPECT_FALSE(parseCheckpointName(files_, text)) << text;
}

TEST_F(CheckpointNames, ResolveToTheirCheckpoints) {
    for (const std::int64_t step : {10, 20}) must(store().save(checkpoint(step, -static_cast<double>(step))));
    const RunResolver resolve = [](std::string_view name) -> Result<std::int64_t> {
        if (name == "pole" || name == "3") return 3;
        return fail(ErrorCode::config, "there is no such run");
    };
    const auto step = [&](const std::string& text) {
        return must(loadCheckpoint(files_, data(), text, resolve)).info.step;
    };
    EXPECT_EQ(step("3"), 20);
    EXPECT_EQ(step("pole:best"), 10);
    EXPECT_EQ(step("pole:20"), 20);
    EXPECT_EQ(step(folderOf("10").string()), 10);
    EXPECT_EQ(loadCheckpoint(files_, data(), "4", resolve).error().code, ErrorCode::config);
    const LoadedPolicy policy = must(loadPolicy(files_, data(), "pole:best", resolve));
    EXPECT_EQ(policy.info.step, 10);
    EXPECT_EQ(policy.bundle.network.name, "policy");
    EXPECT_EQ(policy.bundle.network.params.sha256(), policy.info.params_sha256);
    EXPECT_TRUE(policy.bundle.squash);
}

TEST_F(Policies, AnExportedFolderIsLoadedByItsPath) {
    must(makeFolders(files_, data()));
    PolicyBundle bundle{network("policy", 5), true, {0.25f, 2}, {}};
    bundle.provenance.env = "cartpole", bundle.provenance.steps = 77,
    bundle.provenance.evaluation = {{"mean", 500}};
    const Path folder = data() / "exported";
    must(savePolicy(files_, folder, bundle));
    EXPECT_FALSE(savePolicy(files_, folder, bundle));
    const PolicyBundle loaded = must(loadPolicy(files_, folder));
    EXPECT_EQ(loaded.network.spec, bundle.network.spec);
    EXPECT_EQ(loaded.network.params.sha256(), bundle.network.params.sha256());
    EXPECT_EQ(loaded.provenance, bundle.provenance);
    EXPECT_EQ(loaded.reward, bundle.reward);
    const LoadedPolicy named = must(loadPolicy(files_, data(), folder.string(), {}));
    EXPECT_EQ(named.info.step, 77);
    // A run does not accept it as a checkpoint.
    EXPECT_FALSE(loadCheckpoint(files_, folder));
}

TEST_F(CheckpointThread, TheCallerContinuesWhileOneIsInFlight) {
    std::atomic<int> saved{0};
    std::atomic<bool> hold{true};
    CheckpointWriter writer(store(), Retention{},
                            [&](const Result<CheckpointSaved>& result, const CheckpointJob&) {
                                saved += result.has_value();
                                while (hold) std::this_thread::yield();
                            });
    EXPECT_TRUE(writer.trySubmit(checkpoint(1)));
    EXPECT_TRUE(writer.busy());
    EXPECT_FALSE(writer.trySubmit(checkpoint(2)));
    hold = false;
    const CheckpointSaved last = must(writer.saveNow(checkpoint(3, 8.0), true));
    EXPECT_EQ(last.info.step, 3);
    EXPECT_TRUE(last.info.best);
    EXPECT_GT(last.seconds, 0);
    writer.wait();
    EXPECT_FALSE(writer.busy());
    EXPECT_EQ(saved, 2);
    EXPECT_EQ(steps(), (Steps{1, 3}));
    EXPECT_EQ(must(store().find("best")).step, 3);
}

TEST_F(CheckpointThread, AFailureIsReportedAndTheNextOneIsSaved) {
    testing::FailingFiles failing;
    int failures = 0;
    CheckpointWriter writer(store(failing), Retention{},
                            [&](const Result<CheckpointSaved>& result, const CheckpointJob&) {
                                failures += !result.has_value();
                            });
    must(writer.saveNow(checkpoint(1)));
    failing.free_bytes = 10;
    const auto full = writer.saveNow(checkpoint(2));
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, ErrorCode::disk_full);
    EXPECT_EQ(names(), std::vector<std::string>{"1"});
    failing.free_bytes.reset();
    must(writer.saveNow(checkpoint(2)));
    writer.wait();
    EXPECT_EQ(failures, 1);
    EXPECT_EQ(steps(), (Steps{1, 2}));
}

TEST_F(CheckpointThread, OutOfMemoryIsAFailureAndReturnsTheSnapshot) {
    int before = 0, recorded = 0;
    std::vector<std::int64_t> returned;
    CheckpointWriter writer(
        store(), Retention{},
        [&](const Result<CheckpointSaved>& result, CheckpointJob job) {
            if (!result) returned.push_back(job.data.step);
            if (++recorded == 2) throw std::bad_alloc();
        },
        [&](CheckpointData& data) {
            if (++before == 1) throw std::bad_alloc();
            data.files.push_back({"rows.bin", {1, 2, 3}});
        });
    const auto first = writer.saveNow(checkpoint(1), true);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code, ErrorCode::out_of_memory);
    EXPECT_EQ(returned, Steps{1});
    EXPECT_TRUE(writer.saveNow(checkpoint(2)));
    EXPECT_TRUE(writer.trySubmit(checkpoint(3)));
    writer.wait();
    EXPECT_FALSE(writer.busy());
    EXPECT_EQ(steps(), (Steps{2, 3}));
    EXPECT_EQ(must(store().load("3")).data.files.back().name, "rows.bin");
}

TEST_F(CheckpointThread, TheOneInFlightIsFinishedBeforeTheWriterExits) {
    {
        CheckpointWriter writer(store(), Retention{}, {});
        EXPECT_TRUE(writer.trySubmit(checkpoint(5)));
    }
    EXPECT_EQ(steps(), Steps{5});
}

}  // namespace
}  // namespace seedbed
