// SPDX-License-Identifier: Apache-2.0
// The learner on the reference engine: the same bits for any number of threads and after a restore, correct
// gradients, and ignored invalid rows.
#include "core/learn/learner.hpp"

#include <atomic>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "core/learn/learner_bytes.hpp"
#include "core/rollout/gather.hpp"
#include "tests/unit/base/allocation_count.hpp"
#include "tests/unit/learn/toy_world.hpp"

namespace seedbed {
namespace {

using testing::makeLearner;
using testing::metric;
using testing::ToyActor;
using testing::ToyLearner;
using testing::ToyOptions;
using testing::toyPpo;

NetworkParams smallNetwork() {
    NetworkParams network;
    network.hidden = {8};
    return network;
}

// One update on the actor's newest rows.
UpdateStats update(Learner& learner, ToyActor& actor, int length, WorkerPool& pool, std::uint64_t steps = 0) {
    auto stats = learner.update(actor.rings(), {actor.window(length)}, {.steps = steps, .updates = 0}, pool);
    EXPECT_TRUE(stats.has_value()) << (stats ? "" : stats.error().text());
    return stats ? *stats : UpdateStats{};
}

// Repeatedly acts with the newest parameters and learns; returns the hash of the final parameters.
std::string trainHash(const ToyOptions& options, const Json& params, const LearnerOptions& learner_options,
                      int threads, int updates) {
    ToyLearner toy = makeLearner(options, toyPpo(options, params), learner_options);
    ToyActor actor(options, toy.engine);
    WorkerPool pool(threads);
    for (int i = 0; i < updates; ++i) {
        actor.act(toy.learner->params(), 16);
        EXPECT_TRUE(update(*toy.learner, actor, 16, pool, static_cast<std::uint64_t>(i) * 96).stepped);
    }
    return toy.learner->params().sha256();
}

TEST(Learner, ResultDoesNotDependOnThreads) {
    // 96 rows in two minibatches of three chunks, which share two lanes.
    const LearnerOptions learner{.chunk_rows = 16, .lanes = 2, .seed = 3, .optimiser = {}};
    ToyOptions feed_forward{.network = smallNetwork()};
    ToyOptions recurrent{.network = smallNetwork()};
    recurrent.network.core = "lstm";
    recurrent.network.core_size = 5;
    recurrent.network.previous_action = true;
    ToyOptions normalised{
        .actions = {{.name = "box", .kind = ActionLeaf::Kind::box, .n = 0, .low = {-1, -1}, .high = {1, 1}}},
        .network = smallNetwork()};
    normalised.network.normalise_obs = true;
    const Json params = {{"minibatches", 2},
                         {"epochs", 2},
                         {"lr_schedule", "linear"},
                         {"lr_horizon", 2000},
                         {"entropy_cost", 0.01}};
    for (const ToyOptions& options : {feed_forward, recurrent, normalised}) {
        const std::string one = trainHash(options, params, learner, 1, 6);
        for (int threads : {2, 3, 4})
            EXPECT_EQ(trainHash(options, params, learner, threads, 6), one) << threads << " threads";
        LearnerOptions other = learner;
        other.seed = 4;
        EXPECT_NE(trainHash(options, params, other, 1, 6), one)
            << "a different seed gives different permutations";
    }
}

// PPO that checks its first minibatch: the learner's forward pass must reproduce the values recorded by the
// actor.
class Onlooker final : public Algorithm {
public:
    Onlooker(std::unique_ptr<Algorithm> ppo, ActionDistribution distribution)
        : ppo_(std::move(ppo)), distribution_(std::move(distribution)) {}
    std::vector<NetworkDecl> networks() const override { return ppo_->networks(); }
    LearnPlan plan() const override { return ppo_->plan(); }
    std::vector<std::string> metrics() const override { return ppo_->metrics(); }
    double learningRate(const Progress& progress) const override { return ppo_->learningRate(progress); }
    Result<> prepare(Batch& batch, const Progress& progress, const EvaluateNetwork& evaluate) override {
        first_minibatch_ = true;
        last_value_ = batch.last_value;
        return ppo_->prepare(batch, progress, evaluate);
    }
    void learn(Step& step) const override {
        if (first_minibatch_) compare(step.chunk(), step.forward(0, {}, Keep::nothing));
        ppo_->learn(step);
    }
    bool minibatchDone(std::span<const double> sums, double valid_rows) override {
        first_minibatch_ = false;
        return ppo_->minibatchDone(sums, valid_rows);
    }

    mutable std::atomic<int> equal{0}, different{0};
    std::vector<float> last_value_;

private:
    void compare(const Chunk& chunk, const Step::Heads& io) const {
        const PlanHead &policy = *io.plan->head("policy"), &value = *io.plan->head("value");
        std::vector<float> now(static_cast<std::size_t>(chunk.rows())), row_params;
        for (int row = 0; row < chunk.rows(); ++row) {
            if (chunk.valid[row] == 0) continue;
            const float* heads = io.data + row * io.plan->head_words;
            float log_prob = 0;
            distribution_.logProb(
                1, heads + policy.begin,
                chunk.mask == nullptr ? nullptr : chunk.mask + row * distribution_.spaces().maskBytes(),
                chunk.action + row * distribution_.spaces().actionWords(), &log_prob);
            const bool same = std::memcmp(heads + policy.begin, chunk.policy + row * policy.width,
                                          static_cast<std::size_t>(policy.width) * sizeof(float)) == 0 &&
                              heads[value.begin] == chunk.value[row] && log_prob == chunk.log_prob[row];
            ++(same ? equal : different);
        }
    }

    std::unique_ptr<Algorithm> ppo_;
    ActionDistribution distribution_;
    bool first_minibatch_ = false;
};

void expectRatioOne(const ToyOptions& options) {
    auto onlooker = std::make_unique<Onlooker>(
        toyPpo(options, {{"minibatches", 2}, {"epochs", 2}, {"learning_rate", 0.01}}),
        testing::toyDistribution(options));
    const Onlooker& seen = *onlooker;
    ToyLearner toy = makeLearner(options, std::move(onlooker),
                                 {.chunk_rows = 16, .lanes = 32, .seed = 1, .optimiser = {}});
    ToyActor actor(options, toy.engine);
    WorkerPool pool(2);
    const auto value = static_cast<std::size_t>(toy.engine->plan().head("value")->begin),
               words = static_cast<std::size_t>(toy.engine->plan().head_words);
    for (int i = 0; i < 5; ++i) {
        actor.act(toy.learner->params(), 16);
        const std::vector<float> expected = actor.peek(toy.learner->params());
        update(*toy.learner, actor, 16, pool);
        // Row T is evaluated by the acting network, with the recurrent state at that row.
        for (std::size_t n = 0; n < seen.last_value_.size(); ++n)
            EXPECT_EQ(seen.last_value_[n], expected[n * words + value]) << "update " << i;
    }
    EXPECT_EQ(seen.different, 0);
    EXPECT_GT(seen.equal, 100);
}

TEST(Learner, FirstMinibatchHasExactlyTheInputsOfTheActor) { expectRatioOne({.network = smallNetwork()}); }

TEST(Learner, FirstMinibatchHasExactlyTheInputsOfTheActorWithNormaliser) {
    ToyOptions options{
        .actions = {{.name = "box", .kind = ActionLeaf::Kind::box, .n = 0, .low = {-1, -1}, .high = {1, 1}}},
        .network = smallNetwork()};
    options.network.normalise_obs = true;
    options.network.squash = true;
    expectRatioOne(options);
}

TEST(Learner, FirstMinibatchHasExactlyTheInputsOfTheActorWithMasks) {
    expectRatioOne({.actions = {{.name = "a", .kind = ActionLeaf::Kind::discrete, .n = 3},
                                {.name = "b", .kind = ActionLeaf::Kind::discrete, .n = 2}},
                    .mask = true,
                    .network = smallNetwork()});
}

TEST(Learner, FirstMinibatchHasExactlyTheInputsOfTheActorWithMemory) {
    for (const char* core : {"lstm", "gru"}) {
        ToyOptions options{.network = smallNetwork()};
        options.network.core = core;
        options.network.core_size = 5;
        options.network.previous_action = options.network.previous_reward = true;
        expectRatioOne(options);
    }
}

TEST(Learner, NormaliserFollowsTheValidObservations) {
    ToyOptions options{.network = smallNetwork(), .truncate = 0.3};
    options.network.normalise_obs = true;
    ToyLearner toy = makeLearner(options, toyPpo(options, Json::object()));
    ToyActor actor(options, toy.engine);
    WorkerPool pool(1);
    double count = 0, sum = 0, squares = 0;
    for (int i = 0; i < 4; ++i) {
        actor.act(toy.learner->params(), 16);
        update(*toy.learner, actor, 16, pool);
        const Window window = actor.window(16);
        for (std::uint64_t t = window.t0; t < window.t0 + 16; ++t)
            for (int column = 0; column < 6; ++column) {
                if (actor.ring().valid(t)[column] == 0) continue;
                const double x = reinterpret_cast<const float*>(actor.ring().obs(0, t))[column * 4 + 2];
                ++count;
                sum += x;
                squares += x * x;
            }
    }
    const NetPlan& plan = toy.learner->networkPlan(0);
    const Params params = toy.learner->params();
    for (const PlanOp& op : plan.ops) {
        if (op.kind != "normalise") continue;
        const auto buffer = [&](std::size_t i) {
            return params.at(plan.params[static_cast<std::size_t>(op.params[i])]);
        };
        EXPECT_EQ(buffer(2)[0], count);
        EXPECT_NEAR(buffer(0)[2], sum / count, 1e-6);
        EXPECT_NEAR(buffer(1)[2], squares / count - std::pow(sum / count, 2), 1e-5);
        return;
    }
    FAIL() << "the network has no normaliser";
}

// Descent with rate 1 subtracts the gradient, and the metrics report the loss.
TEST(Learner, StepIsTheGradientOfTheReportedLoss) {
    struct Named {
        const char* name;
        ToyOptions options;
    };
    std::vector<Named> all{
        {"discrete", {.network = smallNetwork()}},
        {"box",
         {.actions =
              {{.name = "box", .kind = ActionLeaf::Kind::box, .n = 0, .low = {-1, -1}, .high = {1, 1}}},
          .network = smallNetwork()}},
        {"lstm", {.network = smallNetwork()}}};
    all[2].options.network.core = "lstm";
    all[2].options.network.core_size = 4;
    for (auto& [name, options] : all) {
        // With gamma 0 and without off-policy correction, advantages and targets do not depend on the
        // parameters.
        const Json params = {{"gamma", 0.0},         {"epochs", 1},         {"minibatches", 1},
                             {"learning_rate", 1.0}, {"entropy_cost", 0.1}, {"value_cost", 0.5},
                             {"correction", "none"}};
        const LearnerOptions sgd{.chunk_rows = 16,
                                 .lanes = 3,
                                 .seed = 1,
                                 .optimiser = {.kind = "sgd", .momentum = 0, .max_grad_norm = 0}};
        ToyLearner toy = makeLearner(options, toyPpo(options, params), sgd);
        ToyActor actor(options, toy.engine);
        const Params start = toy.learner->params();
        actor.act(start, 16);
        WorkerPool pool(2);
        const double norm = metric(update(*toy.learner, actor, 16, pool), "grad/norm");
        const Params after = toy.learner->params();
        std::vector<double> gradient;
        double squares = 0;
        for (std::size_t i = 0; i < start.blob().size(); ++i) {
            gradient.push_back(static_cast<double>(start.blob()[i]) - static_cast<double>(after.blob()[i]));
            squares += gradient.back() * gradient.back();
        }
        EXPECT_NEAR(std::sqrt(squares), norm, 1e-4 * norm) << name;

        const auto lossAt = [&](const std::vector<double>& direction, double distance) {
            std::vector<float> blob(start.blob().begin(), start.blob().end());
            for (std::size_t i = 0; i < blob.size(); ++i)
                blob[i] += static_cast<float>(distance * direction[i]);
            ToyLearner moved = makeLearner(options, toyPpo(options, params), sgd);
            moved.learner->setParams(0, Params(std::move(blob), 9));
            const UpdateStats stats = update(*moved.learner, actor, 16, pool);
            return metric(stats, "loss/policy") + 0.5 * metric(stats, "loss/value") -
                   0.1 * metric(stats, "policy/entropy");
        };
        // The slope is measured along the gradient and along a random direction with the same signs, so that
        // it is not small.
        Rng rng(5, RngPurpose::test);
        std::vector<double> along = gradient, random = gradient;
        for (double& x : along) x /= norm;
        double random_norm = 0;
        for (double& x : random) {
            x = (x < 0 ? -1 : x > 0 ? 1 : 0) * rng.uniform();
            random_norm += x * x;
        }
        for (double& x : random) x /= std::sqrt(random_norm);
        for (const auto& direction : {along, random}) {
            double slope = 0;
            for (std::size_t i = 0; i < gradient.size(); ++i) slope += gradient[i] * direction[i];
            // Central differences: at this distance the third derivative causes an error of about 1e-4, float
            // heads one of about 1e-5.
            constexpr double kDistance = 1e-2;
            EXPECT_NEAR((lossAt(direction, kDistance) - lossAt(direction, -kDistance)) / (2 * kDistance),
                        slope, 2e-3 * std::abs(slope))
                << name;
        }
    }
}

// A ring with given rows, for tests that compare two histories.
struct HandWritten {
    std::unique_ptr<Ring> ring;
    HandWritten(const ToyOptions& options, const std::vector<bool>& valid) {
        const ActionDistribution distribution = testing::toyDistribution(options);
        auto made = Ring::create({.spaces = testing::toySpaces(options),
                                  .columns = 2,
                                  .rows = 32,
                                  .policy_words = distribution.words()});
        SEEDBED_CHECK(made.has_value());
        ring = std::move(*made);
        Rng rng(3, RngPurpose::test);
        for (std::size_t t = 0; t <= valid.size(); ++t) {
            const bool counts = t == valid.size() || valid[t];
            for (int column = 0; column < 2; ++column) {
                auto* obs = reinterpret_cast<float*>(ring->obs(0, t)) + column * 4;
                // Invalid rows contain garbage and consume no random numbers, so both histories have the same
                // valid rows.
                for (int i = 0; i < 4; ++i) obs[i] = counts ? static_cast<float>(rng.normal()) : 100.0f;
                for (int i = 0; i < distribution.words(); ++i)
                    ring->policy(t)[column * distribution.words() + i] =
                        counts ? static_cast<float>(rng.normal()) : 50.0f;
                ring->action(t)[column] = counts ? static_cast<float>(rng.below(3)) : 2.0f;
                ring->value(t)[column] = counts ? static_cast<float>(rng.normal()) : 30.0f;
                ring->reward(t)[column] = counts ? static_cast<float>(rng.normal()) : NAN;
                ring->discount(t)[column] = 1;
                ring->valid(t)[column] = counts ? 1 : 0;
                ring->first(t)[column] = 0;
                distribution.logProb(1, ring->policy(t) + column * distribution.words(), nullptr,
                                     ring->action(t) + column, ring->logProb(t) + column);
            }
            if (t < valid.size()) {
                SEEDBED_CHECK(ring->hasRoom());
                ring->advance();
            }
        }
    }
    Result<UpdateStats> learn(Learner& learner, int length) {
        WorkerPool pool(2);
        return learner.update({ring.get()},
                              {{.group = 0, .t0 = 0, .length = length, .column = 0, .columns = 2}}, {}, pool);
    }
};

TEST(Learner, InvalidRowsHaveNoEffect) {
    ToyOptions options{.network = smallNetwork()};
    options.network.normalise_obs = true;
    // With gamma 0 the remaining rows have the same targets in both histories.
    const Json params = {{"gamma", 0.0}, {"epochs", 3}, {"minibatches", 2}, {"entropy_cost", 0.01}};
    const auto learn = [&](const std::vector<bool>& valid) {
        ToyLearner toy = makeLearner(options, toyPpo(options, params),
                                     {.chunk_rows = 4, .lanes = 32, .seed = 1, .optimiser = {}});
        HandWritten history(options, valid);
        const auto stats = history.learn(*toy.learner, static_cast<int>(valid.size()));
        EXPECT_TRUE(stats.has_value()) << (stats ? "" : stats.error().text());
        return std::pair{toy.learner->params().sha256(), stats ? metric(*stats, "loss/policy") : NAN};
    };
    const auto with = learn({true, true, false, true, true, true, false, true}),
               without = learn({true, true, true, true, true, true});
    EXPECT_EQ(with.first, without.first);
    EXPECT_EQ(with.second, without.second);
    EXPECT_NE(with.first, learn({true, true, true, true, true}).first);
}

// Masking rows by version gives the same bits as marking them invalid.
TEST(Learner, RowsOfTooOldParametersHaveNoEffect) {
    const ToyOptions options{.network = smallNetwork(), .columns = 2};
    enum class Rows { all, invalid, old };
    const auto learn = [&](Rows rows) {
        const ToyLearner toy = makeLearner(options, toyPpo(options, Json::object()));
        HandWritten history(options, std::vector<bool>(16, true));
        for (std::size_t t = 0; t < 16; ++t)
            for (int column = 0; column < 2; ++column) {
                const bool chosen = t == 2 || t == 3 || (t == 9 && column == 1);
                history.ring->version(t)[column] = rows == Rows::old && chosen ? 4 : 5;
                if (rows == Rows::invalid && chosen) history.ring->valid(t)[column] = 0;
            }
        WorkerPool pool(1);
        const auto stats = toy.learner->update(
            {history.ring.get()}, {{.group = 0, .t0 = 0, .length = 16, .column = 0, .columns = 2}}, {}, pool,
            5);
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
        return toy.learner->params().sha256();
    };
    EXPECT_EQ(learn(Rows::old), learn(Rows::invalid));
    EXPECT_NE(learn(Rows::old), learn(Rows::all));
}

TEST(Learner, WithoutValidRowsThereIsNoStep) {
    const ToyOptions options{.network = smallNetwork()};
    for (const char* sequence : {"auto", "columns"}) {
        ToyLearner toy = makeLearner(options, toyPpo(options, {{"sequence", sequence}}));
        const std::string before = toy.learner->params().sha256();
        HandWritten history(options, {false, false, false});
        const auto stats = history.learn(*toy.learner, 3);
        ASSERT_TRUE(stats.has_value());
        EXPECT_FALSE(stats->stepped);
        EXPECT_EQ(stats->minibatches, 0u);
        EXPECT_EQ(toy.learner->params().sha256(), before);
    }
}

TEST(Learner, ContinuesBitForBitAfterRestore) {
    const ToyOptions options{.network = smallNetwork()};
    for (const char* kind : {"adam", "rmsprop", "sgd"}) {
        const Json params = {
            {"minibatches", 3}, {"epochs", 2}, {"lr_schedule", "kl_adaptive"}, {"desired_kl", 1e-4}};
        const LearnerOptions learner{
            .chunk_rows = 16, .lanes = 32, .seed = 3, .optimiser = {.kind = kind, .momentum = 0.9}};
        // Both learners get the same recorded rows.
        ToyLearner whole = makeLearner(options, toyPpo(options, params), learner),
                   restored = makeLearner(options, toyPpo(options, params), learner, 77);
        ToyActor actor(options, whole.engine);
        actor.act(whole.learner->params(), 64);
        WorkerPool pool(2);
        const auto learn = [&](Learner& who, int index) {
            const Window window{.group = 0,
                                .t0 = static_cast<std::uint64_t>(index) * 16,
                                .length = 16,
                                .column = 0,
                                .columns = 6};
            const auto stats = who.update(actor.rings(), {window}, {}, pool);
            ASSERT_TRUE(stats.has_value()) << stats.error().text();
        };
        learn(*whole.learner, 0);
        learn(*whole.learner, 1);
        Archive saved = Archive::saving();
        whole.learner->archive(saved);
        restored.learner->setParams(0, whole.learner->params());
        Archive loaded = Archive::loading(saved.bytes());
        restored.learner->archive(loaded);
        ASSERT_TRUE(loaded.finish());
        EXPECT_EQ(restored.learner->params().version(), whole.learner->params().version());
        for (int index : {2, 3}) {
            learn(*whole.learner, index);
            learn(*restored.learner, index);
        }
        EXPECT_EQ(restored.learner->params().sha256(), whole.learner->params().sha256()) << kind;
        EXPECT_EQ(restored.learner->params().version(), whole.learner->params().version()) << kind;
    }
}

TEST(Learner, LearnsTheBetterArm) {
    ToyOptions options{.actions = {{.name = "arm", .kind = ActionLeaf::Kind::discrete, .n = 2}},
                       .network = smallNetwork(),
                       .columns = 16,
                       .terminate = 1,
                       .truncate = 0};
    options.reward = [](const float*, const float* action) { return action[0] == 1 ? 1.0f : 0.0f; };
    ToyLearner toy = makeLearner(options, toyPpo(options, {{"learning_rate", 0.02}}),
                                 {.chunk_rows = 64, .lanes = 32, .seed = 1, .optimiser = {}});
    ToyActor actor(options, toy.engine);
    WorkerPool pool(2);
    for (int i = 0; i < 15; ++i) {
        actor.act(toy.learner->params(), 16);
        update(*toy.learner, actor, 16, pool);
    }
    const std::vector<float> heads = actor.peek(toy.learner->params());
    for (std::size_t column = 0; column < 16; ++column)
        EXPECT_GT(heads[column * 3 + 1] - heads[column * 3], 3.0f)
            << "the rewarded arm must be 20 times as likely";
}

TEST(Learner, LearnsToMatchASign) {
    // Each of two actions is correct for half of the observations; episodes have several steps.
    ToyOptions options{.actions = {{.name = "side", .kind = ActionLeaf::Kind::discrete, .n = 2}},
                       .network = smallNetwork(),
                       .columns = 16};
    options.reward = [](const float* obs, const float* action) {
        return (obs[1] > 0) == (action[0] == 1) ? 1.0f : -1.0f;
    };
    ToyLearner toy = makeLearner(options, toyPpo(options, {{"learning_rate", 0.02}, {"gamma", 0.9}}),
                                 {.chunk_rows = 64, .lanes = 32, .seed = 1, .optimiser = {}});
    ToyActor actor(options, toy.engine);
    WorkerPool pool(2);
    double reward = 0;
    for (int i = 0; i < 40; ++i) {
        actor.act(toy.learner->params(), 16);
        update(*toy.learner, actor, 16, pool);
        if (i < 35) continue;
        const Window window = actor.window(16);
        for (std::uint64_t t = window.t0; t < window.t0 + 16; ++t)
            for (int column = 0; column < 16; ++column) reward += actor.ring().reward(t)[column];
    }
    EXPECT_GT(reward / (5 * 16 * 16), 0.7)
        << "a random policy gets 0, a perfect one 0.9 (extra rows have no reward)";
}

TEST(Learner, ReportsItsMetrics) {
    const ToyOptions options{.network = smallNetwork()};
    ToyLearner toy =
        makeLearner(options, toyPpo(options, {{"epochs", 3}, {"minibatches", 4}, {"learning_rate", 0.004}}));
    ToyActor actor(options, toy.engine);
    WorkerPool pool(2);
    actor.act(toy.learner->params(), 16);
    const UpdateStats stats = update(*toy.learner, actor, 16, pool);
    EXPECT_EQ(stats.minibatches, 12u);
    EXPECT_EQ(metric(stats, "optimiser/learning_rate"), 0.004);
    EXPECT_GT(metric(stats, "grad/norm"), 0);
    EXPECT_NEAR(metric(stats, "policy/entropy"), std::log(3.0), 0.1)
        << "an untrained policy is nearly uniform";
    EXPECT_LT(metric(stats, "value/explained_variance"), 0.9);
    EXPECT_GT(stats.gather_s, 0);
    EXPECT_GT(stats.forward_s, 0);
    EXPECT_GT(stats.backward_s, 0);
    EXPECT_GT(stats.loss_s, 0);
    EXPECT_GT(stats.optimiser_s, 0);
}

TEST(Learner, TargetKlStopsTheUpdateEarly) {
    const ToyOptions options{.network = smallNetwork()};
    ToyLearner toy = makeLearner(
        options,
        toyPpo(options, {{"epochs", 50}, {"minibatches", 1}, {"learning_rate", 0.05}, {"target_kl", 0.01}}));
    ToyActor actor(options, toy.engine);
    WorkerPool pool(1);
    actor.act(toy.learner->params(), 16);
    const UpdateStats stats = update(*toy.learner, actor, 16, pool);
    EXPECT_GT(stats.minibatches, 1u);
    EXPECT_LT(stats.minibatches, 50u);
}

TEST(Learner, PublishedParametersNeverChange) {
    const ToyOptions options{.network = smallNetwork()};
    ToyLearner toy = makeLearner(options, toyPpo(options, Json::object()));
    ToyActor actor(options, toy.engine);
    WorkerPool pool(1);
    std::vector<Params> kept;
    std::vector<std::string> hashes;
    for (int i = 0; i < 5; ++i) {
        actor.act(toy.learner->params(), 16);
        update(*toy.learner, actor, 16, pool);
        // Some versions are released immediately; others are kept by a reader.
        if (i % 2 == 0) {
            kept.push_back(toy.learner->params());
            hashes.push_back(kept.back().sha256());
        }
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
        EXPECT_EQ(kept[i].sha256(), hashes[i]);
        EXPECT_TRUE(i == 0 || kept[i].version() > kept[i - 1].version());
    }
}

TEST(Learner, AllocatesNothingButItsReport) {
    for (const char* core : {"none", "lstm"}) {
        ToyOptions options{.network = smallNetwork()};
        options.network.core = core;
        std::uint64_t counts[2] = {};
        for (int i = 0; i < 2; ++i) {
            ToyLearner toy =
                makeLearner(options, toyPpo(options, {{"epochs", i == 0 ? 1 : 9}, {"minibatches", 4}}),
                            {.chunk_rows = 8, .lanes = 2, .seed = 1, .optimiser = {}});
            ToyActor actor(options, toy.engine);
            WorkerPool pool(1);
            actor.act(toy.learner->params(), 16);
            const std::vector<Ring*> rings = actor.rings();
            const std::vector<Window> windows{actor.window(16)};
            for (int warm = 0; warm < 3; ++warm)
                ASSERT_TRUE(toy.learner->update(rings, windows, {}, pool).has_value());
            const std::uint64_t before = testing::allocationCount();
            ASSERT_TRUE(toy.learner->update(rings, windows, {}, pool).has_value());
            counts[i] = testing::allocationCount() - before;
        }
        // The list of metrics, and names too long for the small-string buffer.
        EXPECT_LE(counts[0], 8u) << core;
        EXPECT_EQ(counts[1], counts[0]) << core << ": 36 minibatches must not allocate more than 4";
    }
}

TEST(Learner, EstimatesItsMemory) {
    const ToyOptions options{.network = smallNetwork(), .columns = 32, .rows = 600};
    ToyLearner toy =
        makeLearner(options, toyPpo(options, {{"rollout_length", 512}, {"minibatches", 4}, {"epochs", 4}}),
                    {.chunk_rows = 64, .lanes = 8, .seed = 1, .optimiser = {}});
    ToyActor actor(options, toy.engine);
    actor.act(toy.learner->params(), 512);
    const std::vector<Ring*> rings = actor.rings();
    const std::vector<Window> windows{actor.window(512)};
    WorkerPool pool(2);
    const std::uint64_t before = testing::allocatedBytes();
    ASSERT_TRUE(toy.learner->update(rings, windows, {}, pool).has_value());
    const auto used = static_cast<double>(testing::allocatedBytes() - before);
    // Parameters and moments exist before the first update.
    const std::vector<NetPlan> nets{toy.engine->plan()};
    const auto blob = static_cast<double>(nets[0].param_floats * sizeof(float));
    const LearnerNeed need{.algorithm = toy.learner->algorithm(),
                           .nets = nets,
                           .options = {.chunk_rows = 64, .lanes = 8, .seed = 1, .optimiser = {}},
                           .engine = "reference",
                           .columns = 32,
                           .threads = 2};
    const auto told = static_cast<double>(learnerBytes(need)) - 5 * blob;
    EXPECT_GT(told, 0.8 * used);
    EXPECT_LT(told, 1.6 * used);
    // Lanes and moments.
    EXPECT_EQ(static_cast<double>(learnerDeviceBytes(need)), 10 * blob);
}

}  // namespace
}  // namespace seedbed
