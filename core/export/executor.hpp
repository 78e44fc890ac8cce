// SPDX-License-Identifier: Apache-2.0
// The executor seam: something that runs one form of a policy, row by row, so that two forms can be compared.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/export/policy_model.hpp"
#include "core/nn/engine.hpp"

namespace seedbed {

// One step of independent rows; the fields are those of PolicyModel's interface, empty where the model has
// none.
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
    std::vector<float> feedback;  // [rows, A] where the core wants the previous action
};

// A batch of `rows` rows at the start of an episode, observations zero, everything allowed.
ModelBatch emptyBatch(const PolicyModel& model, int rows);
// Row `row` alone.
ModelBatch rowOf(const PolicyModel& model, const ModelBatch& batch, int row);
// Sizes all fields for `rows` rows.
void resizeResult(const PolicyModel& model, int rows, ModelResult& result);

// Thread: one owner at a time.
class Executor {
public:
    virtual ~Executor() = default;
    // error: what the executor reported, or results that are no numbers.
    virtual Result<> run(const ModelBatch& batch, ModelResult& result) = 0;
    // Plays the rows of `steps` as one episode from its start, on memory of its own: what it remembers and
    // feeds back is its own, states and previous actions in `steps` are not looked at. Forms that keep their
    // memory themselves do it with that.
    virtual Result<> playSequence(const PolicyModel& model, const ModelBatch& steps, ModelResult& result);
    virtual std::string id() const = 0;
    // "1.31.1 with Python 3.11.7": for parity.json.
    virtual std::string version() const = 0;
};

// The policy as training runs it: `net` (of model.plan) on the bundle's parameters, actions from the
// distribution. `model` and `net` outlive it.
std::unique_ptr<Executor> engineExecutor(const PolicyModel& model, EngineNet& net, std::string id);

}  // namespace seedbed
