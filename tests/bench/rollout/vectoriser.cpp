// SPDX-License-Identifier: Apache-2.0
// Overhead of the ring and the vectoriser over the bare environment, in nanoseconds per step and column (a
// step of a group steps all its columns).
#include <benchmark/benchmark.h>

#include <cstring>
#include <iostream>

#include "core/env/env_registry.hpp"
#include "core/env/random_policy.hpp"
#include "core/rollout/gather.hpp"

namespace seedbed {
namespace {

// A minimal environment: four observed numbers, reward 1, an episode end about every `kLength` steps.
class Idle final : public LocalBatch {
public:
    static constexpr int kLength = 200;
    explicit Idle(int count) : count_(count), steps_(static_cast<std::size_t>(count)) {
        spec_.id = "idle";
        spec_.spaces.obs = {ObsLeaf{.shape = {4}}};
        spec_.spaces.actions = {ActionLeaf{.n = 2}};
        for (int env = 0; env < count; ++env) steps_[static_cast<std::size_t>(env)] = env * 7 % kLength;
    }
    int count() const override { return count_; }
    const EnvSpec& spec() const override { return spec_; }
    void reset(int env, Rng&) override { steps_[static_cast<std::size_t>(env)] = env * 7 % kLength; }
    Result<> step(const float*, const std::uint8_t*, Rng*, float* rewards, std::uint8_t* terminated,
                  std::uint8_t* truncated) override {
        std::fill_n(rewards, count_, 1.0F);
        std::memset(truncated, 0, static_cast<std::size_t>(count_));
        for (std::size_t env = 0; env < steps_.size(); ++env)
            terminated[env] = ++steps_[env] >= kLength ? 1 : 0;
        return {};
    }
    void observe(std::uint8_t* const* leaves, std::uint8_t*) const override {
        auto* out = reinterpret_cast<float*>(leaves[0]);
        for (std::size_t i = 0; i < 4 * steps_.size(); ++i) out[i] = static_cast<float>(i);
    }
    void draw(int, Scene&) const override {}
    void archive(int, Archive&) override {}
    Json state(int) const override { return {}; }
    Result<> setState(int, const Json&) override { return {}; }

private:
    int count_;
    EnvSpec spec_;
    std::vector<std::int32_t> steps_;
};

void report(benchmark::State& state, int columns) {
    // The inverse of a rate is in seconds per count; a count in units of 1e-9 gives nanoseconds.
    state.counters["ns_per_step_column"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * columns * 1e-9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.SetItemsProcessed(state.iterations() * columns);
}

std::unique_ptr<Ring> ringFor(const EnvSpec& spec, int columns, int rows) {
    return std::move(
        *Ring::create({.spaces = spec.spaces, .columns = columns, .rows = rows, .policy_words = 2}));
}

// Measures only the search for free space, pins and publication.
void ringAdvance(benchmark::State& state) {
    const auto ring = ringFor(Idle(1).spec(), 1, 256);
    std::vector<Ring::Pin> pins;
    for (int pin = 0; pin < state.range(0); ++pin) pins.push_back(ring->pin(1'000'000'000));
    for (auto _ : state) {
        benchmark::DoNotOptimize(ring->hasRoom());
        ring->advance();
    }
    report(state, 1);
}
BENCHMARK(ringAdvance)->ArgName("pins")->Arg(0)->Arg(2)->Arg(16);

void idleEnvironments(benchmark::State& state) {
    const int count = static_cast<int>(state.range(0));
    auto batch = std::make_unique<Idle>(count);
    const auto ring = ringFor(batch->spec(), count, 256);
    VectorEnv env(std::move(batch), *ring, {.horizon = 500});
    std::vector<EpisodeEnd> ended;
    if (!env.reset()) state.SkipWithError("reset");
    for (auto _ : state) {
        ended.clear();
        if (!env.step(ended)) state.SkipWithError("step");
    }
    report(state, count);
}
BENCHMARK(idleEnvironments)->ArgName("columns")->Arg(1)->Arg(8)->Arg(64)->Arg(1024);

// Measures only the environment: steps, writing observations to a buffer, and resets.
void environmentAlone(benchmark::State& state, const std::string& id) {
    const int count = static_cast<int>(state.range(0));
    const EnvEntry& entry = **envRegistry().get(id, "environment");
    const auto batch = std::move(*entry.makeLocal(Json::object(), count));
    const auto envs = static_cast<std::size_t>(count);
    std::vector<Rng> rngs;
    for (std::uint32_t env = 0; env < envs; ++env) rngs.emplace_back(1, RngPurpose::environment, env);
    std::vector<float> actions(envs * static_cast<std::size_t>(batch->spec().spaces.actionWords())),
        rewards(envs);
    std::vector<std::uint8_t> active(envs, 1), terminated(envs), truncated(envs);
    std::vector<std::vector<std::uint64_t>> leaves;
    std::vector<std::uint8_t*> pointers;
    for (const ObsLeaf& leaf : batch->spec().spaces.obs) {
        leaves.emplace_back(leaf.bytes() * envs / 8 + 1);
        pointers.push_back(reinterpret_cast<std::uint8_t*>(leaves.back().data()));
    }
    Rng rng(1, RngPurpose::action);
    randomActions(batch->spec().spaces, count, nullptr, rng, actions.data());
    for (int env = 0; env < count; ++env) batch->reset(env, rngs[static_cast<std::size_t>(env)]);
    for (auto _ : state) {
        if (!batch->step(actions.data(), active.data(), rngs.data(), rewards.data(), terminated.data(),
                         truncated.data()))
            state.SkipWithError("step");
        for (std::size_t env = 0; env < envs; ++env)
            if (terminated[env] != 0) batch->reset(static_cast<int>(env), rngs[env]);
        batch->observe(pointers.data(), nullptr);
    }
    report(state, count);
}
BENCHMARK_CAPTURE(environmentAlone, cartpole, "cartpole")->ArgName("columns")->Arg(8)->Arg(64)->Arg(1024);

// The same with the vectoriser and a ring, with random but fixed actions and with episode statistics.
void environmentInRing(benchmark::State& state, const std::string& id) {
    const int count = static_cast<int>(state.range(0));
    const EnvEntry& entry = **envRegistry().get(id, "environment");
    auto batch = std::move(*entry.makeLocal(Json::object(), count));
    const EnvSpec spec = batch->spec();
    const auto ring = ringFor(spec, count, 256);
    Rng rng(1, RngPurpose::action);
    for (std::uint64_t t = 0; t < 256; ++t) randomActions(spec.spaces, count, nullptr, rng, ring->action(0));
    for (std::uint64_t t = 1; t < 256; ++t) std::copy_n(ring->action(0), count, ring->action(t));
    VectorEnv env(std::move(batch), *ring, {.horizon = spec.horizon});
    std::vector<EpisodeEnd> ended;
    if (!env.reset()) state.SkipWithError("reset");
    for (auto _ : state) {
        ended.clear();
        if (!env.step(ended)) state.SkipWithError("step");
    }
    report(state, count);
}
BENCHMARK_CAPTURE(environmentInRing, cartpole, "cartpole")->ArgName("columns")->Arg(8)->Arg(64)->Arg(1024);

// Gathering a minibatch: whole columns of a rollout, or shuffled rows.
void gatherRows(benchmark::State& state) {
    const bool shuffled = state.range(0) != 0;
    EnvSpec spec = Idle(1).spec();
    if (state.range(1) > 1)
        spec.spaces.obs = {ObsLeaf{.kind = ObsLeaf::Kind::image,
                                   .dtype = DType::u8,
                                   .shape = {4, 10, 10},
                                   .stack = static_cast<int>(state.range(1))}};
    const auto ring = ringFor(spec, 64, 160);
    while (ring->head() < 150) ring->advance();
    std::memset(ring->first(0), 1, 64);
    std::vector<RowRef> rows;
    appendRows({.t0 = 10, .length = 128, .columns = 64}, rows);
    Rng rng(1, RngPurpose::test);
    if (shuffled)
        for (std::size_t i = rows.size() - 1; i > 0; --i)
            std::swap(rows[i], rows[rng.below(static_cast<std::uint32_t>(i + 1))]);
    const std::vector<Ring*> rings{ring.get()};
    const ObsLeaf& leaf = spec.spaces.obs[0];
    std::vector<std::uint8_t> out(rows.size() * leaf.bytes() * static_cast<std::size_t>(leaf.stack));
    for (auto _ : state) {
        gatherObs(rings, 0, rows.data(), rows.size(), out.data());
        benchmark::ClobberMemory();
    }
    report(state, static_cast<int>(rows.size()));
}
BENCHMARK(gatherRows)
    ->ArgNames({"shuffled", "stack"})
    ->Args({0, 1})
    ->Args({1, 1})
    ->Args({0, 4})
    ->Args({1, 4});

}  // namespace
}  // namespace seedbed

BENCHMARK_MAIN();
