// SPDX-License-Identifier: Apache-2.0
// Populations in the database: members, rounds that are decided once, results that are recorded once.
#include "core/store/population/population_store.hpp"

#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

class PopulationStoreTest : public testing::StoreTest {
protected:
    PopulationStore open() const { return must(PopulationStore::open(folder())); }
    static std::vector<PopulationRound> round(std::int64_t number, int members,
                                              RoundState state = RoundState::training) {
        std::vector<PopulationRound> rows;
        for (int member = 1; member <= members; ++member)
            rows.push_back({.round = number,
                            .member = member,
                            .parent = member,
                            .parent_step = 100 * (number - 1),
                            .settings = {{"algo.learning_rate", 0.001 * member}},
                            .state = state});
        return rows;
    }
    static Result<PopulationRecord> create(PopulationStore& store, const std::string& name = "") {
        return store.create(name, {{"every", 100}}, {cartpole(), cartpole()}, round(1, 2));
    }
};

TEST_F(PopulationStoreTest, CreatesItsRunsWithIt) {
    PopulationStore store = open();
    const PopulationRecord made = must(create(store));
    EXPECT_EQ(made.name, "population-1");
    ASSERT_EQ(made.runs.size(), 2U);
    const PopulationRecord found = must(open().population("1"));
    EXPECT_EQ(found.name, made.name);
    EXPECT_EQ(found.runs, made.runs);
    EXPECT_EQ(found.settings, (Json{{"every", 100}}));
    EXPECT_GT(found.created, 1e9);
    const RunRecord run = must(reader().run(made.runs[1]));
    EXPECT_EQ(run.name, "population-1-2");
    EXPECT_EQ(run.status, RunStatus::queued);
    EXPECT_EQ(run.tags, std::vector<std::string>{"population-1"});
    EXPECT_TRUE(must(reader().queue()).entries.empty()) << "the queue does not start members";
    EXPECT_EQ(must(create(store)).name, "population-2");
}

TEST_F(PopulationStoreTest, ATakenNameChangesNothing) {
    PopulationStore store = open();
    must(create(store, "swarm"));
    EXPECT_FALSE(create(store, "swarm"));
    EXPECT_FALSE(create(store, "a/b"));
    {
        Store runs = must(Store::open(folder()));
        must(runs.edit(must(runs.createRun(cartpole("other-2"))).id, RunEdit{}));
    }
    const auto refused = create(store, "other");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("other-2"), std::string::npos);
    EXPECT_EQ(must(store.populations()).size(), 1U);
    EXPECT_EQ(must(reader().runs()).size(), 3U);
    const auto missing = store.population("swarms");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "there is no population 'swarms'; populations: swarm");
}

TEST_F(PopulationStoreTest, ARoundIsDecidedOnce) {
    PopulationStore store = open();
    const std::int64_t id = must(create(store)).id;
    std::vector<PopulationRound> next = round(2, 2);
    next[1].parent = 1;
    next[1].state = RoundState::copying;
    EXPECT_TRUE(must(store.addRound(id, next)));
    EXPECT_FALSE(must(open().addRound(id, round(2, 2))));
    const auto rows = must(open().rounds(id));
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[3].round, 2);
    EXPECT_EQ(rows[3].parent, 1);
    EXPECT_EQ(rows[3].parent_step, 100);
    EXPECT_EQ(rows[3].state, RoundState::copying);
    EXPECT_EQ(rows[3].settings, (Json{{"algo.learning_rate", 0.002}}));
}

TEST_F(PopulationStoreTest, StatesOnlyMoveForward) {
    PopulationStore store = open();
    const std::int64_t id = must(create(store)).id;
    must(store.addRound(id, round(2, 2, RoundState::copying)));
    PopulationRound result = must(store.rounds(id))[2];
    result.end_step = 205;
    result.score = 17.5;
    result.settings = {{"algo.learning_rate", 0.0005}};
    must(store.setDone(id, result));
    EXPECT_EQ(must(store.rounds(id))[2].state, RoundState::copying) << "it has not been copied";
    must(store.setCopied(id, 2, 1));
    EXPECT_EQ(must(store.rounds(id))[2].state, RoundState::training);
    must(store.setDone(id, result));
    result.score = 3;
    must(store.setDone(id, result));
    must(store.setFailed(id, 2, 1, "too late"));
    must(store.setFailed(id, 2, 2, "no memory"));
    const auto rows = must(open().rounds(id));
    EXPECT_EQ(rows[2].state, RoundState::done);
    EXPECT_EQ(rows[2].score, 17.5) << "recorded once";
    EXPECT_EQ(rows[2].end_step, 205);
    EXPECT_EQ(rows[2].settings, result.settings);
    EXPECT_EQ(rows[2].error, "");
    EXPECT_EQ(rows[3].state, RoundState::failed);
    EXPECT_EQ(rows[3].error, "no memory");
    EXPECT_FALSE(rows[3].score);
}

}  // namespace
}  // namespace seedbed
