// SPDX-License-Identifier: Apache-2.0
// Steps per second of every registered environment on one core: stepped by the vectoriser, with observations
// written into the ring, episode statistics, and random actions drawn beforehand (during stepping if there
// are legal-move masks). items_per_second counts steps of columns.
//   bench_env_rates --benchmark_filter=cartpole --benchmark_format=json
#include <benchmark/benchmark.h>

#include <cstring>

#include "core/base/simd.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/random_policy.hpp"

namespace seedbed {
namespace {

constexpr int kRows = 64, kActionRows = 61;

void stepEnv(benchmark::State& state, const std::string& id) {
    const int envs = static_cast<int>(state.range(0));
    auto batch = envRegistry().find(id)->make(Json::object(), envs);
    if (!batch) return state.SkipWithError(batch.error().text().c_str());
    const EnvSpec spec = (*batch)->spec();
    const int columns = envs * spec.agents;
    auto ring = Ring::create({.spaces = spec.spaces, .columns = columns, .rows = kRows});
    if (!ring) return state.SkipWithError(ring.error().text().c_str());
    VectorEnv env(std::move(*batch), **ring, {.seed = 1, .horizon = spec.horizon});

    Rng rng(1, RngPurpose::action);
    const std::size_t words =
        static_cast<std::size_t>(columns) * static_cast<std::size_t>(spec.spaces.actionWords());
    std::vector<float> actions(kActionRows * words);
    for (std::size_t row = 0; row < kActionRows; ++row)
        randomActions(spec.spaces, columns, nullptr, rng, actions.data() + row * words);

    std::vector<EpisodeEnd> ended;
    std::size_t row = 0, episodes = 0;
    if (auto reset = env.reset(); !reset) return state.SkipWithError(reset.error().text().c_str());
    for (auto _ : state) {
        const std::uint64_t t = (*ring)->head();
        if (spec.spaces.has_mask) {
            randomActions(spec.spaces, columns, (*ring)->mask(t), rng, (*ring)->action(t));
        } else {
            std::memcpy((*ring)->action(t), actions.data() + row * words, words * sizeof(float));
            row = (row + 1) % kActionRows;
        }
        ended.clear();
        if (auto stepped = env.step(ended); !stepped)
            return state.SkipWithError(stepped.error().text().c_str());
        episodes += ended.size();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(env.decisions()));
    state.counters["episodes"] = static_cast<double>(episodes);
}

}  // namespace
}  // namespace seedbed

int main(int argc, char** argv) {
    benchmark::AddCustomContext("isa", seedbed::nameOf(seedbed::activeIsa()));
    for (const std::string& id : seedbed::envRegistry().ids())
        benchmark::RegisterBenchmark(id.c_str(),
                                     [id](benchmark::State& state) { seedbed::stepEnv(state, id); })
            ->ArgName("envs")
            ->Arg(64)
            ->Arg(1024)
            ->MinTime(0.3);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
