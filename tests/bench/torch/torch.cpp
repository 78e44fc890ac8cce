// SPDX-License-Identifier: Apache-2.0
// Time of one call of an engine, forward only and forward with backward, for the networks of the speed goals.
// One JSON line per figure.
//   bench_torch [ENGINE [SECONDS]]     (torch, 0.3 seconds per figure)
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <thread>

#include "core/base/json.hpp"
#include "core/nn/engines/check/sample_panel.hpp"

using namespace seedbed;

namespace {

using Clock = std::chrono::steady_clock;

template <class T>
T orExit(Result<T> result) {
    if (result) return std::move(*result);
    std::cerr << "error: " << result.error().text() << "\n";
    std::exit(exitCode(result.error().code));
}
void orExit(const Result<>& result) {
    if (result) return;
    std::cerr << "error: " << result.error().text() << "\n";
    std::exit(exitCode(result.error().code));
}

NetPlan planOf(const Spaces& spaces, const NetworkParams& params) {
    const NetSpec spec =
        orExit(makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}}));
    return orExit(buildPlan(spec));
}

// All data that one thread needs for one chunk.
struct Chunk {
    Chunk(EngineNet& net, int rows, std::uint64_t seed)
        : rng(seed, RngPurpose::test), panel(samplePanel(net.plan(), rows, 1, rng)) {
        context = net.context();
        heads.resize(static_cast<std::size_t>(rows * net.plan().head_words));
        head_gradients.assign(heads.size(), 0.01f);
        lane.resize(net.plan().param_floats);
    }
    void infer(const Params& params) {
        orExit(context->run(params, panel.rows(), {heads.data(), nullptr}, Keep::nothing));
    }
    void train(const Params& params) {
        orExit(context->run(params, panel.rows(), {heads.data(), nullptr}, Keep::tape));
        orExit(context->backward(head_gradients.data(), lane.data()));
    }

    Rng rng;
    SamplePanel panel;
    std::unique_ptr<NetContext> context;
    std::vector<float> heads, head_gradients, lane;
};

// Microseconds of one call: the median, the fastest tenth, and the median CPU time of the calling thread; the
// latter two are more reliable on a busy machine.
struct Times {
    double median_us = 0, best_us = 0, cpu_us = 0;
};

double threadMicroseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

Times measure(double seconds, const std::function<void()>& call) {
    for (int i = 0; i < 3; ++i) call();
    std::vector<double> times, cpu;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (Clock::now() < end || times.size() < 5) {
        const auto begin = Clock::now();
        const double before = threadMicroseconds();
        call();
        cpu.push_back(threadMicroseconds() - before);
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    std::sort(cpu.begin(), cpu.end());
    return {times[times.size() / 2], times[times.size() / 10], cpu[cpu.size() / 2]};
}

void print(const std::string& engine, const char* net, const char* work, int threads, int rows,
           const Times& times) {
    const Json line = {{"engine", engine},
                       {"net", net},
                       {"work", work},
                       {"threads", threads},
                       {"rows", rows},
                       {"us", times.median_us},
                       {"best_us", times.best_us},
                       {"cpu_us", times.cpu_us},
                       {"ns_per_row", std::lround(1000 * times.median_us / rows)}};
    std::cout << line.dump() << std::endl;
}

// A minibatch split into one chunk per thread; threads synchronise by spinning, as in the learner.
Times measureTogether(double seconds, EngineNet& net, const Params& params, int rows, int threads) {
    std::vector<Chunk> chunks;
    for (int i = 0; i < threads; ++i) chunks.emplace_back(net, rows / threads, static_cast<std::uint64_t>(i));
    std::atomic<int> round = 0, done = 0;
    std::atomic<bool> stop = false;
    std::vector<std::jthread> helpers;
    for (int i = 1; i < threads; ++i) {
        helpers.emplace_back([&, i] {
            for (int seen = 0; !stop;) {
                if (round == seen) continue;
                ++seen;
                chunks[static_cast<std::size_t>(i)].train(params);
                ++done;
            }
        });
    }
    const Times times = measure(seconds, [&] {
        done = 0;
        ++round;
        chunks[0].train(params);
        while (done < threads - 1) {
        }
    });
    stop = true;
    return times;
}

void benchNet(const std::string& engine, double seconds, const char* name, const NetPlan& plan,
              const std::vector<int>& batches) {
    const auto net = orExit(compileNet(engine, plan, {}));
    const Params params(sampleBlob(plan, 1), 1);
    for (const int rows : batches) {
        Chunk chunk(*net, rows, 1);
        print(engine, name, "forward", 1, rows, measure(seconds, [&] { chunk.infer(params); }));
        print(engine, name, "forward+backward", 1, rows, measure(seconds, [&] { chunk.train(params); }));
        if (std::thread::hardware_concurrency() > 1 && rows % 2 == 0)
            print(engine, name, "forward+backward", 2, rows, measureTogether(seconds, *net, params, rows, 2));
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string engine = argc > 1 ? argv[1] : "torch";
    const double seconds = argc > 2 ? std::atof(argv[2]) : 0.3;
    const Spaces cartpole{.obs = {{.name = "obs", .shape = {4}, .low = -10, .high = 10, .labels = {}}},
                          .actions = {{.name = "action", .n = 2, .low = {}, .high = {}, .labels = {}}}};
    const auto image = [](int channels, int side, double high, int stack) {
        return ObsLeaf{.name = "image",
                       .kind = ObsLeaf::Kind::image,
                       .dtype = DType::u8,
                       .shape = {channels, side, side},
                       .high = high,
                       .stack = stack,
                       .labels = {}};
    };
    Spaces minatar = cartpole, atari = cartpole;
    minatar.obs = {image(4, 10, 1, 1)};
    atari.obs = {image(1, 84, 255, 4)};
    benchNet(engine, seconds, "mlp 4-64-64 tanh, separate critic", planOf(cartpole, {}),
             {1, 8, 64, 128, 256, 512, 1024});
    benchNet(
        engine, seconds, "minatar_conv 128",
        planOf(minatar,
               {.encoder = "minatar_conv", .hidden = {128}, .activation = "relu", .separate_critic = false}),
        {8, 128, 256});
    benchNet(engine, seconds, "lstm 128, 64-64 tanh",
             planOf(cartpole, {.core = "lstm", .separate_critic = false}), {8, 256});
    benchNet(
        engine, seconds, "nature",
        planOf(atari, {.encoder = "nature", .hidden = {}, .activation = "relu", .separate_critic = false}),
        {8, 64, 256});
    return 0;
}
