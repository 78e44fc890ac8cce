// SPDX-License-Identifier: Apache-2.0
// What the operations of the reference engine work on: values, gradients and parameters of one call, in float
// or double.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/engine.hpp"

namespace seedbed::reference {

// Buffers grow to the largest call and are reused. All matrices are row-major; rows are those of the panel.
template <class F>
struct Pass {
    const NetPlan* plan = nullptr;
    const F* blob = nullptr;                 // parameters
    int sequences = 0, steps = 0, rows = 0;  // rows = sequences * steps, time-major
    const Rows* panel = nullptr;
    std::vector<std::vector<F>> values;      // by value: [rows, size]
    std::vector<std::vector<F>> gradients;   // by value: [rows, size]; only where wants_gradient
    std::vector<char> wants_gradient;        // by value: a weight or a wanted input lies before it
    std::vector<std::vector<F>> transposed;  // by parameter: [in, out] copies of linear and recurrent weights
    std::vector<std::vector<F>> saved;       // by operation: what backward needs besides values
    std::vector<std::vector<std::int32_t>> picked;  // by operation: indices of maxima
    std::vector<F> scratch, scratch2;               // of one operation call
    const F* state_in = nullptr;                    // [sequences, state_words]
    F* state_out = nullptr;                         // [sequences, state_words]
    F* lane = nullptr;                              // backward: gradient of the parameters, added to

    const ParamEntry& entry(const PlanOp& op, int i) const {
        return plan->params[static_cast<std::size_t>(op.params[static_cast<std::size_t>(i)])];
    }
    const F* weight(const PlanOp& op, int i) const { return blob + entry(op, i).offset; }
    const F* weightT(const PlanOp& op, int i) const {
        return transposed[static_cast<std::size_t>(op.params[static_cast<std::size_t>(i)])].data();
    }
    F* weightGradient(const PlanOp& op, int i) { return lane + entry(op, i).offset; }
    const PlanValue& shape(int value) const { return plan->values[static_cast<std::size_t>(value)]; }
    int size(int value) const { return static_cast<int>(shape(value).size()); }
    F* value(int index) { return values[static_cast<std::size_t>(index)].data(); }
    // Null where nobody wants it.
    F* gradient(int index) {
        const auto i = static_cast<std::size_t>(index);
        return wants_gradient[i] ? gradients[i].data() : nullptr;
    }
    F* x(const PlanOp& op, int i = 0) { return value(op.inputs[static_cast<std::size_t>(i)]); }
    int xSize(const PlanOp& op, int i = 0) const { return size(op.inputs[static_cast<std::size_t>(i)]); }
    F* xGradient(const PlanOp& op, int i = 0) { return gradient(op.inputs[static_cast<std::size_t>(i)]); }
    std::size_t index(const PlanOp& op) const { return static_cast<std::size_t>(&op - plan->ops.data()); }
    // Memory that lasts from an operation's forward to its backward.
    F* save(const PlanOp& op, std::size_t count) { return grown(saved[index(op)], count); }

    static F* grown(std::vector<F>& buffer, std::size_t count) {
        if (buffer.size() < count) buffer.resize(count);
        return buffer.data();
    }
};

// One kind of operation. forward: value(op.output) from its inputs. backward: from gradient(op.output), which
// it may overwrite, adds to the gradients of inputs and to the lane.
template <class F>
struct Kernel {
    void (*forward)(Pass<F>& pass, const PlanOp& op);
    void (*backward)(Pass<F>& pass, const PlanOp& op);
};

// The kernels of an operation; operations without inputs and parameters have nothing to give backwards.
// runner.cpp
template <class F>
Kernel<F> kernelOf(OpKind kind);

// input.cpp
template <class F>
void forwardInput(Pass<F>&, const PlanOp&);
template <class F>
void forwardPreviousAction(Pass<F>&, const PlanOp&);
template <class F>
void forwardPreviousReward(Pass<F>&, const PlanOp&);
template <class F>
void forwardNormalise(Pass<F>&, const PlanOp&);
template <class F>
void backwardNormalise(Pass<F>&, const PlanOp&);
// dense.cpp
template <class F>
void forwardLinear(Pass<F>&, const PlanOp&);
template <class F>
void backwardLinear(Pass<F>&, const PlanOp&);
template <class F>
void forwardLayerNorm(Pass<F>&, const PlanOp&);
template <class F>
void backwardLayerNorm(Pass<F>&, const PlanOp&);
// join.cpp
template <class F>
void forwardActivation(Pass<F>&, const PlanOp&);
template <class F>
void backwardActivation(Pass<F>&, const PlanOp&);
template <class F>
void forwardAdd(Pass<F>&, const PlanOp&);
template <class F>
void backwardAdd(Pass<F>&, const PlanOp&);
template <class F>
void forwardConcat(Pass<F>&, const PlanOp&);
template <class F>
void backwardConcat(Pass<F>&, const PlanOp&);
template <class F>
void forwardParameterRows(Pass<F>&, const PlanOp&);
template <class F>
void backwardParameterRows(Pass<F>&, const PlanOp&);
template <class F>
void forwardDueling(Pass<F>&, const PlanOp&);
template <class F>
void backwardDueling(Pass<F>&, const PlanOp&);
// image.cpp
template <class F>
void forwardConv2d(Pass<F>&, const PlanOp&);
template <class F>
void backwardConv2d(Pass<F>&, const PlanOp&);
template <class F>
void forwardMaxPool(Pass<F>&, const PlanOp&);
template <class F>
void backwardMaxPool(Pass<F>&, const PlanOp&);
// lstm.cpp, gru.cpp
template <class F>
void forwardLstm(Pass<F>&, const PlanOp&);
template <class F>
void backwardLstm(Pass<F>&, const PlanOp&);
template <class F>
void forwardGru(Pass<F>&, const PlanOp&);
template <class F>
void backwardGru(Pass<F>&, const PlanOp&);

}  // namespace seedbed::reference

// Both versions of one kernel, as the last lines of the file that holds it.
#define SEEDBED_REFERENCE_KERNEL(name)                      \
    template void name<float>(Pass<float>&, const PlanOp&); \
    template void name<double>(Pass<double>&, const PlanOp&)
