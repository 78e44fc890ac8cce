// SPDX-License-Identifier: Apache-2.0
// R2D2 through the learner on a small recurrent network: the gradient of its loss compared with central
// differences over the parameters, and the effect of the burn-in on it.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/learn/toy_world.hpp"

namespace seedbed {
namespace {

using testing::makeLearner;
using testing::metric;
using testing::ToyActor;
using testing::ToyLearner;
using testing::ToyOptions;

ToyOptions options(const char* core) {
    ToyOptions toy;
    toy.network.hidden = {5};
    toy.network.core = core;
    toy.network.core_size = 4;
    toy.network.previous_action = toy.network.previous_reward = true;
    return toy;
}

std::vector<Window> windowsFrom(std::uint64_t t0, int length, int columns) {
    std::vector<Window> windows;
    for (int column = 0; column < columns; ++column)
        windows.push_back({.group = 0, .t0 = t0, .length = length, .column = column, .columns = 1});
    return windows;
}

struct World {
    ToyOptions toy;
    Json params;
    ToyLearner learner;
    ToyActor actor;
    WorkerPool pool{1};

    World(const char* core, int burn_in, double learning_rate)
        : toy(options(core)),
          params({{"burn_in", burn_in},
                  {"sequence", 8},
                  {"stride", 4},
                  {"n_step", 3},
                  {"gamma", 0.9},
                  {"double_q", false},  // the best action of the online network would jump
                  {"target_period", 1000},
                  {"learning_rate", learning_rate}}),
          learner(makeLearner(toy, algorithmRegistry().find("r2d2")->make(params, toyDistribution(toy)),
                              {.optimiser = {.kind = "sgd", .max_grad_norm = 0}})),
          actor(toy, learner.engine) {}

    std::vector<float> parameters() {
        const auto blob = learner.learner->params(0).blob();
        return {blob.begin(), blob.end()};
    }
    void set(std::size_t net, std::vector<float> values, std::uint64_t version) {
        learner.learner->setParams(
            net, Params(std::make_shared<const std::vector<float>>(std::move(values)), version));
    }
    // Learns once from the sequences whose learned rows begin at row 12; returns the loss before the update.
    double update(ToyActor& from, int burn_in) {
        const auto stats = learner.learner->update(
            from.rings(), windowsFrom(12 - static_cast<std::uint64_t>(burn_in), burn_in + 8 + 2, toy.columns),
            {}, pool);
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
        return stats.has_value() ? metric(*stats, "loss/value") : 0;
    }
};

TEST(SequenceGradient, IsThatOfTheLossThroughTheRecurrentNetwork) {
    for (const char* core : {"lstm", "gru"}) {
        World stepped(core, 0, 1), measured(core, 0, 0);
        const std::vector<float> before = stepped.parameters();
        stepped.actor.act(stepped.learner.learner->params(), 40);
        stepped.update(stepped.actor, 0);
        const std::vector<float> after = stepped.parameters();
        std::uint64_t version = 10;
        double largest = 0, worst = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            constexpr float kStep = 0x1p-7f;
            double loss[2];
            for (const int side : {0, 1}) {
                std::vector<float> changed = before;
                changed[i] += side == 1 ? kStep : -kStep;
                measured.set(0, changed, ++version);
                loss[side] = measured.update(stepped.actor, 0);
            }
            const double difference = (loss[1] - loss[0]) / (2 * static_cast<double>(kStep)),
                         gradient = static_cast<double>(before[i]) - static_cast<double>(after[i]);
            largest = std::max(largest, std::abs(gradient));
            worst = std::max(worst, std::abs(gradient - difference));
        }
        EXPECT_GT(largest, 0.05) << core;
        // The loss is computed from floats (1e-7 / kStep = 1e-5), and differences have an error of kStep^2.
        EXPECT_LT(worst, 1e-3 * largest) << core;
    }
}

// With the parameters used for acting, the state after the burn-in is the stored one, and no gradient flows
// into the rows before it: learning with and without a burn-in is the same.
TEST(SequenceGradient, StopsAtTheBurnIn) {
    for (const char* core : {"lstm", "gru"}) {
        World burned(core, 8, 1), stored(core, 0, 1);
        const std::vector<float> before = burned.parameters();
        for (World* w : {&burned, &stored}) w->set(1, before, 1);  // the target network, too
        burned.actor.act(burned.learner.learner->params(), 40);
        const double loss = burned.update(burned.actor, 8);
        EXPECT_EQ(stored.update(burned.actor, 0), loss) << core;
        EXPECT_EQ(burned.parameters(), stored.parameters()) << core << ": bit for bit";
        EXPECT_NE(burned.parameters(), before) << core;
        // With other parameters, the burn-in gives a state other than the stored one.
        EXPECT_NE(burned.update(burned.actor, 8), stored.update(burned.actor, 0)) << core;
    }
}

}  // namespace
}  // namespace seedbed
