// SPDX-License-Identifier: Apache-2.0
// Time of the exchanges of a minibatch between two ranks over TCP on the loopback interface: the sum of
// gradients of the Nature network, and a gather of a few numbers. The other rank is a thread.
#include <thread>

#include <benchmark/benchmark.h>

#include "core/fleet/collective/tcp_ranks.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kNatureFloats = 1'693'362;

// Runs `call` on both ranks as often as the benchmark demands.
template <class Call>
void onBothRanks(benchmark::State& state, const Call& call) {
    TcpRankOptions options;
    options.meet = {"127.0.0.1", 0};
    options.token = "a token of benchmarks";
    options.ranks = 2;
    auto leader = TcpRanks::listen(options);
    if (!leader) return state.SkipWithError(leader.error().text().c_str());
    options.meet = (*leader)->address();
    std::jthread other([&] {
        auto joined = TcpRanks::join(options, 1, {});
        while (joined && call(*(*joined)->collective())) {
        }
    });
    if (!(*leader)->meet({})) return state.SkipWithError("the ranks did not meet");
    for (auto each : state)
        if (!call(*(*leader)->collective())) state.SkipWithError("the ranks lost each other");
    (*leader)->collective()->abort();
}

void sumGradients(benchmark::State& state) {
    onBothRanks(state, [](Collective& collective) {
        thread_local std::vector<float> values(kNatureFloats, 1.0f), scratch;
        return sumInTree(collective, values, scratch).has_value();
    });
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kNatureFloats * sizeof(float)));
}
BENCHMARK(sumGradients)->UseRealTime()->Unit(benchmark::kMillisecond);

void gatherNumbers(benchmark::State& state) {
    onBothRanks(state, [](Collective& collective) {
        thread_local std::vector<double> all;
        const double mine[8] = {};
        return gatherAll(collective, {}, std::span<const double>(mine), all).has_value();
    });
}
BENCHMARK(gatherNumbers)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace seedbed

BENCHMARK_MAIN();
