// SPDX-License-Identifier: Apache-2.0
// seedbed bench learner: time of one optimiser step on a minibatch: the forward pass, the backward
// pass, the sum over gradient lanes and the optimiser.
#include <algorithm>
#include <memory>
#include <vector>

#include "app/command.hpp"
#include "app/commands/bench/measure.hpp"
#include "app/commands/bench/nets.hpp"
#include "app/policy_options.hpp"
#include "core/base/thread.hpp"
#include "core/learn/lanes.hpp"
#include "core/nn/engines/check/sample_panel.hpp"
#include "core/nn/optimiser.hpp"
#include "core/session/engine_choice.hpp"

namespace seedbed::app {
namespace {

struct LearnerBenchOptions {
    std::string net = "mlp64x2", engine = "auto", device = "cpu";
    int batch = 256, threads = 0, steps = 0, chunk_rows = 128;
    double seconds = 2;
};

// A minibatch, divided into chunks as in the learner, with head gradients of a realistic size.
class Minibatch {
public:
    Minibatch(EngineNet& net, int sequences, int steps, int chunk_sequences, int threads)
        : pool_(threads),
          lanes_(net.plan().param_floats),
          optimiser_(net.plan(), OptimiserParams{}),
          blob_(std::make_shared<std::vector<float>>(sampleBlob(net.plan(), 1))) {
        Rng rng(1, RngPurpose::test);
        for (int first = 0; first < sequences; first += chunk_sequences)
            chunks_.push_back(
                samplePanel(net.plan(), std::min(chunk_sequences, sequences - first), steps, rng));
        const auto largest =
            static_cast<std::size_t>(chunks_.front().sequences) * static_cast<std::size_t>(steps);
        for (int i = 0; i < pool_.threads(); ++i) {
            contexts_.push_back(net.context());
            heads_.emplace_back(largest * static_cast<std::size_t>(net.plan().head_words));
        }
        gradients_.assign(heads_.front().size(), 1e-4f);
        lanes_.require(chunks_.size());
    }

    Result<> forward() {
        return pool_.run(chunks_.size(),
                         [this](std::size_t i, int worker) { return runChunk(i, worker, Keep::nothing); });
    }
    Result<> train() {
        const auto chunk = [this](std::size_t i, int worker) -> Result<> {
            SEEDBED_TRY(runChunk(i, worker, Keep::tape));
            return contexts_[static_cast<std::size_t>(worker)]->backward(gradients_.data(), lanes_.lane(i));
        };
        SEEDBED_TRY(pool_.run(chunks_.size(), chunk));
        lanes_.sum(chunks_.size(), pool_);
        optimiser_.step(*blob_, lanes_.total(), 1e-5, &pool_);
        lanes_.clearSum();
        ++version_;
        return {};
    }
    std::size_t chunks() const { return chunks_.size(); }

private:
    Result<> runChunk(std::size_t i, int worker, Keep keep) {
        const auto w = static_cast<std::size_t>(worker);
        return contexts_[w]->run(Params(blob_, version_), chunks_[i].rows(),
                                 Outputs{heads_[w].data(), nullptr}, keep);
    }

    WorkerPool pool_;
    Lanes lanes_;
    Optimiser optimiser_;
    std::shared_ptr<std::vector<float>> blob_;
    std::uint64_t version_ = 1;
    std::vector<SamplePanel> chunks_;
    std::vector<std::unique_ptr<NetContext>> contexts_;
    std::vector<std::vector<float>> heads_;
    std::vector<float> gradients_;
};

Result<int> benchLearner(const LearnerBenchOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const BenchNet net, benchNet(options.net));
    SEEDBED_ASSIGN(const BenchEngine engine, compileBenchNet(options.engine, options.device, net));
    const std::string load = loadAverage();
    const int threads = threadCount(options.threads);
    // Recurrent networks use sequences of 64 steps, as in their presets.
    const int steps = std::min(options.batch, options.steps > 0          ? options.steps
                                              : net.plan.state_words > 0 ? 64
                                                                         : 1);
    const int sequences = options.batch / steps;
    const int chunk_sequences = std::clamp(options.chunk_rows / steps, 1, sequences);
    Minibatch batch(*engine.net, sequences, steps, chunk_sequences, threads);

    SEEDBED_ASSIGN(const CallTimes forward,
                   timeCalls(options.seconds * 0.4, [&] { return batch.forward(); }));
    const double cpu_begin = cpuSeconds();
    SEEDBED_ASSIGN(const CallTimes train, timeCalls(options.seconds * 0.6, [&] { return batch.train(); }));
    const double cpu = cpuSeconds() - cpu_begin;
    const double rows = static_cast<double>(train.calls) * sequences * steps;
    const FmaPeak peak = measureBestFmaPeak(threads);
    const NetWork work = workOf(net.plan, engine.id);
    const double per_call = 2e-3 * sequences * steps;  // GFLOP/s from multiply-adds per row and microseconds
    const double forward_gflops = per_call * work.forward / forward.median_us;
    const double train_gflops = per_call * (work.forward + work.backward) / train.median_us;
    printFigures({{"task", "learner-" + net.name},
                  {"steps", rows},
                  {"seconds", train.seconds},
                  {"sps", sequences * steps / train.median_us * 1e6},
                  {"cpu_s", cpu},
                  {"cpu_s_per_million_steps", cpu / rows * 1e6},
                  {"score", Json()},
                  {"solve_s", Json()},
                  {"net", net.summary},
                  {"engine", engine.id},
                  {"device", options.device},
                  {"engine_why", engine.why},
                  {"batch", sequences * steps},
                  {"steps_per_sequence", steps},
                  {"chunks", batch.chunks()},
                  {"threads", threads},
                  {"forward_us", forward.median_us},
                  {"forward_sps", sequences * steps / forward.median_us * 1e6},
                  {"train_us", train.median_us},
                  {"train_best_us", train.best_us},
                  {"forward_fma_fraction", forward_gflops / peak.gflops},
                  {"gflops", train_gflops},
                  {"fma_fraction", train_gflops / peak.gflops},
                  {"fma_peak", toJson(peak)},
                  {"load_before", load}},
                 context);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    bench_learner, {.id = "bench learner",
                    .summary = "Measure the time of one optimiser step: forward, backward, Adam",
                    .examples = {"seedbed bench learner",
                                 "seedbed bench learner --net nature --batch 256 --threads 2 --engine torch"},
                    .define = [](CLI::App& cli) -> Action {
                        auto o = std::make_shared<LearnerBenchOptions>();
                        cli.add_option("--net", o->net, "Network:" + benchNetNames())
                            ->type_name("NETWORK")
                            ->capture_default_str();
                        addEngineOption(cli, o->engine);
                        addDeviceOption(cli, o->device);
                        cli.add_option("--batch", o->batch, "Rows per minibatch")
                            ->check(CLI::Range(1, 1048576))
                            ->capture_default_str();
                        cli.add_option("--steps", o->steps,
                                       "Steps per sequence; 0: 64 for recurrent networks, else 1")
                            ->check(CLI::Range(0, 65536));
                        cli.add_option("--chunk-rows", o->chunk_rows, "Rows per chunk")
                            ->check(CLI::Range(1, 1048576))
                            ->capture_default_str();
                        cli.add_option("--threads", o->threads, "Threads; 0: one per core")
                            ->check(CLI::Range(0, 1024))
                            ->capture_default_str();
                        cli.add_option("--seconds", o->seconds, "Duration of the measurement in seconds")
                            ->check(CLI::Range(0.01, 3600.0))
                            ->capture_default_str();
                        return [o](const Context& context) { return benchLearner(*o, context); };
                    }});

}  // namespace
}  // namespace seedbed::app
