// SPDX-License-Identifier: Apache-2.0
// What the operations of the native engine work on: the reference engine's pass, so that rare operations run
// its kernels, and on top of it packed weights, values that lie elsewhere, and what is known of each
// operation beforehand.
#pragma once

#include <vector>

#include "core/base/thread.hpp"
#include "core/nn/engines/native/conv.hpp"
#include "core/nn/engines/native/kernels.hpp"
#include "core/nn/engines/reference/pass.hpp"

namespace seedbed::native {

inline std::size_t toIndex(int i) { return static_cast<std::size_t>(i); }

// `buffer` with room for at least `count` floats. Thread: the buffer's.
inline float* grown(std::vector<float>& buffer, std::ptrdiff_t count) {
    return reference::Pass<float>::grown(buffer, static_cast<std::size_t>(count));
}

// Rows of a value or gradient, `stride` floats apart.
struct View {
    float* data = nullptr;
    std::ptrdiff_t stride = 0;
};

// Facts of a value, from the plan alone.
struct ValueFacts {
    int producer = -1;              // operation
    int consumers = 0;              // operations, and heads
    bool only_native = true;        // all consumers understand views
    bool only_convolutions = true;  // all consumers are convolutions of this engine
    bool only_wide = true;          // all consumers are linear and wider than kNarrow
    int head = -1;                  // the head it is, when its producer is linear and nobody else reads it
    Activation activation = Activation::none;  // of a native producer, whose derivative consumers may apply
    bool last = false;                         // an image with its channels last, between two convolutions
    bool sparse = false;  // an image of bits that linear operations read as lists of ones
    bool borrowed =
        false;  // lies in the panel (vector observations) or in the caller's heads, not in the pass
};

// The ones of a sparse value, see SparseRows.
struct Ones {
    std::vector<std::int32_t> begin, index;
};

// Thread: one owner. Buffers grow to the largest call and are reused.
struct Work {
    explicit Work(const NetPlan& plan);

    reference::Pass<float> pass;
    const Kernels* kernels;
    WorkerPool* pool = nullptr;              // threads that calls of few rows may use, see divide.hpp
    std::vector<ValueFacts> facts;           // by value
    std::vector<ConvGeometry> geometries;    // by operation; of convolutions
    std::vector<std::vector<float>> packed;  // by parameter
    std::vector<Ones> ones;                  // by value, of the current call; only sparse ones
    std::vector<View> values, gradients;     // by value, of the current call
    std::vector<char> written, derived;  // by value, backward: gradient has contents; derivative was applied
    std::vector<int> missing;            // by value, backward: consumers that have not contributed yet
    std::vector<float> scratch, scratch2, scratch3;

    ConvGeometry& geometry(const PlanOp& op) { return geometries[pass.index(op)]; }
    View x(const PlanOp& op, int i = 0) const {
        return values[static_cast<std::size_t>(op.inputs[static_cast<std::size_t>(i)])];
    }
    View y(const PlanOp& op) const { return values[static_cast<std::size_t>(op.output)]; }
    const float* packedWeight(const PlanOp& op, int i) const {
        return packed[static_cast<std::size_t>(op.params[static_cast<std::size_t>(i)])].data();
    }
    std::vector<float>& packedOf(const PlanOp& op, int i) {
        return packed[static_cast<std::size_t>(op.params[static_cast<std::size_t>(i)])];
    }

    // How an operation hands a gradient to its input `i`: fills c, add, derive of `p`; false when nobody
    // wants it. After the last contribution the derivative of the producer's activation is in.
    bool giveGradient(const PlanOp& op, int i, Product& p);
    // The gradient of an operation's output with its own activation's derivative in it.
    View takeGradient(const PlanOp& op);
};

// Operations without kernels of their own run those of the reference engine.
void prepareOp(Work& work, const PlanOp& op);  // packs weights; once per content of the parameters
void forwardOp(Work& work, const PlanOp& op);
// Operations [first, the result) are convolutions, each reading the one before; the same as `first` when
// there are less than two.
std::size_t endOfConvolutions(const NetPlan& plan, std::size_t first);
void backwardOp(Work& work, const PlanOp& op);

// sparse.cpp
void listOnes(Work& work, const PlanOp& input);
void forwardSparse(Work& work, const PlanOp& linear);
void addSparseWeightGradient(Work& work, const PlanOp& linear, View dy);

// linear.cpp
constexpr int kNarrow =
    4;  // layers this narrow are dot products along the inputs: a vector of outputs would be mostly empty
void prepareLinear(Work& work, const PlanOp& op);
void forwardLinear(Work& work, const PlanOp& op);
void backwardLinear(Work& work, const PlanOp& op);
// y [rows, out] from x by packed weights; gradients of such a product: weight [out, in] and bias of the lane.
void addWeightGradient(Work& work, int rows, int in, int out, View x, View dy, float* d_weight);

// conv.cpp: without padding
void prepareConv(Work& work, const PlanOp& op);
void forwardConv(Work& work, const PlanOp& op);
void forwardConvRow(Work& work, const PlanOp& op, int row);
void backwardConv(Work& work, const PlanOp& op);

// norm.cpp
void forwardNorm(Work& work, const PlanOp& op);
void backwardNorm(Work& work, const PlanOp& op);

// lstm.cpp, gru.cpp
void prepareRecurrent(Work& work, const PlanOp& op);
void forwardLstm(Work& work, const PlanOp& op);
void backwardLstm(Work& work, const PlanOp& op);
void forwardGru(Work& work, const PlanOp& op);
void backwardGru(Work& work, const PlanOp& op);

}  // namespace seedbed::native
