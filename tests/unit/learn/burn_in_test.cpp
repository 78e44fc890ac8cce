// SPDX-License-Identifier: Apache-2.0
// Burn-in: the learned rows of a window begin with the state that the actor had there, bit for bit while the
// parameters are those used for acting; every network has its own state; chunks hold enough columns.
#include <atomic>
#include <cstring>

#include <gtest/gtest.h>

#include "core/learn/minibatches.hpp"
#include "tests/unit/learn/toy_world.hpp"

namespace seedbed {
namespace {

using testing::makeLearner;
using testing::ToyActor;
using testing::ToyLearner;
using testing::ToyOptions;

constexpr int kBurnIn = 5, kLearned = 6, kAhead = 2, kSequences = 6;

// Compares the outputs for the learned rows with those stored when acting; never changes a parameter.
class BurnInProbe final : public Algorithm {
public:
    std::vector<NetworkDecl> networks() const override {
        const std::vector<HeadSpec> heads{{"policy", "policy", 0, false}, {"value", "value", 1, false}};
        return {{"policy", heads}, {.name = "other", .heads = heads, .trained = false}};
    }
    LearnPlan plan() const override {
        return {.rollout_length = 4,
                .unit = LearnPlan::Unit::columns,
                .rows_ahead = kAhead,
                .replay = ReplayPlan{.size = 1000,
                                     .batch = kSequences,
                                     .sequence = kLearned,
                                     .burn_in = kBurnIn,
                                     .stride = 4,
                                     .unrolls = true}};
    }
    std::vector<std::string> metrics() const override { return {"none"}; }
    double learningRate(const Progress&) const override { return 0; }
    void learn(Step& step) const override {
        const Chunk& chunk = step.chunk();
        EXPECT_EQ(chunk.burn_in, kBurnIn);
        EXPECT_EQ(chunk.learned, kLearned);
        EXPECT_EQ(chunk.steps, kLearned + kAhead);
        for (const std::size_t net : {std::size_t{1}, std::size_t{0}}) {
            const auto burned = step.forward(net, {.part = Step::Part::burn_in}, Keep::nothing);
            EXPECT_EQ(burned.rows, static_cast<std::size_t>(kBurnIn * chunk.sequences));
            const auto heads =
                step.forward(net, {.part = Step::Part::all}, net == 0 ? Keep::tape : Keep::nothing);
            const auto words = static_cast<std::size_t>(heads.plan->head_words),
                       value = static_cast<std::size_t>(heads.plan->head("value")->begin);
            for (std::size_t row = 0; row < static_cast<std::size_t>(chunk.rows()); ++row) {
                if (chunk.valid[row] == 0) continue;
                ++compared;
                if (heads.data[row * words + value] == chunk.value[row]) ++equal[net];
            }
        }
        step.backward(0, step.gradients(0));
    }
    mutable std::atomic<int> compared{0};
    mutable std::atomic<int> equal[2]{};
};

struct World {
    ToyOptions toy;
    BurnInProbe* probe;
    ToyLearner learner;
    ToyActor actor;

    explicit World(const char* core)
        : World(
              [core] {
                  ToyOptions options;
                  options.network.hidden = {8};
                  options.network.core = core;
                  options.network.core_size = 6;
                  options.network.previous_action = options.network.previous_reward = true;
                  return options;
              }(),
              std::make_unique<BurnInProbe>()) {}
    World(const ToyOptions& options, std::unique_ptr<BurnInProbe> made)
        : toy(options),
          probe(made.get()),
          learner(makeLearner(options, std::move(made), {.chunk_rows = 12, .optimiser = {}})),
          actor(options, learner.engine) {}

    // Learns from the windows that begin at rows 4 to 24 of every column.
    void update(int threads = 1) {
        WorkerPool pool(threads);
        std::vector<Window> windows;
        const int length = probe->plan().windowRows();
        for (std::uint64_t t0 = 4; t0 <= 24; t0 += 4)
            for (int column = 0; column < toy.columns; ++column)
                windows.push_back({.group = 0, .t0 = t0, .length = length, .column = column, .columns = 1});
        const auto stats = learner.learner->update(actor.rings(), windows, {}, pool);
        ASSERT_TRUE(stats.has_value()) << stats.error().text();
    }
};

TEST(BurnIn, LearnedRowsBeginWithTheStateOfTheActor) {
    for (const char* core : {"lstm", "gru"}) {
        World w(core);
        w.actor.act(w.learner.learner->params(), 48);
        w.update();
        EXPECT_GT(w.probe->compared, 2 * 36 * 4) << core;
        EXPECT_EQ(w.probe->equal[0] * 2, w.probe->compared) << core << ": bit for bit";
        EXPECT_LT(w.probe->equal[1] * 8, w.probe->compared) << "a network with other parameters";
    }
}

// The comparison above detects a state from another row.
TEST(BurnIn, AStateFromAnotherRowGivesOtherValues) {
    World w("lstm");
    w.actor.act(w.learner.learner->params(), 48);
    Ring& ring = w.actor.ring();
    const std::size_t bytes =
        static_cast<std::size_t>(ring.columns() * ring.spec().state_words) * sizeof(float);
    for (std::uint64_t t = 4; t <= 24; t += 4) std::memcpy(ring.state(t), ring.state(t + 4), bytes);
    w.update();
    EXPECT_LT(w.probe->equal[0] * 2, w.probe->compared * 9 / 10);
}

TEST(Minibatches, ARecurrentReplayChunkHoldsAtLeastSixteenColumns) {
    const auto chunks = [](int columns, int chunk_rows) {
        BurnInProbe probe;
        CutOptions options = cutOptions(probe.plan(), true, {.chunk_rows = chunk_rows});
        options.chunk_rows = chunk_rows;
        const Minibatches division(options);
        const int steps = kBurnIn + kLearned + kAhead;
        const std::size_t rows = division.rowsPerChunk(kLearned, columns);
        EXPECT_EQ(rows % steps, 0u);
        return static_cast<int>(rows) / steps;
    };
    EXPECT_EQ(chunks(64, 12), 16);
    EXPECT_EQ(chunks(24, 12), 24) << "two chunks would have twelve";
    EXPECT_EQ(chunks(40, 12), 20);
    EXPECT_EQ(chunks(8, 12), 8);
    EXPECT_EQ(chunks(64, 40 * kLearned), 32) << "two nearly equal chunks of at most 40";
    EXPECT_EQ(chunks(64, 1000), 64);
}

TEST(Minibatches, AReplayBatchHasTwoChunksOfAtLeastSixteenRows) {
    const auto rows = [](int batch, int sequence, int chunk_rows) {
        LearnPlan plan{.rollout_length = 8, .replay = ReplayPlan{.batch = batch, .sequence = sequence}};
        return cutOptions(plan, false, {.chunk_rows = chunk_rows}).chunk_rows;
    };
    EXPECT_EQ(rows(256, 1, 512), 128);
    EXPECT_EQ(rows(256, 1, 100), 100) << "the setting is smaller";
    EXPECT_EQ(rows(65, 1, 128), 33);
    EXPECT_EQ(rows(24, 1, 128), 16);
    EXPECT_EQ(rows(16, 5, 128), 40) << "sequences count with all their rows";
    EXPECT_EQ(rows(16, 1, 8), 8);
    EXPECT_EQ(cutOptions({.rollout_length = 8}, false, {.chunk_rows = 512}).chunk_rows, 512) << "no replay";
}

TEST(Minibatches, AChunkIsNoLargerThanItsMinibatchOrBatch) {
    BurnInProbe probe;
    const auto most = [&](bool columns, int minibatches, int count) {
        CutOptions options = cutOptions(probe.plan(), false, {.chunk_rows = 128});
        options.chunk_rows = 128;
        options.columns = columns;
        options.minibatches = minibatches;
        const Minibatches cut(options);
        return std::pair(cut.rowsPerChunk(kLearned, count), cut.mostChunks(kLearned, count));
    };
    const std::size_t steps = kBurnIn + kLearned + kAhead;
    EXPECT_EQ(most(true, 1, 2), std::pair(2 * steps, std::size_t{1})) << "a small batch of a replay";
    EXPECT_EQ(most(true, 2, 5), std::pair(3 * steps, std::size_t{1}));
    EXPECT_EQ(most(true, 1, 64), std::pair(16 * steps, std::size_t{4})) << "at most 128 / 6 columns";
    EXPECT_EQ(most(false, 4, 8), std::pair(std::size_t{8 * kLearned}, std::size_t{1})) << "a batch";
    EXPECT_EQ(most(false, 1, 4096), std::pair(std::size_t{128}, std::size_t{192}));
}

}  // namespace
}  // namespace seedbed
