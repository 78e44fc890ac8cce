// SPDX-License-Identifier: Apache-2.0
// The data of the native engine's operations: the reference engine's pass, so that rarely used operations can
// run its kernels, plus packed weights, values outside the pass, and properties of each value.
#pragma once

#include <array>
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
    int producer = -1;            // index of the operation that computes the value
    int consumers = 0;            // number of operations and heads that read the value
    bool only_views = true;       // all consumers accept views
    bool only_bytes = true;       // all consumers read images of bytes
    bool only_images = true;      // all consumers run image by image
    bool forward_inner = false;   // produced and read by one run of image operations (see Work::images_end)
    bool backward_inner = false;  // the same in the backward pass
    bool only_ones = true;        // all consumers read bit planes as lists of ones
    int head = -1;                // index of the head to which the value is written, or -1
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

// The gradients that the backward pass of an operation that runs image by image reads and writes in each row.
struct ImageGradients {
    bool derive = false;  // multiply the gradient of the output by the derivative of the own activation
    std::array<bool, 2> wanted{};  // per input; the other fields of `dx` are unused
    std::array<Product, 2> dx{};   // c, add and derive
};

struct NativeOperation;

// The kernels that run one operation of the plan, looked up once.
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
    bool keeps_tape = false;     // the last forward pass; see Keep
    WorkerPool* pool = nullptr;  // threads that calls with few rows may use; see divide.hpp
    std::vector<Step> steps;     // per operation
    // Per operation i: [i, end) run image by image in the forward pass, [begin, i] in the backward pass; i if
    // the operation runs alone.
    std::vector<std::size_t> images_end, images_begin;
    std::vector<ImageGradients> image_gradients;  // per operation, of the current call
    std::vector<ValueFacts> facts;                // per value
    std::vector<ConvGeometry> geometries;         // per operation; used by convolutions
    std::vector<std::vector<float>> packed;       // per parameter
    std::vector<Ones> ones;               // per value, for the current call; filled only for sparse values
    std::vector<View> values, gradients;  // per value, of the current call
    std::vector<char> written, derived;   // per value, backward: gradient is set; derivative is applied
    std::vector<int> pending;             // per value, backward: consumers that have not contributed yet
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
    // The same for one row, after beginImageGradients.
    float* outputGradient(const PlanOp& op, int row);
    // Fills in image_gradients; once per call, before the operation's rows.
    void beginImageGradients(const PlanOp& op);
    ImageGradients& imageGradients(const PlanOp& op) { return image_gradients[pass.index(op)]; }
    float* yRow(const PlanOp& op, int row) const { return y(op).data + row * y(op).stride; }
    const float* xRow(const PlanOp& op, int i, int row) const {
        return x(op, i).data + row * x(op, i).stride;
    }
    bool isLast(int value) const { return facts[static_cast<std::size_t>(value)].last; }

private:
    bool imageByImage(std::size_t op) const;
    bool isImage(int value) const;
    void countConsumers();
    void placeHeads();
    void placeInputs();
    void findImages();
    void findRuns();
};

void prepareOp(Work& work, const PlanOp& op);  // packs weights, once per version of the parameters
void forwardOp(Work& work, const PlanOp& op);
void backwardOp(Work& work, const PlanOp& op);
void beginBackwardImages(Work& work, const PlanOp& op);
void endBackwardImages(Work& work, const PlanOp& op);

// error: config; names an operation that neither this engine nor the reference kernels support.
Result<> checkSupport(const NetPlan& plan);

// How the engine runs one operation: each file of operations/ registers one. An operation without an entry,
// or whose entry does not apply, runs on the kernels of the reference engine.
struct NativeOperation {
    std::string id;  // id of the descriptor in core/nn/operations
    std::vector<std::string> aliases{};
    bool (*applies)(const NetPlan& plan, const PlanOp& op) = nullptr;  // null: applies to all operations
    void (*prepare)(Work& work, const PlanOp& op) = nullptr;           // packs weights, once per version
    void (*forward)(Work& work, const PlanOp& op) = nullptr;           // null: forward_image for each row
    // Null: backward_image for each row if it is set, otherwise the reference kernel.
    void (*backward)(Work& work, const PlanOp& op) = nullptr;
    // Passes of one row. Consecutive operations with these functions run image by image with channels last,
    // so that the input of each operation is still in the cache. backward_begin and backward_end are called
    // before the first and after the last row.
    void (*forward_image)(Work& work, const PlanOp& op, int row) = nullptr;
    void (*backward_begin)(Work& work, const PlanOp& op) = nullptr;
    void (*backward_image)(Work& work, const PlanOp& op, int row) = nullptr;
    void (*backward_end)(Work& work, const PlanOp& op) = nullptr;
    // Whether the operation reads bit planes as lists of ones; null: no.
    bool (*reads_ones)(const NetPlan& plan, const PlanOp& op) = nullptr;
    bool takes_views = false;   // whether its inputs may be outside the pass
    bool takes_bytes = false;   // whether its input may be an image of bytes in the observations
    bool writes_views = false;  // whether its output may be columns of the caller's head panel
    bool activates = false;     // whether consumers may apply the derivative of its activation
};

bool registerNative(NativeOperation operation);

}  // namespace seedbed::native
