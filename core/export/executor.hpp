// SPDX-License-Identifier: Apache-2.0
// Interface of executors, which run a policy row by row, so that exported files can be compared with the
// network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/export/policy_model.hpp"
#include "core/nn/engine.hpp"

namespace seedbed {

// One step of independent rows. The fields match PolicyModel's interface; unused fields are empty.
struct ModelBatch {
    int rows = 0;
    std::vector<std::vector<float>> obs;  // per leaf [rows, obsWords]
    std::vector<float> mask;
    std::vector<float> previous_action, previous_reward;
    std::vector<float> state;
};

struct ModelResult {
    std::vector<float> policy;    // [rows, P]
    std::vector<float> value;     // [rows, V]
    std::vector<float> action;    // [rows, A]
    std::vector<float> state;     // [rows, S]
    std::vector<float> feedback;  // [rows, A] if the core uses the previous action
};

// A batch at the start of episodes: observations zero, all actions allowed.
ModelBatch emptyBatch(const PolicyModel& model, int rows);
// A batch that contains only row `row`.
ModelBatch rowOf(const PolicyModel& model, const ModelBatch& batch, int row);
// Sizes all fields for `rows` rows.
void resizeResult(const PolicyModel& model, int rows, ModelResult& result);

// Thread: one owner at a time.
class Executor {
public:
    virtual ~Executor() = default;
    // error: the executor failed, or a result is not finite.
    virtual Result<> run(const ModelBatch& batch, ModelResult& result) = 0;
    // Runs the rows of `steps` as one episode from its start, with the executor's own state and previous
    // actions; the states and previous actions in `steps` are ignored.
    virtual Result<> playSequence(const PolicyModel& model, const ModelBatch& steps, ModelResult& result);
    virtual std::string id() const = 0;
    // Version text for parity.json, such as "1.31.1 with Python 3.11.7".
    virtual std::string version() const = 0;
};

// The trained policy: `net` (compiled from model.plan) with the bundle's parameters; actions are computed
// from the distribution. `model` and `net` must outlive the executor.
std::unique_ptr<Executor> engineExecutor(const PolicyModel& model, EngineNet& net, std::string id);

}  // namespace seedbed
