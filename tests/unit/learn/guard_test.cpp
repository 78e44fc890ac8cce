// SPDX-License-Identifier: Apache-2.0
// A NaN anywhere stops an update before the parameters change, and the message names its source.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/learn/toy_world.hpp"

namespace seedbed {
namespace {

using ::testing::HasSubstr;
using testing::makeLearner;
using testing::ToyActor;
using testing::ToyLearner;
using testing::ToyOptions;
using testing::toyPpo;

// PPO that can make its loss or its gradient non-finite.
class Spoiled final : public Algorithm {
public:
    enum class What { nothing, metric, gradient, advantage };
    explicit Spoiled(std::unique_ptr<Algorithm> ppo) : ppo_(std::move(ppo)) {}
    std::vector<NetworkDecl> networks() const override { return ppo_->networks(); }
    LearnPlan plan() const override { return ppo_->plan(); }
    std::vector<std::string> metrics() const override { return ppo_->metrics(); }
    double learningRate(const Progress& progress) const override { return ppo_->learningRate(progress); }
    Result<> prepare(Batch& batch, const Progress& progress, const EvaluateNetwork& evaluate) override {
        Result<> result = ppo_->prepare(batch, progress, evaluate);
        if (what == What::advantage) batch.advantage[3] = INFINITY;
        return result;
    }
    void learn(Step& step) const override {
        ppo_->learn(step);
        if (what == What::metric) step.sums()[1] = NAN;
        if (what != What::gradient) return;
        const Step::Heads heads = step.forward(0, {}, Keep::tape);
        float* gradients = step.gradients(0);
        gradients[heads.plan->head("value")->begin] = INFINITY;
        step.backward(0, gradients);
    }

    What what = What::nothing;

private:
    std::unique_ptr<Algorithm> ppo_;
};

struct Fixture {
    ToyOptions options;
    Spoiled* algorithm = nullptr;
    ToyLearner toy;
    std::unique_ptr<ToyActor> actor;
    WorkerPool pool{2};

    Fixture() {
        options.network.hidden = {8};
        options.network.separate_critic = true;
        auto spoiled = std::make_unique<Spoiled>(toyPpo(options, {{"minibatches", 2}, {"epochs", 2}}));
        algorithm = spoiled.get();
        toy = makeLearner(options, std::move(spoiled),
                          {.chunk_rows = 16, .lanes = 32, .seed = 1, .optimiser = {}});
        actor = std::make_unique<ToyActor>(options, toy.engine);
        actor->act(toy.learner->params(), 16);
    }
    Result<UpdateStats> update() {
        return toy.learner->update(actor->rings(), {actor->window(16)}, {}, pool);
    }
    // The error of an update, which must not change the parameters.
    std::string errorOf() {
        const std::string before = toy.learner->params().sha256();
        const auto result = update();
        EXPECT_FALSE(result.has_value());
        EXPECT_EQ(toy.learner->params().sha256(), before);
        return result ? "" : result.error().text();
    }
};

TEST(LearnerGuard, NamesTheObservation) {
    Fixture f;
    // A valid row of column 2.
    std::uint64_t t = 5;
    while (f.actor->ring().valid(t)[2] == 0) ++t;
    reinterpret_cast<float*>(f.actor->ring().obs(0, t))[2 * 4 + 3] = NAN;
    const std::string text = f.errorOf();
    EXPECT_THAT(text, HasSubstr("element 3 of observation 'obs'"));
    EXPECT_THAT(text, HasSubstr("row " + std::to_string(t) + ", column 2"));
}

TEST(LearnerGuard, NamesTheObservationBehindTheWindow) {
    Fixture f;
    reinterpret_cast<float*>(f.actor->ring().obs(0, 16))[4 + 1] = INFINITY;
    EXPECT_THAT(f.errorOf(),
                HasSubstr("element 1 of observation 'obs' is not a finite number in row 16, column 1"));
}

TEST(LearnerGuard, NamesTheReward) {
    Fixture f;
    std::uint64_t t = 5;
    while (f.actor->ring().valid(t)[2] == 0) ++t;
    f.actor->ring().reward(t)[2] = NAN;
    EXPECT_THAT(f.errorOf(), HasSubstr("the reward in row " + std::to_string(t) + ", column 2 of group 0"));
}

TEST(LearnerGuard, NamesTheHead) {
    for (const char* name : {"policy", "value"}) {
        Fixture f;
        const NetPlan& plan = f.toy.learner->networkPlan(0);
        const Params params = f.toy.learner->params();
        std::vector<float> blob(params.blob().begin(), params.blob().end());
        for (const ParamEntry& entry : plan.params)
            if (entry.name.find(name) != std::string::npos && entry.name.find("head") != std::string::npos)
                blob[entry.offset] = NAN;
        f.toy.learner->setParams(0, Params(std::move(blob), 5));
        // Row T is evaluated first, so errors of both heads are found there.
        EXPECT_THAT(f.errorOf(), HasSubstr("head '" + std::string(name) + "' of network 'policy'"));
    }
}

TEST(LearnerGuard, NamesTheMetric) {
    Fixture f;
    f.algorithm->what = Spoiled::What::metric;
    EXPECT_THAT(f.errorOf(), HasSubstr("metric 'loss/value'"));
}

TEST(LearnerGuard, NamesTheAdvantage) {
    Fixture f;
    f.algorithm->what = Spoiled::What::advantage;
    EXPECT_THAT(f.errorOf(), HasSubstr("an advantage is not a finite number"));
}

TEST(LearnerGuard, NamesTheParameter) {
    Fixture f;
    f.algorithm->what = Spoiled::What::gradient;
    const std::string text = f.errorOf();
    EXPECT_THAT(text, HasSubstr("the gradient of parameter 'value."));
    EXPECT_THAT(text, HasSubstr("of network 'policy'"));
}

TEST(LearnerGuard, AFailedUpdateLeavesNothingBehind) {
    Fixture failed, clean;
    failed.algorithm->what = Spoiled::What::gradient;
    failed.errorOf();
    failed.algorithm->what = Spoiled::What::nothing;
    ASSERT_TRUE(failed.update().has_value());
    ASSERT_TRUE(clean.update().has_value());
    EXPECT_EQ(failed.toy.learner->params().sha256(), clean.toy.learner->params().sha256());
}

TEST(LearnerGuard, RejectsNetworksThatDoNotMatch) {
    ToyOptions options;
    auto engine = testing::toyEngine(options, {{"policy", "policy", 0, false}, {"value", "value", 1, false}});
    const auto create = [&](Params params, LearnerOptions learner = {}) {
        auto algorithm = toyPpo(options, Json::object());
        const NetworkDecl decl = algorithm->networks()[0];
        std::vector<LearnerNet> nets;
        nets.push_back({decl, engine, std::move(params)});
        const auto result = Learner::create(std::move(algorithm), std::move(nets), std::move(learner));
        return result ? std::string() : result.error().text();
    };
    EXPECT_EQ(create(initialParams(engine->plan(), 1)), "");
    EXPECT_THAT(create(Params(std::vector<float>(3), 1)), HasSubstr("wrong size"));
    EXPECT_THAT(
        create(initialParams(engine->plan(), 1), {.chunk_rows = 0, .lanes = 1, .seed = 1, .optimiser = {}}),
        HasSubstr("chunk_rows"));
}

}  // namespace
}  // namespace seedbed
