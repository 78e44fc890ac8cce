// SPDX-License-Identifier: Apache-2.0
// The view of operations while a program is recorded: slices of memory for values, gradients and parameters,
// and dispatch(). The registry of operations.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/base/registry.hpp"
#include "core/nn/engine.hpp"
#include "gpu/arena.hpp"
#include "gpu/recorder.hpp"

namespace seedbed::gpu {

// Ranges of memory for one call that the host writes or reads.
struct Panel {
    std::vector<Slice> obs;  // per leaf, as in Rows
    Slice first, state, previous_action, previous_reward;
    Slice heads, state_out;
    Slice head_gradients;
    Slice lane;                          // gradients of the parameters, [param_floats]
    std::vector<Slice> input_gradients;  // per leaf; only vector leaves
};

// Kernels read and write f32 rows [rows, size], time-major like Rows.
class Pass {
public:
    Pass(const NetPlan& plan, Recorder& recorder, Arena& values, Arena& scratch)
        : plan_(plan), recorder_(recorder), arena_(values), scratch_(scratch) {}

    // --- the call
    const NetPlan& plan() const { return plan_; }
    std::uint32_t rows = 0, sequences = 0, steps = 0;
    Panel panel;
    Slice blob;                             // parameters, [param_floats]
    bool wants_lane = false;                // backward: whether gradients of parameters are requested
    std::vector<char> wants_gradient;       // per value
    std::vector<ParamEntry const*> graded;  // parameters whose gradients the program writes to the lane

    // --- values and gradients
    std::uint32_t size(int value) const { return static_cast<std::uint32_t>(shape(value).size()); }
    const PlanValue& shape(int value) const { return plan_.values[static_cast<std::size_t>(value)]; }
    std::uint32_t count(int value) const { return rows * size(value); }
    Slice value(int index) const { return values_[static_cast<std::size_t>(index)]; }
    Slice gradient(int index) const { return gradients_[static_cast<std::size_t>(index)]; }
    bool wants(int index) const { return wants_gradient[static_cast<std::size_t>(index)] != 0; }
    static int input(const PlanOp& op, int i = 0) { return op.inputs[static_cast<std::size_t>(i)]; }
    // Before a kernel writes to the gradient of a value: whether it must add to it (1), because an earlier
    // kernel has written it, or overwrite it (0).
    std::uint32_t adding(int value) {
        const auto v = static_cast<std::size_t>(value);
        const std::uint32_t before = written_[v] != 0 ? 1 : 0;
        written_[v] = 1;
        return before;
    }
    bool isWritten(int value) const { return written_[static_cast<std::size_t>(value)] != 0; }

    // --- parameters
    const ParamEntry& entry(const PlanOp& op, int i) const {
        return plan_.params[static_cast<std::size_t>(op.params[static_cast<std::size_t>(i)])];
    }
    // First float of parameter `i` in the blob and the lane.
    std::uint32_t weight(const PlanOp& op, int i) const {
        return static_cast<std::uint32_t>(entry(op, i).offset);
    }
    // Whether the gradient of parameter `i` is needed. A caller that gets true must write it.
    bool grades(const PlanOp& op, int i);

    // --- memory
    // `floats` that are kept from the forward pass of an operation to its backward pass. Forward.
    Slice keep(const PlanOp& op, std::uint64_t floats);
    // The memory that the forward pass kept.
    Slice kept(const PlanOp& op) const { return kept_[index(op)]; }
    // Memory that is valid until the operation is complete.
    Slice scratch(std::uint64_t floats) { return scratch_.take(floats * sizeof(float)); }

    // Runs a kernel of shaders/ after all earlier ones. `push`: its push constants; `threads`: its
    // invocations; `macs`: an estimate of its work.
    template <class Push>
    void dispatch(const char* kernel, std::initializer_list<Slice> slices, const Push& push,
                  std::uint64_t threads, double macs = 0) {
        static_assert(sizeof(Push) <= kPushBytes);
        recorder_.dispatch(kernel, slices, &push, sizeof push, threads, macs);
    }

    // --- for the program
    void beginForward(bool with_tape);
    void beginBackward();
    void beginOperation() { scratch_.begin(); }
    Recorder& recorder() { return recorder_; }

private:
    std::size_t index(const PlanOp& op) const { return static_cast<std::size_t>(&op - plan_.ops.data()); }

    const NetPlan& plan_;
    Recorder& recorder_;
    Arena& arena_;
    Arena& scratch_;
    std::vector<Slice> values_, gradients_, kept_;
    std::vector<char> written_;
};

// The implementation of one operation: each file of operations/ registers one.
struct GpuOperation {
    std::string id;  // id of the descriptor in core/nn/operations
    std::vector<std::string> aliases{};
    // Computes value(op.output) from the inputs.
    void (*forward)(Pass& pass, const PlanOp& op) = nullptr;
    // From gradient(op.output), which it may overwrite, writes the gradients of the inputs and parameters
    // that are requested. Null if the operation has no gradient.
    void (*backward)(Pass& pass, const PlanOp& op) = nullptr;
};

Registry<GpuOperation>& gpuOperations();
bool registerGpuOperation(GpuOperation operation);

}  // namespace seedbed::gpu
