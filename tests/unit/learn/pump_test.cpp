// SPDX-License-Identifier: Apache-2.0
// An update in pieces gives the same parameters and metrics as a whole one, bit for bit.
#include <gtest/gtest.h>

#include <chrono>

#include "core/base/thread.hpp"
#include "tests/unit/learn/toy_world.hpp"

namespace seedbed::testing {
namespace {

struct Outcome {
    std::string hash;
    std::vector<std::pair<std::string, double>> metrics;
    int pumps = 0;
};

// Three updates; `pieces`: with budgets that allow one piece of work per call.
Outcome learn(const ToyOptions& options, const Json& params, int threads, bool pieces) {
    ToyLearner toy = makeLearner(options, toyPpo(options, params),
                                 {.chunk_rows = 8, .lanes = 4, .seed = 3, .optimiser = {}});
    ToyActor actor(options, toy.engine);
    WorkerPool pool(threads);
    Outcome outcome;
    for (int i = 0; i < 3; ++i) {
        actor.act(toy.learner->params(), 16);
        const std::vector<Ring*> rings = actor.rings();
        FreshWindows source({actor.window(16)});
        toy.learner->begin(rings, source, {.steps = static_cast<std::uint64_t>(i) * 96, .updates = 0}, pool);
        std::optional<UpdateStats> stats;
        while (!stats) {
            auto pumped =
                toy.learner->pump(pieces ? TimeBudget(std::chrono::nanoseconds(0)) : TimeBudget::unlimited());
            EXPECT_TRUE(pumped.has_value()) << pumped.error().text();
            if (!pumped) return outcome;
            stats = std::move(*pumped);
            ++outcome.pumps;
        }
        outcome.metrics.insert(outcome.metrics.end(), stats->metrics.begin(), stats->metrics.end());
    }
    outcome.hash = toy.learner->params().sha256();
    return outcome;
}

void expectEqual(const ToyOptions& options, const Json& params) {
    const Outcome whole = learn(options, params, 1, false);
    EXPECT_EQ(whole.pumps, 3);
    for (const int threads : {1, 3}) {
        const Outcome pieces = learn(options, params, threads, true);
        EXPECT_GT(pieces.pumps, 3 * 4 * 2) << "an update of four lanes of several chunks has many pieces";
        EXPECT_EQ(whole.hash, pieces.hash) << threads;
        EXPECT_EQ(whole.metrics, pieces.metrics) << threads;
    }
}

NetworkParams pumpNetwork() {
    NetworkParams network;
    network.hidden = {8};
    return network;
}

TEST(Pump, GivesTheResultOfAWholeUpdate) {
    expectEqual({.network = pumpNetwork()}, {{"epochs", 2}, {"minibatches", 2}});
}

TEST(Pump, GivesTheResultOfAWholeUpdateWithMemory) {
    ToyOptions options{.network = pumpNetwork()};
    options.network.core = "lstm";
    options.network.core_size = 5;
    expectEqual(options, {{"epochs", 2}, {"minibatches", 1}});
}

TEST(Pump, EndsEarlyLikeAWholeUpdate) {
    expectEqual({.network = pumpNetwork()},
                {{"epochs", 8}, {"minibatches", 2}, {"learning_rate", 0.01}, {"target_kl", 0.01}});
}

TEST(Pump, AnUpdateMayChangeFromPiecesToTheWhole) {
    const ToyOptions options{.network = pumpNetwork()};
    const std::string whole = learn(options, {{"epochs", 2}}, 2, false).hash;
    ToyLearner toy = makeLearner(options, toyPpo(options, {{"epochs", 2}}),
                                 {.chunk_rows = 8, .lanes = 4, .seed = 3, .optimiser = {}});
    ToyActor actor(options, toy.engine);
    WorkerPool pool(2);
    for (int i = 0; i < 3; ++i) {
        actor.act(toy.learner->params(), 16);
        const std::vector<Ring*> rings = actor.rings();
        FreshWindows source({actor.window(16)});
        toy.learner->begin(rings, source, {.steps = static_cast<std::uint64_t>(i) * 96, .updates = 0}, pool);
        for (int piece = 0; piece < 5 + i; ++piece)
            EXPECT_FALSE(toy.learner->pump(TimeBudget(std::chrono::nanoseconds(0))).value().has_value());
        EXPECT_TRUE(toy.learner->pump(TimeBudget::unlimited()).value().has_value());
    }
    EXPECT_EQ(toy.learner->params().sha256(), whole);
}

}  // namespace
}  // namespace seedbed::testing
