// SPDX-License-Identifier: Apache-2.0
// Features of the Algorithm interface for learning through critics: random numbers of rows, delayed networks,
// rates per network, networks with an action as an input and its gradient, and learned numbers without
// inputs. The algorithm is a toy that draws and records.
#include <algorithm>
#include <map>
#include <mutex>

#include <gtest/gtest.h>

#include "tests/unit/learn/toy_world.hpp"

namespace seedbed {
namespace {

using testing::ToyActor;
using testing::ToyOptions;

constexpr int kSteps = 4, kColumns = 10;

ToyOptions options() {
    ToyOptions toy;
    toy.actions = {{.name = "force", .kind = ActionLeaf::Kind::box, .low = {-1, -2}, .high = {1, 2}}};
    toy.columns = kColumns;
    toy.network.hidden = {8};
    toy.truncate = 0;
    return toy;
}

class Recorder final : public Algorithm {
public:
    std::vector<NetworkDecl> networks() const override {
        return {{.name = "policy",
                 .heads = {{"policy", "policy", 0, false}, {"value", "value", 1, false}},
                 .every = 3},
                {.name = "critic", .heads = {{"q", "value", 1, false}}, .action_input = true},
                {.name = "scale", .heads = {{"scale", "parameter", 1, false}}},
                {.name = "frozen", .heads = {{"scale", "parameter", 1, false}}}};
    }
    LearnPlan plan() const override {
        return {.rollout_length = kSteps,
                .unit = LearnPlan::Unit::columns,
                .replay = ReplayPlan{.size = 40, .start = 1, .batch = kColumns, .sequence = kSteps}};
    }
    std::vector<std::string> metrics() const override { return {"loss"}; }
    double learningRate(const Progress&) const override { return 0.1; }
    double networkRate(std::size_t net, const Progress& progress) const override {
        return net == 3 ? 0 : learningRate(progress);
    }
    void learn(Step& step) const override {
        const Chunk& chunk = step.chunk();
        const auto sequences = static_cast<std::size_t>(chunk.sequences);
        const auto rows = sequences * static_cast<std::size_t>(chunk.learned);
        std::vector<float> action(chunk.action, chunk.action + rows * 2), d_action(rows * 2), ones(rows, 1);
        const float* q = step.forward(1, {.action = action.data()}, Keep::tape).data;
        std::vector<float> before(q, q + rows);
        if (asks) step.backward(1, ones.data(), false, d_action.data());
        // The derivative with respect to the first word of the actions.
        constexpr float kStep = 0x1p-8f;
        for (std::size_t row = 0; row < rows; ++row) action[row * 2] += kStep;
        const float* moved = step.forward(1, {.action = action.data()}, Keep::tape).data;
        const std::lock_guard lock(mutex);
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t t = row / sequences, s = row % sequences;
            if (chunk.valid[row] == 0) continue;
            const SampleKey key = step.key(1, static_cast<int>(t));
            // The behaviour policy's log-probability identifies the row.
            lanes[chunk.log_prob[row]] = {key.lane + s, key.step, key.seed};
            largest_error =
                std::max(largest_error, std::abs((moved[row] - before[row]) / kStep - d_action[row * 2]));
            largest_slope = std::max(largest_slope, std::abs(d_action[row * 2]));
        }
        stepped.push_back(step.isStepped(0));
        step.backward(1, ones.data());
        for (const std::size_t net : {2u, 3u}) {
            step.forward(net, {}, Keep::tape);
            step.backward(net, ones.data());
        }
        if (!step.isStepped(0)) return;
        step.forward(0, {}, Keep::tape);
        std::vector<float> gradients(rows * 5, 0.1f);
        step.backward(0, gradients.data());
    }

    bool asks = true;  // whether to request the gradient of the action
    mutable std::mutex mutex;
    mutable std::map<float, std::array<std::uint64_t, 3>> lanes;
    mutable std::vector<bool> stepped;
    mutable float largest_error = 0, largest_slope = 0;
};

struct World {
    Recorder* algorithm = nullptr;
    std::unique_ptr<Learner> learner;
    std::unique_ptr<ToyActor> actor;

    explicit World(int chunk_rows) {
        auto made = std::make_unique<Recorder>();
        algorithm = made.get();
        std::vector<LearnerNet> nets;
        for (const NetworkDecl& decl : algorithm->networks()) {
            Spaces spaces = testing::toySpaces(options());
            if (decl.action_input) spaces = *withActionInput(spaces);
            NetSpec spec = *makeNetSpec(spaces, options().network, decl.heads);
            spec.action_input = decl.action_input;
            std::shared_ptr<EngineNet> engine = *compileNet("reference", *buildPlan(spec), {});
            const auto number = static_cast<std::uint32_t>(nets.size());
            nets.push_back({decl, engine, initialParams(engine->plan(), 1, number)});
        }
        actor = std::make_unique<ToyActor>(options(), nets[0].engine);
        learner = std::move(*Learner::create(std::move(made), std::move(nets),
                                             {.chunk_rows = chunk_rows, .seed = 77, .optimiser = {}}));
        actor->act(learner->params(), 3 * kSteps);
    }
    void update(int threads) {
        WorkerPool pool(threads);
        const auto stats = learner->update(actor->rings(), {actor->window(kSteps)}, {}, pool);
        ASSERT_TRUE(stats.has_value()) << stats.error().text();
    }
    // Whether the chunks of the last update, which has one minibatch, step the policy.
    bool stepped() {
        const std::vector<bool> chunks = std::exchange(algorithm->stepped, {});
        EXPECT_FALSE(chunks.empty());
        EXPECT_EQ(chunks, std::vector<bool>(chunks.size(), chunks.front())) << "the chunks differ";
        return chunks.front();
    }
};

TEST(Draws, BelongToRowsWhateverTheChunksAndThreads) {
    World whole(1000), cut(2 * kSteps);
    for (int update = 0; update < 3; ++update) {
        whole.algorithm->lanes.clear();
        cut.algorithm->lanes.clear();
        whole.update(1);
        cut.update(3);
        ASSERT_GT(whole.algorithm->lanes.size(), 20u);
        EXPECT_EQ(whole.algorithm->lanes, cut.algorithm->lanes);
        std::map<std::uint64_t, int> used;
        for (const auto& [row, key] : whole.algorithm->lanes) {
            EXPECT_EQ(++used[key[0]], 1) << "each row has its own lane";
            EXPECT_EQ(key[1], static_cast<std::uint64_t>(update * Step::kDraws + 1)) << "steps differ";
            EXPECT_EQ(key[2], 77u);
        }
    }
    EXPECT_GT(cut.algorithm->stepped.size(), whole.algorithm->stepped.size()) << "more chunks";
}

TEST(Draws, TheGradientOfAnActionIsThatOfTheCriticAndAddsNothingToItsParameters) {
    World w(1000);
    w.update(1);
    EXPECT_GT(w.algorithm->largest_slope, 0.05f);
    // A step of 2^-8 with values of order one in float: rounding of about 3e-5, curvature of about 4e-3.
    EXPECT_LT(w.algorithm->largest_error, 1e-2f);
    World silent(1000);
    silent.algorithm->asks = false;
    silent.update(1);
    EXPECT_EQ(silent.learner->params(1).sha256(), w.learner->params(1).sha256());
}

TEST(Draws, ADelayedNetworkChangesAfterEveryThirdMinibatch) {
    World w(1000);
    for (int update = 1; update <= 7; ++update) {
        const std::string policy = w.learner->params(0).sha256(), critic = w.learner->params(1).sha256(),
                          scale = w.learner->params(2).sha256(), frozen = w.learner->params(3).sha256();
        w.update(1);
        EXPECT_EQ(w.learner->params(0).sha256() != policy, update % 3 == 0) << update;
        EXPECT_NE(w.learner->params(1).sha256(), critic);
        EXPECT_NE(w.learner->params(2).sha256(), scale);
        EXPECT_EQ(w.learner->params(3).sha256(), frozen) << "its rate is 0";
        EXPECT_EQ(w.stepped(), update % 3 == 0) << update;
    }
}

TEST(Draws, ADelayIsKeptAcrossAResume) {
    World w(1000), other(1000);
    for (int update = 0; update < 4; ++update) w.update(1);
    Archive saved = Archive::saving();
    w.learner->archive(saved);
    Archive loaded = Archive::loading(saved.bytes());
    other.learner->archive(loaded);
    ASSERT_TRUE(loaded.finish().has_value());
    for (const int update : {5, 6}) {
        other.update(1);
        EXPECT_EQ(other.stepped(), update == 6) << update;
    }
}

}  // namespace
}  // namespace seedbed
