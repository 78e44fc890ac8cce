// SPDX-License-Identifier: Apache-2.0
// A plan bound to the shape of one call: every operation has its tensors, so running the plan only calls
// kernels.
#pragma once

#include <memory>
#include <vector>

#include "core/nn/engines/torch/module/analysis.hpp"
#include "core/nn/engines/torch/module/workspace.hpp"

namespace seedbed::torch_module {

struct Shape {
    std::int64_t sequences = 0, steps = 1;
    bool train = false;  // whether gradients are allocated
    bool has_first = false, has_state = false;

    std::int64_t rows() const { return sequences * steps; }
    bool operator==(const Shape&) const = default;
};

// The tensors of one value of the plan. For a vector they are fixed views; for an image the operations
// replace them in each call.
struct Slot {
    at::Tensor value;
    at::Tensor gradient;
    bool from_weights = false;
    bool from_leaf = false;
    bool gradient_shared =
        false;  // the caller's head gradients, or part of another value's gradient: must not be overwritten

    bool wants(bool input_gradients) const { return from_weights || (input_gradients && from_leaf); }
};

class BoundOp {
public:
    virtual ~BoundOp() = default;
    virtual void forward() = 0;
    // Propagates the gradient of the output to the lane and to those inputs that need a gradient.
    virtual void backward(bool input_gradients) = 0;
};

class Frame {
public:
    Frame(const NetPlan& plan, const Analysis& analysis, Workspace& workspace, const Shape& shape);

    const Shape& shape() const { return shape_; }
    void forward();
    void backward(bool input_gradients);

    // Functions that operations call.
    Workspace& workspace() { return workspace_; }
    const NetPlan& plan() const { return plan_; }
    std::int64_t rows() const { return shape_.rows(); }
    Slot& slot(int value) { return slots_[static_cast<std::size_t>(value)]; }
    const PlanValue& valueShape(int value) const { return plan_.values[static_cast<std::size_t>(value)]; }
    std::int64_t valueSize(int value) const { return static_cast<std::int64_t>(valueShape(value).size()); }
    // Whether an operation reads the value as an image rather than as a vector.
    bool seenAsImage(int value) const;
    at::Tensor param(int index) const;
    at::Tensor lane(int index) const;
    // A contiguous buffer in the arena.
    at::Tensor place(const Sizes& sizes);
    at::Tensor ones() const { return ones_; }
    // [B, 1]: 0 in the first row of an episode, otherwise 1. Undefined if the call has no `first`.
    const at::Tensor& continues() const { return continues_; }
    // Sets x to 0, even where it is NaN, in rows that begin an episode. x has the rows of `step`, or of all
    // steps if `step` is -1.
    void clearFirst(at::Tensor& x, std::int64_t step) const;

private:
    void bindSlots();
    at::Tensor columns(const ValueInfo& info, std::int64_t width, bool gradient);
    void bindOps();

    const NetPlan& plan_;
    const Analysis& analysis_;
    Workspace& workspace_;
    Shape shape_;
    std::vector<Slot> slots_;
    struct Step {
        std::unique_ptr<BoundOp> op;
        bool live = false;
        int output = 0;
    };
    std::vector<Step> steps_;
    struct CopiedHead {
        int value;
        at::Tensor panel, gradient;
    };
    std::vector<CopiedHead> copied_heads_;
    at::Tensor ones_, first_, starts_, continues_;
};

// One input of an operation: its slot, and whether its gradient is added to one already written.
struct Input {
    Slot* slot = nullptr;
    bool accumulate = false;

    // Copies or adds `gradient` to the slot's own memory (vectors).
    void addGradient(const at::Tensor& gradient) const {
        if (accumulate) slot->gradient.add_(gradient);
        else slot->gradient.copy_(gradient);
    }
    // Moves `gradient`, which no other code uses, to the slot, or adds it (images).
    void moveGradient(at::Tensor gradient) const {
        if (accumulate) slot->gradient.add_(gradient);
        else slot->gradient = std::move(gradient);
    }
};

// The arguments of an operation's constructor.
struct Binding {
    Frame& frame;
    const PlanOp& op;
    std::vector<Input> inputs;
    Slot& output;
};

}  // namespace seedbed::torch_module
