// SPDX-License-Identifier: Apache-2.0
// Central inference of a session: one CentralInference and one thread per device. Groups are assigned round
// robin.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/thread.hpp"
#include "core/infer/central_inference.hpp"
#include "core/session/acting_params.hpp"
#include "core/session/actor_crew.hpp"
#include "core/session/settings.hpp"

namespace seedbed {

class InferenceDevices {
public:
    // Has no devices for inline inference. `acting`: the network compiled for run.device. error: config,
    // device.
    static Result<std::unique_ptr<InferenceDevices>> create(const TrainingConfig& config,
                                                            const std::string& engine,
                                                            const std::shared_ptr<EngineNet>& acting,
                                                            const std::vector<ActorGroup*>& groups,
                                                            const ActingParams& params, const Clock& clock);
    // When batches close on a device with `groups` groups of `rows` rows in total. `whole`: only complete
    // batches, so that batches contain the same rows in every run.
    static CloseRule closeRule(const InferenceSettings& settings, int rows, int groups, bool whole);

    // Connects the crew. Call it before start().
    void attach(ActorCrew& crew);
    // `on_failure` is called on a device's thread with its error.
    void start(Gate* gate, const NamedThread::OnFailure& on_failure);
    void stop();
    // Call before all groups start together.
    void expectAll();
    void wake();
    int count() const { return static_cast<int>(devices_.size()); }
    PhaseSums seconds() const;
    // Appends the metrics since the last call: infer/batch_rows, infer/wait_ms and infer/forward_ms (p50,
    // p95, max), and the counts infer/batches_by_...
    void appendMetrics(std::vector<std::pair<std::string, double>>& metrics);

private:
    struct Counts {
        std::array<std::uint64_t, 48> rows{}, wait{}, forward{};
        std::array<std::uint64_t, 3> closed{};
    };
    Counts counts() const;

    std::vector<std::shared_ptr<EngineNet>> nets_;
    std::vector<std::unique_ptr<ActingParams::Reader>> readers_;
    std::vector<std::unique_ptr<CentralInference>> devices_;
    ActorCrew* crew_ = nullptr;
    Counts seen_;
    std::vector<NamedThread> threads_;
};

// The device of each inference thread of a run with `groups` groups: infer.devices, or run.device if that is
// empty, twice unless it is the CPU or the engine needs whole batches.
std::vector<std::string> inferenceDevices(const TrainingConfig& config, const std::string& engine,
                                          int groups);

}  // namespace seedbed
