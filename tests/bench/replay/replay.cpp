// SPDX-License-Identifier: Apache-2.0
// A replay of a million windows: nanoseconds per window for drawing it and, with priorities, for returning
// its new priority. The goal is 500.
#include <benchmark/benchmark.h>

#include <vector>

#include "core/base/rng.hpp"
#include "core/session/windows/replay_windows.hpp"

namespace seedbed {
namespace {

constexpr int kColumns = 64, kBatch = 32, kSteps = 1000;

// A ring in which every row has an action.
std::unique_ptr<Ring> ringOf(int rows) {
    Spaces spaces;
    spaces.obs = {{.name = "obs", .kind = ObsLeaf::Kind::vector, .dtype = DType::f32, .shape = {1}}};
    spaces.actions = {{.name = "action", .kind = ActionLeaf::Kind::discrete, .n = 2}};
    auto ring = *Ring::create({.spaces = spaces, .columns = kColumns, .rows = rows + 8, .policy_words = 2});
    for (int row = 0; row < rows; ++row) {
        std::fill_n(ring->valid(ring->head()), kColumns, std::uint8_t{1});
        ring->advance();
    }
    return ring;
}

void drawWindows(benchmark::State& state) {
    const std::int64_t size = state.range(0);
    const bool by_priority = state.range(1) != 0;
    const auto ring = ringOf(static_cast<int>(size / kColumns));
    // The ratio gives kSteps gradient steps per turn.
    const LearnPlan plan{.rollout_length = 1,
                         .rows_ahead = 1,
                         .replay = ReplayPlan{.size = size,
                                              .start = 1,
                                              .batch = kBatch,
                                              .ratio = double{kBatch} * kSteps / kColumns,
                                              .prioritised = by_priority,
                                              .alpha = 0.6,
                                              .beta = 0.4}};
    ReplayWindows replay({ring.get()}, plan, 1);
    replay.turn({{.length = static_cast<int>(size / kColumns), .columns = kColumns}}, kColumns);
    Rng rng(2, RngPurpose::test);
    std::vector<float> priorities(kBatch);
    for (auto _ : state) {
        const TakenWindows* taken = replay.take();
        if (taken == nullptr) {
            state.PauseTiming();
            replay.turn({}, kColumns);
            taken = replay.take();
            state.ResumeTiming();
        }
        benchmark::DoNotOptimize(taken->windows.data());
        for (float& priority : priorities) priority = rng.uniformF();
        if (by_priority) replay.done(priorities);
    }
    state.counters["ns_per_window"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * kBatch * 1e-9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(drawWindows)->ArgNames({"windows", "by_priority"})->ArgsProduct({{10'000, 1'000'000}, {0, 1}});

}  // namespace
}  // namespace seedbed

BENCHMARK_MAIN();
