// SPDX-License-Identifier: Apache-2.0
#include "core/session/inference_devices.hpp"

#include <algorithm>
#include <cmath>

#include "core/session/engine_choice.hpp"
#include "core/session/timing.hpp"

namespace seedbed {
namespace {

bool needsWholeBatches(const TrainingConfig& config, const std::string& engine) {
    return config.run.schedule == "sync" && !rowsAreIndependent(engine);
}

}  // namespace

std::vector<std::string> inferenceDevices(const TrainingConfig& config, const std::string& engine,
                                          int groups) {
    std::vector<std::string> devices;
    std::string rest = config.infer.devices;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        if (comma > 0) devices.push_back(rest.substr(0, comma));
        rest.erase(0, comma + 1);
    }
    if (devices.empty()) {
        devices.push_back(config.run.device);
        // Two batches of a device are in flight: one is transferred or sampled while the other is computed.
        // Batches of fewer rows would change the results of some engines.
        if (config.run.device != "cpu" && !needsWholeBatches(config, engine))
            devices.push_back(config.run.device);
    }
    if (devices.size() > static_cast<std::size_t>(groups)) devices.resize(static_cast<std::size_t>(groups));
    return devices;
}

CloseRule InferenceDevices::closeRule(const InferenceSettings& settings, int rows, int groups, bool whole) {
    CloseRule rule;
    if (whole) return rule;
    // Half of the rows, so that one half is stepped while the network processes the other.
    rule.rows = settings.batch_rows > 0 ? settings.batch_rows : groups > 1 ? (rows + 1) / 2 : 0;
    if (settings.deadline_ms >= 0)
        rule.deadline_ns = static_cast<std::int64_t>(std::llround(settings.deadline_ms * 1e6));
    return rule;
}

Result<std::unique_ptr<InferenceDevices>> InferenceDevices::create(
    const TrainingConfig& config, const std::string& engine, const std::shared_ptr<EngineNet>& acting,
    const std::vector<ActorGroup*>& groups, const ActingParams& params, const Clock& clock) {
    auto self = std::make_unique<InferenceDevices>();
    if (config.run.inference != "central") return self;
    const std::vector<std::string> names = inferenceDevices(config, engine, static_cast<int>(groups.size()));
    const bool whole = needsWholeBatches(config, engine);
    for (std::size_t d = 0; d < names.size(); ++d) {
        std::shared_ptr<EngineNet> net = acting;
        if (names[d] != config.run.device) {
            SEEDBED_ASSIGN(net, compileNet(engine, acting->plan(),
                                           engineOptions(names[d], config.run.on_device_failure)));
        }
        self->nets_.push_back(net);
        self->readers_.push_back(std::make_unique<ActingParams::Reader>(params));
        std::vector<CentralInference::Group> own;
        int rows = 0;
        for (std::size_t g = d; g < groups.size(); g += names.size()) {
            own.push_back({static_cast<int>(g), &groups[g]->span()});
            rows += groups[g]->ring().columns();
        }
        // Threads that share a device step the groups of one while it computes those of the other.
        const bool shared = std::count(names.begin(), names.end(), names[d]) > 1;
        const int parts = shared ? 1 : static_cast<int>(own.size());
        const CloseRule rule = closeRule(config.infer, rows, parts, whole);
        ActingParams::Reader* reader = self->readers_.back().get();
        InferenceDevices* devices = self.get();
        self->devices_.push_back(std::make_unique<CentralInference>(
            *net, std::move(own), rule, clock, [reader]() -> const Acting& { return reader->acting(); },
            [devices](int group) { devices->crew_->ready(group); }));
    }
    return self;
}

void InferenceDevices::attach(ActorCrew& crew) {
    crew_ = &crew;
    crew.setInference(devices_);
}

void InferenceDevices::start(Gate* gate, const NamedThread::OnFailure& on_failure) {
    for (std::size_t d = 0; d < devices_.size(); ++d) {
        CentralInference* device = devices_[d].get();
        threads_.emplace_back(
            "inference " + std::to_string(d),
            [device, gate](const std::stop_token& stop) {
                return device->run(stop, [gate, stop] {
                    if (gate != nullptr) gate->pass(stop);
                });
            },
            on_failure);
    }
}

void InferenceDevices::stop() {
    for (NamedThread& thread : threads_) thread.requestStop();
    threads_.clear();
}

void InferenceDevices::expectAll() {
    for (auto& device : devices_) device->expectAll();
}

void InferenceDevices::wake() {
    for (auto& device : devices_) device->wakeWord().notify();
}

PhaseSums InferenceDevices::seconds() const {
    PhaseSums sums{};
    for (const auto& device : devices_) sums += device->times().seconds();
    return sums;
}

InferenceDevices::Counts InferenceDevices::counts() const {
    Counts counts;
    const auto add = [](auto& sum, const auto& more) {
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
    };
    for (const auto& device : devices_) {
        const CentralInferenceStats& stats = device->stats();
        add(counts.rows, stats.batch_rows.counts());
        add(counts.wait, stats.wait_ns.counts());
        add(counts.forward, stats.forward_ns.counts());
        for (std::size_t i = 0; i < counts.closed.size(); ++i)
            counts.closed[i] += stats.closed[i].load(std::memory_order_relaxed);
    }
    return counts;
}

void InferenceDevices::appendMetrics(std::vector<std::pair<std::string, double>>& metrics) {
    if (devices_.empty()) return;
    const Counts now = counts();
    const auto add = [&](const std::string& name, const auto& counts, const auto& before, double unit) {
        metrics.emplace_back(name + "_p50", quantile(counts, before, 0.5) * unit);
        metrics.emplace_back(name + "_p95", quantile(counts, before, 0.95) * unit);
        metrics.emplace_back(name + "_max", quantile(counts, before, 1.0) * unit);
    };
    add("infer/batch_rows", now.rows, seen_.rows, 1);
    add("infer/wait_ms", now.wait, seen_.wait, 1e-6);
    add("infer/forward_ms", now.forward, seen_.forward, 1e-6);
    const std::array<const char*, 3> reasons{"size", "deadline", "all_arrived"};
    for (std::size_t i = 0; i < reasons.size(); ++i)
        metrics.emplace_back(std::string("infer/closed_by_") + reasons[i],
                             static_cast<double>(now.closed[i] - seen_.closed[i]));
    seen_ = now;
}

}  // namespace seedbed
