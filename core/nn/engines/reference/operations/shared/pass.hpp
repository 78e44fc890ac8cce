// SPDX-License-Identifier: Apache-2.0
// Values, gradients and parameters of one call, in float or double, and the registry of kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/registry.hpp"
#include "core/nn/engine.hpp"

namespace seedbed::reference {

// Buffers grow to the largest call and are reused. All matrices are row-major, with the rows of the panel.
template <class F>
struct Pass {
    const NetPlan* plan = nullptr;
    const F* blob = nullptr;                 // parameters
    int sequences = 0, steps = 0, rows = 0;  // rows = sequences * steps, time-major
    const Rows* panel = nullptr;
    std::vector<std::vector<F>> values;      // per value: [rows, size]
    std::vector<std::vector<F>> gradients;   // per value: [rows, size]; only if wants_gradient
    std::vector<char> wants_gradient;        // per value: whether it depends on a weight or on an input whose
                                             // gradient is requested
    std::vector<std::vector<F>> transposed;  // per parameter: [in, out] copies of linear/recurrent weights
    std::vector<std::vector<F>> saved;       // per operation: tape of the backward pass
    std::vector<std::vector<std::int32_t>> picked;  // per operation: indices of maxima
    std::vector<F> scratch, scratch2;               // scratch memory of one operation call
    const F* state_in = nullptr;                    // [sequences, state_words]
    F* state_out = nullptr;                         // [sequences, state_words]
    F* lane = nullptr;     // backward: the parameters' gradients are added here; null: they are not requested
    std::vector<F> spare;  // receives the gradients if `lane` is null and an operation always computes
                           // them

    const ParamEntry& entry(const PlanOp& op, int i) const {
        return plan->params[static_cast<std::size_t>(op.params[static_cast<std::size_t>(i)])];
    }
    const F* weight(const PlanOp& op, int i) const { return blob + entry(op, i).offset; }
    const F* weightT(const PlanOp& op, int i) const {
        return transposed[static_cast<std::size_t>(op.params[static_cast<std::size_t>(i)])].data();
    }
    F* weightGradient(const PlanOp& op, int i) {
        return (lane != nullptr ? lane : spare.data()) + entry(op, i).offset;
    }
    const PlanValue& shape(int value) const { return plan->values[static_cast<std::size_t>(value)]; }
    int size(int value) const { return static_cast<int>(shape(value).size()); }
    // Number of elements of a value in all rows.
    std::size_t count(int value) const { return static_cast<std::size_t>(rows) * shape(value).size(); }
    F* value(int index) { return values[static_cast<std::size_t>(index)].data(); }
    // The gradient of a value; null if it is not requested.
    F* gradient(int index) {
        const auto i = static_cast<std::size_t>(index);
        return wants_gradient[i] ? gradients[i].data() : nullptr;
    }
    F* x(const PlanOp& op, int i = 0) { return value(op.inputs[static_cast<std::size_t>(i)]); }
    int xSize(const PlanOp& op, int i = 0) const { return size(op.inputs[static_cast<std::size_t>(i)]); }
    F* xGradient(const PlanOp& op, int i = 0) { return gradient(op.inputs[static_cast<std::size_t>(i)]); }
    // Sets wants_gradient for a backward pass; `inputs` as in NetContext::backward.
    void markWanted(const std::vector<F*>* inputs) {
        if (lane == nullptr) grown(spare, plan->param_floats);
        std::fill(wants_gradient.begin(), wants_gradient.end(), char{0});
        for (const PlanOp& op : plan->ops) {
            const auto leaf = static_cast<std::size_t>(std::max(op.leaf, 0));
            bool wanted = inputs != nullptr && op.leaf >= 0 && (*inputs)[leaf] != nullptr &&
                          plan->spec.spaces.obs[leaf].kind == ObsLeaf::Kind::vector;
            for (const int param : op.params)
                wanted = wanted || (lane != nullptr && plan->params[static_cast<std::size_t>(param)].role ==
                                                           ParamEntry::Role::weight);
            for (const int x : op.inputs) wanted = wanted || wants_gradient[static_cast<std::size_t>(x)] != 0;
            wants_gradient[static_cast<std::size_t>(op.output)] = wanted ? 1 : 0;
        }
    }
    std::size_t index(const PlanOp& op) const { return static_cast<std::size_t>(&op - plan->ops.data()); }
    // Memory that is kept from the forward pass of an operation to its backward pass.
    F* save(const PlanOp& op, std::size_t count) { return grown(saved[index(op)], count); }

    static F* grown(std::vector<F>& buffer, std::size_t count) {
        if (buffer.size() < count) buffer.resize(count);
        return buffer.data();
    }
};

// The implementation of one operation for number type F: each file of operations/ registers one. forward:
// value(op.output) from its inputs. backward: from gradient(op.output), which it may overwrite, adds to the
// gradients of the inputs and to the lane; if `lane` is null, it may skip the gradients of parameters.
template <class F>
struct Kernels {
    std::string id;  // id of the descriptor in core/nn/operations
    std::vector<std::string> aliases{};
    void (*forward)(Pass<F>& pass, const PlanOp& op) = nullptr;
    void (*backward)(Pass<F>& pass, const PlanOp& op) = nullptr;  // null if the operation has no gradient
    int transposed = 0;  // number of leading parameters that forward reads transposed (weightT)
};

template <class F>
Registry<Kernels<F>>& kernelRegistry() {
    static Registry<Kernels<F>> registry;
    return registry;
}

template <class F>
bool registerKernels(Kernels<F> kernels) {
    kernelRegistry<F>().add(std::move(kernels));
    return true;
}

// The number type of the files in operations/. operations/CMakeLists.txt compiles them for float; the
// engine's CMakeLists.txt compiles them again for double, which only tests and the check engine need.
#ifndef SEEDBED_REFERENCE_REAL
#define SEEDBED_REFERENCE_REAL float
#endif
using Real = SEEDBED_REFERENCE_REAL;

}  // namespace seedbed::reference
