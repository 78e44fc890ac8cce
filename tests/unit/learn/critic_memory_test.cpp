// SPDX-License-Identifier: Apache-2.0
// SAC and TD3 with recurrent networks through the learner: the sources of the memory of policy and critics,
// and that actions do not affect the values of later rows.
#include <cstring>

#include <gtest/gtest.h>

#include "core/algo/bounded_control.hpp"
#include "tests/unit/learn/toy_world.hpp"

namespace seedbed {
namespace {

using testing::metric;
using testing::ToyActor;
using testing::ToyOptions;

constexpr int kSequence = 6;

ToyOptions options() {
    ToyOptions toy;
    toy.actions = {{.name = "force", .kind = ActionLeaf::Kind::box, .low = {-1, -2}, .high = {1, 2}}};
    toy.network.hidden = {8};
    toy.network.core = "gru";
    toy.network.core_size = 6;
    toy.network.previous_action = true;
    toy.terminate = toy.truncate = 0;
    return toy;
}

// An algorithm with learning rates of 0, so that its metrics depend on the data only.
struct World {
    std::unique_ptr<Learner> learner;
    std::unique_ptr<ToyActor> actor;
    int burn_in;

    World(const std::string& id, int rows_before) : burn_in(rows_before) {
        ToyOptions toy = options();
        const AlgorithmEntry& entry = *algorithmRegistry().find(id);
        entry.require(toy.network);
        Json params{{"sequence", kSequence}, {"burn_in", burn_in},        {"stride", 4},
                    {"learning_rate", 0},    {"critic_learning_rate", 0}, {"batch_size", toy.columns}};
        if (id == "sac") params["temperature_learning_rate"] = 0;
        auto algorithm = entry.make(params, {testing::toySpaces(toy), true});
        std::vector<LearnerNet> nets;
        for (const NetworkDecl& decl : algorithm->networks()) {
            Spaces spaces = testing::toySpaces(toy);
            if (decl.action_input) spaces = *withActionInput(spaces);
            NetSpec spec = *makeNetSpec(spaces, toy.network, decl.heads);
            spec.action_input = decl.action_input;
            std::shared_ptr<EngineNet> engine = *compileNet("reference", *buildPlan(spec), {});
            const auto number = static_cast<std::uint32_t>(nets.size());
            nets.push_back({decl, engine, initialParams(engine->plan(), 1, number)});
        }
        actor = std::make_unique<ToyActor>(toy, nets[0].engine);
        learner = std::move(*Learner::create(std::move(algorithm), std::move(nets),
                                             {.chunk_rows = 1000, .seed = 7, .optimiser = {}}));
        actor->act(learner->params(), 40);
    }
    // The metrics of learning from the sequences whose learned rows begin at row 12.
    UpdateStats update() {
        WorkerPool pool(1);
        std::vector<Window> windows;
        for (int column = 0; column < options().columns; ++column)
            windows.push_back({.group = 0,
                               .t0 = 12 - static_cast<std::uint64_t>(burn_in),
                               .length = burn_in + kSequence,
                               .column = column,
                               .columns = 1});
        auto stats = learner->update(actor->rings(), windows, {}, pool);
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
        return *stats;
    }
    float* obs(std::uint64_t t) { return reinterpret_cast<float*>(actor->ring().obs(0, t)); }
};

class CriticMemory : public ::testing::TestWithParam<const char*> {};

TEST_P(CriticMemory, OnlyThePolicyBeginsWithTheStoredState) {
    World w(GetParam(), 0);
    const UpdateStats before = w.update();
    Ring& ring = w.actor->ring();
    for (int i = 0; i < ring.columns() * ring.spec().state_words; ++i) ring.state(12)[i] += 0.5f;
    const UpdateStats after = w.update();
    EXPECT_EQ(metric(before, "value/q"), metric(after, "value/q")) << "critics begin without memory";
    EXPECT_NE(metric(before, "value/td_error"), metric(after, "value/td_error"))
        << "the actions of targets are those of a policy with memory";
}

TEST_P(CriticMemory, CriticsRememberTheBurnIn) {
    World w(GetParam(), 4);
    const double before = metric(w.update(), "value/q");
    w.obs(9)[0] += 1;
    EXPECT_NE(metric(w.update(), "value/q"), before);
    w.obs(9)[0] -= 1;
    w.obs(7)[0] += 1;  // not in the window
    EXPECT_EQ(metric(w.update(), "value/q"), before);
}

TEST_P(CriticMemory, ActionsThatWereTakenAreRememberedAndThoseThatAreValuedAreNot) {
    World w(GetParam(), 4);
    const NetPlan& plan = w.learner->networkPlan(TwinNets::critics);
    const auto net = *compileNet("reference", plan, {});
    const auto context = net->context();
    constexpr int kSteps = 5, kWords = 2;
    std::vector<float> obs(static_cast<std::size_t>(kSteps) * plan.spec.spaces.obs[0].elements(), 0.3f),
        valued(kSteps * kWords, 0.1f), taken(kSteps * kWords, 0.2f),
        state(static_cast<std::size_t>(plan.state_words), 0.0f);
    const std::vector<std::uint8_t> first(kSteps, 0);
    const auto values = [&] {
        std::vector<float> q(kSteps);
        const Rows rows{.sequences = 1,
                        .steps = kSteps,
                        .obs = {reinterpret_cast<const std::uint8_t*>(obs.data()),
                                reinterpret_cast<const std::uint8_t*>(valued.data())},
                        .first = first.data(),
                        .state = state.data(),
                        .previous_action = taken.data()};
        EXPECT_TRUE(
            context->run(w.learner->params(TwinNets::critics), rows, {.heads = q.data()}, Keep::nothing));
        return q;
    };
    const std::vector<float> before = values();
    valued[2 * kWords] = 0.9f;
    const std::vector<float> other = values();
    for (std::size_t t = 0; t < kSteps; ++t) EXPECT_EQ(other[t] == before[t], t != 2) << t;
    taken[2 * kWords] = 0.9f;
    const std::vector<float> after = values();
    for (std::size_t t = 0; t < kSteps; ++t) EXPECT_EQ(after[t] == other[t], t < 2) << t;
}

INSTANTIATE_TEST_SUITE_P(Algorithms, CriticMemory, ::testing::Values("sac", "td3"),
                         [](const auto& c) { return std::string(c.param); });

}  // namespace
}  // namespace seedbed
