// SPDX-License-Identifier: Apache-2.0
// Benchmarks writing and reading metric points: CPU time for a million points, and for a curve of 100,000
// points read as a chart does; how long a run waits for its rows to be saved while a run of ten million
// points is imported.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <thread>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "core/store/export_database.hpp"
#include "core/store/import.hpp"
#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed {
namespace {

std::filesystem::path freshFolder() {
    const auto folder =
        std::filesystem::temp_directory_path() / ("seedbed-bench-" + std::to_string(getpid()));
    std::filesystem::remove_all(folder);
    return folder;
}

OwnedRun begin(const std::filesystem::path& folder) {
    auto store = Store::open(folder);
    SEEDBED_CHECK(store.has_value());
    NewRun run;
    run.env = "cartpole";
    run.algo = "ppo";
    run.engine = "reference";
    auto owned = store->createRun(run);
    SEEDBED_CHECK(owned && store->beginSegment(*owned->lock, 0, ProcessInfo{}));
    return std::move(*owned);
}

double processSeconds() {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void write(const std::filesystem::path& folder, std::int64_t points, int curves) {
    const OwnedRun run = begin(folder);
    auto writer = RunWriter::open(folder, *run.lock);
    SEEDBED_CHECK(writer.has_value());
    std::vector<std::string> names;
    for (int c = 0; c < curves; ++c) names.push_back("metric/" + std::to_string(c));
    std::vector<RunWriter::Value> values;
    for (const auto& name : names) values.push_back({name, 0});
    for (std::int64_t step = 0; step < points / curves; ++step) {
        for (int c = 0; c < curves; ++c)
            values[static_cast<std::size_t>(c)].value =
                0.001 * static_cast<double>((step * 7919 + c) % 10007);
        (*writer)->metrics(step * 2048, 1.7e9 + static_cast<double>(step) * 0.05, values);
    }
    SEEDBED_CHECK((*writer)->flush().has_value());
}

// CPU time of all threads, including transactions and syncs, for 25 curves of 40,000 points.
void aMillionPoints(benchmark::State& state) {
    for (auto _ : state) {
        const auto folder = freshFolder();
        const double before = processSeconds();
        write(folder, 1'000'000, 25);
        state.SetIterationTime(processSeconds() - before);
        std::filesystem::remove_all(folder);
    }
}
BENCHMARK(aMillionPoints)->UseManualTime()->Iterations(3)->Unit(benchmark::kMillisecond);

void aCurveOfHundredThousandPoints(benchmark::State& state) {
    const auto folder = freshFolder();
    write(folder, 100'000, 1);
    auto reader = StoreReader::open(folder);
    SEEDBED_CHECK(reader.has_value());
    for (auto _ : state) {
        if (state.range(0) == 0) benchmark::DoNotOptimize(reader->metric(1, "metric/0"));
        else
            benchmark::DoNotOptimize(
                reader->metricSummary(1, "metric/0", static_cast<std::size_t>(state.range(0))));
    }
    state.SetLabel(state.range(0) == 0 ? "every point" : "reduced to " + std::to_string(state.range(0)));
    std::filesystem::remove_all(folder);
}
BENCHMARK(aCurveOfHundredThousandPoints)->Arg(0)->Arg(1000)->Unit(benchmark::kMillisecond);

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Counters: the longest time to save a row during the import, which copies a run in one transaction, and the
// size of the imported file.
void anImportOfTenMillionPoints(benchmark::State& state) {
    const auto source = freshFolder(), target = std::filesystem::path(source.string() + "-target"),
               file = source / "exported.db";
    write(source, 10'000'000, 25);
    SEEDBED_CHECK(exportDatabase(source, file, {}).has_value());
    for (auto _ : state) {
        std::filesystem::remove_all(target);
        const OwnedRun run = begin(target);
        auto writer = RunWriter::open(target, *run.lock);
        SEEDBED_CHECK(writer.has_value());
        std::atomic<bool> over{false};
        std::thread import([&] {
            SEEDBED_CHECK(importDatabase(target, file).has_value());
            over = true;
        });
        double longest = 0;
        for (std::int64_t step = 1; !over; ++step) {
            const RunWriter::Value value{"metric", 1};
            const auto asked = std::chrono::steady_clock::now();
            (*writer)->metrics(step, 1.7e9 + static_cast<double>(step), std::span(&value, 1));
            SEEDBED_CHECK((*writer)->flush().has_value());
            longest = std::max(longest, secondsSince(asked));
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        import.join();
        state.counters["longest_wait_ms"] = 1000 * longest;
        state.counters["file_mb"] = static_cast<double>(std::filesystem::file_size(file)) * 1e-6;
    }
    std::filesystem::remove_all(source);
    std::filesystem::remove_all(target);
}
BENCHMARK(anImportOfTenMillionPoints)->UseRealTime()->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace seedbed

BENCHMARK_MAIN();
