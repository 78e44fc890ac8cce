// SPDX-License-Identifier: Apache-2.0
// seedbed bench gpu: every device of every engine with its accuracy, its speed in matrix products and
// convolutions, and the time of a call by number of rows.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/command.hpp"
#include "app/commands/bench/measure.hpp"
#include "app/commands/bench/nets.hpp"
#include "app/commands/engine_check.hpp"
#include "core/base/os/processes.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/nn/engines/check/sample_panel.hpp"

namespace seedbed::app {
namespace {

struct GpuBenchOptions {
    std::string device;  // empty: every device
    double seconds = 0.2;
};

constexpr std::array kRateNets{"mlp2048", "nature", "impala-deep"}, kLatencyNets{"mlp64", "lstm", "nature"};
// From these on, other processes distort the results: cores, and their share of all cores.
constexpr double kBusyCores = 0.25, kBusyShare = 0.1;

// Times of calls with one number of rows.
struct Timed {
    CallTimes forward, both;  // both: with the backward pass
};

Result<Timed> timeNet(EngineNet& net, const Params& params, int rows, bool train, double seconds) {
    const auto context = net.context();
    Rng rng(1, RngPurpose::test);
    const SamplePanel panel = samplePanel(net.plan(), rows, 1, rng);
    const auto words = static_cast<std::size_t>(rows) * static_cast<std::size_t>(net.plan().head_words);
    std::vector<float> heads(words), gradients(words, 1e-4f);
    std::vector<float> state(static_cast<std::size_t>(rows) *
                             static_cast<std::size_t>(net.plan().state_words));
    std::vector<float> lane(train ? net.plan().param_floats : 0);
    const Outputs out{heads.data(), state.empty() ? nullptr : state.data()};
    Timed timed;
    SEEDBED_ASSIGN(timed.forward, timeCalls(seconds, [&] {
                       return context->run(params, panel.rows(), out, Keep::nothing);
                   }));
    if (!train) return timed;
    SEEDBED_ASSIGN(timed.both, timeCalls(seconds, [&]() -> Result<> {
                       SEEDBED_TRY(context->run(params, panel.rows(), out, Keep::tape));
                       return context->backward(gradients.data(), lane.data());
                   }));
    return timed;
}

// The number of rows with which the speed is measured: at most 4096, fewer if a call takes longer than 20 ms.
Result<int> rowsFor(EngineNet& net, const Params& params) {
    int rows = 16;
    while (rows < 4096) {
        SEEDBED_ASSIGN(const Timed timed, timeNet(net, params, rows, false, 0));
        if (timed.forward.median_us > 20e3) break;
        rows *= 4;
    }
    return rows;
}

// Speed in matrix products and convolutions; a multiply-add counts as two operations.
Result<Json> rateOf(const std::string& engine, const std::string& device, const char* name, double seconds) {
    SEEDBED_ASSIGN(const BenchNet net, benchNet(name));
    SEEDBED_ASSIGN(const BenchEngine compiled, compileBenchNet(engine, device, net));
    const Params params(sampleBlob(compiled.net->plan(), 1), 1);
    SEEDBED_ASSIGN(const int rows, rowsFor(*compiled.net, params));
    SEEDBED_ASSIGN(const Timed timed, timeNet(*compiled.net, params, rows, true, seconds));
    const NetWork work = workOf(net.plan, engine);
    return Json{{"net", name},
                {"rows", rows},
                {"forward_us", timed.forward.median_us},
                {"forward_gflops", 2e-3 * work.forward * rows / timed.forward.median_us},
                {"forward_rows_per_s", 1e6 * rows / timed.forward.median_us},
                {"train_us", timed.both.median_us},
                {"train_gflops", 2e-3 * (work.forward + work.backward) * rows / timed.both.median_us}};
}

// Adds the times of calls, and the CPU time that the calling thread needs for a call of one row.
Result<> addLatency(Json& measured, const std::string& engine, const std::string& device, const char* name,
                    double seconds) {
    SEEDBED_ASSIGN(const BenchNet net, benchNet(name));
    SEEDBED_ASSIGN(const BenchEngine compiled, compileBenchNet(engine, device, net));
    const Params params(sampleBlob(compiled.net->plan(), 1), 1);
    Json times = Json::object();
    for (const int rows : {1, 16, 256}) {
        SEEDBED_ASSIGN(const Timed timed, timeNet(*compiled.net, params, rows, false, seconds));
        times[std::to_string(rows)] = timed.forward.median_us;
        if (rows == 1) measured["host_us"][name] = timed.forward.thread_us;
    }
    measured["latency_us"][name] = std::move(times);
    return {};
}

using Progress = std::function<void(const char* net)>;

Result<Json> measureDevice(const std::string& engine, const std::string& device, double seconds,
                           const Progress& progress) {
    Json rates = Json::array();
    for (const char* name : kRateNets) {
        progress(name);
        SEEDBED_ASSIGN(Json rate, rateOf(engine, device, name, seconds));
        rates.push_back(std::move(rate));
    }
    Json measured{{"rates", std::move(rates)}};
    for (const char* name : kLatencyNets) {
        progress(name);
        SEEDBED_TRY(addLatency(measured, engine, device, name, seconds));
    }
    return measured;
}

Json measuredDevice(const std::string& engine, const EngineDevice& device, double seconds,
                    const Progress& progress) {
    Json json{{"device", device.id}, {"engine", engine}, {"description", device.text}, {"error", Json()}};
    const auto parity = checkEngine(engine, device.id);
    if (!parity) {
        json["error"] = parity.error().text();
        return json;
    }
    json["parity"] = {{"forward_error", parity->forward}, {"gradient_error", parity->gradient}};
    auto measured = measureDevice(engine, device.id, seconds, progress);
    if (measured) json.update(*measured);
    else json["error"] = measured.error().text();
    return json;
}

void print(const Json& device) {
    std::printf("%s on %s\n", device["engine"].get<std::string>().c_str(),
                device["description"].get<std::string>().c_str());
    if (device.contains("parity"))
        std::printf("  error against double precision: %.1e forward, %.1e in gradients\n",
                    device["parity"]["forward_error"].get<double>(),
                    device["parity"]["gradient_error"].get<double>());
    for (const Json& rate : device.value("rates", Json::array()))
        std::printf(
            "  %-12s %5d rows: forward %8.2f ms, %8.1f GFLOP/s; with gradients %8.2f ms, %8.1f GFLOP/s\n",
            rate["net"].get<std::string>().c_str(), rate["rows"].get<int>(),
            rate["forward_us"].get<double>() * 1e-3, rate["forward_gflops"].get<double>(),
            rate["train_us"].get<double>() * 1e-3, rate["train_gflops"].get<double>());
    const Json latency = device.value("latency_us", Json::object());
    for (const auto& [net, times] : latency.items()) {
        std::printf("  %-12s", net.c_str());
        for (const auto& [rows, us] : times.items())
            std::printf(" %s row%s: %.0f us ", rows.c_str(), rows == "1" ? "" : "s", us.get<double>());
        std::printf(" on the calling thread: %.1f us\n", device["host_us"][net].get<double>());
    }
    if (device["error"].is_string()) std::printf("  error: %s\n", device["error"].get<std::string>().c_str());
}

// How many cores other processes use while this object exists.
class OtherLoad {
public:
    double cores() const {
        const double all = cpuSecondsOfAll() - all_, own = cpuSeconds() - own_;
        return std::max(0.0, (all - own) / std::max(watch_.seconds(), 1e-3));
    }

private:
    double all_ = cpuSecondsOfAll(), own_ = cpuSeconds();
    Stopwatch watch_;
};

Result<int> benchGpu(const GpuBenchOptions& options, const Context& context) {
    Json devices = Json::array(), missing = Json::array();
    const OtherLoad others;
    for (const std::string& engine : engineRegistry().ids()) {
        if (engine == "check" || engine == "reference") continue;  // not meant to be fast
        const auto found = engineDevices(engine);
        if (!found) {
            missing.push_back({{"engine", engine}, {"reason", found.error().text()}});
            continue;
        }
        for (const EngineDevice& device : *found) {
            if (!options.device.empty() && device.id != options.device) continue;
            std::size_t begun = 0;
            const auto progress = [&](const char* net) {
                if (context.quiet) return;
                std::fprintf(stderr, "measuring %s on %s: %s (%zu of %zu)\n", engine.c_str(),
                             device.id.c_str(), net, ++begun, kRateNets.size() + kLatencyNets.size());
            };
            devices.push_back(measuredDevice(engine, device, options.seconds, progress));
            if (!context.json) print(devices.back());
        }
    }
    if (devices.empty())
        return fail(ErrorCode::device,
                    "no engine has the device '" + options.device + "'; 'seedbed doctor' lists the devices");
    const double other_cores = others.cores();
    const bool busy = other_cores > std::max(kBusyCores, kBusyShare * std::thread::hardware_concurrency());
    if (busy && !context.quiet)
        std::fprintf(stderr, "Other programs used %s cores: measure again when the computer is idle.\n",
                     formatNumber(other_cores).c_str());
    if (context.json)
        printJson(Json{{"version", kVersion},
                       {"devices", devices},
                       {"unavailable", missing},
                       {"other_cores", other_cores},
                       {"busy", busy}});
    else
        for (const Json& each : missing)
            std::printf("%s: not available; %s\n", each["engine"].get<std::string>().c_str(),
                        each["reason"].get<std::string>().c_str());
    for (const Json& device : devices)
        if (device["error"].is_string()) return exitCode(ErrorCode::device);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    bench_gpu, {.id = "bench gpu",
                .summary = "Measure every device: accuracy, matrix products, convolutions, time per call",
                .examples = {"seedbed bench gpu", "seedbed bench gpu --device vulkan:0 --json"},
                .define = [](CLI::App& cli) -> Action {
                    auto o = std::make_shared<GpuBenchOptions>();
                    cli.add_option("--device", o->device, "Only this device (default: every device)")
                        ->type_name("DEVICE");
                    cli.add_option("--seconds", o->seconds, "Duration of each measurement in seconds")
                        ->check(CLI::Range(0.01, 60.0))
                        ->capture_default_str();
                    return [o](const Context& context) { return benchGpu(*o, context); };
                }});

}  // namespace
}  // namespace seedbed::app
