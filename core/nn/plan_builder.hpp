// SPDX-License-Identifier: Apache-2.0
// Builds a NetPlan operation by operation: names parameters, assigns their offsets, derives shapes, and
// records the first error.
#pragma once

#include <string>
#include <vector>

#include "core/nn/net_plan.hpp"

namespace seedbed {

// Describes an operation to add. Its descriptor (operation.hpp) reads only the fields that apply to it.
struct OpSpec {
    std::vector<int> inputs{};  // indices of values
    std::string name{};         // name of the layer; its parameters are "<scope>.<name>.weight" and so on
    int width = 0;              // elements or channels of the output
    int kernel = 0;             // side of the window, pixels
    int stride = 1;             // pixels
    int pad = 0;                // pixels on each side
    double gain = 1;            // gain of the orthogonal initial weights
    double initial = 0;         // value of the initial biases, or of the learned vector
    Activation activation = Activation::none;
    int leaf = -1;  // index of the observation leaf
};

// A function that adds an operation returns the index of its output value. After an error, further calls have
// no effect and finish() returns the error, so callers need not check each step.
class PlanBuilder {
public:
    explicit PlanBuilder(const NetSpec& spec);

    // Subsequent parameters are named "<scope>.<name>.weight" and so on.
    void setScope(std::string scope) { scope_ = std::move(scope); }
    const std::string& scope() const { return scope_; }
    // Subsequent parameters are not trained.
    void setFixed(bool fixed) { is_fixed_ = fixed; }
    const NetSpec& spec() const { return plan_.spec; }
    const PlanValue& value(int index) const { return plan_.values[static_cast<std::size_t>(index)]; }

    // Adds an operation; `kind` is the id of its descriptor, and an unknown id is an error.
    int add(const std::string& kind, const OpSpec& spec);
    // Concatenates the inputs; a single input is returned unchanged.
    int concat(const std::vector<int>& inputs);
    void head(const std::string& name, const std::string& kind, int x);
    // Records an error; finish() reports the first one.
    void refuse(const std::string& reason);
    // Moves the plan out; call it once. error: config.
    Result<NetPlan> finish();

    // For descriptors. Adds a parameter named "<scope>.<name>" and returns its index in NetPlan::params.
    // gain: see ParamEntry.
    int param(const std::string& name, std::vector<int> shape, ParamEntry::Init init, double gain,
              ParamEntry::Role role = ParamEntry::Role::weight);
    // Appends `op` with a new output value; assigns `state_words` words of recurrent state. A size that is
    // not positive or is too large is an error.
    int append(PlanOp op, std::size_t channels, int height = 1, int width = 1, int state_words = 0);

private:
    int makeValue(std::size_t channels, int height, int width);

    NetPlan plan_;
    std::string scope_;
    std::string refusal_;
    bool is_fixed_ = false;
};

Activation activationFromName(const std::string& name);  // tanh, relu, elu; anything else is none

}  // namespace seedbed
