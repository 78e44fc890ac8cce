// SPDX-License-Identifier: Apache-2.0
// The data of the native engine's operations: the reference engine's pass, so that rare operations can run
// its kernels, plus packed weights, values outside the pass, and properties of each value.
#pragma once

#include <string>
#include <vector>

#include "core/base/thread.hpp"
#include "core/nn/engines/native/conv_geometry.hpp"
#include "core/nn/engines/native/kernels.hpp"
#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::native {

inline std::size_t toIndex(int i) { return static_cast<std::size_t>(i); }

// Returns `buffer`, enlarged to at least `count` floats. Thread: the buffer's owner.
inline float* grown(std::vector<float>& buffer, std::ptrdiff_t count) {
    return reference::Pass<float>::grown(buffer, static_cast<std::size_t>(count));
}

// Rows of a value or gradient, `stride` floats apart.
struct View {
    float* data = nullptr;
    std::ptrdiff_t stride = 0;
};

// Properties of a value, derived from the plan alone.
struct ValueFacts {
    int producer = -1;                         // index of the operation that computes the value
    int consumers = 0;                         // number of operations and heads that read the value
    bool only_views = true;                    // all consumers take views
    bool only_images = true;                   // all consumers run image by image
    bool only_ones = true;                     // all consumers read bit planes as lists of ones
    int head = -1;                             // index of the head to which the value is written, or -1
    Activation activation = Activation::none;  // activation of the producer; consumers may apply its
                                               // derivative
    bool last = false;                         // an image with its channels last
    bool sparse = false;                       // an image of bits, read as lists of ones
    bool borrowed = false;  // stored in the observation panel or in the caller's heads, not in the pass
};

// The ones of a sparse value; see SparseRows.
struct Ones {
    std::vector<std::int32_t> begin, index;
};

struct NativeOperation;

// How an operation of the plan runs, resolved once.
struct Step {
    const NativeOperation* native = nullptr;              // null: the reference kernels run it
    const reference::Kernels<float>* fallback = nullptr;  // the reference kernels, if they exist
};

// Thread: one owner. Buffers grow to the largest call and are reused.
struct Work {
    // Every operation must have an implementation; see checkSupport.
    explicit Work(const NetPlan& plan);

    reference::Pass<float> pass;
    const Kernels* kernels;
    WorkerPool* pool = nullptr;  // threads that calls with few rows may use; see divide.hpp
    std::vector<Step> steps;     // per operation
    std::vector<std::size_t>
        images_end;  // per operation i: [i, end) run image by image; i if the operation runs alone
    std::vector<ValueFacts> facts;           // per value
    std::vector<ConvGeometry> geometries;    // per operation; of convolutions
    std::vector<std::vector<float>> packed;  // per parameter
    std::vector<Ones> ones;                  // per value, of the current call; filled only for sparse values
    std::vector<View> values, gradients;     // per value, of the current call
    std::vector<char> written, derived;      // per value, backward: gradient is set; derivative is applied
    std::vector<int> pending;                // per value, backward: consumers that have not contributed yet
    std::vector<float> scratch, scratch2, scratch3;

    const reference::Kernels<float>& fallback(const PlanOp& op) const {
        return *steps[pass.index(op)].fallback;
    }
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

    // Sets c, add and derive of `p` so that the product adds to the gradient of input `i`; false if that
    // gradient is not needed. The last contribution applies the derivative of the producer's activation.
    bool prepareInputGradient(const PlanOp& op, int i, Product& p);
    // The gradient of an operation's output, times the derivative of its own activation.
    View outputGradient(const PlanOp& op);

private:
    bool imageByImage(std::size_t op) const;
    void countConsumers();
    void placeHeads();
    void placeInputs();
    void findImages();
};

void prepareOp(Work& work, const PlanOp& op);  // packs weights, once per version of the parameters
void forwardOp(Work& work, const PlanOp& op);
void backwardOp(Work& work, const PlanOp& op);

// error: config; names an operation that neither this engine nor the reference kernels support.
Result<> checkSupport(const NetPlan& plan);

// How the engine runs one operation: each file of operations/ registers one. Operations without an entry, and
// those whose entry does not apply, run the kernels of the reference engine.
struct NativeOperation {
    std::string id;  // id of the descriptor in core/nn/operations
    std::vector<std::string> aliases{};
    bool (*applies)(const NetPlan& plan, const PlanOp& op) = nullptr;  // null: applies to all operations
    void (*prepare)(Work& work, const PlanOp& op) = nullptr;           // packs weights, once per version
    void (*forward)(Work& work, const PlanOp& op) = nullptr;
    void (*backward)(Work& work, const PlanOp& op) = nullptr;  // null: the reference kernel's
    // Forward pass of one row. Consecutive operations with this function run image by image with channels
    // last, so that each operation's input is in the cache.
    void (*forward_image)(Work& work, const PlanOp& op, int row) = nullptr;
    // Whether the operation reads bit planes as lists of ones; null: no.
    bool (*reads_ones)(const NetPlan& plan, const PlanOp& op) = nullptr;
    bool takes_views = false;   // whether its inputs may be outside the pass
    bool writes_views = false;  // whether its output may be columns of the caller's head panel
    bool activates = false;     // whether consumers may apply the derivative of its activation
};

bool registerNative(NativeOperation operation);

}  // namespace seedbed::native
