// SPDX-License-Identifier: Apache-2.0
// Writes a NetPlan operation by operation: names and places parameters, follows shapes, and keeps the first
// thing that did not fit.
#pragma once

#include <string>
#include <vector>

#include "core/nn/net_plan.hpp"

namespace seedbed {

// Every function appends one operation and returns the index of its output value. After something did not
// fit, the rest has no effect and finish() returns the error, so that callers need not check after each step.
class PlanBuilder {
public:
    explicit PlanBuilder(const NetSpec& spec);

    // Parameters made from here on are called "<scope>.<name>.weight" and so on.
    void setScope(std::string scope) { scope_ = std::move(scope); }
    const std::string& scope() const { return scope_; }
    const NetSpec& spec() const { return plan_.spec; }
    const PlanValue& value(int index) const { return plan_.values[static_cast<std::size_t>(index)]; }

    int input(int leaf);
    int normalise(int x, const std::string& name);
    int previousAction();
    int previousReward();
    // Orthogonal weight with `gain`, bias filled with `bias`.
    int linear(int x, const std::string& name, int out, double gain, Activation activation = Activation::none,
               double bias = 0);
    int conv2d(int x, const std::string& name, int channels, int kernel, int stride, int pad, double gain,
               Activation activation);
    int layerNorm(int x, const std::string& name, Activation activation);
    int activation(int x, Activation activation);
    int maxPool(int x, int kernel, int stride, int pad);
    int add(int x, int y);
    // One input is returned as it is.
    int concat(const std::vector<int>& inputs);
    int lstm(int x, const std::string& name, int size);
    int gru(int x, const std::string& name, int size);
    int parameterRows(const std::string& name, int width, double initial);
    int dueling(int value, int advantage);

    void head(const std::string& name, const std::string& kind, int x);
    // Records the first failure.
    void refuse(const std::string& reason);
    // error: config. The builder is used up.
    Result<NetPlan> finish();

private:
    int makeValue(int channels, int height, int width);
    int param(const std::string& name, std::vector<int> shape, ParamEntry::Init init, double gain,
              ParamEntry::Role role = ParamEntry::Role::weight);
    int append(PlanOp op, int channels, int height = 1, int width = 1);
    int recurrent(OpKind kind, int x, const std::string& name, int size, int gates);

    NetPlan plan_;
    std::string scope_;
    std::string refusal_;
};

Activation activationFromName(const std::string& name);  // tanh, relu, elu; anything else is none

}  // namespace seedbed
