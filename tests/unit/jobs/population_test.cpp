// SPDX-License-Identifier: Apache-2.0
// The controller of a population with scripts instead of members, and scores of members.
#include "core/jobs/population.hpp"

#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "core/jobs/population_member.hpp"
#include "core/jobs/population_rules.hpp"
#include "core/store/population/population_store.hpp"
#include "core/store/run_writer.hpp"
#include "tests/unit/base/must.hpp"
#include "tests/unit/base/temporary_folder.hpp"

namespace seedbed {
namespace {

using testing::must;

class PopulationWork : public ::testing::Test {
protected:
    PopulationWork() : folder_(temporary_.path() / "data"), store_(must(PopulationStore::open(folder_))) {
        PopulationRules rules;
        rules.members = 2;
        rules.steps = 200;
        rules.every = 100;
        rules.mutations = {{.key = "algo.learning_rate", .low = 1e-5, .high = 1e-3, .is_log = true}};
        NewRun run;
        run.env = "cartpole";
        run.algo = "ppo";
        population_ = must(store_.create("", toJson(rules), {run, run}, firstRound(rules))).id;
    }
    // Runs the controller with a script that records its start and then runs `body`.
    Result<> train(const std::string& body, const std::stop_token& stop = {}) {
        const auto file = temporary_.path() / "program";
        std::ofstream(file) << "#!/bin/sh\necho \"$4\" >> " << (temporary_.path() / "starts").string() << "\n"
                            << body << "\n";
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return runPopulation({.data_folder = folder_,
                              .program = file,
                              .population = population_,
                              .report = [this](const std::string& line) { lines_ += line + "\n"; }},
                             stop);
    }
    std::string starts() const {
        std::ifstream file(temporary_.path() / "starts");
        std::string all;
        for (std::string word; file >> word;) all += word;
        return all;
    }

    testing::TemporaryFolder temporary_;
    const std::filesystem::path folder_;
    PopulationStore store_;
    std::int64_t population_ = 0;
    std::string lines_;
};

TEST_F(PopulationWork, AProcessThatIsKilledIsStartedThreeTimes) {
    const auto trained = train("kill -9 $$");
    ASSERT_FALSE(trained);
    EXPECT_NE(trained.error().message.find("all members of population 'population-1' failed in round 1"),
              std::string::npos)
        << trained.error().message;
    EXPECT_EQ(starts(), "111222");
    EXPECT_NE(lines_.find("member 1 is started again"), std::string::npos) << lines_;
    for (const PopulationRound& row : must(store_.rounds(population_))) {
        EXPECT_EQ(row.state, RoundState::failed);
        EXPECT_NE(row.error.find("3 times"), std::string::npos) << row.error;
    }
}

TEST_F(PopulationWork, AnErrorThatIsNotTheMembersStopsWithoutAFailedMember) {
    const auto trained = train("echo 'the disk is full'; exit 1");
    ASSERT_FALSE(trained);
    for (const char* part : {"member 1", "the disk is full", "population resume population-1"})
        EXPECT_NE(trained.error().message.find(part), std::string::npos) << trained.error().message;
    EXPECT_EQ(starts(), "1");
    for (const PopulationRound& row : must(store_.rounds(population_)))
        EXPECT_EQ(row.state, RoundState::training);
}

TEST_F(PopulationWork, AMemberThatWasStoppedStopsThePopulation) {
    const auto trained = train("exit 130");
    ASSERT_FALSE(trained);
    EXPECT_EQ(trained.error().code, ErrorCode::interrupted);
}

TEST_F(PopulationWork, AStopRequestEndsItsProcesses) {
    std::stop_source stop;
    std::jthread stopper([&] {
        while (starts().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        stop.request_stop();
    });
    const auto begin = std::chrono::steady_clock::now();
    const auto trained = train("sleep 1000", stop.get_token());
    ASSERT_FALSE(trained);
    EXPECT_EQ(trained.error().code, ErrorCode::interrupted);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(50)) << "it was not killed late";
    EXPECT_EQ(starts(), "1");
}

TEST_F(PopulationWork, AProcessDoesOnlyTheWorkItWasStartedFor) {
    const auto rows = [&] { return must(store_.rounds(population_)); };
    const MemberTask wrong_round{population_, 1, 2, "training"}, wrong_state{population_, 1, 1, "copying"};
    must(workOnMember(folder_, wrong_round, {}, {}));
    must(workOnMember(folder_, wrong_state, {}, {}));
    for (const PopulationRound& row : rows()) EXPECT_EQ(row.state, RoundState::training);
    // The runs of this test have no checkpoints, so the right work fails.
    must(workOnMember(folder_, {population_, 1, 1, "training"}, {}, {}));
    EXPECT_EQ(rows().front().state, RoundState::failed);
}

TEST_F(PopulationWork, AStopRequestEndsTheWaitForAnotherProcess) {
    const RunLock lock = must(RunLock::acquire(folder_, populationLock(population_, 1)));
    std::stop_source stop;
    stop.request_stop();
    const auto worked = workOnMember(folder_, {population_, 1, 1, "training"}, {}, stop.get_token());
    ASSERT_FALSE(worked);
    EXPECT_EQ(worked.error().code, ErrorCode::interrupted);
}

TEST_F(PopulationWork, HasOneController) {
    const RunLock lock = must(RunLock::acquire(folder_, populationLock(population_, 0)));
    const auto trained = train("exit 0");
    ASSERT_FALSE(trained);
    EXPECT_NE(trained.error().message.find("already being trained"), std::string::npos);
    EXPECT_EQ(starts(), "");
}

TEST_F(PopulationWork, AScoreIsTheMeanOfTheLastQuarterOfTheRound) {
    Store store = must(Store::open(folder_));
    NewRun made;
    made.env = "cartpole";
    made.algo = "ppo";
    const OwnedRun run = must(store.createRun(made));
    must(store.beginSegment(*run.lock, 0, ProcessInfo{}));
    const auto writer = must(RunWriter::open(folder_, *run.lock, {}));
    for (std::int64_t step = 100; step <= 1000; step += 100) {
        const RunWriter::Value values[] = {{"loss/policy", static_cast<double>(step)}, {"odd", NAN}};
        writer->metrics(step, 1.7e9 + static_cast<double>(step), values);
    }
    must(writer->flush());
    StoreReader reader = must(StoreReader::open(folder_));
    const auto score = [&](const char* metric, std::int64_t begin, std::int64_t end) {
        return must(objectiveOf(reader, run.id, metric, begin, end));
    };
    EXPECT_EQ(score("loss/policy", 0, 800), 750) << "700 and 800";
    EXPECT_EQ(score("loss/policy", 600, 1000), 1000);
    EXPECT_EQ(score("loss/policy", 800, 990), 900) << "the newest one in the round";
    EXPECT_EQ(score("loss/policy", 1000, 1100), std::nullopt);
    EXPECT_EQ(score("odd", 0, 1000), std::nullopt);
    EXPECT_EQ(score("eval/return", 0, 1000), std::nullopt) << "not recorded yet";
    const auto unknown = objectiveOf(reader, run.id, "loss/politics", 0, 1000);
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("loss/policy, odd"), std::string::npos) << unknown.error().message;
}

}  // namespace
}  // namespace seedbed
