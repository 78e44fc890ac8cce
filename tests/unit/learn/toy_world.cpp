// SPDX-License-Identifier: Apache-2.0
// A toy environment for tests of the learner.
#include "tests/unit/learn/toy_world.hpp"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "core/nn/acting_head.hpp"
#include "core/rollout/gather.hpp"

namespace seedbed::testing {
namespace {

constexpr int kObs = 4;

std::size_t size(int count) { return static_cast<std::size_t>(count); }

}  // namespace

Spaces toySpaces(const ToyOptions& options) {
    Spaces spaces;
    spaces.obs.push_back({.name = "obs",
                          .kind = ObsLeaf::Kind::vector,
                          .dtype = DType::f32,
                          .shape = {kObs},
                          .low = -INFINITY,
                          .high = INFINITY});
    spaces.actions = options.actions;
    spaces.has_mask = options.mask;
    return spaces;
}

ActionDistribution toyDistribution(const ToyOptions& options) {
    return {toySpaces(options), options.network.squash};
}

std::shared_ptr<EngineNet> toyEngine(const ToyOptions& options, std::vector<HeadSpec> heads) {
    auto spec = makeNetSpec(toySpaces(options), options.network, std::move(heads));
    SEEDBED_CHECK(spec.has_value(), spec.error().text());
    auto plan = buildPlan(*spec);
    SEEDBED_CHECK(plan.has_value(), plan.error().text());
    auto engine = compileNet("reference", *plan, {});
    SEEDBED_CHECK(engine.has_value(), engine.error().text());
    return std::move(*engine);
}

ToyActor::ToyActor(ToyOptions options, std::shared_ptr<EngineNet> net)
    : options_(std::move(options)),
      net_(std::move(net)),
      context_(net_->context()),
      distribution_(toyDistribution(options_)) {
    const int state_words = net_->plan().state_words;
    auto ring = Ring::create({.spaces = toySpaces(options_),
                              .columns = options_.columns,
                              .rows = options_.rows,
                              .policy_words = distribution_.words(),
                              .state_words = state_words,
                              .state_every = state_words > 0 ? 4 : 0});
    SEEDBED_CHECK(ring.has_value(), ring.error().text());
    ring_ = std::move(*ring);
    state_.assign(size(options_.columns) * size(state_words), 0.0f);
    for (int column = 0; column < options_.columns; ++column) {
        columns_.push_back({.rng = Rng(options_.seed, RngPurpose::test, static_cast<std::uint32_t>(column))});
        writeObservation(0, column, true);
    }
}

void ToyActor::writeObservation(std::uint64_t t, int column, bool first) {
    float obs[kObs];
    Rng& rng = columns_[size(column)].rng;
    for (float& x : obs) x = static_cast<float>(rng.normal());
    std::memcpy(ring_->obs(0, t) + size(column) * sizeof(obs), obs, sizeof(obs));
    ring_->first(t)[column] = first ? 1 : 0;
    ring_->valid(t)[column] = columns_[size(column)].extra ? 0 : 1;
    if (!options_.mask) return;
    const int bytes = toySpaces(options_).maskBytes();
    std::uint8_t* mask = ring_->mask(t) + column * bytes;
    for (int i = 0; i < bytes; ++i) mask[i] = rng.bernoulli(0.7) ? 1 : 0;
    mask[rng.below(static_cast<std::uint32_t>(bytes))] = 1;
}

std::vector<float> ToyActor::evaluate(const Params& params, std::vector<float>& state_out) {
    const NetPlan& plan = net_->plan();
    const std::uint64_t t = ring_->head();
    std::vector<float> heads(size(options_.columns) * size(plan.head_words)),
        action(size(options_.columns) * size(ring_->spec().spaces.actionWords())),
        reward(size(options_.columns));
    std::vector<RowRef> refs;
    for (int column = 0; column < options_.columns; ++column) refs.push_back({t, column, 0});
    const std::vector<Ring*> all = rings();
    gatherPrevious(all, refs.data(), refs.size(), action.data(), reward.data());
    Rows rows;
    rows.sequences = options_.columns;
    rows.obs = {ring_->obs(0, t)};
    rows.first = ring_->first(t);
    rows.state = state_.empty() ? nullptr : state_.data();
    rows.previous_action = action.data();
    rows.previous_reward = reward.data();
    state_out.resize(state_.size());
    const Result<> done = context_->run(
        params, rows, {.heads = heads.data(), .state = state_.empty() ? nullptr : state_out.data()},
        Keep::nothing);
    SEEDBED_CHECK(done.has_value(), done.error().text());
    return heads;
}

std::vector<float> ToyActor::peek(const Params& params) {
    std::vector<float> unused;
    return evaluate(params, unused);
}

void ToyActor::act(const Params& params, int steps) {
    const NetPlan& plan = net_->plan();
    const PlanHead& policy = *actingHead(plan);
    const PlanHead* value = plan.head("value");
    std::vector<float> next_state;
    for (int step = 0; step < steps; ++step) {
        const std::uint64_t t = ring_->head();
        ASSERT_TRUE(ring_->hasRoom());
        if (!state_.empty() && t % 4 == 0) std::copy(state_.begin(), state_.end(), ring_->state(t));
        const std::vector<float> heads = evaluate(params, next_state);
        for (int column = 0; column < options_.columns; ++column) {
            const float* row = heads.data() + size(column) * size(plan.head_words);
            std::copy_n(row + policy.begin, policy.width, ring_->policy(t) + column * policy.width);
            ring_->value(t)[column] = value == nullptr ? 0 : row[value->begin];
            ring_->version(t)[column] = static_cast<std::uint32_t>(params.version());
        }
        distribution_.sample(options_.columns, ring_->policy(t), options_.mask ? ring_->mask(t) : nullptr,
                             Selection::sample, {options_.seed, RngPurpose::test, 1000, t}, ring_->action(t),
                             ring_->logProb(t));
        const int words = ring_->spec().spaces.actionWords();
        for (int index = 0; index < options_.columns; ++index) {
            Column& column = columns_[size(index)];
            const auto* obs = reinterpret_cast<const float*>(ring_->obs(0, t)) + index * kObs;
            ring_->episodeStep(t)[index] = column.step;
            bool first = column.extra;
            if (column.extra) {
                // No action was applied here: fields other than the observation and its value must not
                // matter.
                ring_->reward(t)[index] = 0;
                ring_->discount(t)[index] = 0;
                column.extra = false;
                column.step = 0;
            } else {
                ring_->reward(t)[index] = options_.reward(obs, ring_->action(t) + index * words);
                const bool terminated = column.rng.bernoulli(options_.terminate);
                ring_->discount(t)[index] = terminated ? 0.0f : 1.0f;
                column.extra = !terminated && column.rng.bernoulli(options_.truncate);
                first = terminated;
                column.step = terminated ? 0 : column.step + 1;
            }
            writeObservation(t + 1, index, first);
        }
        state_ = next_state;
        ring_->advance();
    }
}

Window ToyActor::window(int length) const {
    return {.group = 0,
            .t0 = ring_->head() - static_cast<std::uint64_t>(length),
            .length = length,
            .column = 0,
            .columns = options_.columns};
}

std::unique_ptr<Algorithm> toyPpo(const ToyOptions& options, const Json& params) {
    return algorithmRegistry().find("ppo")->make(params, toyDistribution(options));
}

ToyLearner makeLearner(const ToyOptions& options, std::unique_ptr<Algorithm> algorithm,
                       const LearnerOptions& learner_options, std::uint64_t param_seed) {
    ToyLearner toy;
    std::vector<LearnerNet> nets;
    for (const NetworkDecl& decl : algorithm->networks()) {
        auto engine = toyEngine(options, decl.heads);
        if (toy.engine == nullptr) toy.engine = engine;
        nets.push_back({decl, engine, initialParams(engine->plan(), param_seed + nets.size())});
    }
    auto learner = Learner::create(std::move(algorithm), std::move(nets), learner_options);
    SEEDBED_CHECK(learner.has_value(), learner.error().text());
    toy.learner = std::move(*learner);
    return toy;
}

double metric(const UpdateStats& stats, const std::string& name) {
    for (const auto& [key, value] : stats.metrics)
        if (key == name) return value;
    ADD_FAILURE() << "no metric " << name;
    return NAN;
}

}  // namespace seedbed::testing
