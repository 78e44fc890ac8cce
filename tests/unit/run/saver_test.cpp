// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a run whose disk fails: the best state, milestones and the last state are not lost by it.
#include "core/run/run_saver.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "core/checkpoint/checkpoint_store.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/policy/policy_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

// Creating any file of this step fails.
class PickyFiles final : public FileSystem {
public:
    std::string refused;                 // part of a path
    std::function<void()> makes_folder;  // called for each one that is made

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        return real_.open(path, mode);
    }
    Result<std::optional<FileInfo>> info(const Path& path) override { return real_.info(path); }
    Result<std::vector<FileInfo>> list(const Path& folder) override { return real_.list(folder); }
    Result<> rename(const Path& from, const Path& to) override { return real_.rename(from, to); }
    Result<> remove(const Path& path) override { return real_.remove(path); }
    Result<> makeFolder(const Path& path) override {
        if (!refused.empty() && path.string().find(refused) != std::string::npos)
            return fail("refused: " + path.string());
        if (makes_folder) makes_folder();
        return real_.makeFolder(path);
    }
    Result<> syncFolder(const Path& folder) override { return real_.syncFolder(folder); }
    Result<std::uint64_t> freeBytes(const Path& path) override { return real_.freeBytes(path); }

private:
    RealFileSystem real_;
};

class Saver : public testing::PolicyTest {
protected:
    void SetUp() override {
        Store store = must(Store::open(data()));
        NewRun row;
        row.env = "cartpole";
        row.algo = "ppo";
        row.engine = "reference";
        run_ = must(store.createRun(row));
        must(store.beginSegment(*run_.lock, 0, {}));
        writer_ = must(RunWriter::open(data(), *run_.lock));
        saver_ = std::make_unique<RunSaver>(picky_, time_, *writer_, data(), run_.id);
        must(saver_->begin());
        settings_.every_s = 10;
        settings_.time_share = 0;
    }
    RunSaver::Taken save(CheckpointData data, bool now = false) {
        const auto taken =
            saver_->saveIfDue(settings_, now, [&]() -> Result<CheckpointData> { return data; });
        saver_->wait();
        return taken;
    }
    void pass(double seconds) { clock_.advance(static_cast<std::int64_t>(seconds * 1e9)); }
    CheckpointStore folder() { return {real_, data(), run_.id}; }

    RealFileSystem real_;
    PickyFiles picky_;
    ManualClock clock_;
    RunClock time_{clock_};
    OwnedRun run_;
    std::unique_ptr<RunWriter> writer_;
    CheckpointSettings settings_;
    std::unique_ptr<RunSaver> saver_;
};

using Taken = RunSaver::Taken;

TEST_F(Saver, TheBestStateSurvivesADiskThatFails) {
    picky_.refused = "checkpoints";
    saver_->keepBest(checkpoint(100, 9.0));
    EXPECT_EQ(save(checkpoint(100)), Taken::queued);
    EXPECT_TRUE(saver_->isFailing());
    EXPECT_TRUE(saver_->isPending());
    // While the disk fails, the newest state is tried, two seconds apart.
    EXPECT_EQ(save(checkpoint(150)), Taken::nothing);
    pass(3);
    EXPECT_EQ(save(checkpoint(200, 1.0)), Taken::snapshot);
    picky_.refused.clear();
    pass(3);
    EXPECT_EQ(save(checkpoint(300, 1.0)), Taken::snapshot);
    EXPECT_FALSE(saver_->isFailing());
    EXPECT_EQ(save(checkpoint(310)), Taken::queued) << "at once";
    const auto best = must(folder().load("best"));
    EXPECT_EQ(best.info.step, 100);
    EXPECT_EQ(best.info.score, 9.0);
    EXPECT_EQ(must(folder().load()).info.step, 300);
    EXPECT_FALSE(saver_->isPending());
    EXPECT_EQ(save(checkpoint(320)), Taken::nothing);
    must(writer_->flush());
    const auto rows = must(must(StoreReader::open(data())).checkpoints(run_.id));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_TRUE(rows[0].best);
}

TEST_F(Saver, ABetterOneTakesThePlaceOfABestStateThatCouldNotBeSaved) {
    picky_.refused = "checkpoints";
    saver_->keepBest(checkpoint(100, 9.0));
    save(checkpoint(100));
    saver_->keepBest(checkpoint(200, 11.0));
    picky_.refused.clear();
    pass(3);
    EXPECT_EQ(save(checkpoint(210)), Taken::snapshot);
    EXPECT_EQ(save(checkpoint(210)), Taken::queued);
    EXPECT_EQ(save(checkpoint(220)), Taken::nothing);
    EXPECT_EQ(must(folder().load("best")).info.step, 200);
}

TEST_F(Saver, AMilestoneThatCouldNotBeSavedIsMadeUpForByTheNextSnapshot) {
    picky_.refused = "checkpoints";
    CheckpointData milestone = checkpoint(100);
    milestone.milestone = true;
    EXPECT_EQ(save(milestone, true), Taken::snapshot);
    picky_.refused.clear();
    pass(3);
    EXPECT_EQ(save(checkpoint(130)), Taken::snapshot);
    pass(11);
    EXPECT_EQ(save(checkpoint(140)), Taken::snapshot);
    EXPECT_TRUE(must(folder().find("130")).milestone);
    EXPECT_FALSE(must(folder().find("140")).milestone);
}

TEST_F(Saver, AMilestoneIsTheStateOfItsStepHoweverLongItWaits) {
    CheckpointData milestone = checkpoint(100);
    milestone.milestone = true;
    EXPECT_FALSE(saver_->hasQueuedMilestone());
    saver_->keepMilestone(milestone);
    EXPECT_TRUE(saver_->hasQueuedMilestone());
    saver_->keepBest(checkpoint(90, 9.0));
    EXPECT_EQ(save(checkpoint(120)), Taken::queued) << "the best one";
    EXPECT_EQ(save(checkpoint(130)), Taken::queued) << "the milestone";
    EXPECT_FALSE(saver_->hasQueuedMilestone());
    EXPECT_TRUE(must(folder().find("100")).milestone);
    EXPECT_FALSE(must(folder().find("90")).milestone);
}

TEST_F(Saver, ABestStateThatIsAMilestoneStaysOneWhenABetterOneComes) {
    CheckpointData first = checkpoint(100, 9.0);
    first.milestone = true;
    saver_->keepBest(first);
    saver_->keepBest(checkpoint(200, 11.0));
    must(saver_->saveLast(checkpoint(300, 1.0)));
    EXPECT_TRUE(must(folder().find("100")).milestone);
    EXPECT_EQ(must(folder().load("best")).info.step, 200);
    EXPECT_EQ(must(folder().load()).info.step, 300);
}

TEST_F(Saver, TheLastStateIsAlsoTheMilestoneOfItsStep) {
    CheckpointData milestone = checkpoint(300);
    milestone.milestone = true;
    saver_->keepMilestone(milestone);
    must(saver_->saveLast(checkpoint(300)));
    EXPECT_TRUE(must(folder().find("300")).milestone);
    EXPECT_EQ(must(folder().list()).size(), 1u);
}

TEST_F(Saver, WhatWasAskedForIsTheStateNowAndNotTheOneThatWaited) {
    saver_->keepBest(checkpoint(100, 9.0));
    EXPECT_EQ(save(checkpoint(120), true), Taken::queued);
    EXPECT_EQ(save(checkpoint(120), true), Taken::snapshot);
    EXPECT_EQ(must(folder().load()).info.step, 120);
}

// A checkpoint takes 0.7 s, so that one percent of the time would space them 70 s apart: with default
// settings 60 s are the most, however long an update takes.
TEST_F(Saver, ExpensiveCheckpointsAreAtMostSixtySecondsApart) {
    settings_ = CheckpointSettings{};
    ASSERT_EQ(settings_.every_s, 60);
    ASSERT_EQ(settings_.time_share, 0.01);
    picky_.makes_folder = [this] { pass(0.7); };
    std::int64_t step = 100;
    ASSERT_EQ(save(checkpoint(step), true), Taken::snapshot);
    for (const double update : {0.5, 7.0, 25.0}) {
        SCOPED_TRACE(update);
        double since = 0;
        do {
            ASSERT_LE(since, 60);
            pass(update);
            since += update;
        } while (save(checkpoint(++step)) == Taken::nothing);
        EXPECT_LE(since, 60);
        // The time to write one counts, up to half of the distance; the rest is one update before the next
        // opportunity.
        EXPECT_GE(since, 60 - 30 - update) << "the share of the time did not delay it";
    }
}

// The share of the time determines the distance of cheap ones, which is at least a second.
TEST_F(Saver, CheapCheckpointsFollowOneAnotherByTheirShareOfTheTime) {
    settings_ = CheckpointSettings{};
    ASSERT_EQ(save(checkpoint(100), true), Taken::snapshot);
    double since = 0;
    for (std::int64_t step = 101; save(checkpoint(step)) == Taken::nothing; ++step) {
        ASSERT_LE(since, 60);
        EXPECT_TRUE(since < 60);
        pass(0.25);
        since += 0.25;
    }
    EXPECT_GE(since, 1);
}

TEST_F(Saver, OlderMilestonesBecomeSmallerAndTheirRowsSaySo) {
    settings_ = CheckpointSettings{};
    const auto with_windows = [](std::int64_t step) {
        CheckpointData data = checkpoint(step);
        data.milestone = step == 100;
        data.files.push_back({"windows.bin", std::vector<std::uint8_t>(20000, 1)});
        return data;
    };
    for (const std::int64_t step : {100, 200, 300, 400})
        ASSERT_EQ(save(with_windows(step), true), Taken::snapshot);
    must(writer_->flush());
    const auto rows = must(must(StoreReader::open(data())).checkpoints(run_.id));
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_TRUE(rows[0].milestone);
    EXPECT_FALSE(rows[0].removed);
    EXPECT_EQ(rows[0].bytes + 20000, rows[1].bytes);
    EXPECT_EQ(rows[0].bytes, static_cast<std::int64_t>(must(folder().find("100")).bytes));
    EXPECT_EQ(must(folder().load("100")).data.files.size(), must(folder().load("200")).data.files.size() - 1);
}

TEST_F(Saver, TheLastStateIsSavedWhateverHappensToTheBestOne) {
    saver_->keepBest(checkpoint(100, 9.0));
    picky_.refused = ".100.";
    Result<> last = saver_->saveLast(checkpoint(200, 1.0));
    ASSERT_FALSE(last);
    EXPECT_NE(last.error().text().find("the newest state is saved"), std::string::npos)
        << last.error().text();
    EXPECT_NE(last.error().text().find("step 100"), std::string::npos) << last.error().text();
    EXPECT_EQ(must(folder().load()).info.step, 200);

    saver_->keepBest(checkpoint(250, 10.0));
    picky_.refused = ".300.";
    last = saver_->saveLast(checkpoint(300, 1.0));
    ASSERT_FALSE(last);
    EXPECT_EQ(last.error().text().find("the newest state is saved"), std::string::npos)
        << last.error().text();
    EXPECT_EQ(must(folder().load("best")).info.step, 250);

    saver_->keepBest(checkpoint(350, 12.0));
    must(saver_->saveLast(checkpoint(350, 12.0)));
    EXPECT_EQ(must(folder().load("best")).info.step, 350);
}

}  // namespace
}  // namespace seedbed
