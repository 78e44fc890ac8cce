// SPDX-License-Identifier: Apache-2.0
// Features of the Algorithm interface that PPO does not use: whole columns with a row ahead, networks that
// are not trained, a network that follows another one, and networks run by prepare(). The algorithm is a
// small actor-critic with V-trace.
#include <algorithm>
#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include "core/algo/policy_terms.hpp"
#include "core/algo/returns.hpp"
#include "tests/unit/learn/toy_world.hpp"

namespace seedbed {
namespace {

using testing::makeLearner;
using testing::metric;
using testing::ToyActor;
using testing::ToyLearner;
using testing::ToyOptions;

class SmallVtrace final : public Algorithm {
public:
    struct Options {
        double learning_rate = 0.01;
        int rollout_length = 16, copy_every = 4;  // optimiser steps; two per update
        double tau = 1;
    };
    SmallVtrace(Options options, const ActionDistribution& distribution)
        : options_(options), policy_(distribution) {}

    std::vector<NetworkDecl> networks() const override {
        const std::vector<HeadSpec> heads{{"policy", "policy", 0, false}, {"value", "value", 1, false}};
        return {{"policy", heads},
                {.name = "target",
                 .heads = heads,
                 .trained = false,
                 .follow = Follow{.of = 0, .tau = options_.tau, .every = options_.copy_every}},
                {.name = "reference", .heads = heads, .trained = false}};
    }
    LearnPlan plan() const override {
        return {.rollout_length = options_.rollout_length,
                .epochs = 1,
                .minibatches = 2,
                .unit = LearnPlan::Unit::columns,
                .rows_ahead = 1};
    }
    std::vector<std::string> metrics() const override {
        return {"loss/policy", "loss/value", "policy/kl_target"};
    }
    double learningRate(const Progress&) const override { return options_.learning_rate; }

    Result<> prepare(Batch& batch, const Progress&, const EvaluateNetwork& evaluate) override {
        batch_steps = batch.steps;
        batch_columns = batch.columns;
        for (std::size_t net = 0; net < 3; ++net) SEEDBED_TRY(evaluate(net, evaluated[net]));
        return {};
    }
    void learn(Step& step) const override;

    std::vector<float> evaluated[3];
    int batch_steps = 0, batch_columns = 0;
    mutable std::atomic<int> chunks{0}, wrong_shape{0};
    mutable std::atomic<float> bootstrap_sum{0};  // sum of the values at row T

private:
    Options options_;
    PolicyEvaluator policy_;
};

void SmallVtrace::learn(Step& step) const {
    const Step::Heads target_heads = step.forward(1, {.part = Step::Part::all}, Keep::nothing);
    const Step::Heads heads = step.forward(0, {.part = Step::Part::all}, Keep::tape);
    const NetIo io{heads.plan, heads.data, step.gradients(0)};
    const Chunk& chunk = step.chunk();
    double* sums = step.sums();
    const int steps = chunk.steps - 1, sequences = chunk.sequences,
              value_word = io.plan->head("value")->begin, stride = io.plan->head_words;
    ++chunks;
    if (steps != options_.rollout_length || heads.rows != static_cast<std::size_t>(chunk.rows()))
        ++wrong_shape;
    const auto rows = static_cast<std::size_t>(chunk.rows()),
               counted = static_cast<std::size_t>(steps * sequences);
    std::vector<float> value(rows), target(rows), advantage(rows), weight(rows + PolicyEvaluator::kRowLanes);
    for (std::size_t row = 0; row < rows; ++row)
        value[row] = io.heads[static_cast<int>(row) * stride + value_word];
    for (std::size_t row = counted; row < rows; ++row) {
        if (chunk.valid[row] != 0) ++wrong_shape;
        bootstrap_sum.fetch_add(value[row]);
    }
    const PolicyTerms terms = policy_.evaluate(chunk, io);
    vtrace({.steps = steps,
            .columns = sequences,
            .reward = chunk.reward,
            .discount = chunk.discount,
            .value = value.data(),
            .last_value = value.data() + counted,
            .valid = chunk.valid,
            .gamma = 0.9},
           terms.log_ratio, {}, target.data(), advantage.data());
    const auto inverse = static_cast<float>(1 / chunk.valid_rows);
    for (std::size_t row = 0; row < counted; ++row) {
        if (chunk.valid[row] == 0) continue;
        // Espeholt et al. 2018, section 4.2: both targets are constants.
        weight[row] = -advantage[row] * inverse;
        const float error = value[row] - target[row];
        io.gradients[static_cast<int>(row) * stride + value_word] += error * inverse;
        sums[0] -= advantage[row] * terms.log_ratio[row];
        sums[1] += 0.5 * error * error;
        sums[2] += std::abs(target_heads.data[static_cast<int>(row) * stride + value_word] - value[row]);
    }
    policy_.addGradients(chunk, io, weight.data(), 0);
    step.backward(0, io.gradients);
}

ToyOptions options(const char* core) {
    ToyOptions toy;
    toy.actions = {{.name = "side", .kind = ActionLeaf::Kind::discrete, .n = 2}};
    toy.network.hidden = {8};
    toy.network.core = core;
    toy.network.core_size = 6;
    toy.network.previous_action = toy.network.previous_reward = std::string(core) != "none";
    toy.reward = [](const float* obs, const float* action) {
        return (obs[1] > 0) == (action[0] == 1) ? 1.0f : -1.0f;
    };
    return toy;
}

struct World {
    ToyOptions toy;
    SmallVtrace* algorithm;
    ToyLearner learner;
    ToyActor actor;
    World(const ToyOptions& o, std::unique_ptr<SmallVtrace> made)
        : toy(o),
          algorithm(made.get()),
          learner(
              makeLearner(o, std::move(made), {.chunk_rows = 34, .lanes = 32, .seed = 1, .optimiser = {}})),
          actor(o, learner.engine) {}
    explicit World(const ToyOptions& o, SmallVtrace::Options settings = {})
        : World(o, std::make_unique<SmallVtrace>(settings, testing::toyDistribution(o))) {}
    UpdateStats update(int threads = 2) {
        WorkerPool pool(threads);
        auto stats = learner.learner->update(actor.rings(), {actor.window(16)}, {}, pool);
        EXPECT_TRUE(stats.has_value()) << (stats ? "" : stats.error().text());
        return stats ? *stats : UpdateStats{};
    }
};

TEST(AlgorithmSeam, ChunksContainTheBootstrapRowOfWholeColumns) {
    for (const char* core : {"none", "lstm"}) {
        World w(options(core), {.learning_rate = 0});
        w.actor.act(w.learner.learner->params(), 32);
        const std::vector<float> last = w.actor.peek(w.learner.learner->params());
        float expected = 0;
        for (std::size_t column = 0; column < 6; ++column) expected += last[column * 3 + 2];
        w.update();
        // Six columns in two minibatches of three; 34 rows are two columns, so there are two chunks each.
        EXPECT_EQ(w.algorithm->chunks, 4) << core;
        EXPECT_EQ(w.algorithm->wrong_shape, 0) << core;
        EXPECT_NEAR(w.algorithm->bootstrap_sum, expected, 1e-5)
            << core << ": the current network evaluates row T";
    }
}

TEST(AlgorithmSeam, PrepareRunsAnyNetworkOverAllRows) {
    for (const char* core : {"none", "gru"}) {
        World w(options(core), {.learning_rate = 0});
        w.actor.act(w.learner.learner->params(), 32);
        const std::vector<float> last = w.actor.peek(w.learner.learner->params());
        w.update();
        EXPECT_EQ(w.algorithm->batch_steps, 16);
        EXPECT_EQ(w.algorithm->batch_columns, 6);
        const std::vector<float>& acting = w.algorithm->evaluated[0];
        ASSERT_EQ(acting.size(), 17u * 6 * 3);
        Ring& ring = w.actor.ring();
        for (std::size_t t = 0; t < 16; ++t)
            for (std::size_t column = 0; column < 6; ++column) {
                EXPECT_EQ(acting[(t * 6 + column) * 3], ring.policy(16 + t)[column * 2]) << core;
                EXPECT_EQ(acting[(t * 6 + column) * 3 + 2], ring.value(16 + t)[column]) << core;
            }
        for (std::size_t i = 0; i < 6 * 3; ++i) EXPECT_EQ(acting[16 * 6 * 3 + i], last[i]) << core;
        EXPECT_NE(w.algorithm->evaluated[1], acting) << "the target network has different parameters";
        EXPECT_EQ(w.algorithm->evaluated[2].size(), acting.size());
    }
}

TEST(AlgorithmSeam, ANetworkFollowsAnotherAfterEveryFewOptimiserSteps) {
    World w(options("none"));
    const std::string target = w.learner.learner->params(1).sha256(),
                      reference = w.learner.learner->params(2).sha256();
    w.actor.act(w.learner.learner->params(), 16);
    w.update();
    EXPECT_EQ(w.learner.learner->params(1).sha256(), target);
    w.actor.act(w.learner.learner->params(), 16);
    EXPECT_GT(metric(w.update(), "policy/kl_target"), 0);
    EXPECT_EQ(w.learner.learner->params(1).sha256(), w.learner.learner->params(0).sha256())
        << "the target network is copied after the second update";
    EXPECT_GT(w.learner.learner->params(1).version(), 0u);
    EXPECT_EQ(w.learner.learner->params(2).sha256(), reference);
}

TEST(AlgorithmSeam, ANetworkThatFollowsSlowlyAveragesTheParameters) {
    World w(options("none"), {.copy_every = 2, .tau = 0.25});
    const Params before = w.learner.learner->params(1);
    w.actor.act(w.learner.learner->params(), 16);
    w.update();
    const Params source = w.learner.learner->params(0), target = w.learner.learner->params(1);
    for (std::size_t i = 0; i < target.blob().size(); ++i)
        ASSERT_FLOAT_EQ(target.blob()[i], before.blob()[i] + 0.25f * (source.blob()[i] - before.blob()[i]))
            << "after the second of two optimiser steps";
}

TEST(AlgorithmSeam, EachNetworkHasItsOwnInitialStreamAndTheFirstOneThatOfASingleNetwork) {
    const auto engine = testing::toyEngine(options("none"), {{"value", "value", 1, false}});
    const std::string only = initialParams(engine->plan(), 3).sha256();
    EXPECT_EQ(initialParams(engine->plan(), 3, 0).sha256(), only);
    EXPECT_NE(initialParams(engine->plan(), 3, 1).sha256(), only);
}

TEST(AlgorithmSeam, LearnsWithMemoryForAnyNumberOfThreads) {
    std::string hash;
    for (int threads : {1, 2, 3}) {
        World w(options("lstm"), {.learning_rate = 0.02});
        double reward = 0;
        for (int i = 0; i < 60; ++i) {
            w.actor.act(w.learner.learner->params(), 16);
            w.update(threads);
            const Window window = w.actor.window(16);
            for (std::uint64_t t = window.t0; t < window.t0 + 16 && i >= 55; ++t)
                for (int column = 0; column < 6; ++column) reward += w.actor.ring().reward(t)[column];
        }
        EXPECT_GT(reward / (5 * 16 * 6), 0.4) << "a random policy gets 0, a perfect one 0.9";
        if (threads == 1) hash = w.learner.learner->params().sha256();
        EXPECT_EQ(w.learner.learner->params().sha256(), hash) << threads << " threads";
    }
}

}  // namespace
}  // namespace seedbed
