// SPDX-License-Identifier: Apache-2.0
// seedbed bench infer: time of one forward pass by network, batch size and threads.
#include <algorithm>
#include <memory>
#include <vector>

#include "app/command.hpp"
#include "app/commands/bench/measure.hpp"
#include "app/commands/bench/nets.hpp"
#include "app/policy_options.hpp"
#include "core/base/thread.hpp"
#include "core/nn/engines/check/sample_panel.hpp"
#include "core/nn/threaded_context.hpp"

namespace seedbed::app {
namespace {

struct InferBenchOptions {
    std::string net = "mlp64", engine = "auto", device = "cpu";
    int batch = 1, threads = 1;
    double seconds = 1;
};

// The rows of the batch that one thread computes, and its workspace.
struct Span {
    SamplePanel panel;
    std::unique_ptr<NetContext> context;
    std::vector<float> heads, state;

    Span(EngineNet& net, int rows, std::uint64_t seed) : context(net.context()) {
        Rng rng(seed, RngPurpose::test);
        panel = samplePanel(net.plan(), rows, 1, rng);
        heads.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(net.plan().head_words));
        state.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(net.plan().state_words));
    }
    Result<> run(const Params& params) {
        return context->run(params, panel.rows(),
                            Outputs{heads.data(), state.empty() ? nullptr : state.data()}, Keep::nothing);
    }
};

Result<int> benchInfer(const InferBenchOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const BenchNet net, benchNet(options.net));
    SEEDBED_ASSIGN(const BenchEngine engine, compileBenchNet(options.engine, options.device, net));
    const std::string load = loadAverage();
    // If there are fewer rows than threads, the threads share one call, provided that the engine supports it.
    const bool divided = options.batch < options.threads;
    const int spans = divided ? 1 : options.threads;
    const Params params(sampleBlob(net.plan, 1), 1);
    std::vector<Span> parts;
    for (int i = 0; i < spans; ++i)
        parts.emplace_back(*engine.net, options.batch / spans + (i < options.batch % spans ? 1 : 0),
                           static_cast<std::uint64_t>(i + 1));
    WorkerPool pool(options.threads);
    const int threads = divided && !useThreads(*parts[0].context, &pool) ? 1 : options.threads;
    const double cpu_begin = cpuSeconds();
    SEEDBED_ASSIGN(const CallTimes times, timeCalls(options.seconds, [&]() -> Result<> {
                       if (spans == 1) return parts[0].run(params);
                       return pool.run(parts.size(),
                                       [&](std::size_t i, int) { return parts[i].run(params); });
                   }));
    const double cpu = cpuSeconds() - cpu_begin;
    const double rows = static_cast<double>(times.calls) * options.batch;
    const FmaPeak peak = measureBestFmaPeak(threads);
    const double gflops = 2 * workOf(net.plan, engine.id).forward * options.batch / times.median_us * 1e-3;
    printFigures({{"task", "infer-" + net.name},
                  {"steps", rows},
                  {"seconds", times.seconds},
                  {"sps", options.batch / times.median_us * 1e6},
                  {"cpu_s", cpu},
                  {"cpu_s_per_million_steps", cpu / rows * 1e6},
                  {"score", Json()},
                  {"solve_s", Json()},
                  {"net", net.summary},
                  {"engine", engine.id},
                  {"device", options.device},
                  {"engine_why", engine.why},
                  {"batch", options.batch},
                  {"threads", threads},
                  {"median_us", times.median_us},
                  {"best_us", times.best_us},
                  {"calls", times.calls},
                  {"gflops", gflops},
                  {"fma_fraction", gflops / peak.gflops},
                  {"fma_peak", toJson(peak)},
                  {"load_before", load}},
                 context);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    bench_infer,
    {.id = "bench infer",
     .summary = "Measure the time of one forward pass of a network",
     .examples = {"seedbed bench infer", "seedbed bench infer --net nature --batch 256 --threads 2"},
     .define = [](CLI::App& cli) -> Action {
         auto o = std::make_shared<InferBenchOptions>();
         cli.add_option("--net", o->net, "Network:" + benchNetNames())
             ->type_name("NETWORK")
             ->capture_default_str();
         addEngineOption(cli, o->engine);
         addDeviceOption(cli, o->device);
         cli.add_option("--batch", o->batch, "Rows per call")
             ->check(CLI::Range(1, 1048576))
             ->capture_default_str();
         cli.add_option("--threads", o->threads,
                        "Threads that share the rows of a call, or the work of a single row")
             ->check(CLI::Range(1, 1024))
             ->capture_default_str();
         cli.add_option("--seconds", o->seconds, "Duration of the measurement in seconds")
             ->check(CLI::Range(0.01, 3600.0))
             ->capture_default_str();
         return [o](const Context& context) { return benchInfer(*o, context); };
     }});

}  // namespace
}  // namespace seedbed::app
